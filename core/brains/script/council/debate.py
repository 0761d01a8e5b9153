"""The debate of a council: a question to another member, a reply from what people said, an end."""

from collections.abc import Iterator, Sequence
from typing import Final

from core.brains.script.council.brief import brief
from core.brains.script.council.domains import DOMAINS, clause_about, domains_of, unsaid
from core.brains.script.council.hearing import first_of_each, heard, name_of, says, several
from core.brains.script.council.quoting import begun, fit, inside, listed, occurs, quote, quotes_in
from core.brains.script.council.vision import (
    DomainAnswers,
    differences_in,
    differing,
    heard_on,
    is_foreign_to,
    lens_of,
    not_said,
)
from core.brains.text.wording import words_of
from core.domain.ids import PersonaKey
from core.domain.party.contributions import ConsultRequest, Contribution

DOMAINS_SHOWN_MAX: Final = 3  # in a position
REPLIES_SHOWN_MAX: Final = 2


# ── one question ───────────────────────────────────────────────────────────────────────────────


def cross_question(request: ConsultRequest) -> Contribution:
    """To the next at the table: on what people differ in, what it passed over, or left open.

    Whoever sits nearer asks the first thing; so two do not ask the same of a third.
    """
    for place, other in enumerate(_others(request)):
        if asked := _asks(request, other)[place : place + 1]:
            return Contribution(request.member.key, "cross-question", fit(asked), to=other)
    return Contribution(request.member.key, "cross-question", "")


def _others(request: ConsultRequest) -> list[PersonaKey]:
    """Those who gave an interpretation, beginning with the one after this member."""
    if request.neighbour:
        return [request.neighbour]
    gave = {one.persona for one in request.said if one.want == "interpretation" and one.text}
    mine, order = request.member.key, list(request.phase.members)
    start = order.index(mine) + 1 if mine in order else 0
    return [key for key in (*order[start:], *order[:start]) if key in gave and key != mine]


def _asks(request: ConsultRequest, other: PersonaKey) -> list[str]:
    lines = heard(request)
    theirs = [question for _, who, question in request.asked if who == other]
    domains = dict.fromkeys(one.domain for one in theirs)
    on = [heard_on(domain, lines, theirs) for domain in domains]
    return [*_contradicted(request, on), *_passed_over(request, other, on), *_left(request, on)]


def _contradicted(request: ConsultRequest, on: Sequence[DomainAnswers]) -> Iterator[str]:
    for difference in differences_in(request, on):
        if sides := differing(request, difference):
            yield f"{sides} Which of them do you go by?"


def _passed_over(
    request: ConsultRequest, other: PersonaKey, on: Sequence[DomainAnswers]
) -> Iterator[str]:
    read = [
        one.text for one in request.said if (one.persona, one.want) == (other, "interpretation")
    ]
    for one in on if read else ():
        for line in one.said:
            piece = quote(line.text, clause_about(one.domain))
            if piece and not occurs(piece, read[-1]):
                said = begun(says(request, line, piece))
                yield f"{said}. You passed over it; how do you read it?"


def _left(request: ConsultRequest, on: Sequence[DomainAnswers]) -> Iterator[str]:
    """What nobody said in the other's domains, held against something said in one's own."""
    mine = [line for one in lens_of(request) for line in first_of_each(one.said)]
    for one in on if mine else ():
        if not one.said:
            said = begun(says(request, mine[-1]))
            yield f"You leave open {unsaid(one.domain)}. {said}. Does that tell you anything?"


# ── the reply ──────────────────────────────────────────────────────────────────────────────────


def reply(request: ConsultRequest) -> Contribution:
    """From the answers of people, or that nobody has said it; empty where nobody asked."""
    asked = _asked_of(request)
    if not asked:
        return Contribution(request.member.key, "reply", "")
    text = _both(request, asked.text) or _more(request, asked.text) or _nothing(asked.text)
    return Contribution(request.member.key, "reply", fit([text]), to=asked.persona)


def _asked_of(request: ConsultRequest) -> Contribution | None:
    """The first question to this member that it has not replied to yet."""
    mine = request.member.key
    done = {one.to for one in request.said if (one.persona, one.want) == (mine, "reply")}
    asked = [
        one
        for one in request.said
        if one.want == "cross-question"
        and one.to == mine
        and one.text
        and one.persona not in done
        and request.neighbour in (None, one.persona)
    ]
    return asked[0] if asked else None


def _both(request: ConsultRequest, question: str) -> str:
    """Where two people say two things, a persona does not choose between them."""
    found: dict[str, str] = {}
    for piece in quotes_in(question):
        for line in heard(request):
            if occurs(piece, line.text):
                found.setdefault(name_of(request, line.by), piece)
    if len(found) < 2:
        return ""
    sides = [f"“{piece}” from {name}" for name, piece in found.items()]
    return f"By neither alone: {listed(sides)} both stand until one of them says which holds."


def _more(request: ConsultRequest, question: str) -> str:
    """What else was said of the same domain; of none that is known, in the same words."""
    lines, pieces = heard(request), quotes_in(question)
    quoted = [line for line in lines if any(occurs(piece, line.text) for piece in pieces)]
    about = _about(question) or tuple(key for line in quoted for key in domains_of(line)[:1])
    wanted = words_of(" ".join(pieces) or question)
    found = [
        line
        for line in lines
        if line not in quoted
        and not line.is_open
        and (set(about) & set(domains_of(line)) if about else wanted & words_of(line.text))
    ]
    said = [says(request, line) for line in several(found)[:REPLIES_SHOWN_MAX]]
    return f"{begun(listed(said))}. More than that nobody has said." if said else ""


def _about(question: str) -> tuple[str, ...]:
    """The domains that a question names as open."""
    return tuple(key for key, domain in DOMAINS.items() if domain.unsaid in question)


def _nothing(question: str) -> str:
    about = _about(question)
    if about:
        return f"Nobody has said {listed(map(unsaid, about))}, so it stays an open question."
    if pieces := quotes_in(question):
        return f"I read “{pieces[0]}” as it was said. Nobody has said more about it."
    return "Nobody has said that, so it stays an open question."


# ── the position ───────────────────────────────────────────────────────────────────────────────


def position(request: ConsultRequest) -> Contribution:
    """What it argues for, the words of people that it builds on, and what it misses."""
    member, lens = request.member, lens_of(request)
    argues = f"I argue for this: {inside(member.focus[0])}." if member.focus else ""
    lines = {
        id(line): quote(line.text, clause_about(one.domain))
        for one in lens
        for line in first_of_each(one.said)[:1]
    }
    told = {id(line): line for one in lens for line in one.said}
    rests = [
        f"“{piece}” ({name_of(request, told[key].by)})" for key, piece in lines.items() if piece
    ]
    missing = [unsaid(one.domain) for one in lens if not one.said]
    sentences = [
        argues,
        f"I build on {listed(rests[:DOMAINS_SHOWN_MAX])}." if rests else "",
        not_said(request, missing) if rests else "",
        "" if rests else _nothing_to_build_on(request),
    ]
    asked = request.phase.protocol == "question-broadcast-debate"
    claims = brief(request).claims if asked else ()  # elsewhere the proposer and the writers claim
    return Contribution(member.key, "position", fit(sentences), claims=claims)


def _nothing_to_build_on(request: ConsultRequest) -> str:
    if is_foreign_to(request):
        return "I read English only, so I cannot weigh what was said."
    return "Nobody has said anything that I could build on yet."
