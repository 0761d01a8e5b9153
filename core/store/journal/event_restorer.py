"""Events as they were, from what their journal rows hold and refer to."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final, Protocol

from core.domain import events as on
from core.domain.ids import SessionId
from core.store.documents.codec import EVENTS, adapter
from core.store.repository.journal_entry import back

NOT_KEPT: Final = "not kept"  # in place of an address that only mattered then
Doc = dict[str, Any]


class LostError(Exception):
    """A row that the journal refers to is not there, or cannot be read. Its text says which."""


class StoredRows(Protocol):
    @property
    def place(self) -> int: ...
    @property
    def at(self) -> float: ...
    @property
    def by(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def extra(self) -> Mapping[str, Any]: ...


class Restoring:
    """`real` holds every version of a row; `copy` says how many of them there were by then."""

    def __init__(
        self,
        session: SessionId,
        real: sqlite3.Connection,
        copy: sqlite3.Connection,
        rows: Iterable[StoredRows],
    ) -> None:
        self._id, self._real, self._copy = session, real, copy
        self._rows = tuple(rows)

    def event(self, row: StoredRows) -> on.Event:
        """Raises `LostError` where a row that it names is not there or cannot be read."""
        if row.kind not in EVENTS:
            raise LostError(f"no version since then knows {row.kind}")
        try:
            doc = self._whole(row)
            found: on.Event = adapter(EVENTS[row.kind]).validate_json(json.dumps(doc))
        except (ValueError, LookupError, TypeError) as error:
            raise LostError("a row that it refers to cannot be read") from error
        return found

    def _whole(self, row: StoredRows) -> Doc:
        beside = {"at": row.at, **({"by": row.by} if row.by else {})}
        doc: Doc = beside | json.loads(row.doc)
        if row.extra.get("respond_to"):
            doc["respond_to"] = NOT_KEPT
        fill = _FILLED.get(row.kind)
        if fill is not None:
            fill(self, doc, row)
        return doc

    # ── by kind ──

    def requested(self, doc: Doc, _: StoredRows) -> None:
        stored = json.loads(self._one("SELECT doc FROM sessions WHERE id = ?", self._id))
        doc |= {name: stored[name] for name in ("text", "seed")}

    def said(self, doc: Doc, row: StoredRows) -> None:
        """The words of the revision that this event made."""
        if "text" in row.extra:
            doc |= {"text": row.extra["text"], "permalink": row.extra["permalink"]}
            return
        answer = json.loads(self._revision(f"{doc['channel']}:{doc['ts']}"))
        doc["text"] = answer["text"]
        if row.kind == "MessagePosted":
            doc |= {"permalink": answer["permalink"], "files": answer.get("files", [])}

    def with_secret(self, doc: Doc, row: StoredRows) -> None:
        doc["said"] = row.extra["said"][1]

    def read(self, doc: Doc, row: StoredRows) -> None:
        sections = [self._section(doc["step"], file) for file in row.extra.get("sections", ())]
        claims = self._claims.get(row.place, [])
        doc["draft"] = {**row.extra["draft"], "claims": claims, "sections": sections}
        doc["elsewhere"] = [self._section(*each) for each in row.extra.get("elsewhere", ())]

    def consulted(self, doc: Doc, row: StoredRows) -> None:
        doc["contribution"] = row.extra["contribution"]

    def thread_read(self, doc: Doc, row: StoredRows) -> None:
        doc["found"] = row.extra["found"]

    def opened(self, doc: Doc, _: StoredRows) -> None:
        for file in doc["files"]:
            self._fill(file)

    def step_opened(self, doc: Doc, _: StoredRows) -> None:
        self._fill(doc["file"])

    # ── rows ──

    def _fill(self, file: Doc) -> None:
        """What the file held. Two files may hold the same: the name is of this one."""
        step = file.get("step")
        if step is not None:
            query = "SELECT doc FROM contents WHERE digest = ?"
            known = json.loads(self._one(query, step["digest"]))
            file["step"] = {**known, **step, "file": file["file"]}

    def _revision(self, answer: str) -> str:
        query = "SELECT max(revision) FROM answers WHERE session = ? AND id = ?"
        (last,) = self._copy.execute(query, (self._id, answer)).fetchone()
        query = "SELECT doc FROM answers WHERE session = ? AND id = ? AND revision = ?"
        return self._one(query, self._id, answer, (last or 0) + 1)

    def _section(self, step: str, file: str) -> Doc:
        query = "SELECT max(version) FROM sections WHERE session = ? AND step = ? AND file = ?"
        (last,) = self._copy.execute(query, (self._id, step, file)).fetchone()
        query = """SELECT doc FROM sections
            WHERE session = ? AND step = ? AND version = ? AND file = ?"""
        section: Doc = json.loads(self._one(query, self._id, step, (last or 0) + 1, file))
        return section

    def _one(self, query: str, *args: object) -> str:
        row = self._real.execute(query, args).fetchone()
        if row is None:
            raise LostError(f"a row that it refers to is not there ({args[-1]})")
        return str(row[0])

    @cached_property
    def _claims(self) -> Mapping[int, list[Any]]:
        """What each reading found, by place: from the claims that stand now, step by step back."""
        now: defaultdict[str, list[Any]] = defaultdict(list)
        query = "SELECT step, doc FROM claims WHERE session = ?"
        for step, doc in self._real.execute(query, (self._id,)):
            now[step] = json.loads(doc)
        found: dict[int, list[Any]] = {}
        for row in reversed(self._rows):
            if row.kind == "BrainReplied":
                found[row.place] = now[json.loads(row.doc)["step"]]
            for step, were in row.extra.get("was", {}).items():
                now[step] = back(were, now[step])
        return found


_FILLED: Final = {
    "SessionRequested": Restoring.requested,
    "MessagePosted": Restoring.said,
    "MessageEdited": Restoring.said,
    "SecretFound": Restoring.with_secret,
    "BrainReplied": Restoring.read,
    "Consulted": Restoring.consulted,
    "ThreadRead": Restoring.thread_read,
    "PhaseOpened": Restoring.opened,
    "StepOpened": Restoring.step_opened,
}
