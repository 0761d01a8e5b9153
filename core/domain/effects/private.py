"""What one person is told, and what the operators hear."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.effects.declaration import IN_ORDER, Effect
from core.domain.ids import Ts, UserId

ReplyKind = Literal[
    "already-open",
    "starting",
    "nothing-to-resume",
    "resuming",
    "already-going",
    "not-in-channel",
    "cannot-post",
    "refused",
    "in-dm",
    "used-menu",
    "used-by-you",
    "not-yours",
    "not-awaited",
    "unknown-choice",
    "assumption-settled",
    "draft-unsupported",
    "gone",
    "wrong-thread",
    "ended-thread",
    "nothing-before",
    "depth-set",
    "cancelled",
    "cancel-question",
    "kept-going",
    "not-taken-back",
    "skip-question",
    "paused",
    "exporting",
    "nothing-to-export",
    "export-held-back",
    "delete-question",
    "deleted",
    "delete-not-yours",
    "not-deleted",
    "is-paused",
    "is-halted",
    "halted-now",
    "secret-title",
    "damaged",
    "busy",
    "no-answer",
    "out-already",
    "not-your-answer",
    "taken-out",
    "yours-taken-out",
    "put-back",
    "not-there",
    "not-your-words",
    "left-out",
    "not-decider",
    "nothing-open",
    "answer-gone",
    "secret-sentence",
    "own-answer",
    "nobody-else",
    "differ-by-reaction",
    "differs-noted",
    "settled",
    "lines-changed",
    "lines-sorted",
    "decider-named",
    "decider-taken-back",
    "asked-to-decide",
    "brain-script",
    "brain-models",
    "enrich-begun",
    "enrich-nothing",
    "enrich-under-way",
    "enrich-no-model",
    "repository-linked",
    "repository-unlinked",
    "no-repository",
    "model-settings",
]


@dataclass(frozen=True, slots=True)
class Reply:
    """What one person is told: by the acknowledgement of a command, else as an ephemeral."""

    kind: ReplyKind
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tell(Effect, lane="visible", rank=IN_ORDER, key=None):
    """An ephemeral to one person. Nothing load-bearing goes in one."""

    user: UserId
    reply: Reply
    thread_ts: Ts | None = None


@dataclass(frozen=True)
class Respond(Effect, lane="visible", rank=IN_ORDER, key=None):
    """An answer through a command's own reply address."""

    url: str
    reply: Reply
