"""What came of a play, as data: the summary that `--json` prints."""

from pathlib import Path
from typing import Literal, TypedDict

from bot.devtools.play.world import CHANNEL, World
from bot.devtools.workspace import WorkspaceMessage
from core.domain.ids import SessionId
from core.domain.session.session import Session
from core.ports import Gone

Status = Literal["completed", "cancelled", "halted", "paused"]


class SessionSummary(TypedDict):
    run_id: str
    slug: str
    status: Status
    flow: str


class StepSummary(TypedDict):
    id: str
    status: str
    depth: str | None
    answers: int


class CouncilSummary(TypedDict):
    """What is known of a phase of a party; `messages` are those between its members."""

    phase: str
    messages: int
    agents: list[str]
    status: str


class MessageSummary(TypedDict):
    author: str
    text: str


class ThreadSummary(TypedDict):
    persona: str
    channel: str
    messages: list[MessageSummary]


class EphemeralSummary(TypedDict):
    to: str
    text: str


class PingSummary(TypedDict):
    author: str
    what: str


class ArtifactSummary(TypedDict):
    name: str
    path: str
    bytes: int


class FaultSummary(TypedDict):
    code: str
    message: str
    step_id: str | None


class PlaySummary(TypedDict):
    session: SessionSummary | None
    steps: list[StepSummary]
    council: list[CouncilSummary]
    threads: list[ThreadSummary]
    ephemerals: list[EphemeralSummary]
    pings: list[PingSummary]
    artifacts: list[ArtifactSummary]
    faults: list[FaultSummary]


def summary_of(world: World, id_: SessionId | None) -> PlaySummary:
    session = _loaded(world, id_)
    workspace = world.workspace
    return {
        "session": _session(session) if session else None,
        "steps": _steps(world, session) if session else [],
        "council": _council(session) if session else [],
        "threads": _threads(workspace.messages(CHANNEL), workspace.bot_user_id),
        "ephemerals": [
            {"to": ephemeral.to, "text": ephemeral.text} for ephemeral in workspace.ephemerals
        ],
        "pings": [{"author": ping.author, "what": ping.what} for ping in workspace.pings],
        "artifacts": _artifacts(world.artifacts / session.team / session.slug) if session else [],
        "faults": _faults(world, session) if session else [],
    }


def _loaded(world: World, id_: SessionId | None) -> Session | None:
    """A session that was refused never began."""
    if id_ is None:
        return None
    try:
        session = world.reader.load(id_)
    except Gone:
        return None
    return None if session.status == "refused" else session


def _session(session: Session) -> SessionSummary:
    return {
        "run_id": session.run,
        "slug": session.slug,
        "status": _status(session),
        "flow": session.flow,
    }


def _status(session: Session) -> Status:
    match session.status:
        case "completed" | "cancelled" | "halted":
            return session.status
        case _:
            return "paused"


def _steps(world: World, session: Session) -> list[StepSummary]:
    """The steps of an analysis; of an inception its phases."""
    if session.flow == "inception":
        return _phases(world, session)
    return [
        {
            "id": state.id,
            "status": state.status,
            "depth": state.prompt.depth,
            "answers": len(world.reader.answers(session.id, state.id)),
        }
        for state in world.reader.all_steps(session.id)
    ]


def _phases(world: World, session: Session) -> list[StepSummary]:
    steps = world.reader.all_steps(session.id)
    answered = [answer.step for answer in world.reader.answers(session.id)]
    return [
        {
            "id": phase.key,
            "status": phase.status,
            "depth": next((step.prompt.depth for step in steps if step.phase == phase.key), None),
            "answers": sum(answered.count(state.id) for state in steps if state.phase == phase.key),
        }
        for phase in session.course.phases
    ]


def _council(session: Session) -> list[CouncilSummary]:
    return [
        {
            "phase": record.phase,
            "messages": record.messages,
            "agents": list(record.agents),
            "status": record.status,
        }
        for record in session.party.records
    ]


def _threads(messages: list[WorkspaceMessage], bot: str) -> list[ThreadSummary]:
    """Every thread, in the order of their roots. A person's message without a reply is none."""
    by_root: dict[str, list[WorkspaceMessage]] = {}
    for message in messages:
        by_root.setdefault(message.thread_ts or message.ts, []).append(message)
    return [
        {
            "persona": thread[0].author,
            "channel": thread[0].channel,
            "messages": [{"author": post.author, "text": post.plain} for post in thread],
        }
        for thread in by_root.values()
        if len(thread) > 1 or thread[0].author_id == bot
    ]


def _artifacts(folder: Path) -> list[ArtifactSummary]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        {
            "name": path.relative_to(folder).as_posix(),
            "path": str(path),
            "bytes": path.stat().st_size,
        }
        for path in files
    ]


def _faults(world: World, session: Session) -> list[FaultSummary]:
    return [
        {"code": fault.code, "message": fault.message, "step_id": fault.step}
        for fault in world.reader.faults(session.id)
    ]
