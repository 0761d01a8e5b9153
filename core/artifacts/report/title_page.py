"""The title page: what it is, where it stands, who took part, and who accepted each phase."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from core.artifacts.document import tree, words
from core.artifacts.document.plain import one_line
from core.artifacts.report.report import Chapter, Fact
from core.domain.answers import Answer
from core.domain.ids import PersonaKey, UserId
from core.domain.party import Party
from core.domain.playbook import Persona
from core.domain.session import ENDED, Session, Status, StepState
from core.ports import Workspace

KINDS: Final[Mapping[str, str]] = {
    "": "Analysis",
    "party": "Inception, party mode",
    "classic": "Inception, classic mode",
}
STATUS: Final[Mapping[Status, str]] = {
    "paused": "paused",
    "completed": "completed",
    "cancelled": "cancelled; what was written until then is here",
    "halted": "halted; what was written until then is here",
}
UNDER_WAY: Final = "under way; this is how far it has come"
PHASE_COLUMNS: Final = ("Phase", "Led by", "Steps", "State", "Accepted by", "Accepted on")
PHASE_STATES: Final = {
    "pending": "not begun", "open": "open", "completed": "completed", "failed": "could not be run",
}  # fmt: skip
PEOPLE_COLUMNS: Final = ("Who", "As", "Answers")
NEVER: Final = "–"


@dataclass(frozen=True, slots=True)
class TitleTable:
    """Who sat at it, and all that is known of them."""

    session: Session
    personas: Sequence[Persona]
    party: Party | None
    steps: Sequence[StepState]
    answers: Sequence[Answer]
    names: Mapping[UserId, str]
    workspace: Workspace
    channel: str  # its name; empty where it is not known

    def name(self, user: UserId | None) -> str:
        """Plain; somebody whose name nobody knows is someone."""
        return one_line(self.names.get(user, "") if user else "") or words.text("someone")

    def persona(self, key: PersonaKey | None) -> str:
        return next((each.name for each in self.personas if each.key == key), key or NEVER)


def facts(table_: TitleTable) -> tuple[Fact, ...]:
    session = table_.session
    total = sum(phase.count for phase in session.phases)
    steps = f", {len(session.done)} of {total} steps done" if total else ""
    status = STATUS.get(session.status, UNDER_WAY)
    last = max((float(answer.ts) for answer in table_.answers), default=0.0)
    channel = f"#{table_.channel}" if table_.channel else session.channel
    return (
        Fact("What", KINDS.get(session.mode, KINDS[""])),
        Fact("Status", f"{status}{steps}"),
        Fact("Channel", channel, f"{table_.workspace.url}archives/{session.channel}"),
        Fact("Started by", table_.name(session.owner)),
        Fact("Started", moment(session.created_at)),
        *((Fact("Last answer", spoken(datetime.fromtimestamp(last, UTC))),) if last else ()),
        *_ended(session),
    )


def _ended(session: Session) -> tuple[Fact, ...]:
    """The last acceptance is the end of what was completed; nothing else ends with a time."""
    accepted = [phase.accepted_at for phase in session.phases if phase.accepted_at]
    known = session.status == "completed" and accepted
    return (Fact("Completed", moment(max(accepted))),) if known else ()


def moment(iso: str) -> str:
    try:
        return spoken(datetime.fromisoformat(iso).astimezone(UTC))
    except ValueError:
        return one_line(iso)


def spoken(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


# ── phases and people ──────────────────────────────────────────────────────────────────────────


def front(table_: TitleTable) -> tuple[Chapter, ...]:
    chapters = (_asked(table_), _phases(table_), _people(table_))
    return tuple(chapter for chapter in chapters if chapter.blocks)


def _asked(table_: TitleTable) -> Chapter:
    """What it began with, where the title does not say all of it."""
    session = table_.session
    is_title = one_line(session.text) == one_line(session.title)
    lines = () if is_title else map(one_line, session.text.splitlines())
    quotes = tuple(tree.Quote(tree.paragraph(line)) for line in lines if line)
    return Chapter("What was asked for", quotes)


def _phases(table_: TitleTable) -> Chapter:
    rows = [
        (
            one_line(phase.label),
            one_line(table_.persona(phase.persona)),
            f"{phase.done} of {phase.count}" if phase.count else NEVER,
            PHASE_STATES[phase.status],
            table_.name(phase.accepted_by) if phase.accepted_by else NEVER,
            moment(phase.accepted_at) if phase.accepted_at else NEVER,
        )
        for phase in table_.session.phases
    ]
    return Chapter("Phases", tree.table(PHASE_COLUMNS, rows))


def _people(table_: TitleTable) -> Chapter:
    session = table_.session
    answered = [answer.by for answer in table_.answers]
    people = [
        (
            table_.name(user),
            "started it" if user == session.owner else "took part",
            str(answered.count(user)),
        )
        for user in dict.fromkeys((session.owner, *session.people.answered, *answered))
    ]
    led = {phase.persona for phase in session.phases} | set(session.met)
    if session.mode == "party" and table_.party is not None:
        led |= {member.key for member in table_.party.members}
    personas = [
        (one_line(persona.name), one_line(persona.role), NEVER)
        for persona in table_.personas
        if persona.key in led
    ]
    return Chapter("Who took part", tree.table(PEOPLE_COLUMNS, [*people, *personas]))


def is_over(session: Session) -> bool:
    return session.status in ENDED
