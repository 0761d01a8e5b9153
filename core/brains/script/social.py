"""Questions to a person that are none of the item: "@lars you still grumpy?", "coffee?".

They are told by their form, and only where the item has none of their words and nobody answers
with a fact of it. "Did you test it?" asks for something of the item. Cries ("excuse me??") ask
nothing, and "no idea" right behind somebody else's question is its answer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.answering import knows_not, next_of_others
from core.brains.script.parts import signs
from core.brains.script.parts.verbs import VERBS
from core.brains.text.wording import words_of
from core.domain.answers import Claim, ClaimKind, Claims, ReadRequest
from core.domain.ids import order_of

_SOCIAL: Final = lexicon.pattern("social-question")
_OUTCRY: Final = lexicon.pattern("outcry")
_NO_STATE: Final = lexicon.listed("no-state")
_MENTION: Final = patterns.compile(r"@[\w.-]+")
_TELLS_NOTHING: Final[frozenset[ClaimKind]] = frozenset({"note", "question"})


def social_aside(lines: Claims, request: ReadRequest) -> Claims:
    """The lines, questions to a person that are none of the item as asides."""
    questions = [line for line in lines if line.kind == "question"]
    social = [line for line in questions if _is_social(line, request)]
    item = _item_words(lines, request) if social else frozenset()
    aside = {line.id for line in social if not _is_of_item(line, item, lines, request)}
    aside |= {line.id for line in questions if _OUTCRY.fullmatch(line.text.strip())}
    aside |= {
        line.id
        for before, line in _with_line_before(lines)
        if _knows_no_answer(line, before, request)
    }
    if not aside:
        return lines
    return tuple(
        replace(line, kind="note", data=_without_topic(line)) if line.id in aside else line
        for line in lines
    )


def _is_social(line: Claim, request: ReadRequest) -> bool:
    match = _SOCIAL.fullmatch(_without_names(line.text, request))
    return match is not None and not _is_deed((match["state"] or "").casefold())


def _with_line_before(lines: Claims) -> Iterator[tuple[Claim, Claim]]:
    """Each line behind another, with that; "Ooh." and "hm" are passed over."""
    return pairwise(line for line in lines if line.kind != "note" or len(line.text.split()) > 1)


def _knows_no_answer(line: Claim, before: Claim, request: ReadRequest) -> bool:
    """True for "no idea" right behind a question.

    It is of the question's author in the same message, or of somebody else, unless we asked since.
    """
    are_open = {line.kind, before.kind} == {"question"} and before.sources and line.sources
    if not are_open or not knows_not(line.text):
        return False
    if before.sources == line.sources:
        return signs.is_question(before.text) and not signs.is_question(line.text)
    answers = {answer.id: answer for answer in request.answers}
    asked, reply = (answers.get(source) for source in (*before.sources[:1], *line.sources[:1]))
    if not asked or not reply or asked.by == reply.by or not signs.is_question(before.text):
        return False
    times = (order_of(follow_up.after) for follow_up in request.follow_ups)
    return not any(order_of(asked.ts) <= at < order_of(reply.ts) for at in times)


def _is_deed(word: str) -> bool:
    """True for what a product or a team does ("print", "tested", "asking"), and for "sure"."""
    is_form_of_deed = word.endswith("ed") or word.removesuffix("ing") in VERBS
    return is_form_of_deed or word in _NO_STATE


def _without_names(text: str, request: ReadRequest) -> str:
    """The text without the people whom it calls."""
    bare = _MENTION.sub(" ", text)
    for name in (*request.names.values(), *request.mentioned.values()):
        at = patterns.find_word(name.casefold(), bare.casefold())
        bare = f"{bare[:at]} {bare[at + len(name) :]}" if at >= 0 else bare
    return " ".join(bare.replace(",", " ").replace(":", " ").split()).replace(" ?", "?")


def _item_words(lines: Iterable[Claim], request: ReadRequest) -> frozenset[str]:
    """What the item is about: its title and description, and what people said of it."""
    claims = (*request.claims, *lines)
    statements = (claim.text for claim in claims if claim.kind not in _TELLS_NOTHING)
    return words_of(" ".join((request.title, request.text, *statements)))


def _is_of_item(line: Claim, item: frozenset[str], lines: Claims, request: ReadRequest) -> bool:
    """True if the item has a word of the question, or who answers tells a fact of it."""
    if words_of(_without_names(line.text, request)) & item:
        return True
    reply = next_of_others(line, request)
    of_reply = [claim for claim in lines if reply and reply.id in claim.sources]
    others = _item_words((claim for claim in lines if claim not in of_reply), request)
    return any(claim.kind == "fact" and words_of(claim.text) & others for claim in of_reply)


def _without_topic(line: Claim) -> dict[str, str]:
    return {key: value for key, value in line.data.items() if key != "topic"}
