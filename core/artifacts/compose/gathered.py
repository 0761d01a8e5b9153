"""What a section gives to its file as a whole: assumptions, open questions, risks.

It is stored beside the section's blocks, so that the end of a file can gather what its steps leave
open.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import TypeVar

from core.artifacts.compose.lines.claims import asked_of, group_of, is_asked, is_guess
from core.artifacts.compose.view import SectionView
from core.artifacts.document import tree, words
from core.artifacts.document.tree import Blocks, FileShare
from core.domain.answers import Claim
from core.domain.assumptions import is_left

T = TypeVar("T")


def gathered(view: SectionView, file: str) -> FileShare:
    """What the step's claims give to the end of a file."""
    title = view.title(file)

    def items(is_wanted: Callable[[Claim], bool]) -> tuple[Blocks, ...]:
        return tuple(
            view.sources.item(line, under=title, asked=asked_of(line))
            for line in filter(is_wanted, view.own)
        )

    return FileShare(
        excluded=items(lambda claim: group_of(claim) == "exclusion"),
        assumptions=items(is_guess),
        questions=(*items(is_asked), *items(is_left)),
        files=tuple(name for name in view.step.outputs if name != file and "*" not in name),
    )


def together(parts: Iterable[FileShare]) -> FileShare:
    """The shares of all sections joined; of what each gives in whole, the last."""
    shares = list(parts)
    return FileShare(
        excluded=_all(share.excluded for share in shares),
        assumptions=_all(share.assumptions for share in shares),
        questions=_all(share.questions for share in shares),
        risks=_last(share.risks for share in shares),
        further=_last(share.further for share in shares),
        files=tuple(dict.fromkeys(_all(share.files for share in shares))),
        not_all_asked=any(share.not_all_asked for share in shares),
    )


def _all(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(parts))


def _last(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    """Of those that are not empty."""
    return next((part for part in reversed(list(parts)) if part), ())


# ── ends that several files have ───────────────────────────────────────────────────────────────


def left_open(file_share: FileShare) -> Blocks:
    """The assumptions and the open questions of a file, also where there are none."""
    no_assumption = "not_all_asked" if file_share.not_all_asked else "no_assumption"
    return (
        *_ending("assumptions", file_share.assumptions, no_assumption),
        *_ending("open_questions", file_share.questions, "no_open_question"),
    )


def out_of_scope(file_share: FileShare) -> Blocks:
    return _ending("out_of_scope", file_share.excluded, "nothing_excluded")


def _ending(title: str, items: Iterable[Blocks], nothing: str) -> Blocks:
    """A list under its heading, or the sentence that says that it is empty."""
    blocks = tree.listing(items) or tree.paragraph(words.text(nothing))
    return tree.titled(words.text(title), blocks, 2)
