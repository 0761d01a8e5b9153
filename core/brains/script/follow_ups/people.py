"""Stories without a person, decisions without a rival, options of which none was chosen."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.differences.statements import statement
from core.brains.script.decisions.options import PutOption, called, named_in, put_options
from core.brains.script.follow_ups.lines import Grounds, named, of_kind
from core.brains.script.follow_ups.tools import names_in, tools_in
from core.brains.text.wording import words_of
from core.domain.answers import Claim
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId
from core.domain.lines import line_of
from core.domain.steps.criteria import Need

WHOSE: Final = "{}: who is it that does this, or needs it?"
OVER_WHAT: Final = "{}: what else could it have been, and why not that?"
WHICH: Final = "{} or {}: which is it to be, and who decides?"
OPTIONS_NAMED_MAX: Final = 4
WEIGHED_WORDS_MAX: Final = 40  # of an answer that puts a thing and what was tried before it
_OVER: Final = lexicon.pattern("says-over")
_WAY: Final = lexicon.pattern("puts-a-way")
_TOOL: Final = lexicon.pattern("names-a-tool", 0)
_NEW_TOOL: Final = lexicon.pattern("names-new-tool", 0)
_SAYS_NEW: Final = lexicon.pattern("says-new")
_NOTHING_NEW: Final = lexicon.pattern("nothing-new")
_ONLY_SAYS_NEW: Final = lexicon.pattern("only-says-new")
_ONESELF: Final = lexicon.pattern("needs-it-oneself")
_ANYBODY: Final = lexicon.pattern("needs-it-anybody")
_BY_ANYBODY: Final = lexicon.pattern("done-by-anybody")
_WISH: Final = lexicon.pattern("wishes-for-thing")
_TELLS: Final = lexicon.pattern("tells-of-thing")
_LIST: Final = lexicon.pattern("wishes-for-list")
_WANTED: Final = lexicon.pattern("wants-thing")
_WISHES_ONESELF: Final = lexicon.pattern("wishes-oneself")
_NEEDS_SOMEBODY: Final = lexicon.pattern("needs-somebody")
_TRIED: Final = lexicon.pattern("tried-another")
_AS_NOW: Final = lexicon.pattern("as-now")
_STAYS: Final = lexicon.pattern("stays-as-it-is")
_ORDER_IN_TIME: Final = lexicon.pattern("order-in-time")
_IN_STAGES: Final = lexicon.compiled(lexicon.table("evidence")["options"]["in-stages"])


def without_person(grounds: Grounds, needed: Collection[Need]) -> Iterator[FollowUp]:
    """What somebody wants first, where that is all they are called; whom a failure needs."""
    wants = [claim for claim in of_kind(grounds, "story") if not claim.data.get("role")]
    if "story" in needed:
        wants += filter(grounds.is_own, of_kind(grounds, "requirement", "fact"))
    of_anybody = [claim for claim in wants if _ANYBODY.search(claim.text) or _is_wish(claim)]
    texts = {claim.text for claim in of_anybody}  # a line may be of two kinds
    for claim in filter(grounds.is_own, of_kind(grounds, "requirement", "error")):
        is_by_anybody = claim.kind == "requirement" and _BY_ANYBODY.search(claim.text)
        needs_somebody = "error" in needed and _NEEDS_SOMEBODY.search(claim.text)
        if (is_by_anybody or needs_somebody) and claim.text not in texts:
            texts.add(claim.text)
            of_anybody.append(claim)
    stories = [claim for claim in wants if claim.kind == "story" and claim not in of_anybody]
    for claim in (*of_anybody, *stories):
        if not _ONESELF.search(claim.text):
            yield FollowUp("person", WHOSE.format(named(claim)), line_of(claim))


def _is_wish(claim: Claim) -> bool:
    """True for a list, a report or the like that somebody should get, and for another thing that is
    wanted and nothing said of it: "and a button for the night shift"."""
    if claim.kind not in ("requirement", "fact"):
        return False
    is_told = _TELLS.search(claim.text) is not None
    if _LIST.search(claim.text):
        is_wanted = not is_told or _WANTED.search(claim.text)
        return bool(is_wanted) and not _WISHES_ONESELF.search(claim.text)
    return bool(_WISH.search(claim.text)) and not is_told


def without_alternative(grounds: Grounds, needed: Collection[Need]) -> Iterator[FollowUp]:
    """Of a decision where a step needs decisions, and of a way by its label at any step.

    `needed`: the kinds that the step asks for; a tool is only put where it asks for those.
    """
    if any(claim.data.get("choice") == "rejected" for claim in grounds.claims):
        return  # what else it could have been was said at the step
    new = tuple(_new_to_the_team(grounds)) if "decision" in needed else ()
    ways = (claim for claim in of_kind(grounds, "fact") if _puts_a_way(claim, grounds, needed))
    own_step = {grounds.request.step.id} if "decision" in needed else set()
    deciding = own_step | grounds.steps_for("decision")
    decisions = tuple(
        claim
        for claim in of_kind(grounds, "decision")
        if claim.step in deciding or _WAY.search(claim.text)
    )
    first = (*(decision for decision in decisions if _NEW_TOOL.search(decision.text)), *new)
    for claim in (*first, *(line for line in (*decisions, *ways) if line not in first)):
        is_new = claim in new or _NEW_TOOL.search(claim.text)
        is_weighed = _OVER.search(claim.text) and not is_new
        is_plan = _IN_STAGES.search(claim.text) or _ORDER_IN_TIME.search(claim.text)
        is_staged = is_plan and not (_WAY.search(claim.text) or is_new)
        stays = _AS_NOW.search(claim.text) or (_STAYS.search(claim.text) and not is_new)
        # "push then" gives in: what it stands in place of has been said
        gives_in = statement(claim.text).takes_up and not is_new
        is_settled = claim.data.get("choice") == "rejected" or stays or gives_in
        is_name = names_in(claim.text) and not tools_in(claim.text) and not is_new
        if is_settled or is_weighed or is_staged or is_name:
            continue
        was_weighed = not is_new and _was_weighed(claim, grounds)
        if not (was_weighed or grounds.says_of(claim, _OVER)):
            yield FollowUp("alternative", OVER_WHAT.format(named(claim)), line_of(claim))


def without_choice(grounds: Grounds, needed: Collection[Need]) -> Iterator[FollowUp]:
    """Two options or more, of which nobody chose one though somebody else has answered since."""
    if "option" not in needed or any(map(_is_choice, grounds.claims)):
        return
    options_put = options_at(grounds.request.step.id, grounds)
    texts = {option.text for option in options_put}
    options = [line for line in grounds.lines if line.text in texts][:OPTIONS_NAMED_MAX]
    people = {answer.by for answer in grounds.request.answers}
    if (
        len(options) > 1
        and len(people) > 1
        and not any(takes_one(c, options_put) for c in grounds.lines)
    ):
        *others, last = map(named, options)
        question = WHICH.format(", ".join(others), last)
        yield FollowUp("alternative", question, line_of(options[0]))


def options_at(step: StepId, grounds: Grounds) -> tuple[PutOption, ...]:
    """The options that people put at a step."""
    answers = grounds.request.answers_by_id
    return put_options((line for line in grounds.lines if line.step == step), answers)


def takes_one(claim: Claim, options: Sequence[PutOption]) -> bool:
    """True for a choice or a decision, of any step, for one of the options."""
    if not _is_choice(claim) or claim.data.get("choice") == "rejected":
        return False
    words = claim.data.get("option") or claim.text
    return bool(called(words, options) or named_in(words, options))


def _is_choice(claim: Claim) -> bool:
    return claim.kind == "decision" or claim.data.get("choice") == "chosen"


def _puts_a_way(claim: Claim, grounds: Grounds, needed: Collection[Need]) -> bool:
    stays = _STAYS.search(claim.text) and not _NEW_TOOL.search(claim.text)
    if not grounds.is_own(claim) or stays:
        return False
    names_tool = "decision" in needed and (_TOOL.search(claim.text) or _NEW_TOOL.search(claim.text))
    return bool(names_tool or _WAY.search(claim.text))


def _new_to_the_team(grounds: Grounds) -> Iterator[Claim]:
    """Facts of the step that are told to be new, by themselves or by the line behind them."""
    facts = [claim for claim in of_kind(grounds, "fact") if grounds.is_own(claim)]
    for at, claim in enumerate(facts):
        if not _SAYS_NEW.search(claim.text) or _NOTHING_NEW.search(claim.text):
            continue
        if not _ONLY_SAYS_NEW.search(claim.text):
            yield claim
        elif at and facts[at - 1].sources == claim.sources:
            yield facts[at - 1]


def _was_weighed(claim: Claim, grounds: Grounds) -> bool:
    """True if it replaced another line, which it was chosen over; if its answer, or for tools any
    answer of its step, says what was tried; if another answer sets a name against it ("not Dublin",
    of "Lisbon it is"); or if options were put at its step, or anywhere with its words."""
    if any(line.supersedes for line in grounds.every if line.text == claim.text):
        return True
    about = words_of(claim.text)
    for answer in (one for one in grounds.request.every_answer if one.step == claim.step):
        is_short = len(answer.text.split()) <= WEIGHED_WORDS_MAX
        is_near = tools_in(claim.text) or (answer.id in claim.sources and is_short)
        if is_near and _TRIED.search(answer.text):
            return True
        has_name = len(about) == 1 and about <= words_of(answer.text)
        if has_name and answer.id not in claim.sources and _OVER.search(answer.text):
            return True
    return any(
        option.step == claim.step or len(about & words_of(option.text)) >= min(len(about), 2)
        for option in grounds.every
        if option.kind == "option" or option.data.get("choice") == "rejected"
    )
