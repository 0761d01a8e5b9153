"""blocks.validate: whether Slack would take blocks, a message or a view; nothing is shown.

docs: reference/methods/blocks.validate (2026-11-23). Pointers count from what was sent. The page
does not say which codes there are besides its example's, nor the form of every constraint: here
each fault has that code, and no constraint.
"""

from collections.abc import Mapping
from typing import Any, Final

from bot.devtools.workspace.blocks.faults import fault_parts
from bot.devtools.workspace.blocks.limits import block_faults, view_faults
from bot.devtools.workspace.values import Json
from bot.devtools.workspace.web_api.method import (
    MISSING,
    ApiError,
    Args,
    Method,
    MethodContext,
    refused,
)

ERRORS: Final[Mapping[str, str]] = {
    "blocks": "invalid_blocks",
    "message": "invalid_message",
    "view": "invalid_view",
}
CODE: Final = "failed_constraint"


def validate(context: MethodContext, args: Args) -> Json:
    """Check a draft. Raises `ApiError` with every fault."""
    drafts = {name: args.object(name, "invalid_arguments") for name in ERRORS}
    names = [name for name, draft in drafts.items() if draft is not MISSING]
    if len(names) != 1:
        message = "must provide exactly one of `blocks`, `view`, or `message`"
        raise refused("invalid_arguments", [message])
    (name,) = names
    if faults := _faults(name, drafts[name], context.workspace.unknown_blocks):
        raise ApiError(ERRORS[name], errors=[_error(fault) for fault in faults])
    return {}


def _faults(name: str, draft: Any, unknown: frozenset[str]) -> list[str]:
    match name:
        case "blocks":
            return block_faults(draft, at="", unknown=unknown)
        case "message":
            blocks = draft.get("blocks", []) if isinstance(draft, dict) else None
            return block_faults(blocks, unknown=unknown)
        case _:
            return view_faults(draft, at="", unknown=unknown)


def _error(fault: str) -> Json:
    message, pointer = fault_parts(fault)
    return {"code": CODE, "message": message, "pointer": pointer}


METHODS: Final = {"blocks.validate": Method(validate)}
