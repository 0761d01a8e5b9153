"""Which lines belong together: story, requirement and goal by a name in the line, else by its
words; the answer to a follow-up and the line that was asked about.

Words make a link only where they are distinctive: words that one line has and no other of its kind.
What people talk about all the time joins nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from core.brains.bookkeeping.answering import belongs_to_line, reply_to
from core.brains.bookkeeping.references.link_lines import with_held, with_linked_names
from core.brains.bookkeeping.references.names import called_in
from core.brains.bookkeeping.reply_forms import may_answer
from core.brains.text.wording import refs_in, words_of
from core.domain.answers import Answer, Claim, ClaimKind, ReadRequest
from core.domain.follow_ups import FollowUp, FollowUpKind
from core.domain.lines import find_line, standing

DISTINCTIVE_WORDS_MIN: Final = 2
SHARED_WORDS_MIN: Final = 3
SHARED_MIN: Final = 0.6  # of the words of the shorter line: then one distinctive word is enough
BY_WORDS: Final = "by_words"
"""Key of the names that a line belongs to by its words: people said no such thing."""

_ASIDES: Final[frozenset[ClaimKind]] = frozenset({"note", "fact"})
BELONGS: Final[frozenset[FollowUpKind]] = frozenset({"unit", "number", "person", "alternative"})
"""Kinds of follow-ups whose answer says something of the line, and is no check, rank or side."""


class _Target(NamedTuple):
    """A line that others may belong to: its words, and those that no other of its kind has."""

    words: frozenset[str]
    own: frozenset[str]


class _Link(NamedTuple):
    """Lines of these kinds, called by this prefix, stand under this key."""

    prefix: str
    kinds: frozenset[ClaimKind]
    key: str


_TO_REQUIREMENT: Final = _Link("FR", frozenset({"requirement"}), "requirements")
_TO_STORY: Final = _Link("US", frozenset({"story"}), "stories")
_TO_GOAL: Final = _Link("GOAL", frozenset({"purpose", "success"}), "goals")
_LINKS: Final[Mapping[ClaimKind, Sequence[_Link]]] = {
    "story": (_TO_REQUIREMENT, _TO_GOAL),
    "requirement": (_TO_STORY, _TO_GOAL),
    "module": (_TO_REQUIREMENT,),
    "entry-point": (_TO_REQUIREMENT,),
    "decision": (_TO_REQUIREMENT,),
}


def linked(claims: tuple[Claim, ...], request: ReadRequest) -> tuple[Claim, ...]:
    """The claims, each with the requirements, stories and goals that it belongs to."""
    everything = standing((*request.claims, *claims))
    usual = words_of(request.title)
    lines_by_key = {
        link.key: {line.ref: line for line in everything if line.kind in link.kinds and line.ref}
        for link in (_TO_REQUIREMENT, _TO_STORY, _TO_GOAL)
    }
    targets = {key: _targets(lines, usual) for key, lines in lines_by_key.items()}
    texts = {ref: line.text for lines in lines_by_key.values() for ref, line in lines.items()}
    return tuple(_with_links(claim, everything, targets, texts) for claim in claims)


def _with_links(
    claim: Claim,
    everything: Sequence[Claim],
    targets: Mapping[str, Mapping[str, _Target]],
    texts: Mapping[str, str],
) -> Claim:
    if claim.kind == "link":
        return with_linked_names(claim, everything)
    if claim.kind not in _LINKS:
        return claim
    linked_claim = replace(claim, data={**claim.data, **_links(claim, targets, texts)})
    return with_held(linked_claim, everything) if claim.kind == "story" else linked_claim


def answering(claims: tuple[Claim, ...], request: ReadRequest) -> tuple[Claim, ...]:
    """The claims, those of an answer to a follow-up with its line (`of`), kind and question."""
    answered: dict[str, dict[str, str]] = {}
    for follow_up, line, lines in answers_of_lines(claims, request):
        data = {"of": line.ref or line.text, "answers": follow_up.kind, "asked": follow_up.question}
        for claim in lines:
            answered.setdefault(claim.id, data)
    return tuple(
        replace(claim, data={**claim.data, **answered[claim.id]}) if claim.id in answered else claim
        for claim in claims
    )


def answers_of_lines(
    claims: tuple[Claim, ...], request: ReadRequest
) -> Iterator[tuple[FollowUp, Claim, Sequence[Claim]]]:
    """The follow-ups whose answer belongs to a line: that line, and the claims that say so."""
    everything = (*request.claims, *request.unread, *claims)
    for follow_up in request.follow_ups:
        if follow_up.kind not in BELONGS or follow_up.line is None:
            continue
        line, reply = find_line(follow_up.line, everything), reply_to(follow_up, request, claims)
        if line is None or reply is None or not belongs_to_line(reply, follow_up, request):
            continue
        lines = [
            claim for claim in claims if claim.kind != "check" and claim.sources[:1] == (reply.id,)
        ]
        yield follow_up, line, _saying(lines, line, reply, follow_up.kind)


def _saying(lines: Sequence[Claim], of: Claim, reply: Answer, kind: FollowUpKind) -> list[Claim]:
    """Which lines of a reply say what was asked: of a short one those that are no more than that,
    of a longer one the line in the form of an answer that speaks of the other most."""
    formed = [line for line in lines if may_answer(kind, replace(reply, text=line.text))]
    if may_answer(kind, reply):
        return [line for line in lines if line in formed or line.kind in _ASIDES] or [*lines]
    about = words_of(of.text)
    most = max(formed or lines, key=lambda line: len(words_of(line.text) & about), default=None)
    return [most] if most else []


def _links(
    claim: Claim, targets: Mapping[str, Mapping[str, _Target]], texts: Mapping[str, str]
) -> dict[str, str]:
    """What it names, by key; and what it belongs to by its words, where it names nothing."""
    links: dict[str, str] = {}
    near: list[str] = []
    called = called_in(claim.text, texts)
    for link in _LINKS[claim.kind]:
        lines = targets[link.key]
        refs = (*refs_in(link.prefix, claim.text), *called)
        if own := [ref for ref in dict.fromkeys(refs) if ref in lines]:
            links[link.key] = ", ".join(own)
        near += [ref for ref, line in lines.items() if _is_near(claim, line)]
    return links or ({BY_WORDS: ", ".join(near)} if near else {})


def _is_near(claim: Claim, line: _Target) -> bool:
    own = len(words_of(claim.text) & line.own)
    if own >= DISTINCTIVE_WORDS_MIN or not own:
        return bool(own)
    words = words_of(gist_of(claim))
    shared = len(words & line.words)
    return shared >= max(SHARED_WORDS_MIN, SHARED_MIN * min(len(words), len(line.words)))


def gist_of(claim: Claim) -> str:
    """A line's words; of a story what is wanted."""
    return claim.data.get("want") or claim.text


def _targets(lines: Mapping[str, Claim], usual: frozenset[str]) -> Mapping[str, _Target]:
    """The lines by name. `usual`: words of what the whole item is about, which are nobody's own."""
    words = {ref: words_of(line.text) - usual for ref, line in lines.items()}
    lines_with = Counter(word for own in words.values() for word in own)
    return {
        ref: _Target(
            words_of(gist_of(line)),
            frozenset(word for word in words[ref] if lines_with[word] == 1),
        )
        for ref, line in lines.items()
    }
