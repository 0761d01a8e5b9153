"""What a section gives to its file as a whole: assumptions, open questions, who spoke, risks.

It is stored beside the section's blocks, so that the end of a file can gather what its steps leave
open.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import TypeVar

from core.artifacts.compose.view import SectionView, claim_item, group_of, is_assumed, is_open
from core.artifacts.document import words
from core.artifacts.document.tree import (
    Blocks,
    FileShare,
    Row,
    Voice,
    in_turn,
    listing,
    paragraph,
    titled,
)
from core.artifacts.render.provenance import messages
from core.domain.answers import Claim

T = TypeVar("T")


def gathered(view: SectionView, file: str) -> FileShare:
    """What the step's claims give to the end of a file."""
    title = view.title(file)

    def items(wanted: Callable[[Claim], bool]) -> tuple[Blocks, ...]:
        lines = filter(wanted, view.own)
        return tuple(claim_item(claim, view.sources, under=title) for claim in lines)

    return FileShare(
        items(lambda claim: group_of(claim) == "out-of-scope"),
        items(is_assumed),
        items(lambda claim: is_open(claim) and not is_assumed(claim)),
        tuple(
            (claim.ref or title, voice)
            for claim in view.own
            for voice in view.sources.voices(claim)
        ),
        files=tuple(name for name in view.step.outputs if name != file and "*" not in name),
    )


def together(parts: Iterable[FileShare]) -> FileShare:
    """Everything that the sections give; of what each gives all of, the last."""
    every = list(parts)
    return FileShare(
        excluded=_every(part.excluded for part in every),
        assumptions=_every(part.assumptions for part in every),
        questions=_every(part.questions for part in every),
        voices=_every(part.voices for part in every),
        risks=_last(part.risks for part in every),
        further=_last(part.further for part in every),
        files=tuple(dict.fromkeys(_every(part.files for part in every))),
        not_all_asked=any(part.not_all_asked for part in every),
    )


def _every(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(parts))


def _last(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    """Of those that are not empty."""
    return next((part for part in reversed(list(parts)) if part), ())


# ── ends that several files have ───────────────────────────────────────────────────────────────


def left_open(whole: FileShare) -> Blocks:
    """The assumptions and the open questions of a file, also where there are none."""
    none = words.text("not_all_asked") if whole.not_all_asked else words.text("no_assumption")
    assumptions = listing(whole.assumptions) or paragraph(none)
    questions = listing(whole.questions) or paragraph(words.text("no_open_question"))
    return (
        *titled(words.text("assumptions"), assumptions, 2),
        *titled(words.text("open_questions"), questions, 2),
    )


def out_of_scope(whole: FileShare) -> Blocks:
    excluded = listing(whole.excluded) or paragraph(words.text("nothing_excluded"))
    return titled(words.text("out_of_scope"), excluded, 2)


def voice_rows(voices: Iterable[tuple[str, Voice]]) -> list[Row]:
    """A row for each person: what they spoke to, and every message in which they did."""
    topics: dict[str, dict[str, None]] = {}
    links: dict[str, dict[str, None]] = {}
    for topic, voice in voices:
        topics.setdefault(voice.by, {})[topic] = None
        links.setdefault(voice.by, {}).update(dict.fromkeys(voice.permalinks))
    return [
        (
            (name,),
            in_turn(((topic,) for topic in about), ", "),
            messages(links[name]) or (words.text("not_said"),),
        )
        for name, about in topics.items()
    ]
