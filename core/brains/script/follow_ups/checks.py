"""Requirements and qualities that nobody has said how to check."""

from collections.abc import Iterator
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.reply_forms import WAY_TO_SEE
from core.brains.script.follow_ups.lines import Grounds, named, of_kind
from core.brains.script.parts import signs
from core.brains.text.weights import requirement_chance
from core.brains.text.wording import words_of
from core.domain.answers import Claim
from core.domain.follow_ups import FollowUp
from core.domain.lines import is_line, line_of

QUESTION: Final = "{}: how would you see that it works?"
SHARED_WORDS_MIN: Final = 2
_MUST: Final = lexicon.pattern("says-must")
_HOLDS: Final = lexicon.pattern("holds-always")
_WANTS_NUMBER: Final = lexicon.pattern("wants-number")
_CHECKED: Final = lexicon.pattern("says-checked")
_SCALE: Final = ("should", "could", "won't")


def unchecked_qualities(grounds: Grounds) -> Iterator[FollowUp]:
    """Qualities of the step that are demanded without a degree: what never or always happens."""
    for claim in filter(grounds.is_own, of_kind(grounds, "quality")):
        is_demand = _HOLDS.search(claim.text) and not _WANTS_NUMBER.search(claim.text)
        if is_demand and not _is_checked(claim, grounds):
            yield FollowUp("check", QUESTION.format(named(claim)), line_of(claim))


def without_check(grounds: Grounds) -> Iterator[tuple[int, FollowUp]]:
    """The musts first, then what nobody has ranked; a must that was told in passing comes last.

    Of each the likeliest requirements come first, by their words.
    """
    asked = sorted(_unchecked(grounds), key=lambda pair: -requirement_chance(pair[1].text))
    for place, claim in asked:
        yield place, FollowUp("check", QUESTION.format(named(claim)), line_of(claim))


def _unchecked(grounds: Grounds) -> Iterator[tuple[int, Claim]]:
    ranks = _ranks(grounds)
    asking = grounds.steps_for("requirement")
    for claim in of_kind(grounds, "requirement"):
        says_must = "must" if _MUST.search(claim.text) else ""
        in_passing = bool(asking) and claim.step not in asking
        rank = ranks.get(claim.ref or "", says_must)
        if (
            rank in _SCALE
            or (in_passing and not rank)
            or signs.SETS_ANEW.match(claim.text)
            or (rank != "must" and claim.ref in grounds.perhaps_checked)
            or _is_checked(claim, grounds)
            or (not rank and _is_failure(claim, grounds))
        ):
            continue
        yield 2 if in_passing else int(not rank), claim


def _is_failure(claim: Claim, grounds: Grounds) -> bool:
    """What fails and what is seen then: an unranked line that says both is its own check."""
    line = (claim.text, claim.sources)
    return any(line == (error.text, error.sources) for error in of_kind(grounds, "error"))


def _ranks(grounds: Grounds) -> dict[str, str]:
    ranks = {claim.ref or "": claim.data["priority"] for claim in grounds.every if claim.ref
             and "priority" in claim.data}  # fmt: skip
    rows = (claim.data for claim in grounds.every if claim.kind == "priority")
    return ranks | {data["requirement"]: data["priority"] for data in rows if "requirement" in data}


def _is_checked(claim: Claim, grounds: Grounds) -> bool:
    about, of_others = words_of(claim.text), ""
    for check in (line for line in grounds.every if line.kind == "check"):
        if is_check_of(check, claim) or _has_it(check, claim):
            return True
        # one that is only inferred to be of another line may be of this one
        if "FR-" in check.data.get("of", "") and check.confidence != "inferred":
            of_others += f"{check.text}\n"
        elif len(about & words_of(check.text)) >= SHARED_WORDS_MIN:
            return True
    return grounds.says_of(claim, _CHECKED, WAY_TO_SEE, but=of_others)


def is_check_of(check: Claim, claim: Claim) -> bool:
    """True if it is a check of that line, by its name."""
    refs = check.data.get("of", check.data.get("requirement", "")).split(", ")
    return check.kind == "check" and claim.ref in refs


def _has_it(check: Claim, claim: Claim) -> bool:
    line = line_of(claim)
    return check.kind == "check" and line is not None and is_line(line, check)
