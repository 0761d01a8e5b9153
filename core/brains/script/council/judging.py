"""What the others make of a proposal, each by the checks of its own list: critiques and votes."""

from collections.abc import Iterator, Sequence
from typing import Final

from core.brains.script.council.matters import against, clause_on, lines_on, matter_of
from core.brains.script.council.quoting import (
    begun,
    fit,
    inside,
    listed,
    occurs,
    quotes_in,
    voice,
)
from core.brains.script.council.stack import STACK_FILE, choices
from core.brains.script.council.technologies import slot_of
from core.brains.script.council.transcript import CouncilLine, heard, says
from core.domain.party.contributions import ConsultRequest, Contribution

POINTS_MAX: Final = 2  # of one critique
NO_OPTION: Final = "Nobody has named an option, so I agree to nothing yet."


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
    points = [*_defied_lines(request, lines), *_unsaid(request, lines, proposed)]
    return points[:POINTS_MAX] or ["Each point of my list has been spoken of."]


def _proposed(request: ConsultRequest) -> Contribution | None:
    """The proposal as it stands, of whoever proposes; else the last one there is."""
    turns = [turn for turn in request.said if turn.want in ("proposal", "revision") and turn.text]
    wanted = [turn for turn in turns if turn.persona == request.neighbour]
    return next(iter((wanted or turns)[-1:]), None)


def _defied_lines(request: ConsultRequest, lines: Sequence[CouncilLine]) -> Iterator[str]:
    for check in request.member.checks:
        line = against(check, lines)
        if line and (quoted := says(request, line, clause_on(check, line))):
            yield f"{begun(quoted)}, and my list asks for the opposite: {inside(check)}."


def _unsaid(
    request: ConsultRequest, lines: Sequence[CouncilLine], proposed: Contribution
) -> Iterator[str]:
    """Each check that nothing was said on, with the option of its own area if one is proposed."""
    pieces = _of_people(request, lines, proposed)
    for check in request.member.checks:
        if not lines_on(check, lines):
            piece = _line_about(check, pieces)
            lead = f"Of “{piece}” nobody" if piece else "Nobody"
            yield f"{lead} has spoken of this yet: {inside(check)}."


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
    return next((piece for piece in pieces if area and slot_of(piece) == area), "")


def _voted_on(
    request: ConsultRequest, lines: Sequence[CouncilLine], proposed: Contribution
) -> list[str]:
    """The options of a stack that people chose; of another proposal, what it quotes of people."""
    pieces = _of_people(request, lines, proposed)
    if STACK_FILE not in request.phase.outputs:
        return pieces
    chosen = {choice.option for choice in choices(request) if choice.standing == "chosen"}
    return [piece for piece in pieces if piece in chosen]


# ── the vote ───────────────────────────────────────────────────────────────────────────────────


def vote(request: ConsultRequest) -> Contribution:
    """Agrees, unless what people said last on a check of its list speaks against it.

    Where people named no option, it agrees to nothing and dissents from nothing.
    """
    member, lines = request.member, heard(request, "stack")
    proposed = _proposed(request)
    pieces = _voted_on(request, lines, proposed) if proposed else []
    defied = next(_defied_lines(request, lines), "")
    if not pieces:
        return Contribution(member.key, "vote", fit([NO_OPTION, defied]))
    if defied:
        text = fit([voice(member.key, "dissents"), defied])
        return Contribution(member.key, "vote", text, agrees=False)
    unsaid = [inside(check) for check in member.checks if not lines_on(check, lines)]
    sentences = [
        voice(member.key, "agrees"),
        f"That goes for {listed(f'“{piece}”' for piece in pieces)}.",
        f"Nobody has spoken of this yet: {unsaid[0]}." if unsaid else "",
    ]
    return Contribution(member.key, "vote", fit(sentences), agrees=True)
