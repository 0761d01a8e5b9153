"""A session and its parts, as frozen values."""

from core.domain.session.cancellation import Cancelled
from core.domain.session.council import Council, CouncilRecord, NumberedQuestion, Seat, SeatState
from core.domain.session.elaboration import Elaboration
from core.domain.session.fault import Fault
from core.domain.session.halt import CREDENTIAL, Halt
from core.domain.session.menu import Menu, MenuKind, MenuState
from core.domain.session.open_menus import OpenMenus
from core.domain.session.origin import EarlierStatement, Origin, Proposal, ProposalOutcome
from core.domain.session.party_state import PartyState
from core.domain.session.people import People
from core.domain.session.phase_state import PhaseState, PhaseStatus
from core.domain.session.reading import Escalation, Reading
from core.domain.session.reminders import ReminderState
from core.domain.session.roster import Roster
from core.domain.session.session import Session, SessionChanges, changed
from core.domain.session.start import Checked, Known
from core.domain.session.status import AWAITS_PEOPLE, ENDED, Flow, Mode, Status
from core.domain.session.step_state import Doubt, StepState, StepStatus

__all__ = [
    "AWAITS_PEOPLE",
    "CREDENTIAL",
    "ENDED",
    "Cancelled",
    "Checked",
    "Council",
    "CouncilRecord",
    "Doubt",
    "EarlierStatement",
    "Elaboration",
    "Escalation",
    "Fault",
    "Flow",
    "Halt",
    "Known",
    "Menu",
    "MenuKind",
    "MenuState",
    "Mode",
    "NumberedQuestion",
    "OpenMenus",
    "Origin",
    "PartyState",
    "People",
    "PhaseState",
    "PhaseStatus",
    "Proposal",
    "ProposalOutcome",
    "Reading",
    "ReminderState",
    "Roster",
    "Seat",
    "SeatState",
    "Session",
    "SessionChanges",
    "Status",
    "StepState",
    "StepStatus",
    "changed",
]
