"""Which moves are legal: the tables from which `decide` is checked and the diagrams are drawn.

`NEXT` maps a status and an event to the statuses it may lead to; of a choice, `CHOICES` says that
by the kind of its menu. What is in neither row of a status changes nothing there: a person is told
why, a result is recorded and ignored.
"""

from collections.abc import Iterable, Mapping
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
from core.domain.session import ENDED, Menu, MenuKind, Status

Row = Mapping[type[Event], frozenset[Status]]
ChoiceRow = Mapping[MenuKind | tuple[MenuKind, str], frozenset[Status]]
"""By the kind of a menu, or by a kind and the one choice of it that is legal."""


def _to(*statuses: Status) -> frozenset[Status]:
    return frozenset(statuses)


def _staying(status: Status, *events: type[Event]) -> dict[type[Event], frozenset[Status]]:
    return {event: _to(status) for event in events}


# ── choices ────────────────────────────────────────────────────────────────────────────────────


_CANCEL: Final[tuple[MenuKind, ...]] = ("escalation", "all-failed")
"""Recovery menus that stand through a pause and a resume: they can be cancelled on meanwhile."""


def _aside(here: Status) -> ChoiceRow:
    """Menus about something beside the course: they stand as long as the session does."""
    return {
        "cancel": _to(here, "cancelled"),
        "proposal": _to(here),
        "put-back": _to(here),
        "state-unwritten": _to(here),
    }


def _interrupted(here: Status) -> ChoiceRow:
    """The menus of the step stand there, and nothing on them can be chosen but to cancel."""
    return {
        **_aside(here),
        ("prompt", "cancel"): _to(here),  # asks first
        **{(kind, "cancel"): _to(here, "cancelled") for kind in _CANCEL},
    }


def _at_step(here: Status) -> ChoiceRow:
    """People may answer the step, go on from it or back, and say what they think of it."""
    on: tuple[Status, ...] = (here, "opening", "choosing", "completed")
    return {
        **_aside(here),
        "proposal": _to(here, "debating"),  # people's words may set a council to work
        "put-back": _to(here, "debating"),
        "reminder": _to(here),
        "stale": _to(here),
        "prompt": _to(*on, "paused", "debating"),
        "escalation": _to(*on, "cancelled"),
        "all-failed": _to(here, "debating", "starting", "cancelled"),
    }


CHOICES: Final[Mapping[Status, ChoiceRow]] = {
    "starting": {
        **_aside("starting"),
        "mode": _to("starting"),
        "no-team": _to("starting", "cancelled"),
        "no-roster": _to("starting", "opening", "completed", "cancelled"),
    },
    "opening": {**_interrupted("opening"), ("prompt", "pause"): _to("paused")},
    "asking": _at_step("asking"),
    "debating": {
        **_aside("debating"),
        ("prompt", "cancel"): _to("debating"),
        "all-failed": _to("debating", "starting", "cancelled"),
    },
    "choosing": {
        **_at_step("choosing"),
        "step": _to("choosing", "opening", "completed", "debating", "asking"),
        "phase": _to("choosing", "opening", "completed", "asking"),
        "elaboration": _to("choosing"),
        "assumptions": _to("choosing", "opening"),
    },
    "paused": _interrupted("paused"),
    "completed": {
        "proposal": _to("completed"),
        "put-back": _to("completed"),
        "state-unwritten": _to("completed"),
    },
    "cancelled": {},
    "halted": {  # only its menu leads out of it, and the question whether to cancel
        "fatal": _to("halted", "opening", "starting", "cancelled"),
        "cancel": _to("halted", "cancelled"),
    },
    "refused": {},
}


def _chosen(status: Status) -> Row:
    """The row of a choice, whatever its menu."""
    targets = frozenset[Status]().union(*CHOICES[status].values())
    return {ChoiceMade: targets} if targets else {}


def legal_targets(
    status: Status, event: Event, menu: Menu | None = None
) -> frozenset[Status] | None:
    """The statuses that `event` may lead to; None where it changes nothing.

    `menu`: the one that is chosen on, if it stands there.
    """
    if not isinstance(event, ChoiceMade):
        return NEXT[status].get(type(event))
    if menu is None or menu.state != "open":
        return None
    row, verb = CHOICES[status], event.choice.partition(":")[0]
    return row.get((menu.kind, verb)) or row.get(menu.kind)


# ── events ─────────────────────────────────────────────────────────────────────────────────────


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
        **_chosen(here),
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
        **_chosen("starting"),
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
        **_chosen("opening"),
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
        PostRefused: _to("debating"),
        **_chosen("debating"),
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
        **_chosen("paused"),
    },
    "completed": {
        **_anyhow("completed"),
        **_staying("completed", *_LATE),
        PostRefused: _to("completed"),
        **_chosen("completed"),
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
        **_chosen("halted"),
        SessionCancelled: _to("halted", "cancelled"),
    },
    "refused": {**_anyhow("refused"), PostRefused: _to("refused")},
}


MAIN_ROAD: Final[tuple[tuple[Status, Status], ...]] = (
    ("starting", "opening"),
    ("opening", "asking"),
    ("asking", "choosing"),
    ("choosing", "opening"),
    ("opening", "debating"),
    ("debating", "asking"),
    ("choosing", "debating"),
    ("choosing", "completed"),
    ("choosing", "paused"),
    ("paused", "opening"),
    ("choosing", "halted"),
    ("halted", "opening"),
    ("choosing", "cancelled"),
)
"""The arrows of `overview`, for whoever meets the states for the first time."""


def diagram() -> str:
    """The table as a Mermaid state diagram. Events that stay where they are are left out."""
    return _drawn(
        (status, target)
        for status in get_args(Status)
        for target in get_args(Status)
        if status != target
    )


def overview() -> str:
    """`diagram` with the arrows of the main road alone."""
    return _drawn(MAIN_ROAD)


def _drawn(arrows: Iterable[tuple[Status, Status]]) -> str:
    lines = ["stateDiagram-v2", "    [*] --> starting: SessionRequested"]
    for status, target in arrows:
        events = [event.__name__ for event, targets in NEXT[status].items() if target in targets]
        if events:
            lines.append(f"    {status} --> {target}: {', '.join(sorted(events))}")
    return "\n".join(lines)


def choices_table() -> str:
    """Which menus can be chosen on in which status, as a Markdown table."""
    rows: dict[MenuKind | tuple[MenuKind, str], list[Status]] = {}
    for status, row in CHOICES.items():
        for kind in row:
            rows.setdefault(kind, []).append(status)
    names = {kind: kind if isinstance(kind, str) else f"{kind[0]}: {kind[1]}" for kind in rows}
    lines = [
        f"| {names[kind]} | {', '.join(rows[kind])} |"
        for kind in sorted(rows, key=lambda kind: names[kind])
    ]
    return "\n".join(("| Menu | Can be chosen on while |", "|---|---|", *lines))
