"""The title page: what it is, where it stands, who took part, and who accepted each phase."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.artifacts.document import tree, words
from core.artifacts.document.plain import moment, one_line, spoken
from core.artifacts.report.report import NEVER, WORDS, Chapter, Fact
from core.domain.answers import Answer
from core.domain.ids import PersonaKey, UserId
from core.domain.party import Party
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.steps.playbook import Persona
from core.ports import Workspace


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session, who took part in it, and what they said."""

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
        names = (persona.name for persona in self.personas if persona.key == key)
        return next(names, key or NEVER)


def facts(record: SessionRecord) -> Iterator[Fact]:
    """The lines of the title page."""
    session, kinds = record.session, WORDS.mapping("kinds")
    yield Fact("What", kinds.get(session.mode, kinds["analysis"]))
    total = sum(phase.count for phase in session.course.phases)
    steps = f", {len(session.course.done)} of {total} steps done" if total else ""
    status = WORDS.mapping("statuses").get(session.status, WORDS.text("under_way"))
    yield Fact("Status", f"{status}{steps}")
    channel = f"#{record.channel}" if record.channel else session.channel
    yield Fact("Channel", channel, f"{record.workspace.url}archives/{session.channel}")
    yield Fact("Started by", record.name(session.owner))
    yield Fact("Started", moment(session.created_at))
    if last := max((float(answer.ts) for answer in record.answers), default=0.0):
        yield Fact("Last answer", spoken(datetime.fromtimestamp(last, UTC)))
    # The last acceptance is the end of what was completed; nothing else ends with a time.
    accepted = [phase.accepted_at for phase in session.course.phases if phase.accepted_at]
    if session.status == "completed" and accepted:
        yield Fact("Completed", moment(max(accepted)))


# ── phases and people ──────────────────────────────────────────────────────────────────────────


def front(record: SessionRecord) -> tuple[Chapter, ...]:
    chapters = (_asked(record), _phases(record), _people(record))
    return tuple(chapter for chapter in chapters if chapter.blocks)


def _asked(record: SessionRecord) -> Chapter:
    """What it began with, where the title does not say all of it."""
    session = record.session
    is_title = one_line(session.text) == one_line(session.title)
    lines = () if is_title else map(one_line, session.text.splitlines())
    quotes = tuple(tree.Quote(tree.paragraph(line)) for line in lines if line)
    return Chapter(WORDS.text("asked"), quotes)


def _phases(record: SessionRecord) -> Chapter:
    states = WORDS.mapping("phase_states")
    rows = [
        (
            one_line(phase.label),
            one_line(record.persona(phase.persona)),
            f"{phase.done} of {phase.count}" if phase.count else NEVER,
            states[phase.status],
            record.name(phase.accepted_by) if phase.accepted_by else NEVER,
            moment(phase.accepted_at) if phase.accepted_at else NEVER,
        )
        for phase in record.session.course.phases
    ]
    return Chapter(WORDS.text("phases"), tree.table(WORDS.columns("phase"), rows))


def _people(record: SessionRecord) -> Chapter:
    session = record.session
    authors = [answer.by for answer in record.answers]
    people = [
        (
            record.name(user),
            WORDS.text("owner" if user == session.owner else "member"),
            str(authors.count(user)),
        )
        for user in dict.fromkeys((session.owner, *session.people.answered, *authors))
    ]
    led = {phase.persona for phase in session.course.phases} | set(session.course.threads)
    if session.mode == "party" and record.party is not None:
        led |= {member.key for member in record.party.members}
    personas = [
        (one_line(persona.name), one_line(persona.role), NEVER)
        for persona in record.personas
        if persona.key in led
    ]
    table = tree.table(WORDS.columns("people"), [*people, *personas])
    return Chapter(WORDS.text("people"), table)
