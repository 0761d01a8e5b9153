"""Replies to the requests of an item, from files: written by somebody who saw the requests alone.

`ITEM/STEP.reply.json` has the arguments of `read_answers` once all answers of the step are there,
by the ids of `ITEM/STEP.request.json`. It counts as far as those answers are there, by the ids that
they have now. Where there is none the request is kept, the last one of the step, and read as
nothing: the script's lines stand. A reply that is sent back with its flaws is repaired likewise, by
`ITEM/STEP.repair.json`; without one it is given once more.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.devtools.provider.exchange import ProviderRequest, RecordedRequest, StandInAnswer, data_of
from bot.devtools.provider.personalities import lazy

TASK: Final = "read_answers"
Json = Mapping[str, Any]


@dataclass(slots=True)
class FiledReplies:
    """`item`: whose requests are answered now."""

    root: Path
    item: str = ""

    def __call__(self, asked: ProviderRequest, number: int) -> StandInAnswer:
        files = [self._file(asked, kind) for kind in (_kind(asked), "reply")]
        file = next((file for file in files if file.is_file()), None)
        if asked.task != TASK or file is None:
            return lazy.reply(asked, number)
        reply = json.loads(file.read_text("utf-8"))
        own = frozenset(str(answer["id"]) for answer in asked.answers)
        return StandInAnswer(_as_far_as_said(reply, self._ids(file, asked), own))

    def keep(self, requests: Iterable[RecordedRequest]) -> None:
        """Keep the bodies of those that have no reply, or no repair of one."""
        for request in requests:
            asked = request.asked
            if asked is None or asked.task != TASK:
                continue
            kind = _kind(asked)
            if kind == "repair" and not self._file(asked, "reply").exists():
                continue
            if not self._file(asked, kind).exists():
                file = self._file(asked, REQUEST_OF[kind])
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(request.body, indent=1, ensure_ascii=False) + "\n")

    def _file(self, asked: ProviderRequest, kind: str) -> Path:
        step = (asked.data.get("step") or {}).get("id", "")
        return self.root / self.item / f"{step}.{kind}.json"

    def _ids(self, reply: Path, asked: ProviderRequest) -> Mapping[str, str]:
        """The ids of answers that a reply was written by, with those that they have now."""
        ids: dict[str, list[str]] = {}
        for answer in _answers_in(asked.data):
            ids.setdefault(answer["text"], []).append(answer["id"])
        step, kind, _ = reply.name.split(".")
        request = reply.with_name(f"{step}.{REQUEST_OF[kind]}.json")
        if not request.is_file():
            return {one: one for now in ids.values() for one in now}
        written_for = data_of(json.loads(request.read_text("utf-8"))["messages"][-1]["content"])
        return {
            answer["id"]: now.pop(0)
            for answer in _answers_in(written_for)
            if (now := ids.get(answer["text"]))
        }


REQUEST_OF: Final = {"reply": "request", "repair": "repair-request"}


def _kind(asked: ProviderRequest) -> str:
    return "repair" if "flaws" in asked.data else "reply"


def _answers_in(data: Json) -> Iterator[Json]:
    """Those of the step first, then those of earlier ones, which a line's `of` may name."""
    yield from data["answers"]
    for step in data.get("earlier", ()):
        yield from step["answers"]


def _as_far_as_said(reply: Json, ids: Mapping[str, str], own: frozenset[str]) -> Json:
    """The reply without what quotes an answer that is not one of the step now."""
    lines = [
        {**line, "quotes": _quotes(line, ids), "of": _quoted(line["of"], ids)}
        for line in reply["lines"]
        if _is_said(line, ids, own)
    ]
    criteria = [
        {**one, "quotes": _quotes(one, ids)}
        if _is_said(one, ids, own)
        else {**one, "met": False, "quotes": []}
        for one in reply["criteria"]
    ]
    return {**reply, "lines": lines, "criteria": criteria}


def _is_said(line: Json, ids: Mapping[str, str], own: frozenset[str]) -> bool:
    return all(ids.get(quote["answer"]) in own for quote in line["quotes"])


def _quotes(line: Json, ids: Mapping[str, str]) -> list[Json]:
    return [{**quote, "answer": ids[quote["answer"]]} for quote in line["quotes"]]


def _quoted(quote: Json | None, ids: Mapping[str, str]) -> Json | None:
    is_there = quote is not None and quote["answer"] in ids
    return {**quote, "answer": ids[quote["answer"]]} if quote and is_there else None
