"""Which follow-ups are over: what people said since has to do with them, or their line is gone.

A follow-up is answered by somebody who speaks of its line, or whose reply has the form of an answer
of its kind. "+1", "brb", a question back and what is plainly another line answer nothing.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import chain, islice
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.differences.sides import Side, side_by_name, side_of
from core.brains.bookkeeping.differences.statements import statement
from core.brains.bookkeeping.reply_forms import (
    DIRECT_WORDS_MAX,
    WAY_TO_SEE,
    counts_what_was_asked,
    is_something_else,
    may_answer,
    names_measure,
    names_person,
    tells_unit,
    tells_way_to_see,
)
from core.brains.text.filler import CLAUSE_END, is_filler, is_unknown, opens_unknown
from core.brains.text.wording import refs_in, words_of
from core.domain.answers import NOT_SAID, Answer, Claim, Claims, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp, FollowUpKind
from core.domain.ids import order_of
from core.domain.lines import find_line, superseded

SHARED_WORDS_MIN: Final = 2
LINE_WORDS_MAX: Final = 25  # of a line whose sentences are about one thing
REPLIES_MAX: Final = 2  # among which an answer is looked for that only its form tells
REST_WORDS_MAX: Final = 4  # behind "idk, "

STEP_QUESTIONS_MAX: Final = 6  # that a step asks by number
NAMED_BY_NUMBER: Final = ("FR", "NFR", "US")
_NAME_FIRST: Final = patterns.compile(
    r"(?:(?:and|ok(?:ay)?|so|for) )*(?:(?P<prefix>n?fr|us)[- ]?)?(?P<number>[0-9]{1,4})"
    r"(?:\s*[:=–-]+\s|\s+(?:you|i|we)\b)",
    patterns.IGNORECASE,
)
_NAMES_NO_THING: Final = lexicon.listed("names-no-thing")
_TOLD_BY_FORM: Final[frozenset[FollowUpKind]] = frozenset({"check", "priority"})
"""The kinds whose answers have a form that little else has: they may come behind other lines."""
_FITS: Final = {
    "number": lexicon.pattern("has-number"),
    "unit": lexicon.pattern("has-number"),
    "check": WAY_TO_SEE,
}


IsSaid = Callable[[FollowUp, Claims], bool]
"""Whether some lines are what a follow-up asks for, if that is what a step lacks."""


def over(request: ReadRequest, claims: Claims, is_said: IsSaid) -> tuple[FollowUp, ...]:
    """Those of the request that end by what people said since they were asked."""
    ended = (
        _end_follow_up(follow_up, request, claims, is_said) for follow_up in request.follow_ups
    )
    return tuple(filter(None, ended))


def reply_to(follow_up: FollowUp, request: ReadRequest, claims: Claims) -> Answer | None:
    """The answer to a follow-up; None where nobody answered it.

    A difference is answered by whoever names a side. For the others are left out "I do not know",
    what asks what we mean, what comes behind the next question of that kind, and what is about
    something else. Of what remains the first that is about the line counts; else the first that
    says by itself what was asked for; else that has its form; else a short reply right behind the
    question. A reply that checks another line counts as none.
    `claims`: those of the step, as far as they are read.
    """
    # A question for a check that gave its place to another one stands in the thread all the same.
    may_be_answered = ("open", "answered", *(["passed"] if follow_up.kind == "check" else []))
    if follow_up.outcome not in may_be_answered:
        return None
    if follow_up.kind == "difference":
        named = side_named(follow_up, request)
        return named[0] if named else None
    every = (*request.claims, *claims)
    asks_us = {source for claim in claims if "means" in claim.data for source in claim.sources}
    later_answers = [
        answer
        for answer in since_asked(follow_up, request)
        if not knows_not(answer.text)
        and answer.id not in asks_us
        and not _is_behind_next(answer, follow_up, request)
        and (
            opens_with_name(answer.text, follow_up)
            or not is_something_else(
                follow_up, answer, claims, _answer_before(answer, follow_up, request)
            )
        )
    ]
    about = (answer for answer in later_answers if _is_about(answer, follow_up))
    formed = [
        answer
        for answer in later_answers
        if may_answer(follow_up.kind, answer)
        and (follow_up.kind in _TOLD_BY_FORM or _comes_soon(answer, follow_up, request))
    ]
    plain = (answer for answer in formed if _tells_by_itself(answer, follow_up, request))
    direct = (answer for answer in later_answers[:1] if _is_direct(answer, follow_up))
    replies = chain(about, plain, formed, direct)
    return next((reply for reply in replies if not _checks_another(reply, follow_up, every)), None)


def side_named(follow_up: FollowUp, request: ReadRequest) -> tuple[Answer, Side] | None:
    """The reply that says which of two lines holds, and which one.

    A side by its place may come later, but not behind another such question. Words and numbers name
    one only as long as nobody but the first to reply has spoken: later ones may be about anything.
    """
    replies = [reply for reply in since_asked(follow_up, request) if not opens_unknown(reply.text)]
    for at, answer in enumerate(replies):
        if _is_behind_next(answer, follow_up, request):
            return None
        is_next = all(reply.by == answer.by for reply in replies[:at])
        side = side_of(answer.text, follow_up) if is_next else side_by_name(answer.text)
        if side:
            return answer, side
    return None


def _is_behind_next(answer: Answer, follow_up: FollowUp, request: ReadRequest) -> bool:
    """True if a later follow-up of the same kind had been asked when it was said."""
    return any(
        order_of(follow_up.after) < order_of(other.after) < order_of(answer.ts)
        for other in request.follow_ups
        if other.kind == follow_up.kind
    )


def _comes_soon(reply: Answer, follow_up: FollowUp, request: ReadRequest) -> bool:
    """True for what belongs to the line, also behind one line that others had still to say; a unit
    that only its place tells ("boxes") comes first."""
    soon = islice(since_asked(follow_up, request), REPLIES_MAX)
    is_soon = follow_up.kind != "unit" and reply in soon
    return is_soon or belongs_to_line(reply, follow_up, request)


def belongs_to_line(reply: Answer, follow_up: FollowUp, request: ReadRequest) -> bool:
    """True for a reply that follows on, and for what can only be the answer."""
    tells = _tells_by_itself(reply, follow_up, request)
    return tells or follows_on(reply, follow_up, request)


def _tells_by_itself(reply: Answer, follow_up: FollowUp, request: ReadRequest) -> bool:
    """True for what says wherever it stands what was asked for: "hours!", "2 guards obviously" of
    "2 of what?", "under 2 seconds", "me, on Mondays"."""
    match follow_up.kind:
        case "unit":
            return names_measure(reply.text) or counts_what_was_asked(reply.text, follow_up)
        case "number":
            return any(number.role for number in statement(reply.text).numbers)
        case "person":
            return names_person(reply.text, request.names.values())
        case _:
            return False


def follows_on(reply: Answer, follow_up: FollowUp, request: ReadRequest) -> bool:
    """True if a reply came first after its follow-up, or shares a word with the line, or with what
    its author wrote beside it.

    One behind what others said may be meant for anything.
    """
    texts = (*_quotes_asked_about(follow_up), *_written_beside(follow_up, request))
    shared = words_of(" ".join(texts)) & words_of(reply.text)
    return bool(shared) or reply == next(since_asked(follow_up, request), None)


def _written_beside(follow_up: FollowUp, request: ReadRequest) -> Iterator[str]:
    """The short line of the answer in which what was asked about is one of the sentences."""
    if follow_up.line:
        lines = short_lines(request, (follow_up.line.answer,))
        yield from (line for line in lines if follow_up.line.quote in line)


def short_lines(request: ReadRequest, ids: Collection[str]) -> Iterator[str]:
    """Lines of these answers whose sentences are about one thing: none has over 25 words."""
    for answer in request.every_answer:
        lines = answer.text.splitlines() if answer.id in ids else ()
        yield from (line for line in lines if len(line.split()) <= LINE_WORDS_MAX)


def next_of_others(claim: Claim, request: ReadRequest) -> Answer | None:
    """What somebody else said at the step right behind a line of it."""
    at = next((n for n, answer in enumerate(request.answers) if answer.id in claim.sources), None)
    if at is None:
        return None
    by, later = request.answers[at].by, request.answers[at + 1 :]
    return next((reply for reply in later if reply.by != by), None)


def _answer_before(answer: Answer, follow_up: FollowUp, request: ReadRequest) -> Answer | None:
    """What was said right before an answer, if that was after the follow-up, too."""
    earlier = request.answers[: request.answers.index(answer)]
    is_since = earlier and order_of(earlier[-1].ts) > order_of(follow_up.after)
    return earlier[-1] if is_since else None


def _end_follow_up(
    follow_up: FollowUp, request: ReadRequest, claims: Claims, is_said: IsSaid
) -> FollowUp | None:
    if follow_up.outcome == "answered":
        return None
    every = (*request.claims, *request.unread, *claims)
    lost = [
        line
        for line in (follow_up.line, follow_up.other)
        if line and find_line(line, every) is None
    ]
    authors = request.authors
    if any(line.answer not in authors for line in lost):
        return follow_up.ended("withdrawn")
    if follow_up.outcome == "withdrawn":  # its line was put back
        return follow_up.ended("passed")
    if follow_up.kind == "difference" and is_settled(follow_up, every):
        return follow_up.ended("answered")
    later_answers = list(since_asked(follow_up, request))
    if follow_up.kind == "missing":
        later_ids = {answer.id for answer in later_answers}
        later_lines = tuple(line for line in claims if not later_ids.isdisjoint(line.sources[:1]))
        if is_said(follow_up, later_lines):
            return follow_up.ended("answered")
    if follow_up.outcome != "open":
        is_about = any(_is_about(answer, follow_up) for answer in later_answers)
        has_reply = is_about or reply_to(follow_up, request, claims)
        return follow_up.ended("answered") if has_reply else None
    if later_answers and knows_not(later_answers[0].text):
        return follow_up.ended("unknown", later_answers[0].by)
    if reply_to(follow_up, request, claims):
        return follow_up.ended("answered")
    return follow_up.ended("passed") if lost else None


def is_settled(follow_up: FollowUp, claims: Claims) -> bool:
    """True if something stands in place of one of the lines that differ."""
    replaced = superseded(claims)
    lines = (find_line(line, claims) for line in (follow_up.line, follow_up.other) if line)
    return any(line is not None and line.id in replaced for line in lines)


def since_asked(follow_up: FollowUp, request: ReadRequest) -> Iterator[Answer]:
    """What people said to the step since it was asked, without noise and questions back."""
    after = order_of(follow_up.after)
    for answer in request.answers:
        if (
            said_at(answer) <= after
            or answer.source in NOT_SAID
            or answer.text.rstrip().endswith("?")
        ):
            continue
        if not is_noise(answer.text):
            yield answer


def said_at(answer: Answer) -> tuple[int, ...]:
    """When it was said, or edited last."""
    return max(order_of(answer.ts), order_of(answer.edited_ts or ""))


def knows_not(text: str) -> bool:
    """True for "idk", "no idea, ask somebody else" and "I'll ask the vendor"; "not sure, ten
    minutes" says more."""
    if lexicon.pattern("puts-off").fullmatch(text.strip()):
        return True
    more = "".join(CLAUSE_END.split(text.strip(), maxsplit=1)[1:])
    says_more = len(more.split()) > REST_WORDS_MAX or bool(_FITS["number"].search(more))
    return is_unknown(text) or (opens_unknown(text) and not says_more)


def is_noise(text: str) -> bool:
    """True for "+1", "thanks" and "brb": it says nothing of the item. "idk" does."""
    if lexicon.pattern("steps-out").fullmatch(text.strip()):
        return True
    return is_filler(text) and not knows_not(text)


def _is_direct(answer: Answer, follow_up: FollowUp) -> bool:
    """A short reply to what is missing."""
    brings_more = lexicon.pattern("brings-up").match(answer.text.strip())
    is_short = len(answer.text.split()) <= DIRECT_WORDS_MAX
    return follow_up.kind == "missing" and is_short and not brings_more


def opens_with_name(reply: str, follow_up: FollowUp) -> bool:
    """True for "FR-035: kill the mailer, …" and "35: …", where that line was asked about.

    A small number alone is that of a question of the step.
    """
    match = _NAME_FIRST.match(reply.strip())
    if match is None or not (match["prefix"] or int(match["number"]) > STEP_QUESTIONS_MAX):
        return False
    prefixes = (match["prefix"].upper(),) if match["prefix"] else NAMED_BY_NUMBER
    refs = (refs_in(prefix, f"{prefix}-{match['number']}") for prefix in prefixes)
    return any(ref in follow_up.question for names in refs for ref in names)


def _checks_another(answer: Answer, follow_up: FollowUp, claims: Claims) -> bool:
    """True if a reply is a check of another line than the one that was asked about."""
    line = find_line(follow_up.line, claims) if follow_up.line else None
    own_checks = (claim for claim in claims if answer.id in claim.sources and claim.kind == "check")
    checked = [claim.data["of"] for claim in own_checks if "of" in claim.data]
    ref = line.ref if line else None
    return ref is not None and bool(checked) and not any(ref in names for names in checked)


def _is_about(answer: Answer, follow_up: FollowUp) -> bool:
    """It speaks of the line (or of the question, where that names none) and fits the kind."""
    if follow_up.kind == "difference" or knows_not(answer.text):
        return False  # which of two lines holds is asked: see `side_named`
    if opens_with_name(answer.text, follow_up):
        return True
    if follow_up.kind == "missing" and words_of(follow_up.what_is_asked) & words_of(answer.text):
        return True
    about = words_of(" ".join(_quotes_asked_about(follow_up)) or follow_up.question)
    words = about & words_of(answer.text)
    fits = _FITS.get(follow_up.kind)
    if follow_up.kind == "unit" and not tells_unit(answer.text, follow_up):
        return False
    if follow_up.kind == "check":
        words -= _NAMES_NO_THING
        if len(words) < SHARED_WORDS_MIN and not tells_way_to_see(answer.text):
            return False
    if fits is None:
        return len(words) >= min(SHARED_WORDS_MIN, len(about))
    return bool(words and fits.search(answer.text))


def _quotes_asked_about(follow_up: FollowUp) -> Iterator[str]:
    lines: tuple[LineRef | None, ...] = (follow_up.line, follow_up.other)
    return (line.quote for line in lines if line is not None)
