"""Which moves are legal: the table from which `decide` is checked and the diagram is drawn.

A status maps an event to the statuses it may lead to. An event that is not in the row of a status
changes nothing there: a person is told why, a result is recorded and ignored.
"""

from collections.abc import Mapping
from typing import Final, get_args

from core.domain.events import (
    BrainFailed,
    BrainReplied,
    CardPosted,
    ChoiceMade,
    DepthChosen,
    Event,
    ExportRequested,
    FlowOpened,
    FolderWritten,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    PersonaSpoke,
    PhaseOpened,
    PostRefused,
    QuietPassed,
    SessionCancelled,
    SessionRequested,
    SessionResumed,
    StepOpened,
)
from core.domain.session import Status

Row = Mapping[type[Event], frozenset[Status]]


def _to(*statuses: Status) -> frozenset[Status]:
    return frozenset(statuses)


def _staying(status: Status, *events: type[Event]) -> dict[type[Event], frozenset[Status]]:
    return {event: _to(status) for event in events}


def _talk(here: Status, read: Status) -> Row:
    """People speak and results arrive. `read`: where a step that was written down leads."""
    return {
        **_staying(here, MessageEdited, MessageDeleted, DepthChosen, QuietPassed, BrainReplied),
        **_staying(here, ExportRequested),
        BrainFailed: _to(here, "opening", "completed"),
        FolderWritten: _to(here, read),
        PostRefused: _to(here, "paused"),
        SessionResumed: _to("opening"),
        SessionCancelled: _to("cancelled", here),
        ChoiceMade: _to(here, "choosing", "opening", "paused", "cancelled", "completed"),
    }


_LATE: Final = (  # what may come at any time once there are answers, and moves nothing
    MessagePosted,
    MessageEdited,
    MessageDeleted,
    BrainReplied,
    BrainFailed,
    FolderWritten,
    ExportRequested,
)

NEXT: Final[Mapping[Status | None, Row]] = {
    None: {SessionRequested: _to("starting")},
    "starting": {
        FlowOpened: _to("starting"),
        CardPosted: _to("opening", "completed"),
        PostRefused: _to("refused", "starting"),
        FolderWritten: _to("starting"),
        SessionCancelled: _to("cancelled", "starting"),
        SessionResumed: _to("starting"),
    },
    "opening": {
        **_staying("opening", *_LATE),
        PhaseOpened: _to("opening", "choosing", "completed"),
        StepOpened: _to("opening", "asking", "choosing", "completed"),
        PostRefused: _to("opening", "paused"),
        ChoiceMade: _to("opening", "cancelled", "paused"),
        SessionResumed: _to("opening"),
        SessionCancelled: _to("cancelled", "opening"),
    },
    "asking": {**_talk("asking", "choosing"), MessagePosted: _to("asking")},
    "choosing": {
        PersonaSpoke: _to("choosing"),
        **_talk("choosing", "asking"),  # back to asking: every answer was withdrawn
        MessagePosted: _to("choosing", "opening", "completed"),  # a word may be a click
    },
    "paused": {
        **_staying("paused", *_LATE),
        PostRefused: _to("paused"),
        SessionResumed: _to("opening"),
        SessionCancelled: _to("cancelled", "paused"),
        ChoiceMade: _to("paused", "cancelled"),
    },
    "completed": {
        **_staying("completed", *_LATE),
        PostRefused: _to("completed"),
        SessionResumed: _to("opening", "completed"),
    },
    "cancelled": {
        PostRefused: _to("cancelled"),
        FolderWritten: _to("cancelled"),
        ExportRequested: _to("cancelled"),
    },
    "halted": {PostRefused: _to("halted"), ExportRequested: _to("halted")},
    "refused": {PostRefused: _to("refused")},
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
