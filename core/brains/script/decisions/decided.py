"""Lines that decide: those whose words say so, and those that name an option put before them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.differences.sides import side_by_name
from core.brains.bookkeeping.differences.turns import is_denied
from core.brains.script import evidence
from core.brains.script.decisions.options import (
    PutOption,
    called,
    described,
    is_of_list,
    name_of,
    pointed_at,
    put_options,
    taken,
)
from core.brains.script.decisions.replies import answers_in, replies_in, without_bare_rules
from core.brains.script.decisions.turn_signs import ALONE, Turn, signs_of, turns_of_answers
from core.brains.script.parts import choices, signs
from core.brains.script.parts.phrases import is_short, on_one_line
from core.brains.script.parts.priority import is_rank
from core.brains.script.rules.forms import is_past
from core.brains.script.topics import Topic, is_of_inception
from core.brains.text import weights
from core.brains.text.filler import behind_turn, opens_unknown
from core.brains.text.wording import words_of
from core.domain.answers import Answer, Claim, ClaimKind, Claims, ReadRequest
from core.domain.ids import AnswerId

_ORIGIN_KEYS: Final = frozenset({"question", "file"})  # of the data of a line: what it answers
_STAY_KEYS: Final = _ORIGIN_KEYS | {"for", "against"}
_SETTLED_KEYS: Final = frozenset({"choice", "priority"})  # what an option or a rank says by itself
_OF_DECISIONS: Final = lexicon.compiled(lexicon.table("evidence")["options"]["of-decisions"])
_LEANS: Final = lexicon.compiled(lexicon.table("evidence")["leans"])
_NUMBER: Final = patterns.compile(r"[0-9]")
_RANKS: Final = lexicon.pattern("ranking-words")
_OF_DESIGN: Final[frozenset[ClaimKind]] = frozenset(
    {"interface", "data", "error", "module", "entry-point"}
)
_MAY_DECIDE: Final = _OF_DESIGN | {"fact", "note", "requirement", "quality", "option"}


def with_decisions(claims: Claims, request: ReadRequest, topic: Topic, group: str) -> Claims:
    """The claims of a step, those that decide as decisions, and options under their names."""
    if is_of_inception(topic) or group in ("", "scan"):
        return claims
    answers = request.answers_by_id
    options = put_options((*request.claims, *claims), answers)
    live = options if topic == "decisions" else put_options(claims, answers)
    answers_to_us = answers_in(claims, request)
    replies = answers_to_us | replies_in(claims, request)
    # "The payment goes from the queue to the till" says how it goes, and decides nothing
    flows = {_line_of(claim) for claim in claims if claim.kind in _OF_DESIGN and _has_parts(claim)}
    turns = turns_of_answers(request.answers, request.deciders)
    lines: list[Claim] = []
    for claim in without_bare_rules(claims, answers_to_us):
        turn = next((turns[source] for source in claim.sources if source in turns), ALONE)
        message = next((answers[one].text for one in claim.sources if one in answers), "")
        may_decide = not (
            _line_of(claim) in flows
            or id(claim) in replies
            or is_denied(claim.text, message, turn.after)
        )
        decision = _decision_of(claim, topic, options, live, answers, turn) if may_decide else None
        decision = decision or _instead_of(lines[-1:], claim)
        if decision is None or _stays(claim, decision, options):
            lines.append(claim)
        # a line that was read as two kinds decides once
        if decision and not any(_is_same_decision(decision, line) for line in (*claims, *lines)):
            lines.append(decision)
    options = put_options((*request.claims, *lines), answers)
    named = described([_name_option(line, options, live, topic) for line in lines], answers)
    ids = (f"{request.step.id}/{number}" for number in range(1, len(named) + 1))
    return tuple(replace(line, id=name) for line, name in zip(named, ids, strict=True))


def _decision_of(
    claim: Claim,
    topic: Topic,
    options: Sequence[PutOption],
    live: Sequence[PutOption],
    answers: Mapping[AnswerId, Answer],
    turn: Turn,
) -> Claim | None:
    """The line as a decision, if its words decide, or it names one of the `live` options.

    Those were put at its step, or right before it. What rules a decision out comes first: its kind,
    its length, that it puts an option, code, a line about decisions or one that only leans, an item
    of a list of options, a question. An option that it names then decides by itself; without one
    its words have to, and have to say what. It becomes an option where options are what is asked,
    else a decision.
    """
    if (
        claim.kind not in _MAY_DECIDE
        or claim.data.keys() & _SETTLED_KEYS
        or not is_short(claim.text)
    ):
        return None
    if topic == "options" and _is_put(claim, options):
        return None  # "3) use the engine" puts it
    line = on_one_line(claim.text)
    if is_rank(line) or (topic == "priorities" and _RANKS.search(line)):
        return None  # "24, 27 must"; "fine, should"
    if signs.RATES_ANEW.match(line):
        return None  # "likelihood high then"
    if "```" in claim.text or _OF_DECISIONS.match(line) or _LEANS.search(line):
        return None
    named = taken(line, live)
    if not named and is_of_list(claim, live, answers):
        return None  # "B Mollie. cards in one contract" is weighed
    decides = weights.is_decided(claim.text, topic, signs_of(claim.text, turn)) and not (
        evidence.is_aside(line) or is_past(line) or opens_unknown(line)
    )
    if line.endswith("?") or not (named or decides):
        return None
    words = choices.gist(evidence.meant(line))
    names = " + ".join(option.name for option in named or called(words, options, live))
    if topic == "options" and not names and _are_lettered(live):
        return None  # what is said beside them
    if not names and (side_by_name(words) or not (words_of(words) or _NUMBER.search(words))):
        return None  # "fair."; "the second then", of two lines
    may_be_option = claim.kind == "option" and topic != "decisions"
    is_option = may_be_option or (topic == "options" and named)
    kind: ClaimKind = "option" if is_option else "decision"
    reason = choices.reason_in(line)
    data = {key: value for key, value in claim.data.items() if key in _STAY_KEYS}
    data |= {"choice": "chosen", "option": names or words}
    data |= {"reason": reason} if reason else {}
    return replace(claim, kind=kind, confidence="stated", data=data)


def _instead_of(before: Sequence[Claim], line: Claim) -> Claim | None:
    """ "I take the gem... hm no, own code": what is chosen in place of what was right before it."""
    instead = behind_turn(line.text)
    chosen = [
        one
        for one in before
        if one.data.get("choice") == "chosen"
        and one.sources == line.sources
        and one.text.endswith(("...", "…"))
    ]
    if not (instead and chosen) or not words_of(instead):
        return None
    data = {"choice": "chosen", "option": choices.gist(instead)}
    return replace(line, kind=chosen[0].kind, confidence="stated", data=data)


def _are_lettered(options: Sequence[PutOption]) -> bool:
    return sum(option.is_lettered for option in options) > 1


def _is_put(claim: Claim, options: Sequence[PutOption]) -> bool:
    """True for the line that puts an option, of several under letters or numbers in its answer."""
    beside = [option for option in options if option.label and option.answer in claim.sources]
    return len(beside) > 1 and any(option.text == claim.text for option in beside)


def _is_same_decision(decision: Claim, line: Claim) -> bool:
    return _line_of(line) == _line_of(decision) and line.data.get("choice") == "chosen"


def _line_of(claim: Claim) -> tuple[str, tuple[AnswerId, ...]]:
    return claim.text, claim.sources


def _has_parts(claim: Claim) -> bool:
    return bool(claim.data.keys() - {*_ORIGIN_KEYS, "topic"})


def _stays(claim: Claim, decision: Claim, options: Sequence[PutOption]) -> bool:
    """True if what was decided stays what it was, too; "ok, 8" is no quality of its own, and "A it
    is, because nothing has to wake up" only takes what was put."""
    if decision.data.get("option") in {option.name for option in options}:
        return False
    return claim.kind == "requirement" or (claim.kind == "quality" and bool(words_of(claim.text)))


def _name_option(
    line: Claim, options: Sequence[PutOption], live: Sequence[PutOption], topic: Topic
) -> Claim:
    """An option of a list, and what takes it, under the name by which others call it."""
    name = ""
    if line.data.get("choice"):
        options_taken = called(line.data.get("option", ""), options, live)
        name = " + ".join(option.name for option in options_taken)
    elif topic == "options" and line.kind == "option" and "option" not in line.data:
        name = name_of(line.text, options) or pointed_at(line.text, options)
    return replace(line, data={**line.data, "option": name}) if name else line
