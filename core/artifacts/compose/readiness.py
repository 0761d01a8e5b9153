"""What whoever builds from an analysis must know: what is not settled, in sentences."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.artifacts.compose.analysis.options import undecided_options
from core.artifacts.compose.lines.claim_links import (
    is_must,
    lacks_check,
    loose_requirements,
    standing_index,
)
from core.artifacts.compose.lines.claims import of_kind, open_questions
from core.artifacts.document import words
from core.artifacts.document.plain import one_line
from core.domain.answers import Claim
from core.domain.assumptions import is_assumed, is_left
from core.domain.lines import superseded

NAMES_MAX: Final = 8  # in one sentence


@dataclass(frozen=True, slots=True)
class Readiness:
    """What stands in the way of building: musts, links, choices, and what nobody said."""

    is_buildable: bool  # somebody said what it has to do
    has_musts: bool  # somebody said what must be there, whichever line that is
    unchecked: tuple[Claim, ...]  # musts
    unchecked_others: tuple[Claim, ...]  # requirements that nobody ranked either
    requirements: int
    loose: tuple[Claim, ...]  # requirements
    hardly_linked: bool  # nearly all of them are loose
    undecided: tuple[str, ...]  # options that were weighed, where none was chosen
    let_pass: tuple[Claim, ...]  # confirmed by a click, said by nobody
    unanswered: tuple[Claim, ...]  # follow-ups that were asked
    assumed: tuple[Claim, ...]  # by somebody, in their words
    questions: tuple[Claim, ...]

    def sentences(self, name: Callable[[Claim], Iterable[str]]) -> list[str]:
        """One for each thing that is not settled, the gravest first; else that all is.

        `name`: who let a line pass.
        """
        people = dict.fromkeys(person for claim in self.let_pass for person in name(claim))
        parts = {
            "nothing_to_build": [] if self.is_buildable else [""],
            "no_must": [""] if self.is_buildable and not self.has_musts else [],
            "unchecked_musts": [_refs(self.unchecked)],
            "unchecked_others": [
                _count(self.unchecked_others, "requirement"),
                str(self.requirements),
            ],
            "loose_requirements": [] if self.hardly_linked else [_refs(self.loose)],
            "hardly_linked": (
                [_count(self.loose, "requirement"), str(self.requirements)]
                if self.hardly_linked
                else []
            ),
            "undecided": [_listed(self.undecided)],
            "let_pass": [_count(self.let_pass, "line"), ", ".join(people)],
            "unanswered": [_count(self.unanswered, "follow_up")],
            "assumed_by_people": [_count(self.assumed, "line")],
            "questions_open": [_count(self.questions, "question")],
        }
        lines = [
            words.text(key).format(*texts) for key, texts in parts.items() if _says(key, texts)
        ]
        return lines or [words.text("all_settled")]


def readiness_of(claims: Sequence[Claim]) -> Readiness:
    """Of all claims of an analysis; those that were replaced do not count."""
    every = standing_index(claims, superseded(claims))
    requirements = [
        claim for claim in of_kind(every, "requirement") if claim.confidence != "proposed"
    ]
    assumed = [claim for claim in every if is_assumed(claim)]
    let_pass = [claim for claim in assumed if claim.is_confirmed_draft]
    unanswered = [claim for claim in assumed if is_left(claim)]
    musts = [claim for claim in requirements if is_must(claim, every)]
    loose = loose_requirements(every, every)
    return Readiness(
        is_buildable=bool(requirements or of_kind(every, "story")),
        has_musts=every.has_musts or bool(every.unplaced_musts),
        unchecked=tuple(claim for claim in musts if lacks_check(claim, every)),
        unchecked_others=tuple(
            claim
            for claim in requirements
            if every.has_musts and claim not in musts and lacks_check(claim, every)
        ),
        requirements=len(requirements),
        loose=tuple(loose),
        hardly_linked=every.nearly_all_loose,
        undecided=tuple(option.name for option in undecided_options(every)),
        let_pass=tuple(let_pass),
        unanswered=tuple(unanswered),
        assumed=tuple(line for line in assumed if line not in (*let_pass, *unanswered)),
        questions=tuple(open_questions(every)),
    )


def _says(key: str, texts: Sequence[str]) -> bool:
    return bool(texts) and (key in ("nothing_to_build", "no_must") or bool(texts[0]))


def _refs(claims: Sequence[Claim]) -> str:
    return _listed([claim.ref or claim.text for claim in claims])


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMES_MAX
    listed = ", ".join(one_line(name) for name in names[:NAMES_MAX])
    return words.text("and_more").format(listed, more) if more > 0 else listed


def _count(claims: Sequence[Claim], kind: str) -> str:
    return words.count(len(claims), kind) if claims else ""
