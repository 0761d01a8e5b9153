"""Events as they were, from what their journal rows hold and refer to."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final

from core.domain import events as on
from core.domain.ids import SessionId
from core.domain.session.step import StepState
from core.domain.session.step_words import StepWords
from core.store.documents import CorruptError, adapter, dump, load
from core.store.repository.calls import call_of
from core.store.repository.journal_entry import (
    EVENTS,
    HELD,
    OF_STEP,
    Conditions,
    DecisionOutcome,
    claims_before,
    last_version,
)
from core.store.statements import answers, sessions, steps
from core.store.statements.statement import Connection, SqlStatement, Value

Doc = dict[str, Any]


class LostError(Exception):
    """A row that the journal refers to is not there, or cannot be read. Its text says which."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One row of the journal, without the session's id."""

    place: int
    at: float
    kind: str
    by: str | None
    doc: str
    extra: Mapping[str, Any]
    outcome: DecisionOutcome


class EventRestorer:
    """`real` holds every version of a row; `copy` says how many of them there were by then."""

    def __init__(
        self,
        session: SessionId,
        real: Connection,
        copy: Connection,
        entries: Iterable[JournalEntry],
    ) -> None:
        self._id, self._real, self._copy = session, real, copy
        self._entries = tuple(entries)

    def event(self, entry: JournalEntry) -> on.Event:
        """Raises `LostError` where a row that it names is not there or cannot be read."""
        if entry.kind not in EVENTS:
            raise LostError(f"no version since then knows {entry.kind}")
        try:
            doc = self._whole(entry)
            event: on.Event = adapter(EVENTS[entry.kind]).validate_json(json.dumps(doc))
        except (ValueError, LookupError, TypeError) as error:
            raise LostError("a row that it refers to cannot be read") from error
        return event

    def conditions(self, entry: JournalEntry) -> Conditions:
        """The settings it was decided under. Raises `LostError` where their row is not there."""
        doc = entry.outcome.conditions
        if not doc.startswith("{"):
            doc = self._one(sessions.CONTENT, "settings", digest=doc)
        return load(Conditions, doc)

    def _whole(self, entry: JournalEntry) -> Doc:
        columns = {"at": entry.at, **({"by": entry.by} if entry.by else {})}
        doc: Doc = columns | json.loads(entry.doc)
        fill = _FILLED.get(entry.kind)
        if fill is not None:
            fill(self, doc, entry)
        return doc

    # ── by kind ──

    def session_requested(self, doc: Doc, _: JournalEntry) -> None:
        stored = json.loads(self._one(sessions.SESSION, self._id, id=self._id))
        doc |= {name: stored[name] for name in ("text", "seed")}

    def message(self, doc: Doc, entry: JournalEntry) -> None:
        """The words of the revision that this event made, unless it made none."""
        if "text" in doc:
            return
        answer = json.loads(self._revision(f"{doc['channel']}:{doc['ts']}"))
        doc["text"] = answer["text"]
        if entry.kind == "MessagePosted":
            doc |= {"permalink": answer["permalink"], "files": answer.get("files", [])}

    def brain_replied(self, doc: Doc, entry: JournalEntry) -> None:
        self._fill_words(doc, entry)
        doc["draft"] |= self._quoted(doc["step"], entry)
        doc["draft"]["claims"] = self._claims.get(entry.place, [])
        beside = entry.extra.get("beside", ())
        for reference in (doc["draft"], "sections"), (doc, "elsewhere"):
            holder, name = reference
            holder[name] = [
                self._section(**section, is_new=[section["step"], section["file"]] in beside)
                for section in holder.get(name, ())
            ]

    def model_called(self, doc: Doc, entry: JournalEntry) -> None:
        if "step" not in doc:
            call = call_of(self._real, self._id, doc["task"])
            doc |= {
                name: asdict(value) if name == "usage" else value for name, value in call.items()
            }
        self._fill_words(doc, entry)

    def phase_opened(self, doc: Doc, _: JournalEntry) -> None:
        for file in doc["files"]:
            self._fill_step(file)

    def step_opened(self, doc: Doc, _: JournalEntry) -> None:
        self._fill_step(doc["file"])

    # ── words of steps ──

    def _fill_words(self, doc: Doc, entry: JournalEntry) -> None:
        """What the event brought and its step holds: so many of these, or the one that there is."""
        words = self._words[entry.place].get(doc["step"], {})
        for name in doc.keys() & OF_STEP:
            if doc[name] == HELD:
                doc[name] = words[name]
            elif isinstance(doc[name], int):
                doc[name] = words.get(name, [])[: doc[name]]

    def _quoted(self, step: str, entry: JournalEntry) -> Doc:
        """What of a draft quotes people."""
        words = self._words[entry.place]
        step_words = words.get(step, {})
        quoted: Doc = {"recorded": step_words.get("recorded", ""), **entry.extra.get("draft", {})}
        follow_up = quoted.get("follow_up")
        if isinstance(follow_up, int):
            quoted["follow_up"] = step_words["asked"][follow_up]
        elif follow_up == HELD:
            quoted["follow_up"] = step_words["held"]
        closed = (_closed(row, words) for row in quoted.get("closed", ()))
        return quoted | {"closed": list(closed)}

    @cached_property
    def _words(self) -> Mapping[int, Mapping[str, Doc]]:
        """The words on all steps after each reading, by place, as `_claims` has them."""
        now: dict[str, Doc] = {}
        for (doc,) in steps.ALL_STEPS(self._real, session=self._id):
            with suppress(CorruptError):
                state = load(StepState, doc)
                now[state.id] = json.loads(dump(StepWords.of(state)))
        words: dict[int, Mapping[str, Doc]] = {}
        for entry in reversed(self._entries):
            words[entry.place] = dict(now)
            for step, overwritten in entry.extra.get("words", {}).items():
                now[step] = _words_before(overwritten, now.get(step, {}))
        return words

    # ── rows ──

    def _fill_step(self, file: Doc) -> None:
        """What the file held. Two files may hold the same: the name is of this one."""
        step = file.get("step")
        if step is not None:
            digest = step["digest"]
            content = json.loads(self._one(sessions.CONTENT, digest, digest=digest))
            file["step"] = {**content, **step, "file": file["file"]}

    def _revision(self, answer: str) -> str:
        key: dict[str, Value] = {"session": self._id, "id": answer}
        (last,) = answers.LAST_REVISION(self._copy, **key).fetchone()
        revision = (last or 0) + 1
        return self._one(answers.ANSWER_REVISION, revision, **key, revision=revision)

    def _section(self, step: str, file: str, *, is_new: bool) -> Doc:
        """The last words of its version: those that took their place are not there any more."""
        key: dict[str, Value] = {"session": self._id, "step": step, "file": file}
        version = max(1, last_version(self._copy, **key) + is_new)
        title, body = self._row(steps.SECTION_VERSION, file, **key, version=version)
        return {"step": step, "file": file, "title": title, "body": body}

    def _one(self, statement: SqlStatement, name: object, **values: Value) -> str:
        """The document of a row that is there for certain; `name` is what it is called if not."""
        return str(self._row(statement, name, **values)[0])

    def _row(self, statement: SqlStatement, name: object, **values: Value) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = statement(self._real, **values).fetchone()
        if row is None:
            raise LostError(f"a row that it refers to is not there ({name})")
        return row

    @cached_property
    def _claims(self) -> Mapping[int, list[Any]]:
        """The claims of each draft, by place: from those that stand now, step by step back."""
        now: defaultdict[str, list[Any]] = defaultdict(list)
        for step, doc in steps.CLAIMS_BY_STEP(self._real, session=self._id):
            now[step] = json.loads(doc)
        claims: dict[int, list[Any]] = {}
        for entry in reversed(self._entries):
            if entry.kind == "BrainReplied":
                claims[entry.place] = now[json.loads(entry.doc)["step"]]
            for step, overwritten in entry.extra.get("was", {}).items():
                now[step] = claims_before(overwritten, now[step])
        return claims


def _words_before(overwritten: Doc, after: Doc) -> Doc:
    """The words of before; a question that is asked by then is there by its place."""
    before = {
        name: after["asked"][value] if isinstance(value, int) else value
        for name, value in overwritten.items()
    }
    return after | before


def _closed(row: Doc | list[Any], words: Mapping[str, Doc]) -> Doc:
    """A question that is over, from where it stands and what came of it, or whole."""
    if isinstance(row, dict):
        return row
    step, place, outcome, by = row
    question: Doc = words[step]["asked"][place]
    return {**question, "outcome": outcome, "by": by}


_FILLED: Final = {
    "SessionRequested": EventRestorer.session_requested,
    "MessagePosted": EventRestorer.message,
    "MessageEdited": EventRestorer.message,
    "BrainReplied": EventRestorer.brain_replied,
    "ModelReplied": EventRestorer.model_called,
    "ModelFailed": EventRestorer.model_called,
    "PhaseOpened": EventRestorer.phase_opened,
    "StepOpened": EventRestorer.step_opened,
}
