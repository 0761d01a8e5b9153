"""Replies to the requests of an item, from files: written by somebody who saw the requests alone.

`ITEM/STEP.reply.json` has the arguments of `read_answers` once all answers of the step are there;
before that it counts as far as its quotes stand. Where there is none the request is kept as
`ITEM/STEP.request.json`, the last one of the step, and read as nothing: the script's lines stand.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.devtools.provider.exchange import Asked, RecordedRequest, StandInAnswer
from bot.devtools.provider.personalities import lazy

TASK: Final = "read_answers"
Json = Mapping[str, Any]


@dataclass(slots=True)
class FiledReplies:
    """`item`: whose requests are answered now."""

    root: Path
    item: str = ""

    def __call__(self, asked: Asked, number: int) -> StandInAnswer:
        file = self._file(asked, "reply")
        if asked.task != TASK or not file.is_file():
            return lazy.reply(asked, number)
        return StandInAnswer(_as_far_as_said(json.loads(file.read_text("utf-8")), asked))

    def keep(self, requests: Iterable[RecordedRequest]) -> None:
        """Keep the bodies of those that have no reply."""
        for request in requests:
            asked = request.asked
            if asked is None or asked.task != TASK or "flaws" in asked.data:
                continue
            if not self._file(asked, "reply").exists():
                file = self._file(asked, "request")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(request.body, indent=1, ensure_ascii=False) + "\n")

    def _file(self, asked: Asked, kind: str) -> Path:
        step = (asked.data.get("step") or {}).get("id", "")
        return self.root / self.item / f"{step}.{kind}.json"


def _as_far_as_said(reply: Json, asked: Asked) -> Json:
    """The reply without what quotes an answer that is not there yet."""
    there = {str(answer["id"]) for answer in asked.answers}
    lines = [line for line in reply["lines"] if _answers_of(line) <= there]
    criteria = [
        one if _answers_of(one) <= there else {**one, "met": False, "quotes": []}
        for one in reply["criteria"]
    ]
    return {**reply, "lines": lines, "criteria": criteria}


def _answers_of(line: Json) -> frozenset[str]:
    return frozenset(str(quote["answer"]) for quote in line["quotes"])
