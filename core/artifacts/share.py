"""What a section gives to its file as a whole: assumptions, open questions, who spoke, risks.

It is kept as a block of JSON above the section's Markdown until the page is made, so that the end
of a file can gather what its steps leave open.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from itertools import chain
from typing import Any, TypeVar

from core.artifacts import words
from core.artifacts.markdown import claim_line, escape, messages
from core.artifacts.page import front_matter
from core.artifacts.view import View, group_of, is_assumed, is_open
from core.domain.answers import Claim

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Share:
    """Rendered lines and cells, so that the page only has to put them in order."""

    excluded: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    voices: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # who, what they said, permalinks
    risks: tuple[tuple[str, ...], ...] = ()  # id of the claim, then the cells of its row
    further: tuple[str, ...] = ()  # lines of steps that have no section in this file
    files: tuple[str, ...] = ()


def share(view: View, file: str) -> Share:
    title = view.title(file)
    voices = [
        (voice.by, claim.ref or title, voice.permalinks)
        for claim in view.own
        for voice in view.sources.voices(claim)
    ]

    def lines(kept: Callable[[Claim], bool]) -> tuple[str, ...]:
        return tuple(claim_line(one, view.sources, under=title) for one in view.own if kept(one))

    return Share(
        lines(lambda one: group_of(one) == "out-of-scope"),
        lines(is_assumed),
        lines(lambda one: is_open(one) and not is_assumed(one)),
        tuple(voices),
        files=tuple(name for name in view.step.outputs if name != file and "*" not in name),
    )


def with_share(body: str, part: Share) -> str:
    return f"---\n{json.dumps(asdict(part))}\n---\n\n{body}"


def without_share(body: str) -> tuple[Share, str]:
    """What the section gives, and its Markdown."""
    front, rest = front_matter(body)
    try:
        found = json.loads(front or "")
    except ValueError:
        return Share(), body
    if not isinstance(found, dict) or set(found) != {field.name for field in fields(Share)}:
        return Share(), body
    return Share(**{key: _frozen(value) for key, value in found.items()}), rest


def _frozen(value: Any) -> Any:  # JSON knows lists only
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def together(parts: Iterable[Share]) -> Share:
    """Everything that the sections give; of what each gives all of, the last."""
    every = list(parts)
    return Share(
        excluded=_every(part.excluded for part in every),
        assumptions=_every(part.assumptions for part in every),
        questions=_every(part.questions for part in every),
        voices=_every(part.voices for part in every),
        risks=_last(part.risks for part in every),
        further=_last(part.further for part in every),
        files=tuple(dict.fromkeys(_every(part.files for part in every))),
    )


def _every(given: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(given))


def _last(given: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    """Of those that are not empty."""
    found: tuple[T, ...] = ()
    for each in given:
        found = each or found
    return found


def voice_rows(part: Share) -> list[list[str]]:
    """A row for each person: what they spoke to, and every message in which they did."""
    spoke: dict[str, dict[str, None]] = {}
    links: dict[str, dict[str, None]] = {}
    for who, what, permalinks in part.voices:
        spoke.setdefault(who, {})[what] = None
        links.setdefault(who, {}).update(dict.fromkeys(permalinks))
    return [
        [escape(who), ", ".join(map(escape, said)), messages(links[who]) or words.NOT_SAID]
        for who, said in spoke.items()
    ]
