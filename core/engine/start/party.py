"""An inception from its mode menu to its end: the team, the ways out, and the way back to classic.

Seed 001, E-001, E-005, E-008 and E-010. Falling back loses nothing: what people typed is offered
to them again, as proposed answers.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PersonaKey
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.start import EarlierStatement
from core.engine.council import absence
from core.engine.flow import cancel, navigation, seats
from core.engine.kernel.turn import Turn

MODE_CHOICES: Final = ("party", "classic")
NO_TEAM_CHOICES: Final = ("retry", "classic", "cancel")
STATE_CHOICES: Final = ("retry", "leave")
FOR_OWNERS: Final = frozenset({"classic", "cancel"})
KINDS: Final[frozenset[MenuKind]] = frozenset({"mode", "no-team", "all-failed", "state-unwritten"})
STATE_TRIES_MAX: Final = 2
NO_PARTY_FILE: Final = "party.yaml is missing or cannot be used"


def begin(turn: Turn) -> None:
    """The card stands: ask for the mode, or begin in the one that was asked for."""
    match turn.session.mode:
        case "party" if turn.party.file is None:
            no_team(turn, NO_PARTY_FILE)
        case "party":
            turn.do(fx.CreateTeam(_everybody(turn)))
        case "classic":
            navigation.begin(turn)
        case _:
            menu = turn.open_menu("mode", MODE_CHOICES, None)
            turn.do(fx.ShowMode(menu), fx.PaintCard())


def _everybody(turn: Turn) -> tuple[PersonaKey, ...]:
    return tuple(persona.key for persona in turn.playbook.personas)


# ── the team ───────────────────────────────────────────────────────────────────────────────────


def team_created(turn: Turn, _: on.TeamCreated) -> None:
    turn.party = turn.party.seated(phase.key for phase in turn.course.phases)
    turn.do(fx.WriteState())
    navigation.begin(turn)


def team_refused(turn: Turn, event: on.TeamRefused) -> None:
    no_team(turn, event.detail)


def no_team(turn: Turn, detail: str) -> None:
    """E-001: party mode has not started, and nothing changes until somebody chooses."""
    fault = turn.fault("E-001", detail=detail, in_menu=True, facts={"error": detail})
    turn.end_menu(turn.menus.recovery)
    menu = turn.open_menu("no-team", NO_TEAM_CHOICES, None, fault.id)
    turn.do(fx.ShowRecovery(menu, None), fx.PaintCard())


def team_deleted(turn: Turn, event: on.TeamDeleted) -> None:
    if not event.ok:
        turn.fault("E-010", detail=event.detail, show=False, facts={"error": event.detail})


def state_written(turn: Turn, event: on.StateWritten) -> None:
    """E-008: once more; then it is said, and the last write is put to the owner."""
    if event.ok:
        turn.party = turn.party.write_settled()
        return
    turn.party = turn.party.write_failed()
    fails = turn.party.failed_writes
    if fails < STATE_TRIES_MAX:
        turn.do(_state_write(turn, final=event.final))
        return
    turn.party = turn.party.write_settled()
    state = turn.state(turn.course.step)
    facts = {"attempt": fails, "will_retry": False, "error": event.detail}
    if not event.final:
        turn.fault("E-008", step=state, thread=None, detail=event.detail, facts=facts)
        return
    fault = turn.fault("E-008", step=state, detail=event.detail, in_menu=True, routing="ESCALATE",
                       facts=facts)  # fmt: skip
    menu = turn.open_menu("state-unwritten", STATE_CHOICES, None, fault.id)
    turn.do(fx.ShowRecovery(menu, None))


def _state_write(turn: Turn, *, final: bool) -> fx.WriteState:
    """`state.json` as the mode wants it; after a fall back there is none any more."""
    return fx.WriteState(final, cleared=turn.session.mode != "party")


# ── menus ──────────────────────────────────────────────────────────────────────────────────────


def chosen(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """A choice of one of the party's own menus."""
    is_for_owners = menu.kind != "mode" and event.choice in FOR_OWNERS
    if is_for_owners and turn.refuses(event.by, event.admin):
        return
    turn.end_menu(menu.id, event.by, event.choice)
    if menu.kind == "mode":
        turn.do(fx.ShowMode(menu.id))
    else:
        turn.do(fx.ShowRecovery(menu.id, None))
    match menu.kind, event.choice:
        case "mode", choice:
            turn.mode = "party" if choice == "party" else "classic"
            turn.do(fx.OpenFlow())
        case _, "cancel":
            cancel.cancel(turn, event.by, event.admin)
        case _, "classic":
            fall_back(turn)
        case "all-failed", "retry":
            absence.retry_phase(turn)
        case "state-unwritten", "retry":
            turn.do(_state_write(turn, final=True))
        case "no-team", "retry":  # where its file was of no use, that is read once more first
            lacks_file = turn.party.file is None
            turn.do(fx.OpenFlow() if lacks_file else fx.CreateTeam(_everybody(turn)))
        case _:
            pass  # "leave": state.json stays as it is: the artifacts say the same


# ── the way back ───────────────────────────────────────────────────────────────────────────────


def fall_back(turn: Turn) -> None:
    """From the party to classic, at its first phase, with all that people said as proposals."""
    turn.cancel_timers()
    turn.close_menus()
    for persona in turn.course.threads:
        turn.do(fx.Say("to-classic", persona))
    answers = [answer for answer in turn.situation.answers if not answer.withdrawn]
    for answer in answers:
        turn.record(fx.AnswerSaved(replace(answer, withdrawn=True, revision=answer.revision + 1)))
    for step in dict.fromkeys((*turn.course.done, *(answer.step for answer in answers))):
        turn.record(fx.ClaimsReplaced(step, ()))
        turn.record(fx.SectionsSaved(step, ()))
    drafts = tuple(
        EarlierStatement(answer.by, answer.text, answer.ts, answer.permalink, answer.files)
        for answer in answers
    )
    seats.team_cancelled(turn, cleared=True)
    turn.party = turn.party.fallen_back(drafts)
    turn.reading, turn.people = turn.reading.dropped(), turn.people.asked_anew()
    turn.mode, turn.status, turn.course = "classic", "starting", turn.course.restarted()
    turn.do(
        fx.WriteFolder(None), fx.OpenFlow()
    )  # meta.json first: else its steps would count as done
