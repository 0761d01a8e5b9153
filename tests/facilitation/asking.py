"""Figures of what the bot asks: about which lines, whether it was said, what became of it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from bot.devtools.play.script.when_asked import OF_A_DIFFERENCE, RepliesWhenAsked
from core.domain.follow_ups import LineRef
from tests.facilitation.facts import Fact, Quote
from tests.facilitation.figures import Figure, Miss, Subject
from tests.facilitation.items import Item
from tests.facilitation.lines import missed
from tests.facilitation.matching import contains, shares
from tests.facilitation.record import Asked, Record

FOLLOW_UPS_A_STEP_MAX: Final = 2

EXPECTED: Final = Subject(
    "expected_follow_ups_asked", "expected gaps and contradictions asked about", "share", "≥", 0.8
)
ABOUT_A_LINE: Final = Subject("follow_ups_about_a_line", "follow-ups about a line", "share", "≥", 1)
NOT_LISTED: Final = Subject(
    "differences_not_listed", "differences asked about that no list has", "share"
)
SAID_BEFORE: Final = Subject(
    "follow_ups_said_before", "follow-ups asking what was said", "share", "≤", 0.05
)
LISTED: Final = Subject(
    "unanswered_listed", "unanswered follow-ups listed as such", "share", "≥", 1
)
ANSWERED: Final = Subject("follow_ups_answered", "follow-ups that the play answers", "each", "≥", 3)
NOT_TAKEN: Final = Subject(
    "replies_not_taken", "replies that did not close their follow-up", "share"
)
A_STEP: Final = Subject("follow_ups_a_step", "most follow-ups at one step", "each", "≤", 2)
MESSAGES: Final = Subject("messages_a_step", "bot's messages a step", "each", "≤", 2.5, 2)
TOP_LEVEL: Final = Subject("top_level_posts", "bot's posts in the channel", "each", "≤", 5)
CLICKS: Final = Subject("decisions_needed", "decisions it cannot end without", "each", "≤", 24)


def asking_figures(item: Item, record: Record) -> Iterator[Figure]:
    yield _expected(item, record)
    yield _about_a_line(record)
    yield _differences_not_listed(item, record)
    yield _said_before(item, record)
    yield _listed(record)
    yield _answered(record)
    yield _not_taken(record)
    yield _most_at_a_step(record)
    yield MESSAGES.of(record.messages / record.steps if record.steps else 0)
    yield TOP_LEVEL.of(record.top_level)
    yield CLICKS.of(len(record.clicks))


# ── gaps and contradictions ────────────────────────────────────────────────────────────────────


def _expected(item: Item, record: Record) -> Figure:
    gaps = [fact for fact in item.facts["gaps"] if not _is_gap_asked(fact, record)]
    contradictions = [
        fact for fact in item.facts["contradictions"] if not _is_difference_asked(fact, record)
    ]
    every = (*item.facts["gaps"], *item.facts["contradictions"])
    steps = Counter(fact.quote.step for fact in every)
    possible = sum(min(count, FOLLOW_UPS_A_STEP_MAX) for count in steps.values())
    misses = (
        *(_gap_miss(fact, record) for fact in gaps),
        *map(_contradiction_miss, contradictions),
    )
    return EXPECTED.of(
        len(every) - len(misses), len(every), misses, f"{possible} at most, two a step"
    )


def _is_gap_asked(fact: Fact, record: Record) -> bool:
    return any(
        fact.kind in ("", asked.asked.kind) and _names(asked, fact.quote, record)
        for asked in record.follow_ups
    )


def _names(asked: Asked, quote: Quote, record: Record) -> bool:
    return any(record.is_line_of(line, quote) for line in asked.lines())


def _is_difference_asked(fact: Fact, record: Record) -> bool:
    """True if one follow-up names both lines."""
    return any(
        _has_both(fact, asked, record)
        for asked in record.follow_ups
        if asked.asked.kind == "difference"
    )


def _has_both(fact: Fact, asked: Asked, record: Record) -> bool:
    assert fact.other is not None
    return _names(asked, fact.quote, record) and _names(asked, fact.other, record)


def _gap_miss(fact: Fact, record: Record) -> Miss:
    kinds = [asked.asked.kind for asked in record.follow_ups if _names(asked, fact.quote, record)]
    asked = f"asked about otherwise: {', '.join(kinds)}" if kinds else "not asked about"
    return {**missed(fact.quote, asked), "kind": fact.kind}


def _contradiction_miss(fact: Fact) -> Miss:
    assert fact.other is not None
    return {**missed(fact.quote, "not asked about"), "kind": "difference", "first": fact.other.text}


# ── each follow-up ─────────────────────────────────────────────────────────────────────────────


def shown(asked: Asked, why: str = "") -> Miss:
    line = {"step": asked.step, "kind": asked.asked.kind, "question": asked.asked.question}
    more = {"why": why} if why else {}
    return {**line, "outcome": asked.asked.outcome, **more}


def _share(
    subject: Subject, every: Iterable[Asked], good: Iterable[Asked], misses: Iterable[Miss]
) -> Figure:
    return subject.of(len(tuple(good)), len(tuple(every)), misses)


def _about_a_line(record: Record) -> Figure:
    about = [asked for asked in record.follow_ups if _is_about_a_line(asked, record)]
    misses = [shown(asked) for asked in record.follow_ups if asked not in about]
    return _share(ABOUT_A_LINE, record.follow_ups, about, misses)


def _is_about_a_line(asked: Asked, record: Record) -> bool:
    """True if every line it names is in somebody's answer, word by word."""
    lines = asked.lines()
    return bool(lines) and all(_is_said(line, record) for line in lines)


def _is_said(line: LineRef, record: Record) -> bool:
    answer = record.by_id.get(line.answer)
    return answer is not None and contains(line.quote, answer.text)


def _differences_not_listed(item: Item, record: Record) -> Figure:
    """Of which no pair of facts has both lines, and no gap has one."""
    pairs = (*item.facts["contradictions"], *item.facts["reversals"])
    gaps = [fact for fact in item.facts["gaps"] if fact.kind == "difference"]
    differences = [asked for asked in record.follow_ups if asked.asked.kind == "difference"]
    unlisted = [
        asked
        for asked in differences
        if not any(_has_both(fact, asked, record) for fact in pairs)
        and not any(_names(asked, fact.quote, record) for fact in gaps)
    ]
    misses = [shown(asked) for asked in unlisted]
    return _share(NOT_LISTED, differences, unlisted, misses)


def _said_before(item: Item, record: Record) -> Figure:
    again = [asked for asked in record.follow_ups if is_said_before(asked, item, record)]
    misses = [shown(asked) for asked in again]
    return _share(SAID_BEFORE, record.follow_ups, again, misses)


def is_said_before(asked: Asked, item: Item, record: Record) -> bool:
    """True if a fact of an earlier answer, or an answered follow-up, has it already."""
    line = asked.asked.line
    if line is None or any(_is_gap_of(fact, asked, record) for fact in item.facts["gaps"]):
        return False
    if any(_is_answered_alike(before, asked) for before in _before(asked, record)):
        return True
    match asked.asked.kind:
        case "check":
            facts = [fact for fact in item.facts["checks"] if _is_of(fact, line, record)]
        case "unit" | "number":
            facts = [f for f in item.facts["numbers"] if record.is_line_of(line, f.quote)]
        case "person":
            facts = [f for f in item.facts["stories"] if _has_person(f, line, record)]
        case "alternative":
            facts = [f for f in item.facts["rejected"] if f.quote.step == asked.step]
        case _:
            facts = []
    return any(_is_earlier(fact.quote, asked, record) for fact in facts)


def _is_gap_of(fact: Fact, asked: Asked, record: Record) -> bool:
    return fact.kind == asked.asked.kind and _names(asked, fact.quote, record)


def _before(asked: Asked, record: Record) -> tuple[Asked, ...]:
    return record.follow_ups[: record.follow_ups.index(asked)]


def _is_answered_alike(before: Asked, asked: Asked) -> bool:
    is_same = before.asked.kind == asked.asked.kind and set(before.lines()) == set(asked.lines())
    return is_same and before.asked.outcome == "answered"


def _is_of(fact: Fact, line: LineRef, record: Record) -> bool:
    """True if a check is stated of that line."""
    return bool(fact.of) and (
        shares(fact.of, line.quote) or record.is_line_of(line, Quote(fact.of))
    )


def _has_person(fact: Fact, line: LineRef, record: Record) -> bool:
    begins = fact.quote.text.casefold().startswith(("as a ", "as an ", "as the ", "als "))
    return begins and record.is_line_of(line, fact.quote)


def _is_earlier(quote: Quote, asked: Asked, record: Record) -> bool:
    """True if the words were said when the follow-up was asked."""
    for id_ in record.answers_of(quote):
        answer = record.by_id[id_]
        if contains(quote.text, answer.text):
            after = asked.asked.after
            return not after or float(answer.ts or 0) <= float(after)
    return False


def _listed(record: Record) -> Figure:
    unanswered = [asked for asked in record.follow_ups if asked.asked.outcome != "answered"]
    listed = [asked for asked in unanswered if record.stands_in_files(asked.asked.question)]
    misses = [shown(asked) for asked in unanswered if asked not in listed]
    return _share(LISTED, unanswered, listed, misses)


def _answered(record: Record) -> Figure:
    """Taps of Skip and "We don't know yet" are no answers."""
    answers = [
        asked.reply
        for asked in record.follow_ups
        if isinstance(asked.reply, RepliesWhenAsked)
        or (asked.reply is not None and asked.reply.tap in OF_A_DIFFERENCE)
    ]
    taps = sum(asked.reply is not None for asked in record.follow_ups) - len(answers)
    return ANSWERED.of(len(answers), note=f"{taps} more skipped or not known yet")


def _not_taken(record: Record) -> Figure:
    """Of the replies that people gave because they were asked."""
    replied = [a for a in record.follow_ups if isinstance(a.reply, RepliesWhenAsked)]
    left = [asked for asked in replied if asked.asked.outcome != "answered"]
    misses = [
        {**shown(asked), "reply": asked.reply.text}
        for asked in left
        if isinstance(asked.reply, RepliesWhenAsked)
    ]
    return _share(NOT_TAKEN, replied, left, misses)


def _most_at_a_step(record: Record) -> Figure:
    counts = Counter(asked.step for asked in record.follow_ups)
    return A_STEP.of(max(counts.values(), default=0), note=f"{counts.total()} asked in all")
