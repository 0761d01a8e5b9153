"""A Slack-compatible workspace on one's own machine, for demos and tests. It is not Slack."""

from bot.devtools.workspace.blocks.table import NEWER_BLOCKS
from bot.devtools.workspace.server import LocalWorkspace, OtherTeam
from bot.devtools.workspace.slack_app import ORGANISATION_WIDE, ROTATING
from bot.devtools.workspace.team import LocalTeam
from bot.devtools.workspace.values import (
    SCOPES_ALL,
    SCOPES_NEEDED,
    Call,
    Ephemeral,
    FaultKind,
    Modal,
    Ping,
    WorkspaceMessage,
)

__all__ = [
    "NEWER_BLOCKS",
    "ORGANISATION_WIDE",
    "ROTATING",
    "SCOPES_ALL",
    "SCOPES_NEEDED",
    "Call",
    "Ephemeral",
    "FaultKind",
    "LocalTeam",
    "LocalWorkspace",
    "Modal",
    "OtherTeam",
    "Ping",
    "WorkspaceMessage",
]
