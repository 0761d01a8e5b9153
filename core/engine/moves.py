"""Which moves are legal: the tables from which `decide` is checked and the diagrams are drawn.

`NEXT` maps a status and an event to the statuses it may lead to; of a choice, `CHOICES` says that
by the kind of its menu. What is in neither row of a status changes nothing there: a person is told
why, a result is recorded and ignored.
"""

from collections.abc import Mapping
from typing import Final

from core.domain import events as on
from core.domain.session.course import ENDED, Status
from core.domain.session.menu import Menu, MenuKind

Row = Mapping[type[on.Event], frozenset[Status]]
ChoiceRow = Mapping[MenuKind | tuple[MenuKind, str], frozenset[Status]]
"""By the kind of a menu, or by a kind and the one choice of it that is legal."""


def _to(*statuses: Status) -> frozenset[Status]:
    return frozenset(statuses)


def _staying(status: Status, *events: type[on.Event]) -> dict[type[on.Event], frozenset[Status]]:
    return {event: _to(status) for event in events}


# ── choices ────────────────────────────────────────────────────────────────────────────────────


_CANCEL: Final[tuple[MenuKind, ...]] = ("escalation", "all-failed")
"""Recovery menus that stand through a pause and a resume: they can be cancelled on meanwhile."""


def _aside(status: Status) -> ChoiceRow:
    """Menus about something beside the course: they stand as long as the session does."""
    return {
        "cancel": _to(status, "cancelled"),
        "budget": _to(status),
        "enriched": _to(status),
        "proposal": _to(status),
        "put-back": _to(status),
        "measured": _to(status),
        "state-unwritten": _to(status),
    }


def _interrupted(status: Status) -> ChoiceRow:
    """The menus of the step stand there, and nothing on them can be chosen but to cancel."""
    return {
        **_aside(status),
        ("prompt", "cancel"): _to(status),  # asks first
        **{(kind, "cancel"): _to(status, "cancelled") for kind in _CANCEL},
    }


def _at_step(status: Status) -> ChoiceRow:
    """People may answer the step, go on from it or back, and say what they think of it."""
    onward: tuple[Status, ...] = (status, "opening", "choosing", "completed")
    return {
        **_aside(status),
        "proposal": _to(status, "debating"),  # people's words may set a council to work
        "put-back": _to(status, "debating"),
        "reminder": _to(status),
        "stale": _to(status),
        "prompt": _to(*onward, "paused", "debating"),
        "escalation": _to(*onward, "cancelled"),
        "all-failed": _to(status, "debating", "starting", "cancelled"),
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
        "follow-up": _to("choosing"),
        "taking": _to("choosing"),
        "rereading": _to("choosing"),
    },
    "paused": _interrupted("paused"),
    "completed": {kind: to for kind, to in _aside("completed").items() if kind != "cancel"},
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
    return {on.ChoiceMade: targets} if targets else {}


def legal_targets(
    status: Status, event: on.Event, menu: Menu | None = None
) -> frozenset[Status] | None:
    """The statuses that `event` may lead to; None where it changes nothing.

    `menu`: the one that is chosen on, if it stands there.
    """
    if not isinstance(event, on.ChoiceMade):
        return NEXT[status].get(type(event))
    if menu is None or menu.state != "open":
        return None
    row, verb = CHOICES[status], event.choice.partition(":")[0]
    return row.get((menu.kind, verb)) or row.get(menu.kind)


# ── events ─────────────────────────────────────────────────────────────────────────────────────


def _anyhow(status: Status) -> dict[type[on.Event], frozenset[Status]]:
    """What may come in any status: what is fatal halts, the rest is written down."""
    stop = _to(status) if status in ENDED else _to("halted")
    return {
        **_staying(status, on.CodeSearched, on.ModelReplied, on.ModelFailed, on.PatienceEnded),
        **_staying(status, on.PostDelayed, on.StatePreserved, on.Diagnosed, on.ReportWritten),
        **_staying(status, on.StateWritten, on.TeamDeleted, on.ReminderDue, on.DeletionRequested),
        on.SecretFound: stop | _to(status),  # in a form or a proposal it stops nobody
        on.DamageFound: stop | _to(status),  # a log line the owner knows of is only counted
    }


_VIEWS: Final = (
    on.ReactionChanged,
    on.DifferenceGiven,
    on.DifferenceSettled,
    on.DeciderNamed,
    on.LinesSorted,
    on.RepositoryNamed,
    on.BrainChosen,
    on.EnrichRequested,
)
"""What people think of answers, and of how lines were sorted: it moves nothing, ever."""


def _talk(status: Status, read: Status) -> Row:
    """People speak and results arrive. `read`: where a step that was written down leads."""
    return {
        **_anyhow(status),
        **_staying(status, on.DepthChosen, on.BrainReplied),
        **_staying(status, on.ExportRequested, on.ThreadRead, on.ThreadsReadBack, *_VIEWS),
        # Changed words, too, may set a council to work that waits for changes.
        on.MessageEdited: _to(status, "debating"),
        on.MessageDeleted: _to(status, "debating"),
        on.AnswerTakenOut: _to(status, "debating"),
        on.BrainFailed: _to(status, "opening", "completed", "halted"),
        on.Diagnosed: _to(status, "opening", "completed"),
        on.ModelFailed: _to(status, "opening", "completed"),
        on.FolderWritten: _to(status, read, "halted"),
        on.PostRefused: _to(status, "paused"),
        on.SessionResumed: _to("opening", status),
        on.PauseRequested: _to("paused", status),
        on.SessionCancelled: _to("cancelled", status),
        on.QuietPassed: _to(status, "debating"),
        **_chosen(status),
    }


_LATE: Final = (  # what may come at any time once there are answers, and moves nothing
    on.MessagePosted,
    on.MessageEdited,
    on.MessageDeleted,
    on.AnswerTakenOut,
    on.BrainReplied,
    on.BrainFailed,
    on.FolderWritten,
    on.ExportRequested,
    on.ThreadRead,
    *_VIEWS,
)

NEXT: Final[Mapping[Status | None, Row]] = {
    None: {on.SessionRequested: _to("starting")},
    "starting": {
        **_anyhow("starting"),
        on.FlowOpened: _to("starting"),
        on.CardPosted: _to("starting", "opening", "completed"),
        **_chosen("starting"),
        on.TeamCreated: _to("opening", "completed"),
        on.TeamRefused: _to("starting"),
        on.PostRefused: _to("refused", "starting"),
        on.FolderWritten: _to("starting", "halted"),
        on.SessionCancelled: _to("cancelled", "starting"),
        on.SessionResumed: _to("starting"),
    },
    "opening": {
        **_anyhow("opening"),
        **_staying("opening", *_LATE, on.ThreadsReadBack),
        on.FolderWritten: _to("opening", "halted"),
        on.PhaseOpened: _to("opening", "choosing", "completed", "debating", "asking"),
        on.StepOpened: _to("opening", "asking", "choosing", "completed"),
        on.PostRefused: _to("opening", "paused"),
        **_chosen("opening"),
        on.PauseRequested: _to("opening", "paused"),
        on.SessionResumed: _to("opening"),
        on.SessionCancelled: _to("cancelled", "opening"),
    },
    "asking": {**_talk("asking", "choosing"), on.MessagePosted: _to("asking", "debating")},
    "debating": {
        **_anyhow("debating"),
        **_staying("debating", *_LATE, on.ThreadsReadBack),
        on.Consulted: _to("debating", "asking"),
        on.ConsultFailed: _to("debating", "asking"),
        on.ModelFailed: _to("debating", "asking"),
        on.DeadlinePassed: _to("debating", "asking"),
        on.QuestionsMerged: _to("debating", "asking"),
        on.FolderWritten: _to("debating", "halted"),
        on.PostRefused: _to("debating"),
        **_chosen("debating"),
        on.SessionResumed: _to("opening", "debating"),
        on.SessionCancelled: _to("cancelled", "debating"),
    },
    "choosing": {
        on.PersonaSpoke: _to("choosing"),
        **_talk("choosing", "asking"),  # back to asking: every answer was withdrawn
        on.MessagePosted: _to(
            "choosing", "opening", "debating", "completed"
        ),  # a word may be a click
    },
    "paused": {
        **_anyhow("paused"),
        **_staying("paused", *_LATE, on.ThreadsReadBack),
        on.FolderWritten: _to("paused", "halted"),
        on.PostRefused: _to("paused"),
        on.SessionResumed: _to("opening"),
        on.SessionCancelled: _to("cancelled", "paused"),
        **_chosen("paused"),
    },
    "completed": {
        **_anyhow("completed"),
        **_staying("completed", *_LATE),
        on.PostRefused: _to("completed"),
        **_chosen("completed"),
        on.SessionResumed: _to("opening", "completed", "starting"),
    },
    "cancelled": {
        **_anyhow("cancelled"),
        **_staying("cancelled", on.TakeBackPassed),
        on.SessionResumed: _to(
            "cancelled", "starting", "opening", "paused", "halted"
        ),  # taken back
        on.PostRefused: _to("cancelled"),
        on.FolderWritten: _to("cancelled"),
        on.ExportRequested: _to("cancelled"),
    },
    "halted": {  # only its menu, the owner or an admin lead out of it
        **_anyhow("halted"),
        **_staying(
            "halted", on.PostRefused, on.ExportRequested, on.FolderWritten, on.SessionResumed
        ),
        **_staying("halted", on.ThreadRead),
        **_chosen("halted"),
        on.SessionCancelled: _to("halted", "cancelled"),
    },
    "refused": {**_anyhow("refused"), on.PostRefused: _to("refused")},
}
