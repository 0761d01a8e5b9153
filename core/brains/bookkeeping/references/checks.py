"""Which line an acceptance check is of. For any brain.

By the name that the check gives ("FR-002", "#2", a name of people's own) or the words before its
colon, else as the reply to a question about a line, else the likeliest one by words and place;
inferred where that is not as likely, and as the reply that came behind what others said.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.answering import (
    STEP_QUESTIONS_MAX,
    follows_on,
    opens_with_name,
    reply_to,
    since_asked,
)
from core.brains.bookkeeping.references.check_odds import Spoken, chances_of, likeliest
from core.brains.bookkeeping.references.labels import label_of, labels_in, own_labels, with_labels
from core.brains.bookkeeping.references.links import gist_of
from core.brains.bookkeeping.references.names import called_in, named_in, numbering, own_numbers
from core.brains.bookkeeping.reply_forms import (
    HARM,
    is_about_line,
    is_option_by_place,
    looks_like_check,
)
from core.brains.text.wording import closest, refs_in
from core.domain.answers import Answer, Claim, ClaimKind, Claims, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, order_of
from core.domain.lines import find_line, superseded

_MAY_CHECK: Final[frozenset[ClaimKind]] = frozenset(
    {"note", "fact", "risk", "entry-point", "interface", "module", "data", "error"}
)
_DEMANDED: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})
_MAY_CHECK_DIRECTLY: Final = _MAY_CHECK | _DEMANDED | {"exclusion", "option"}
RELATED: Final = "related"  # key of a check whose line a brain names, in whatever answer it stands
REPLY_LINES_MAX: Final = 3  # whoever says more has not only said how they would see it
CHECKABLE: Final = frozenset({"requirement", "story", "quality"})
"""The kinds of lines that a check may be of."""
STATED_MIN: Final = 0.45  # the chance from which on a check is of the likeliest line
INFERRED_MIN: Final = 0.25  # … from which on that is inferred
PERHAPS_MIN: Final = 0.12  # … from which on a line below the musts is not asked about
PLAIN_MIN: Final = 0.6  # … of another line than the one that it replies to right behind it
_LEADS_TO_SUBJECT: Final = lexicon.pattern("leads-to-subject")
_OF_SUBJECT: Final = patterns.compile(
    r"for the (?P<subject>[\w -]{2,40}?)(?::|,? (?:i|we)\b)", patterns.IGNORECASE
)
_IS_CHECK_OF: Final = patterns.compile(  # "thats the check for FR-007 not 10", behind a check
    r"\W*(?:(?:no|and|but|oh|sorry)\W+)*(?:that|this|it)(?:['’]?s| is) (?:the |a )?(?:check|test)"
    r" (?:for|of) (?P<name>(?P<prefix>n?fr|us)[- ]?[0-9]{1,4})\b",
    patterns.IGNORECASE,
)
_SAYS_MUST: Final = lexicon.pattern("says-must")
_TRIES: Final = patterns.compile(r"(?:test|try|check)\b", patterns.IGNORECASE)
_WE_DO_NOT: Final = lexicon.pattern("we-do-not")
_DEMANDS_SOMETHING: Final = lexicon.pattern("demands-something")


def replied(lines: Claims, request: ReadRequest) -> Claims:
    """The lines, of which those that answer "how would you see that it works?" are checks.

    A demand in passing stands beside what else its line is: of such a pair one is the check, and
    neither where the demand stays one: "Refuse a date in the past" does not check itself.
    """
    answers = dict(_replies(request, lines))
    replies = {answer.id for answer in answers if not _asks_for_more(answer, lines)}
    direct = {answer.id for answer, asked in answers.items() if _is_direct(answer, asked, request)}
    texts = {(source, line.text) for line in lines for source in line.sources[:1]}
    counts = Counter(source for source, _ in texts)
    are_replies = [
        _is_reply(line, replies, counts, is_direct=not direct.isdisjoint(line.sources[:1]))
        for line in lines
    ]
    demands = {
        (line.text, line.sources)
        for line, is_reply in zip(lines, are_replies, strict=True)
        if line.kind in _DEMANDED and not is_reply
    }
    lines_by_key: dict[object, Claim] = {}
    for at, (line, is_reply) in enumerate(zip(lines, are_replies, strict=True)):
        if is_reply and (line.text, line.sources) not in demands:
            lines_by_key.setdefault(
                (line.text, line.sources), replace(line, kind="check", ref=None)
            )
        else:
            lines_by_key[at] = line
    return tuple(lines_by_key.values())


def _asks_for_more(answer: Answer, lines: Claims) -> bool:
    """True for "then updates never touch unsent sheets", a requirement that tries nothing."""
    return any(
        line.kind in _DEMANDED
        and answer.text.startswith(line.text)
        and _DEMANDS_SOMETHING.search(line.text)
        for line in lines
        if answer.id in line.sources
    )


def _is_direct(reply: Answer, follow_up: FollowUp, request: ReadRequest) -> bool:
    """True for a reply that opens with the name of the line, and for one right behind the question
    that has words of it."""
    if opens_with_name(reply.text, follow_up):
        return True
    is_next = reply == next(since_asked(follow_up, request), None)
    return is_next and is_about_line(reply.text, follow_up)


def _is_reply(
    line: Claim,
    replies: Collection[AnswerId],
    counts: Mapping[AnswerId, int],
    *,
    is_direct: bool,
) -> bool:
    """True for a line of a short reply. What must be is asked for, whatever question was open, and
    how bad it is tells nothing that is seen."""
    if not line.sources or not set(line.sources) <= set(replies) or HARM.search(line.text):
        return False
    count = counts[line.sources[0]]
    if count > 1 and _WE_DO_NOT.match(line.text):
        return False
    if is_direct and line.kind in _MAY_CHECK_DIRECTLY:
        return count <= REPLY_LINES_MAX
    if not looks_like_check(line.text):
        return False
    is_tried = count == 1 or _TRIES.match(line.text)
    tells = line.kind in _DEMANDED and is_tried and not _SAYS_MUST.search(line.text)
    may_check = line.kind in _MAY_CHECK or is_option_by_place(line)
    return tells or (may_check and count <= REPLY_LINES_MAX)


@dataclass(frozen=True)
class _Lines:
    """The lines that may be checked, and what people said of them. `claims`: those of the step."""

    claims: Claims
    request: ReadRequest

    @cached_property
    def by_ref(self) -> Mapping[str, Claim]:
        everything = (*self.request.claims, *self.claims)
        replaced = superseded(everything)
        return {
            claim.ref: claim
            for claim in everything
            if claim.kind in CHECKABLE and claim.ref and claim.id not in replaced
        }

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Their names by what people call them."""
        return own_labels(with_labels(self.by_ref.values(), self.request.every_answer))

    @cached_property
    def numbers(self) -> Mapping[str, str]:
        """Their names by the numbers in these, where people numbered no line; small numbers are
        those of a step's questions."""
        texts = {ref: line.text for ref, line in self.by_ref.items()}
        numbered = {} if self.labels or own_numbers(texts) else numbering((), texts)
        return {str(number): ref for number, ref in numbered.items() if number > STEP_QUESTIONS_MAX}

    @cached_property
    def asked(self) -> Mapping[AnswerId, tuple[str, bool]]:
        """By reply, the name of the line that it was asked about, and whether it came right
        behind."""
        return {
            answer.id: (line.ref, follows_on(answer, follow_up, self.request))
            for answer, follow_up in _replies(self.request, self.claims)
            if follow_up.line
            if (line := find_line(follow_up.line, self.by_ref.values())) and line.ref
        }

    @cached_property
    def spoken_lines(self) -> Mapping[str, Spoken]:
        lines = ((ref, self.spoken(line)) for ref, line in self.by_ref.items())
        return {ref: line for ref, line in lines if line}

    @cached_property
    def _answers(self) -> Sequence[Answer]:
        """Those to all steps, the oldest first."""
        return sorted(self.request.every_answer, key=lambda answer: order_of(answer.ts))

    @cached_property
    def _turns(self) -> Mapping[AnswerId, int]:
        return {answer.id: turn for turn, answer in enumerate(self._answers)}

    def spoken(self, claim: Claim) -> Spoken | None:
        """A line where it was said; None for what nobody said."""
        turn = next((self._turns[one] for one in claim.sources if one in self._turns), None)
        if turn is None:
            return None
        answer = self._answers[turn]
        text, line = (" ".join(it.split()) for it in (answer.text, claim.text))
        before = text[: max(text.find(line), 0)]
        return Spoken(gist_of(claim), claim.step, answer.by, turn, before)


def attached(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, each check with the names of the lines that it checks (`of`)."""
    lines = _Lines(claims, request)
    attached_claims = [
        _with_requirement(claim, lines, request) if claim.kind == "check" else claim
        for claim in claims
    ]
    last: int | None = None  # place of the check before a line
    for at, claim in enumerate(claims):
        ref = _named_as_checked(claim.text)
        if ref in lines.by_ref and last is not None:
            check = attached_claims[last]
            data = {**check.data, "of": ref}
            attached_claims[last] = replace(check, confidence="stated", data=data)
            attached_claims[at] = replace(claim, kind="note", data={})
        last = at if claim.kind == "check" else last
    return tuple(attached_claims)


def _named_as_checked(text: str) -> str:
    """The line of which a text says that the check before it is; nothing in any other text."""
    match = _IS_CHECK_OF.match(text)
    return next(iter(refs_in(match["prefix"].upper(), match["name"])), "") if match else ""


def perhaps_checked(claims: Claims, request: ReadRequest) -> frozenset[str]:
    """The names of the lines of which a check may well be, though it stands under another one."""
    lines = _Lines(claims, request)
    checks = (lines.spoken(claim) for claim in claims if claim.kind == "check")
    chances = chain.from_iterable(
        chances_of(check, lines.spoken_lines).items() for check in checks if check
    )
    return frozenset(ref for ref, chance in chances if chance >= PERHAPS_MIN)


def _with_requirement(check: Claim, lines: _Lines, request: ReadRequest) -> Claim:
    data = {key: value for key, value in check.data.items() if key != "of"}
    asked, is_next = next(
        (lines.asked[source] for source in check.sources if source in lines.asked), ("", False)
    )
    if refs := _refs_by_label(check, lines, request):
        return replace(check, data={**data, "of": ", ".join(refs)})
    calls_another = lines.labels and _labels_called(check)
    if calls_another and not (is_next or RELATED in check.data):
        return replace(check, data=data)
    ref, is_certain = _checked(check, lines, asked, is_next=is_next)
    confidence = check.confidence if is_certain or not ref else "inferred"
    return replace(check, confidence=confidence, data={**data, "of": ref} if ref else data)


def _checked(check: Claim, lines: _Lines, asked: str, *, is_next: bool) -> tuple[str, bool]:
    """The names of the lines that a check is of, and whether that is certain; empty: of none.

    `asked`: the line of which it was asked to say a check; `is_next`: right behind the question.
    """
    texts = {ref: line.text for ref, line in lines.by_ref.items()}
    if refs := named_in(check.text, texts) or called_in(check.text, texts):
        return ", ".join(refs), True
    if of_subject := _of_subject(check, lines, is_reply=is_next):
        return of_subject, True
    if related := next((ref for ref, line in lines.by_ref.items() if _relates(check, line)), None):
        return related, True
    spoken = lines.spoken(check)
    ref, chance = (likeliest(spoken, lines.spoken_lines) if spoken else None) or ("", 0.0)
    if asked:
        is_certain = is_next or (ref == asked and chance >= STATED_MIN)
        least = PLAIN_MIN if is_next else STATED_MIN
        return (ref, True) if chance >= least else (asked, is_certain)
    return (ref if chance >= INFERRED_MIN else ""), chance >= STATED_MIN


def _of_subject(check: Claim, lines: _Lines, *, is_reply: bool) -> str | None:
    """The one line that has the words before the colon: "no end time: …" is of "no end time".

    Of what replies to a question about a line, a likeness alone says nothing.
    """
    called = _OF_SUBJECT.match(check.text)
    subject, colon, _ = check.text.partition(": ") if not called else (called["subject"], ":", "")
    words = _LEADS_TO_SUBJECT.sub("", subject).casefold().strip()
    if not colon or not words:
        return None
    gists = {ref: gist_of(line) for ref, line in lines.by_ref.items()}
    holders = [ref for ref, gist in gists.items() if words in gist.casefold()]
    if len(holders) == 1:
        return holders[0]
    return None if is_reply else closest(words, gists)


def _refs_by_label(check: Claim, lines: _Lines, request: ReadRequest) -> list[str]:
    """The lines that a check calls by people's own labels: "(a) …", or as its item of a list; else
    by the numbers in their names: "13: …"."""
    answers = {answer.id: answer for answer in request.answers}
    names = {**lines.numbers, **lines.labels}
    refs = [names[name] for name in _labels_called(check) if name in names]
    own = lines.labels.get(label_of(check, answers))
    if own and not (refs or set(check.sources) & set(lines.by_ref[own].sources)):
        refs = [own]
    return list(dict.fromkeys(refs))


def _labels_called(check: Claim) -> tuple[str, ...]:
    """The labels of lines that it has, at the head of what stands behind its own label too."""
    return labels_in(check.text) or labels_in(check.data.get("what", ""))


def _replies(request: ReadRequest, claims: Claims) -> Iterator[tuple[Answer, FollowUp]]:
    """Answers to follow-ups that ask for a check of a line, each with what it answers."""
    for follow_up in request.follow_ups:
        reply = reply_to(follow_up, request, claims) if follow_up.kind == "check" else None
        if reply is not None and follow_up.line is not None:
            yield reply, follow_up


def _relates(check: Claim, line: Claim) -> bool:
    """True if a brain says that the check is of that line."""
    return RELATED in check.data and check.data.get("of", "") in (line.text, line.ref)
