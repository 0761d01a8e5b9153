"""What the others make of a proposal, each by the checks of its own list: critiques and votes."""

from collections.abc import Iterator, Sequence
from typing import Final

from core.brains.script.council.matters import against, clause_on, lines_on, matter_of
from core.brains.script.council.quoting import begun, fit, inside, occurs, quotes_in, voice
from core.brains.script.council.stack import choices, slot_of
from core.brains.script.council.transcript import CouncilLine, heard, says
from core.domain.party.contributions import ConsultRequest, Contribution

POINTS_MAX: Final = 2  # of one critique


def critique(request: ConsultRequest) -> Contribution:
    """What answers say against the checks of its list, then what the proposal leaves unsaid."""
    proposed = _proposed(request)
    if proposed is None:
        text = "There is no proposal that I could read."
        return Contribution(request.member.key, "critique", text)
    sentences = [voice(request.member.key, "looks"), *_points(request, proposed)]
    return Contribution(request.member.key, "critique", fit(sentences), to=proposed.persona)


def _points(request: ConsultRequest, proposed: Contribution) -> list[str]:
    checks, lines = request.member.checks, heard(request, "stack")
    if not checks:
        return ["I have no list to hold against it."]
    if not lines:
        first = inside(checks[0])
        return [f"Nobody has said anything yet, so my whole list is open; it begins so: {first}."]
    points = [*_defied(request, lines), *_unsaid(request, lines, proposed)]
    return points[:POINTS_MAX] or ["Each point of my list has been spoken of."]


def _proposed(request: ConsultRequest) -> Contribution | None:
    """The proposal as it stands, of whoever proposes; else the last one there is."""
    turns = [turn for turn in request.said if turn.want in ("proposal", "revision") and turn.text]
    wanted = [turn for turn in turns if turn.persona == request.neighbour]
    return next(iter((wanted or turns)[-1:]), None)


def _defied(request: ConsultRequest, lines: Sequence[CouncilLine]) -> Iterator[str]:
    for check in request.member.checks:
        line = against(check, lines)
        if line and (quoted := says(request, line, clause_on(check, line))):
            yield f"{begun(quoted)}, and my list asks for the opposite: {inside(check)}."


def _unsaid(
    request: ConsultRequest, lines: Sequence[CouncilLine], proposed: Contribution
) -> Iterator[str]:
    """Each check that nothing was said on, beside the line of the proposal that it is about."""
    pieces = _of_people(request, lines, proposed)
    for check in request.member.checks:
        if not lines_on(check, lines):
            piece = _line_about(check, pieces)
            lead = f"Beside “{piece}” I miss this" if piece else "I miss this"
            yield f"{lead}: {inside(check)}."


def _of_people(
    request: ConsultRequest, lines: Sequence[CouncilLine], proposed: Contribution
) -> list[str]:
    """What the proposal quotes: the choices first, then whatever else somebody said."""
    quoted = quotes_in(proposed.text)
    chosen = [choice.option for choice in choices(request) if choice.standing == "chosen"]
    of_people = [piece for piece in quoted if any(occurs(piece, line.text) for line in lines)]
    return [option for option in chosen if option in quoted] or of_people


def _line_about(check: str, pieces: Sequence[str]) -> str:
    matter = matter_of(check)
    area = matter.area if matter else ""
    about = [piece for piece in pieces if area and slot_of(piece) == area]
    return next(iter((*about, *pieces)), "")


# ── the vote ───────────────────────────────────────────────────────────────────────────────────


def vote(request: ConsultRequest) -> Contribution:
    """Agrees, unless what people said last on a check of its list speaks against it."""
    member, lines = request.member, heard(request, "stack")
    if defied := next(_defied(request, lines), ""):
        text = fit([voice(member.key, "dissents"), defied])
        return Contribution(member.key, "vote", text, agrees=False)
    proposed = _proposed(request)
    pieces = _of_people(request, lines, proposed) if proposed else []
    unsaid = [inside(check) for check in member.checks if not lines_on(check, lines)]
    sentences = [
        voice(member.key, "agrees"),
        f"I can stand behind “{pieces[0]}”." if pieces else "There is little to hold against yet.",
        f"On my list stays: {unsaid[0]}." if unsaid else "",
    ]
    return Contribution(member.key, "vote", fit(sentences), agrees=True)
