"""Questions of people to each other, and the answers that follow them.

A question is closed by
- a later answer to its step, of somebody whom it names or that shares a word with it;
- a short reply of somebody else right behind it that is no line of its own, no question and no
  answer to us; of "what if …" one of any length that opens with "then";
- its own author, who goes on with who it is: "who writes the text? me, until 6 June".
- a line of another step that shares its distinctive words.

`answered_by` of its data names the answer, `answer` quotes it. One that is hardly open still, by
how it was asked and what followed, has what somebody else said next as its answer, and `PERHAPS`.
A question of the step to which somebody said "I cannot say" is open until somebody else of that
step has words of it. Whoever says of an open question that it is open asks it again: `again` quotes
the first.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.answering import is_noise, knows_not, reply_to
from core.brains.bookkeeping.question_chance import Asked, open_chance
from core.brains.text.filler import is_filler, opens_unknown
from core.brains.text.wording import words_of
from core.domain.answers import NOT_SAID, Answer, Claim, Claims, ReadRequest
from core.domain.ids import AnswerId, UserId, order_of
from core.domain.lines import PERHAPS, SPANS, Correction, find_line, in_force

SHARED_WORDS_MIN: Final = 3
DIRECT_WORDS_MAX: Final = 20  # of the next person's reply, where it shares no word
BEHIND_MORE_WORDS_MAX: Final = 9  # where the question does not end its message
AGAIN_WORDS_MIN: Final = 2  # of a question that is asked again
KNOWN_WORDS_MIN: Final = 2  # that an answer has of a question of the step
OPEN_MIN: Final = 0.12  # the chance from which on a question is open
OPENING_CHARS_MAX: Final = 60  # of an answer, within which a label may end
ANSWER_CHARS_MAX: Final = 200
_WORD: Final = patterns.compile(r"[\w-]+")
_ASKS: Final = patterns.compile(r"[^.!?…\n]*\?+(?:\s+|$)")
_LINE_OF_ITS_OWN: Final = lexicon.pattern("line-of-its-own")
_OPEN: Final = lexicon.pattern("open")
_ASKS_WITHOUT_MARK: Final = lexicon.pattern("asks-without-mark")
_YES_OR_NO: Final = lexicon.pattern("yes-or-no")
_ASKS_FOR: Final = lexicon.pattern("asks-for")
_WHO: Final = lexicon.pattern("asks-who")
_GUESSES: Final = lexicon.pattern("guesses-yes-or-no")
_WHAT_IF: Final = lexicon.pattern("asks-what-if")
_THEN: Final = lexicon.pattern("says-what-then")


def paired(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, questions among them with what answered them, or the one that they ask again."""
    replies = (reply_to(follow_up, request, claims) for follow_up in request.follow_ups)
    ours = frozenset(reply.id for reply in replies if reply)
    ours |= {source for claim in claims if claim.kind == "check" for source in claim.sources}
    questions = [line for line in request.claims if line.step < request.step.id and _is_open(line)]
    lines = []
    for claim in claims:
        line = _pair_question(claim, request, ours)
        if _is_open(line):
            line = _link_first_question(line, questions)
            questions.append(line)
        lines.append(line)
    return tuple(lines)


def _is_open(claim: Claim) -> bool:
    return claim.kind == "question" and bool(claim.sources) and "answered_by" not in claim.data


def _link_first_question(claim: Claim, earlier: Iterable[Claim]) -> Claim:
    """The question, with the first of those before it that asks the same."""
    first = next((question for question in earlier if _asks_again(claim.text, question.text)), None)
    if first is None:
        return claim
    return replace(claim, data={**claim.data, "again": first.data.get("again", first.text)})


def _asks_again(text: str, first: str) -> bool:
    """True for the same words, and for "nobody has decided *who tells the payer*"."""
    says_open = _OPEN.search(text)
    words, others = words_of(_OPEN.sub(" ", text)), words_of(first)
    asks_for, other = (_ASKS_FOR.search(line.casefold()) for line in (text, first))
    is_same = words == others or (says_open and words <= others)
    is_alike = asks_for and other and asks_for[0] == other[0]
    return bool(is_same and is_alike and len(words) >= AGAIN_WORDS_MIN)


def _pair_question(claim: Claim, request: ReadRequest, ours: frozenset[AnswerId]) -> Claim:
    if claim.kind != "question" or not claim.sources:
        return claim
    is_left_open = opens_unknown(claim.text) and "what" in claim.data
    if not is_left_open and not claim.text.rstrip().endswith("?"):
        return claim
    if own := _own_answer(claim, request):
        return _answered(claim, *own)
    answer = _known_to_others(claim, request) if is_left_open else _answer_to(claim, request, ours)
    return _answered(claim, answer) if answer else _perhaps_answered(claim, request)


def _own_answer(claim: Claim, request: ReadRequest) -> tuple[Answer, str] | None:
    """The words right behind a question with which its author answers it, and their answer."""
    question = next((answer for answer in request.answers if answer.id in claim.sources), None)
    if question is None or not _WHO.match(claim.text):
        return None
    text_behind = question.text.rpartition(claim.text)[2].partition("\n")[0].strip()
    sentence = next(iter(_ASKS.split(text_behind)), "").strip()
    first = next(iter(_WORD.findall(sentence.casefold())), "")
    is_person = first in ("me", "i") or first in map(str.casefold, request.names.values())
    return (question, text_behind) if is_person and sentence == text_behind else None


def _answered(claim: Claim, answer: Answer, text: str = "") -> Claim:
    words = " ".join((text or answer.text).split())[:ANSWER_CHARS_MAX]
    return replace(claim, data={**claim.data, "answered_by": answer.id, "answer": words})


def _perhaps_answered(claim: Claim, request: ReadRequest) -> Claim:
    """The question; if it is hardly open still, with what somebody else said next."""
    question = next((answer for answer in request.answers if answer.id in claim.sources), None)
    if question is None or "what" in claim.data or SPANS in claim.data:
        return claim  # who cannot answer the step's question, or a model, says what is open
    if any(_is_sorted(claim, correction) for correction in in_force(request.corrections)):
        return claim
    later = _said_behind(request.answers, question)
    behind = [(answer.by == question.by, answer.text) for answer in later]
    if open_chance(Asked(claim.text, question.text, behind)) >= OPEN_MIN:
        return claim
    replies = [answer for answer in later if answer.by != question.by]
    if not replies or knows_not(replies[0].text) or _asks_back(replies[0].text):
        return claim
    reply = next((answer for answer in replies if not _opens_line(answer.text)), replies[0])
    answered = _answered(claim, reply)
    return replace(answered, data={**answered.data, PERHAPS: "yes"})


def _asks_back(text: str) -> bool:
    return text.rstrip().endswith("?") or bool(_ASKS_WITHOUT_MARK.match(text))


def _is_sorted(claim: Claim, correction: Correction) -> bool:
    return correction.sort == "question" and find_line(correction.line, (claim,)) is not None


def _answer_to(claim: Claim, request: ReadRequest, ours: frozenset[AnswerId]) -> Answer | None:
    """`ours`: the answers to what we asked, checks among them."""
    question = next((answer for answer in request.answers if answer.id in claim.sources), None)
    if question is None:
        return None
    about = words_of(claim.text)
    text_behind = question.text.rpartition(claim.text)[2]
    bare = next(iter(_answers_behind(request.answers, question)), None)
    is_bare = bare is not None and bare.by != question.by and bare.id not in ours
    is_guess = not text_behind.strip() or _GUESSES.fullmatch(text_behind.strip())
    if bare and is_bare and is_guess and _says_yes_or_no(bare.text, claim.text):
        return bare
    people = _named_in(claim.text, request) or _named_in(text_behind, request)
    words_max = BEHIND_MORE_WORDS_MAX if text_behind.strip() else DIRECT_WORDS_MAX
    later = _later_answers(request.answers, question)
    behind = next(iter(_said_behind(request.answers, question)), None)
    is_unknown = behind is not None and behind.by != question.by and knows_not(behind.text)
    for answer in _answers_of_others(later, question):
        is_next = answer is later[0] and not (people or is_unknown or answer.id in ours)
        shares = about & words_of(_ASKS.sub(" ", answer.text))
        is_direct = _is_direct(answer, words_max) or _says_what_then(claim.text, answer.text)
        if shares or answer.by in people or (is_next and is_direct):
            return answer
    elsewhere = _answers_of_others(_later_answers(request.other_answers, question), question)
    return next((answer for answer in elsewhere if _speaks_of(answer, about)), None)


def _known_to_others(claim: Claim, request: ReadRequest) -> Answer | None:
    """What others answered to the step's question, which the author of the claim could not."""
    unknowing = {answer.by for answer in request.answers if answer.id in claim.sources}
    about = words_of(claim.data["what"])
    return next(
        (
            answer
            for answer in request.answers
            if answer.by not in unknowing
            and answer.source not in NOT_SAID
            and not knows_not(answer.text)
            and len(about & words_of(_ASKS.sub(" ", answer.text))) >= KNOWN_WORDS_MIN
        ),
        None,
    )


def _named_in(question: str, request: ReadRequest) -> frozenset[UserId]:
    """The people whom a question calls: "dev, can we ring?"."""
    words = set(_WORD.findall(question.casefold()))
    return frozenset(user for user, name in request.names.items() if name.casefold() in words)


def _is_direct(answer: Answer, words_max: int) -> bool:
    """A short reply that asks nothing, opens no list, and no line under a label."""
    text = answer.text.strip()
    if _ASKS.search(text) or _ASKS_WITHOUT_MARK.match(text):
        return False
    return not _opens_line(text) and len(text.split()) <= words_max


def _says_what_then(question: str, reply: str) -> bool:
    """True for "then the copy goes back …" to "what happens if everybody is paused?"."""
    return bool(_WHAT_IF.search(question) and _THEN.match(reply) and not _ASKS.search(reply))


def _opens_line(text: str) -> bool:
    """True for an answer that opens with a label or a list."""
    return bool(_LINE_OF_ITS_OWN.match(text.strip()[:OPENING_CHARS_MAX]))


def _later_answers(answers: Iterable[Answer], question: Answer) -> list[Answer]:
    """What was said after the question, is no noise and not "no idea"."""
    return [answer for answer in _said_behind(answers, question) if not knows_not(answer.text)]


def _says_yes_or_no(reply: str, question: str) -> bool:
    """True for a bare "no" behind what can be answered so."""
    return bool(_YES_OR_NO.fullmatch(reply.strip()) and not _ASKS_FOR.search(question.casefold()))


def _answers_behind(answers: Iterable[Answer], question: Answer) -> list[Answer]:
    """What people wrote after the question, whatever it says, the oldest first."""
    later = [
        answer
        for answer in answers
        if order_of(answer.ts) > order_of(question.ts)
        if not answer.withdrawn and answer.source not in NOT_SAID
    ]
    return sorted(later, key=lambda answer: order_of(answer.ts))


def _said_behind(answers: Iterable[Answer], question: Answer) -> list[Answer]:
    return [answer for answer in _answers_behind(answers, question) if not is_noise(answer.text)]


def _answers_of_others(later: Iterable[Answer], question: Answer) -> Iterator[Answer]:
    """What others said of it that is more than a question."""
    for answer in later:
        if answer.by != question.by and not is_filler(_ASKS.sub("", answer.text)):
            yield answer


def _speaks_of(answer: Answer, about: frozenset[str]) -> bool:
    return any(
        len(about & words_of(line)) >= min(SHARED_WORDS_MIN, max(len(about), 2))
        for line in answer.text.splitlines()
    )
