"""The menus of a session: a row of buttons each, and which of them are open now."""

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, assert_never

from core.domain.ids import FaultId, MenuId, PhaseKey, SessionId, StepId, UserId

MenuKind = Literal[
    "prompt",
    "step",
    "phase",
    "stale",
    "elaboration",
    "settling",
    "cancel",
    "mode",
    "fatal",
    "escalation",
    "no-team",
    "no-roster",
    "all-failed",
    "state-unwritten",
    "reminder",
    "put-back",
    "assumptions",
    "follow-up",
    "proposal",
    "measured",  # drop a line that was measured in code
    "budget",  # allow language models as many tokens again
    "taking",  # take what a model proposes
    "rereading",  # have a model read once more whose replies had flaws
    "enriched",  # accept what models read once people had gone on
]
MenuState = Literal["open", "used", "closed"]


@dataclass(frozen=True, slots=True)
class Menu:
    """A row of buttons. It acts once; its id is opaque and unguessable."""

    id: MenuId
    session: SessionId
    kind: MenuKind
    choices: tuple[str, ...]
    phase: PhaseKey | None = None
    step: StepId | None = None
    state: MenuState = "open"
    used_by: UserId | None = None
    chosen: str | None = None
    fault: FaultId | None = None  # what a recovery menu is about


@dataclass(frozen=True, slots=True)
class OpenMenus:
    """At most one menu in each place. The default is a session without an open menu."""

    current: MenuId | None = None  # Continue, Accept, Done, or the choice of a mode
    prompt: MenuId | None = None  # the prompt's overflow
    stale: MenuId | None = None  # keep a stale step, or ask it again
    assumptions: MenuId | None = None  # the summary's: is what it assumes right?
    follow_up: MenuId | None = None  # the open question of ours: skip it, or nobody knows
    taking: MenuId | None = None  # what a model proposes can be taken
    rereading: MenuId | None = None  # a model whose replies had flaws can be asked once more
    recovery: MenuId | None = None  # what to do about a failure
    on_summary: bool = False  # the current menu stands on a summary, not on a step's message

    @property
    def ids(self) -> tuple[MenuId, ...]:
        """The ids of all menus that are open."""
        menus = (getattr(self, place) for place in _PLACES)
        return tuple(menu for menu in menus if menu is not None)

    def opened(self, menu: MenuId, kind: MenuKind) -> "OpenMenus":
        """`menu` takes the place of its kind."""
        match kind:
            case "step" | "phase" | "elaboration" | "mode":
                return replace(self, current=menu)
            case "prompt":
                return replace(self, prompt=menu)
            case "stale":
                return replace(self, stale=menu)
            case "assumptions":
                return replace(self, assumptions=menu)
            case "follow-up":
                return replace(self, follow_up=menu)
            case "taking":
                return replace(self, taking=menu)
            case "rereading":
                return replace(self, rereading=menu)
            case (
                "fatal" | "escalation" | "no-team" | "no-roster" | "all-failed" | "state-unwritten"
            ):
                return replace(self, recovery=menu)
            case (
                "settling"
                | "cancel"
                | "reminder"
                | "put-back"
                | "proposal"
                | "measured"
                | "budget"
                | "enriched"
            ):
                return self  # several may be open: each is known by its message alone
            case _:
                assert_never(kind)

    def ended(self, menu: MenuId) -> "OpenMenus":
        """The place of `menu` is free, if it has one."""
        free: dict[str, Any] = {place: None for place in _PLACES if getattr(self, place) == menu}
        return replace(self, **free)

    def moved(self, *, to_summary: bool) -> "OpenMenus":
        """The current menu stands on the phase's summary, or on the step's message."""
        return replace(self, on_summary=to_summary)


_PLACES: Final = tuple(field.name for field in fields(OpenMenus) if field.name != "on_summary")
