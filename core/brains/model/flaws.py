"""What is wrong with a model's reply (seed 002, misalignment), in words for its one repair. Pure.

What can be mended without asking again is mended by whoever lays the reply over the script's lines:
a flaw is what a repair can better.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.spoken import is_over
from core.brains.model.folding import folded, is_enough
from core.brains.model.harmless import Ids
from core.brains.model.quotes import Verified, line_ref
from core.brains.model.replies import AskReply, ReadReply, ReplyLine
from core.brains.text.filler import is_filler, is_foreign
from core.brains.text.wording import words_of
from core.domain.answers import Draft, ReadRequest
from core.domain.follow_ups import FollowUp
from core.secrets import kinds_of, redact

SKIPPED_MIN: Final = 0.5  # of the sentences of a step
INVENTED_MIN: Final = 0.5  # of the lines of a reply
SAME_MIN: Final = 0.75  # of the words of a question that was asked before
SHOWN_MAX: Final = 3  # of lines with the same flaw
QUOTE_CHARS_MAX: Final = 80
_ASKS_TWO: Final = lexicon.pattern("asks-two")
_QUOTED: Final = patterns.compile(r"“[^”]*”|\"[^\"]*\"")

CREDENTIAL: Final = "You wrote {}. Never repeat or make up a credential."
MADE_UP: Final = "{} has no quote that stands in an answer of this step. Quote word for word."
ELSEWHERE: Final = "{} quotes an answer of another step. Give the lines of this step alone."
INVENTED: Final = "{} says what its quotes do not. Use people's words."
LANGUAGE: Final = "{} is in another language than people's. Write in theirs."
SKIPPED: Final = "You skipped what people said: {}. Give each piece a line."
CAN_TELL: Final = "You say that you cannot tell, and give lines. Do one of both."
TWO: Final = "You ask two questions in one. Ask one."
NO_QUESTION: Final = "“{}” is no question. Ask one that ends with a question mark."
AGAIN: Final = "That was asked before: {}. Ask something else, or nothing."
ANSWERED: Final = "People were asked about {} already. Ask about something else, or nothing."
NO_LINE: Final = "You name a line that nobody gave: {}. Quote it word for word."
ENDS_EARLY: Final = "These criteria are open, and you ask nothing: {}. Ask about one of them."


def flaws(reply: ReadReply, verified: Verified, request: ReadRequest, ids: Ids) -> tuple[str, ...]:
    """Of the lines of a reply; a credential first."""
    return _without_repeats(
        (*_credentials(_texts(reply)), *_of_lines(reply, verified, request, ids))
    )


def ask_flaws(
    reply: AskReply, request: ReadRequest, draft: Draft, ids: Ids, *, may_end: bool = False
) -> tuple[str, ...]:
    """Of a question and of proposals; a credential first. `draft`: with the lines of the model;
    `may_end`: it was told that it ends early, and has nothing to ask all the same."""
    ends_early = () if may_end else _of_end(reply, request, draft)
    flaws = (*_credentials(_asked_texts(reply)), *_of_question(reply, request, ids), *ends_early)
    return _without_repeats(flaws)


def _without_repeats(flaws: Iterable[str]) -> tuple[str, ...]:
    """Each flaw in words that hold no credential themselves."""
    return tuple(dict.fromkeys(map(redact, flaws)))


def _credentials(texts: Iterable[str]) -> Iterator[str]:
    yield from (CREDENTIAL.format(kind) for kind in kinds_of(*texts))


# ── lines ──────────────────────────────────────────────────────────────────────────────────────


def _of_lines(
    reply: ReadReply, verified: Verified, request: ReadRequest, ids: Ids
) -> Iterator[str]:
    own = {answer.id for answer in request.answers}
    true = {line.number: line for line in verified.lines}
    lost = [line for at, line in enumerate(reply.lines) if at not in true and _quotes_more(line)]
    of_others = [line for line in lost if _quotes_others(line, own, ids)]
    yield from _flaw_of_each(MADE_UP, (line.text for line in lost if line not in of_others))
    yield from _flaw_of_each(ELSEWHERE, (line.text for line in of_others))
    invented = [reply.lines[at].text for at, line in true.items() if not line.text]
    foreign = [text for text in invented if _is_foreign_to(text, request)]
    yield from _flaw_of_each(LANGUAGE, foreign)
    if len(invented) > len(reply.lines) * INVENTED_MIN:  # a few stand in people's own words
        yield from _flaw_of_each(INVENTED, (text for text in invented if text not in foreign))
    if reply.cannot_tell and verified.lines:
        yield CAN_TELL
    elif not reply.cannot_tell:
        yield from _skipped(verified)


def _quotes_more(line: ReplyLine) -> bool:
    """True for more than one word, which no line can rest on: the script keeps it."""
    return not line.quotes or any(is_enough(folded(quote.text)) for quote in line.quotes)


def _quotes_others(line: ReplyLine, own: Iterable[str], ids: Ids) -> bool:
    answers = [ids.answers.get(quote.answer) for quote in line.quotes]
    return any(answer and answer not in own for answer in answers)


def _skipped(verified: Verified) -> Iterator[str]:
    """Where most of what people said stands in no quote. One word cannot be quoted."""
    sentences = verified.answers.sentences
    pieces = [
        sentence
        for sentence in sentences
        if not is_filler(sentence.words) and is_enough(folded(sentence.words))
    ]
    quotes = [quote for line in verified.lines for quote in line.quotes]
    skipped = [piece for piece in pieces if not any(map(piece.overlaps, quotes))]
    if len(skipped) > len(pieces) * SKIPPED_MIN:
        yield SKIPPED.format(", ".join(_shorten(piece.words) for piece in skipped[:SHOWN_MAX]))


def _flaw_of_each(flaw: str, texts: Iterable[str]) -> Iterator[str]:
    yield from (flaw.format(_shorten(text)) for text in list(texts)[:SHOWN_MAX])


def _is_foreign_to(text: str, request: ReadRequest) -> bool:
    """True for a text in a language of which people used none, as far as that can be told."""
    are_foreign = {is_foreign(answer.text) for answer in request.answers}
    return are_foreign == {not is_foreign(text)} and (is_foreign(text) or _is_english(text))


def _is_english(text: str) -> bool:
    return not lexicon.listed("english-alone").isdisjoint(folded(text).split())


# ── the question ───────────────────────────────────────────────────────────────────────────────


def _of_question(reply: AskReply, request: ReadRequest, ids: Ids) -> Iterator[str]:
    reply_question = reply.question
    if reply_question is None:
        return
    text = reply_question.text.strip()
    own = _QUOTED.sub(" ", text)  # what it quotes may ask as well
    marks = own.count("?") + own.count("？")
    if not marks:
        yield NO_QUESTION.format(_shorten(text))
    if marks > 1 or _ASKS_TWO.search(own):
        yield TWO
    if _is_foreign_to(text, request):
        yield LANGUAGE.format(_shorten(text))
    line = line_ref(reply_question.line, ids)
    if reply_question.line and line is None:
        yield NO_LINE.format(_shorten(reply_question.line.text))
    question = FollowUp(reply_question.kind, text, line)
    for earlier in (*request.follow_ups, *request.asked_elsewhere):
        if _is_alike(text, earlier.question):
            yield AGAIN.format(_shorten(earlier.question))
        elif line and question.is_same(earlier):
            yield ANSWERED.format(_shorten(line.quote))


def _is_alike(text: str, earlier: str) -> bool:
    words, others = words_of(text), words_of(earlier)
    shared = len(words & others)
    return folded(text) == folded(earlier) or bool(words and shared >= len(words) * SAME_MIN)


def _of_end(reply: AskReply, request: ReadRequest, draft: Draft) -> Iterator[str]:
    """Nothing is asked, by nobody, while a criterion is open and something may be asked."""
    open_criteria = request.model.open_criteria if request.model else ()
    asks = reply.question or draft.follow_up or is_over(request, draft.claims)
    if open_criteria and not asks:
        yield ENDS_EARLY.format(", ".join(open_criteria))


# ── texts ──────────────────────────────────────────────────────────────────────────────────────


def _texts(reply: ReadReply) -> Iterator[str]:
    for line in reply.lines:
        yield line.text
    yield reply.cannot_tell or ""


def _asked_texts(reply: AskReply) -> Iterator[str]:
    yield reply.question.text if reply.question else ""
    for proposal in reply.proposals:
        yield from (proposal.text, proposal.reason)


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:QUOTE_CHARS_MAX]}…”" if len(line) > QUOTE_CHARS_MAX else f"“{line}”"
