"""`/roundtable brain`: who reads what people say, where that goes, and what it has cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.views.kit.blocks import Message, context, message
from bot.views.kit.controls import actions, button
from bot.views.kit.rich_text import Block, bullets, heading, lines, rich_text
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from core.domain.ids import SessionId
from core.domain.model_calls import ModelTier, Usage
from core.domain.session.model_reading import ModelUse
from core.domain.session.session import Session

OF_SESSION: Final = "brain-session:"  # and script or models
OF_CHANNEL: Final = "brain-channel:"
OF_WORKSPACE: Final = "brain-workspace:"
SCRIPT: Final = "script"
MODELS: Final = "models"
HERE: Final = "here"  # the value of a channel's button: the click says which channel
MODEL_CHARS_MAX: Final = 80
MODELS_SHOWN_MAX: Final = 4  # of a tier


@dataclass(frozen=True, slots=True)
class ModelAt:
    """A language model by name, and the host that it is asked at."""

    model: str
    host: str


@dataclass(frozen=True, slots=True)
class ReadingModels:
    """The language models that may read here, and what they may use. The default is none."""

    tiers: tuple[tuple[ModelTier, tuple[ModelAt, ...]], ...] = ()
    tokens_a_session: int = 0  # 0: no limit
    tokens_a_day: int = 0
    usd_a_session: float | None = None
    needs_consent: bool = False  # an admin of the workspace has to agree first


@dataclass(frozen=True, slots=True)
class ReadSession:
    """A session that is read: what it is called, and what it has used of models."""

    id: SessionId
    title: str
    use: ModelUse


def brain(readers: ReadingModels, session: ReadSession | None, *, script_only: bool) -> Message:
    """Who reads a session; without one, a channel's sessions to come."""
    about = f"Who reads “{short(session.title)}”" if session else "Who reads here from now on"
    if not readers.tiers:
        return message(rich_text(heading(about), lines([WORDING.brain["none"]])))
    return message(
        rich_text(heading(about), *_readers(readers, script_only=script_only)),
        rich_text(heading("What is sent"), bullets(WORDING.brain_sent)),
        rich_text(heading("What is never sent"), bullets(WORDING.brain_never)),
        context(*_costs(readers, session), WORDING.brain["kept"]),
        actions([_control(readers, session, script_only=script_only)]),
    )


def waiting_for_admin(session: Session) -> Block | None:
    """The card's line on models that nobody has agreed to."""
    waits = session.model.waits_for_admin and not session.model.script_only
    return context(WORDING.brain["waits"]) if waits else None


def _readers(readers: ReadingModels, *, script_only: bool) -> Iterator[Block]:
    if readers.needs_consent:
        script_only = False
        yield lines([WORDING.brain["unagreed"]])
    else:
        yield lines([WORDING.brain["alone" if script_only else "both"]])
    if not script_only:
        yield bullets(f"{tier}: {_named(models)}" for tier, models in readers.tiers)


def _named(models: tuple[ModelAt, ...]) -> str:
    names = (
        f"{short(model_at.model, MODEL_CHARS_MAX)} at {short(model_at.host, MODEL_CHARS_MAX)}"
        for model_at in models[:MODELS_SHOWN_MAX]
    )
    return ", then ".join(names)


def _costs(readers: ReadingModels, session: ReadSession | None) -> Iterator[str]:
    if session is not None:
        usage = session.use.usage
        yield f"Used so far: {', '.join(used(usage)) if usage.tokens else 'nothing'}."
    limits = [
        f"{readers.tokens_a_session:,} tokens a session" if readers.tokens_a_session else "",
        f"${readers.usd_a_session:.2f} a session" if readers.usd_a_session else "",
        f"{readers.tokens_a_day:,} tokens a day in this workspace" if readers.tokens_a_day else "",
    ]
    if any(limits):
        yield f"At most {' and '.join(filter(None, limits))}."


def used(usage: Usage) -> list[str]:
    """Tokens and their price: "2,140 tokens", "$0.0021". A price nobody knows is not shown as 0."""
    about = "≈ " if usage.is_estimate else ""
    price = "at a price that is not known" if usage.usd is None else f"{about}${usage.usd:.4f}"
    return [f"{about}{usage.tokens:,} tokens", price]


def agreed() -> Message:
    """An admin has let them read in the workspace."""
    return message(context(WORDING.brain["agreed"]))


def _control(readers: ReadingModels, session: ReadSession | None, *, script_only: bool) -> Block:
    if readers.needs_consent:
        return button("Let them read in this workspace", f"{OF_WORKSPACE}{MODELS}", HERE)
    kind, value = (OF_SESSION, session.id) if session else (OF_CHANNEL, HERE)
    if script_only:
        return button("Language models again", f"{kind}{MODELS}", value)
    return button("Script only here", f"{kind}{SCRIPT}", value)
