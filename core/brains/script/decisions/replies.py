"""What people say to our follow-ups: it belongs to the line that was asked about."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains.bookkeeping.answering import reply_to
from core.brains.bookkeeping.references.links import answers_of_lines
from core.brains.script.parts import verbs
from core.brains.text.wording import words_of
from core.domain.answers import Claim, ClaimKind, Claims, ReadRequest

OWN_THING_WORDS_MIN: Final = 3  # before its number, of a quality that is more than an answer
_NUMBER: Final = patterns.compile(r"[0-9]")
_RULES: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})


def answers_in(claims: Claims, request: ReadRequest) -> frozenset[int]:
    """The lines that say something of the line that a follow-up asks about, by `id`."""
    return frozenset(id(line) for *_, said in answers_of_lines(claims, request) for line in said)


def replies_in(claims: Claims, request: ReadRequest) -> frozenset[int]:
    """The lines of the replies to follow-ups that ask for a unit or a check, by `id`."""
    asked = (follow_up for follow_up in request.follow_ups if follow_up.kind in ("check", "unit"))
    replies = {reply.id for one in asked if (reply := reply_to(one, request, claims))}
    return frozenset(id(line) for line in claims if replies & set(line.sources))


def without_bare_rules(lines: Claims, answers: Collection[int]) -> list[Claim]:
    """The lines; one that answers us in no sentence ("working days, both") is no rule alone."""
    bare = {id(line) for line in lines if id(line) in answers and _is_bare_rule(line)}
    rules = {(line.text, line.sources) for line in lines if id(line) not in bare}
    return [
        replace(line, kind="note") if id(line) in bare else line
        for line in lines
        if id(line) not in bare or (line.text, line.sources) not in rules
    ]


def _is_bare_rule(line: Claim) -> bool:
    """True for "working days, both" and "under 1 s", and not for "queue page under 1 s"."""
    number = _NUMBER.search(line.text)
    before = line.text[: number.start()] if number else ""
    names_own_thing = line.kind == "quality" and len(words_of(before)) >= OWN_THING_WORDS_MIN
    return line.kind in _RULES and not (verbs.told_by(line.text) or names_own_thing)
