"""Which moves are legal: the table from which `decide` is checked and the diagram is drawn.

A status maps an event to the statuses it may lead to. An event that is not in the row of a status
changes nothing there: a person is told why, a result is recorded and ignored.
"""

from collections.abc import Mapping
from typing import Final, get_args

from core.domain.events import (
    AnswerTakenOut,
    BrainFailed,
    BrainReplied,
    CardPosted,
    ChoiceMade,
    Consulted,
    ConsultFailed,
    DamageFound,
    DeadlinePassed,
    DeciderNamed,
    DeletionRequested,
    DepthChosen,
    Diagnosed,
    DifferenceGiven,
    DifferenceSettled,
    Event,
    ExportRequested,
    FlowOpened,
    FolderWritten,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    PauseRequested,
    PersonaSpoke,
    PhaseOpened,
    PostDelayed,
    PostRefused,
    QuestionsMerged,
    QuietPassed,
    ReactionChanged,
    ReminderDue,
    ReportWritten,
    SecretFound,
    SessionCancelled,
    SessionRequested,
    SessionResumed,
    StatePreserved,
    StateWritten,
    StepOpened,
    TakeBackPassed,
    TeamCreated,
    TeamDeleted,
    TeamRefused,
    ThreadRead,
    ThreadsReadBack,
)
from core.domain.session import ENDED, Status

Row = Mapping[type[Event], frozenset[Status]]


def _to(*statuses: Status) -> frozenset[Status]:
    return frozenset(statuses)


def _staying(status: Status, *events: type[Event]) -> dict[type[Event], frozenset[Status]]:
    return {event: _to(status) for event in events}


def _anyhow(status: Status) -> dict[type[Event], frozenset[Status]]:
    """What may come in any status: what is fatal halts, the rest is written down."""
    stop = _to(status) if status in ENDED else _to("halted")
    return {
        **_staying(status, PostDelayed, StatePreserved, Diagnosed, ReportWritten),
        **_staying(status, StateWritten, TeamDeleted, ReminderDue, DeletionRequested),
        SecretFound: stop | _to(status),  # in a form or a proposal it stops nobody
        DamageFound: stop | _to(status),  # a log line the owner knows of is only counted
    }


_VIEWS: Final = (ReactionChanged, DifferenceGiven, DifferenceSettled, DeciderNamed)
"""What people think of each other's answers: it moves nothing, ever."""


def _talk(here: Status, read: Status) -> Row:
    """People speak and results arrive. `read`: where a step that was written down leads."""
    return {
        **_anyhow(here),
        **_staying(here, MessageEdited, MessageDeleted, DepthChosen, QuietPassed, BrainReplied),
        **_staying(here, ExportRequested, AnswerTakenOut, ThreadRead, ThreadsReadBack, *_VIEWS),
        BrainFailed: _to(here, "opening", "completed", "halted"),
        Diagnosed: _to(here, "opening", "completed"),
        FolderWritten: _to(here, read, "halted"),
        PostRefused: _to(here, "paused"),
        SessionResumed: _to("opening", here),
        PauseRequested: _to("paused", here),
        SessionCancelled: _to("cancelled", here),
        QuietPassed: _to(here, "debating"),
        ChoiceMade: _to(
            here, "choosing", "asking", "debating", "opening", "paused", "cancelled", "completed"
        ),
    }


_LATE: Final = (  # what may come at any time once there are answers, and moves nothing
    MessagePosted,
    MessageEdited,
    MessageDeleted,
    AnswerTakenOut,
    BrainReplied,
    BrainFailed,
    FolderWritten,
    ExportRequested,
    ThreadRead,
    *_VIEWS,
)

NEXT: Final[Mapping[Status | None, Row]] = {
    None: {SessionRequested: _to("starting")},
    "starting": {
        **_anyhow("starting"),
        FlowOpened: _to("starting"),
        CardPosted: _to("starting", "opening", "completed"),
        ChoiceMade: _to("starting", "opening", "completed", "cancelled"),
        TeamCreated: _to("opening", "completed"),
        TeamRefused: _to("starting"),
        PostRefused: _to("refused", "starting"),
        FolderWritten: _to("starting", "halted"),
        SessionCancelled: _to("cancelled", "starting"),
        SessionResumed: _to("starting"),
    },
    "opening": {
        **_anyhow("opening"),
        **_staying("opening", *_LATE, ThreadsReadBack),
        FolderWritten: _to("opening", "halted"),
        PhaseOpened: _to("opening", "choosing", "completed", "debating", "asking"),
        StepOpened: _to("opening", "asking", "choosing", "completed"),
        PostRefused: _to("opening", "paused"),
        ChoiceMade: _to("opening", "cancelled", "paused"),
        PauseRequested: _to("opening", "paused"),
        SessionResumed: _to("opening"),
        SessionCancelled: _to("cancelled", "opening"),
    },
    "asking": {**_talk("asking", "choosing"), MessagePosted: _to("asking", "debating")},
    "debating": {
        **_anyhow("debating"),
        **_staying("debating", *_LATE, ThreadsReadBack),
        Consulted: _to("debating", "asking"),
        ConsultFailed: _to("debating", "asking"),
        DeadlinePassed: _to("debating", "asking"),
        QuestionsMerged: _to("debating", "asking"),
        FolderWritten: _to("debating", "halted"),
        PostRefused: _to("debating", "paused"),
        ChoiceMade: _to("debating", "starting", "cancelled"),
        SessionResumed: _to("opening", "debating"),
        SessionCancelled: _to("cancelled", "debating"),
    },
    "choosing": {
        PersonaSpoke: _to("choosing"),
        **_talk("choosing", "asking"),  # back to asking: every answer was withdrawn
        MessagePosted: _to("choosing", "opening", "debating", "completed"),  # a word may be a click
    },
    "paused": {
        **_anyhow("paused"),
        **_staying("paused", *_LATE, ThreadsReadBack, PauseRequested),
        FolderWritten: _to("paused", "halted"),
        PostRefused: _to("paused"),
        SessionResumed: _to("opening"),
        SessionCancelled: _to("cancelled", "paused"),
        ChoiceMade: _to("paused", "cancelled"),
    },
    "completed": {
        **_anyhow("completed"),
        **_staying("completed", *_LATE),
        PostRefused: _to("completed"),
        ChoiceMade: _to("completed"),
        SessionResumed: _to("opening", "completed", "starting"),
    },
    "cancelled": {
        **_anyhow("cancelled"),
        **_staying("cancelled", TakeBackPassed),
        SessionResumed: _to("cancelled", "starting", "opening", "paused", "halted"),  # taken back
        PostRefused: _to("cancelled"),
        FolderWritten: _to("cancelled"),
        ExportRequested: _to("cancelled"),
    },
    "halted": {  # only its menu, the owner or an admin lead out of it
        **_anyhow("halted"),
        **_staying("halted", PostRefused, ExportRequested, FolderWritten, SessionResumed),
        **_staying("halted", ThreadRead),
        ChoiceMade: _to("halted", "opening", "starting", "cancelled"),
        SessionCancelled: _to("halted", "cancelled"),
    },
    "refused": {**_anyhow("refused"), PostRefused: _to("refused")},
}


def diagram() -> str:
    """The table as a Mermaid state diagram. Events that stay where they are are left out."""
    lines = ["stateDiagram-v2", "    [*] --> starting: SessionRequested"]
    for status, row in NEXT.items():
        if status is None:
            continue
        by_target: dict[Status, list[str]] = {}
        for event, targets in row.items():
            for target in targets - {status}:
                by_target.setdefault(target, []).append(event.__name__)
        lines += [
            f"    {status} --> {target}: {', '.join(sorted(by_target[target]))}"
            for target in get_args(Status)
            if target in by_target
        ]
    return "\n".join(lines)
