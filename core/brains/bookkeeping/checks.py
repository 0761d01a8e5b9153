"""Which line an acceptance check is of, as far as people say so. For any brain.

By the name that the check gives ("FR-002", "#2", a name of people's own), else as the reply to a
question about a line, else the line that it follows or shares its most telling words with; else,
inferred, the line that it replies to behind what others said, or the one requirement without a
check that has a rare word or number of it.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.answering import follows_on, reply_to, short_lines
from core.brains.bookkeeping.differences.statements import statement
from core.brains.bookkeeping.labels import label_of, labels_in, own_labels, with_labels
from core.brains.bookkeeping.links import gist_of
from core.brains.bookkeeping.names import called_in, named_in
from core.brains.bookkeeping.reply_forms import HARM, is_option_by_place, looks_like_check
from core.brains.text.wording import closest, words_of
from core.domain.answers import Answer, Claim, ClaimKind, Claims, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId
from core.domain.lines import find_line, superseded

_MAY_CHECK: Final[frozenset[ClaimKind]] = frozenset(
    {"note", "fact", "risk", "entry-point", "interface", "module", "data", "error"}
)
_DEMANDED: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})
RELATED: Final = "related"  # key of a check whose line a brain names, in whatever answer it stands
REPLY_LINES_MAX: Final = 3  # whoever says more has not only said how they would see it
CHECKED: Final = frozenset({"requirement", "story", "quality"})
WORDS_SHARED_MIN: Final = 2
RARE_CHARS_MIN: Final = 5  # of a word by which a check is inferred to be of a line
_CHECKS: Final = lexicon.pattern("leads-to-subject")
_OF_IT: Final = lexicon.pattern("checks-it")
_OF_SUBJECT: Final = patterns.compile(
    r"for the (?P<subject>[\w -]{2,40}?)(?::|,? (?:i|we)\b)", patterns.IGNORECASE
)
_NAMES_SUBJECT: Final = patterns.compile(
    r"(?:check |test )?(?:for|of|on) (?:the )?[\w -]{1,30}[:,]", patterns.IGNORECASE
)
_DEMANDS: Final = lexicon.pattern("says-must")
_TRIES: Final = patterns.compile(r"(?:test|try|check)\b", patterns.IGNORECASE)
_WE_DO_NOT: Final = lexicon.pattern("we-do-not")
_NEVER: Final = lexicon.pattern("demands-something")


def replied(lines: Claims, request: ReadRequest) -> Claims:
    """The lines, of which those that answer "how would you see that it works?" are checks.

    A demand in passing stands beside what else its line is: of such a pair one is the check, and
    neither where the demand stays one: "Refuse a date in the past" does not check itself.
    """
    replies = {
        answer.id for answer, _ in _replies(request, lines) if not _asks_for_more(answer, lines)
    }
    texts = {(source, line.text) for line in lines for source in line.sources[:1]}
    counts = Counter(source for source, _ in texts)
    are_replies = [_is_reply(line, replies, counts) for line in lines]
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
        line.kind in _DEMANDED and answer.text.startswith(line.text) and _NEVER.search(line.text)
        for line in lines
        if answer.id in line.sources
    )


def _is_reply(line: Claim, replies: Collection[AnswerId], counts: Mapping[AnswerId, int]) -> bool:
    """True for a line of a short reply. What must be is asked for, whatever question was open, and
    how bad it is tells nothing that is seen."""
    if not line.sources or not set(line.sources) <= set(replies) or HARM.search(line.text):
        return False
    if not looks_like_check(line.text):
        return False
    count = counts[line.sources[0]]
    if count > 1 and _WE_DO_NOT.match(line.text):
        return False
    is_tried = count == 1 or _TRIES.match(line.text)
    tells = line.kind in _DEMANDED and is_tried and not _DEMANDS.search(line.text)
    may_check = line.kind in _MAY_CHECK or is_option_by_place(line)
    return tells or (may_check and count <= REPLY_LINES_MAX)


def attached(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, each check with the names of the lines that it checks (`of`)."""
    everything = (*request.claims, *claims)
    replaced = superseded(everything)
    lines = {
        claim.ref: claim
        for claim in everything
        if claim.kind in CHECKED and claim.ref and claim.id not in replaced
    }
    labels = own_labels(with_labels(lines.values(), request.every_answer))
    replies = [
        (answer, follow_up, line.ref)
        for answer, follow_up in _replies(request, claims)
        if follow_up.line
        if (line := find_line(follow_up.line, lines.values())) and line.ref
    ]
    ref_of_answer = {
        answer.id: ref
        for answer, follow_up, ref in replies
        if follows_on(answer, follow_up, request)
    }
    checked = tuple(
        _with_requirement(claim, lines, labels, request, ref_of_answer)
        if claim.kind == "check"
        else claim
        for claim in claims
    )
    has_check = {ref for claim in (*request.claims, *checked) for ref in _checks_of(claim)}
    texts = {ref: line.text for ref, line in lines.items() if line.kind == "requirement"}
    ref_of_reply = {answer.id: ref for answer, _, ref in replies}
    return tuple(
        _inferred(claim, texts, has_check, ref_of_reply)
        if claim.kind == "check" and "of" not in claim.data and not _labels_called(claim)
        else claim
        for claim in checked
    )


def _checks_of(claim: Claim) -> list[str]:
    return claim.data.get("of", "").split(", ") if claim.kind == "check" else []


def _inferred(
    check: Claim,
    texts: Mapping[str, str],
    has_check: Collection[str],
    ref_of_reply: Mapping[AnswerId, str],
) -> Claim:
    """A check of nothing, as that of the line that it replies to behind what others said; else of
    the one requirement whose long word or number it has.

    That word stands in no other requirement, and nobody has said another check of it.
    `ref_of_reply`: the name of the line that was asked about, by what replies to that.
    """
    refs = [ref_of_reply[source] for source in check.sources if source in ref_of_reply]
    if refs:
        return replace(check, confidence="inferred", data={**check.data, "of": refs[0]})
    every = {ref: _tokens(text) for ref, text in texts.items()}
    holders = Counter(token for tokens in every.values() for token in tokens)
    rare = {token for token in _tokens(check.text) if holders[token] == 1}
    near = [ref for ref, tokens in every.items() if tokens & rare]
    if len(near) != 1 or near[0] in has_check:
        return check
    return replace(check, confidence="inferred", data={**check.data, "of": near[0]})


def _tokens(text: str) -> frozenset[object]:
    """The numbers of a line, and its longer words."""
    words = (word for word in words_of(text) if len(word) >= RARE_CHARS_MIN)
    return frozenset((*words, *statement(text).written))


def _with_requirement(
    check: Claim,
    lines: Mapping[str, Claim],
    labels: Mapping[str, str],
    request: ReadRequest,
    ref_of_answer: Mapping[AnswerId, str],
) -> Claim:
    """`ref_of_answer`: the name of the line of which a reply was asked to say a check."""
    data = {key: value for key, value in check.data.items() if key != "of"}
    refs = _refs_by_label(check, lines, labels, request)
    answered = next(
        (ref_of_answer[source] for source in check.sources if source in ref_of_answer), None
    )
    is_related = answered or RELATED in check.data
    calls_another = labels and _labels_called(check) and not is_related
    if not refs and not calls_another:
        refs = list(_checked_refs(check, lines, request, answered))
    return replace(check, data={**data, "of": ", ".join(refs)} if refs else data)


def _checked_refs(
    check: Claim, lines: Mapping[str, Claim], request: ReadRequest, answered: str | None
) -> Iterator[str]:
    texts = {ref: line.text for ref, line in lines.items()}
    if refs := named_in(check.text, texts) or called_in(check.text, texts):
        yield from refs
        return
    gists = {ref: gist_of(line) for ref, line in lines.items()}
    if spoken := _spoken_of(check, gists, is_reply=bool(answered)):
        yield spoken
        return
    followed = next((ref for ref, line in lines.items() if _follows(check, line)), None)
    nearest = closest(check.text, gists)
    names_subject = _NAMES_SUBJECT.match(check.text)
    if followed and not names_subject and _stands_right_behind(check, lines[followed], request):
        yield followed
        return
    followed = followed or answered
    if nearest and answered and _are_of_one_line(lines[nearest], lines[answered], request):
        nearest = None
    before = _line_before(check, lines, request)
    if followed and not _is_nearer(nearest, followed, check, lines):
        yield followed
    elif before and _OF_IT.match(check.text):
        yield before
    elif line := nearest or before:
        yield line


def _spoken_of(check: Claim, gists: Mapping[str, str], *, is_reply: bool) -> str | None:
    """The one line that has the words before the colon: "no end time: …" is of "no end time".

    Of what replies to a question about a line, a likeness alone says nothing.
    """
    called = _OF_SUBJECT.match(check.text)
    subject, colon, _ = check.text.partition(": ") if not called else (called["subject"], ":", "")
    words = _CHECKS.sub("", subject).casefold().strip()
    if not colon or not words:
        return None
    holders = [ref for ref, gist in gists.items() if words in gist.casefold()]
    if len(holders) == 1:
        return holders[0]
    return None if is_reply else closest(words, gists)


def _line_before(check: Claim, lines: Mapping[str, Claim], request: ReadRequest) -> str | None:
    """The only line of the message that the same person sent right before one that opens with the
    check; the first of several that are one line of that message."""
    at = next((at for at, answer in enumerate(request.answers) if answer.id in check.sources), 0)
    previous, own = request.answers[at - 1], request.answers[at]
    opens_it = not any(map(str.isalnum, own.text.partition(check.text)[0]))
    if not at or previous.by != own.by or not opens_it:
        return None
    refs = [ref for ref, line in lines.items() if previous.id in line.sources]
    first, *others = refs or [""]
    is_one = all(_are_of_one_line(lines[first], lines[ref], request) for ref in others)
    return first if first and is_one else None


def _refs_by_label(
    check: Claim, lines: Mapping[str, Claim], labels: Mapping[str, str], request: ReadRequest
) -> list[str]:
    """The lines that a check calls by people's own labels: "(a) …", or as its item of a list."""
    answers = {answer.id: answer for answer in request.answers}
    refs = [labels[name] for name in _labels_called(check) if name in labels]
    own = labels.get(label_of(check, answers))
    if own and not (refs or set(check.sources) & set(lines[own].sources)):
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


def _follows(check: Claim, line: Claim) -> bool:
    """True if the check stands behind that line in the same answer (`of`: its words), or a brain
    relates the two."""
    is_of = check.data.get("of", "") in (line.text, line.ref)
    return is_of and (RELATED in check.data or bool(set(check.sources) & set(line.sources)))


def _stands_right_behind(check: Claim, line: Claim, request: ReadRequest) -> bool:
    """True if a check is the sentence behind a line, on the same line of an answer."""
    sources = set(check.sources) & set(line.sources)
    for answer in request.every_answer:
        behind = answer.text.partition(line.text)[2] if answer.id in sources else ""
        if behind.lstrip(" .!").startswith(check.text):
            return True
    return False


def _are_of_one_line(one: Claim, other: Claim, request: ReadRequest) -> bool:
    """True for sentences that somebody wrote in one line, so that what replies to one may have the
    words of the other."""
    lines = short_lines(request, set(one.sources) & set(other.sources))
    return any(one.text in line and other.text in line for line in lines)


def _is_nearer(
    nearest: str | None, followed: str, check: Claim, lines: Mapping[str, Claim]
) -> bool:
    """True if a check plainly speaks of another line than the one that it follows or answers."""
    if nearest is None or nearest == followed:
        return False
    words = words_of(check.text)
    shared = {ref: len(words & words_of(lines[ref].text)) for ref in (nearest, followed)}
    return shared[nearest] - shared[followed] >= WORDS_SHARED_MIN
