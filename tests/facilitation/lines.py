"""Figures of lines: what of people's words was found, and what stands there that nobody said."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from core.artifacts.document import words
from core.domain.answers import Claim, ClaimKind
from tests.facilitation.facts import Fact, Quote
from tests.facilitation.figures import Figure, Miss, Subject
from tests.facilitation.items import Item
from tests.facilitation.matching import contains, is_nearer, sentences, shares, stands_in
from tests.facilitation.record import Record, texts_of

REQUIREMENTS: Final = Subject(
    "requirements_found", "expected requirements found", "share", "≥", 0.9
)
DECISIONS: Final = Subject("decisions_found", "expected decisions found", "share", "≥", 0.9)
EXCLUSIONS: Final = Subject("exclusions_found", "expected exclusions found", "share", "≥", 0.9)
STORIES: Final = Subject("stories_found", "expected stories found", "share")
QUESTIONS: Final = Subject("questions_found", "people's open questions found", "share")
NOT_ANY: Final = Subject(
    "requirements_that_are_none", "requirements that are none", "share", "≤", 0.05
)
UNLISTED: Final = Subject(
    "requirements_not_listed", "requirements that quote nothing listed", "share"
)
FALSE_DECISIONS: Final = Subject("false_decisions", "false decisions", "count", "≤", 0)
LOST_REVERSALS: Final = Subject("lost_reversals", "lost reversals", "count", "≤", 0)
CHECKS: Final = Subject(
    "checks_at_their_requirement", "stated checks at the right requirement", "share", "≥", 0.9
)
MUSTS: Final = Subject(
    "musts_that_say_they_lack_a_check", "musts without a check that say so", "share", "≥", 1
)
DETAILS: Final = Subject(
    "details_found_again", "numbers with their unit, names, dates found again", "share", "≥", 1
)

REQUIRES: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})
OPEN_QUESTION: Final[frozenset[ClaimKind]] = frozenset({"question"})
STORY: Final[frozenset[ClaimKind]] = frozenset({"story"})
SAYS_NOTHING: Final[frozenset[ClaimKind]] = frozenset({"note", "question", "assumption", "option"})
"""Lines that do not hold as they stand: an aside, a question, an option among others."""


def line_figures(item: Item, record: Record) -> Iterator[Figure]:
    facts = item.facts
    yield _found(REQUIREMENTS, facts["requirements"], record, is_requirement, in_files=True)
    yield _found(DECISIONS, facts["decisions"], record, is_decided)
    yield _found(EXCLUSIONS, facts["exclusions"], record, is_exclusion, in_files=True)
    yield _found(STORIES, facts["stories"], record, lambda claim: claim.kind in STORY)
    yield _found(QUESTIONS, facts["questions"], record, lambda claim: claim.kind in OPEN_QUESTION)
    yield _requirements_that_are_none(item, record)
    yield _not_listed(item, record)
    yield _false_decisions(item, record)
    yield _lost_reversals(item, record)
    yield _checks(item, record)
    yield _musts(record)
    yield _details(item, record)


# ── what a claim is ────────────────────────────────────────────────────────────────────────────


def is_requirement(claim: Claim) -> bool:
    return claim.kind in REQUIRES


def is_decision(claim: Claim) -> bool:
    """True if the claim says that somebody chose."""
    chosen = claim.data.get("choice") == "chosen"
    return claim.kind in ("decision", "stack") or (claim.kind == "option" and chosen)


def is_decided(claim: Claim) -> bool:
    """True if a decision of people can stand in it: a choice, a rank, a line that replaces one."""
    return is_decision(claim) or claim.kind == "priority" or bool(claim.supersedes)


def is_exclusion(claim: Claim) -> bool:
    left_out = claim.kind == "priority" and claim.data.get("priority") == "won't"
    return claim.kind == "exclusion" or left_out


# ── expected lines ─────────────────────────────────────────────────────────────────────────────


def _found(
    subject: Subject,
    facts: Sequence[Fact],
    record: Record,
    is_kind: Callable[[Claim], bool],
    *,
    in_files: bool = False,
) -> Figure:
    claims = [claim for claim in record.claims if is_kind(claim)]
    in_a_file = [claim for claim in claims if _is_found_again(claim.text, record)]
    misses = []
    for fact in facts:
        if not record.has(fact.quote, claims):
            misses.append(missed(fact.quote, _stands_as(fact.quote, record)))
        elif in_files and not record.has(fact.quote, in_a_file):
            misses.append(missed(fact.quote, "a claim that no file shows"))
    return subject.of(len(facts) - len(misses), len(facts), misses)


def _stands_as(quote: Quote, record: Record) -> str:
    kinds = dict.fromkeys(claim.kind for claim in record.quoting(quote))
    return ", ".join(kinds) or "nothing"


def missed(quote: Quote, why: str) -> Miss:
    return {"step": quote.step, "by": quote.by, "quote": quote.text, "stands_as": why}


def shown(claim: Claim, record: Record, why: str = "") -> Miss:
    line = {"ref": claim.ref or claim.id, "said_by": record.who(claim), "text": claim.text}
    return {**line, "why": why} if why else line


# ── lines that should not be ───────────────────────────────────────────────────────────────────

ELSEWHERE: Final = (
    "stories", "decisions", "reversals", "contradictions", "gaps", "checks", "exclusions",
    "questions", "rejected", "numbers", "names", "dates",
)  # fmt: skip


def _requirements(record: Record) -> list[Claim]:
    return [claim for claim in record.live if claim.kind == "requirement"]


def _requirements_that_are_none(item: Item, record: Record) -> Figure:
    claims = _requirements(record)
    expected = tuple(item.facts.quotes("requirements"))
    none = tuple(item.facts.quotes("not_requirements"))
    wrong = [
        shown(claim, record)
        for claim in claims
        if record.is_of(claim, none) and not record.is_of(claim, expected)
    ]
    return NOT_ANY.of(len(wrong), len(claims), wrong)


def _not_listed(item: Item, record: Record) -> Figure:
    """Requirements that no list has as one: each with the lists that have its words."""
    claims = _requirements(record)
    expected = tuple(item.facts.quotes("requirements", "not_requirements"))
    unlisted = []
    for claim in claims:
        if record.is_of(claim, expected) or _is_answer_when_asked(claim, item, record):
            continue
        lists = [name for name in ELSEWHERE if record.is_of(claim, item.facts.quotes(name))]
        unlisted.append(shown(claim, record, f"listed in {', '.join(lists) or 'no list'}"))
    return UNLISTED.of(len(unlisted), len(claims), unlisted)


def _false_decisions(item: Item, record: Record) -> Figure:
    """Choices that nobody made. What replaced an older line was chosen, and so was what lacks
    only its alternative."""
    alone = (fact.quote for fact in item.facts["gaps"] if fact.kind == "alternative")
    new = (fact.quote for fact in item.facts["reversals"])
    chosen = (*item.facts.quotes("decisions"), *new, *alone)
    rejected = tuple(item.facts.quotes("rejected"))
    claims = [claim for claim in record.live if is_decision(claim)]
    wrong = []
    for claim in claims:
        if record.is_of(claim, chosen) or _is_answer_when_asked(claim, item, record):
            continue
        why = "rejected, and stands as chosen" if record.is_of(claim, rejected) else "not listed"
        wrong.append(shown(claim, record, why))
    return FALSE_DECISIONS.of(len(wrong), len(claims), wrong)


def _is_answer_when_asked(claim: Claim, item: Item, record: Record) -> bool:
    answers = [record.by_id[source] for source in claim.sources if source in record.by_id]
    return any(item.is_answer_when_asked(record.person(answer), answer.text) for answer in answers)


# ── reversals ──────────────────────────────────────────────────────────────────────────────────


def _lost_reversals(item: Item, record: Record) -> Figure:
    lost = []
    for fact in item.facts["reversals"]:
        standing = list(_standing(fact, record))
        if standing and not (_is_replaced(fact, record) or is_asked_about(fact, record)):
            kinds = ", ".join(f"{claim.kind} {claim.ref or claim.id}" for claim in standing)
            assert fact.other is not None
            lost.append({**missed(fact.other, kinds), "new": fact.quote.text})
    return LOST_REVERSALS.of(len(lost), len(item.facts["reversals"]), lost)


def _standing(fact: Fact, record: Record) -> Iterator[Claim]:
    """Claims that have the old line as if it still held, and not the new one beside it."""
    assert fact.other is not None
    for claim in record.quoting(fact.other, record.live):
        if claim.kind in SAYS_NOTHING or claim.confidence in ("assumed", "proposed"):
            continue
        is_new = any(is_nearer(text, fact.quote.text, fact.other.text) for text in texts_of(claim))
        if not is_new and not _is_contested(claim):
            yield claim


def _is_replaced(fact: Fact, record: Record) -> bool:
    """True if the new line replaces the old one, of whose items the others may still stand.

    "B joins the musts" takes B alone out of "Should: B, E".
    """
    assert fact.other is not None
    new = record.quoting(fact.quote, record.live)
    replaced = (line for claim in new for line in claim.supersedes)
    return any(record.is_line_of(line, fact.other) for line in replaced)


def _is_contested(claim: Claim) -> bool:
    """True if the line says that another one differs."""
    return bool(claim.data.get("conflicts") or claim.data.get("differs"))


def is_asked_about(fact: Fact, record: Record) -> bool:
    """True if a follow-up about a difference names the older line, or both."""
    for asked in record.follow_ups:
        lines = asked.lines() if asked.asked.kind == "difference" else ()
        if any(fact.other is not None and record.is_line_of(line, fact.other) for line in lines):
            return True
    return False


# ── checks ─────────────────────────────────────────────────────────────────────────────────────


def _checks(item: Item, record: Record) -> Figure:
    misses = []
    for fact in item.facts["checks"]:
        if fact.of and not _is_check_of(fact, record):
            misses.append({**missed(fact.quote, _stands_as(fact.quote, record)), "of": fact.of})
        elif not fact.of and not record.has(fact.quote, _check_claims(record)):
            misses.append(missed(fact.quote, _stands_as(fact.quote, record)))
    count = len(item.facts["checks"])
    return CHECKS.of(count - len(misses), count, misses)


def _check_claims(record: Record) -> list[Claim]:
    return [claim for claim in record.claims if claim.kind == "check"]


def _is_check_of(fact: Fact, record: Record) -> bool:
    checked = [
        claim for claim in record.claims if any(shares(fact.of, text) for text in texts_of(claim))
    ]
    refs = {claim.ref for claim in checked if claim.ref}
    checks = record.quoting(fact.quote, _check_claims(record))
    return any(refs.intersection(refs_of(claim)) for claim in checks)


def refs_of(check: Claim) -> frozenset[str]:
    """What a check checks."""
    return frozenset(ref.strip() for ref in check.data.get("of", "").split(",") if ref.strip())


def musts(record: Record) -> list[Claim]:
    """Requirements that people ranked so; where nobody ranked any, all of them."""
    ranks: dict[str, str] = {}
    for claim in record.live:
        if claim.kind == "priority" and claim.data.get("requirement"):
            ranks[claim.data["requirement"]] = claim.data.get("priority", "")
    claims = _requirements(record)
    ranked = [claim for claim in claims if ranks.get(claim.ref or "") == "must"]
    return ranked if "must" in ranks.values() else claims


def _musts(record: Record) -> Figure:
    checked = {ref for check in _check_claims(record) for ref in refs_of(check)}
    lacking = [claim for claim in musts(record) if claim.ref not in checked]
    silent = [claim for claim in lacking if not _says_it_lacks_a_check(claim, record)]
    return MUSTS.of(
        len(lacking) - len(silent), len(lacking), (shown(claim, record) for claim in silent)
    )


def _says_it_lacks_a_check(claim: Claim, record: Record) -> bool:
    """True if the lines under a requirement, in a file that shows it, say so."""
    blocks = (block for text in record.files.values() for block in _blocks(text, claim.ref or ""))
    return any(contains(words.text("no_check"), block) for block in blocks)


def _blocks(text: str, ref: str) -> Iterator[str]:
    """A requirement's item of a list, with the lines that are set in under it."""
    block: list[str] = []
    for line in (*text.splitlines(), ""):
        if block and line[:1].isspace():
            block.append(line)
            continue
        if block:
            yield "\n".join(block)
        block = [line] if f"**{ref}**" in line else []


# ── numbers, names, dates ──────────────────────────────────────────────────────────────────────


def _details(item: Item, record: Record) -> Figure:
    lists: Iterable[str] = ("numbers", "names", "dates")
    quotes = [(name, quote) for name in lists for quote in item.facts.quotes(name)]
    misses = [
        {"list": name, **missed(quote, _stands_as(quote, record))}
        for name, quote in quotes
        if not all(_is_found_again(part, record) for part in sentences(quote.text))
    ]
    return DETAILS.of(len(quotes) - len(misses), len(quotes), misses)


def _is_found_again(text: str, record: Record) -> bool:
    return record.stands_in_files(text) or stands_in(text, record.file_lines)
