"""What a language model did for a step, in its message: who read it, and what it proposes."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit.blocks import Message, context, message
from bot.views.kit.controls import actions, button
from bot.views.kit.leaves import words
from bot.views.kit.menus import ACTION, menu_row
from bot.views.kit.names import Names, known_name, name_of
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.text import short
from bot.views.private.brain import used
from core.domain.persona_proposals import PersonaProposal
from core.domain.session.menu import Menu
from core.domain.session.model_reading import ModelReading

TEXT_CHARS_MAX: Final = 300
NAME_CHARS_MAX: Final = 80
LEFT_OUT_MAX: Final = 3
LATE: Final = "Read from the script; {persona}’s reading follows."
CAME_LATER: Final = "/roundtable enrich shows what {persona} read after you went on."
NOT_READ: Final = {
    "budget": "{persona} answered from the script: what language models may use here is used up.",
    "failed": "{persona} answered from the script: no language model's reading could be used.",
    "unsure": "{persona} answered from the script: no language model could tell what is meant.",
    "flawed": "{persona} answered from the script: what a language model read had flaws, twice.",
}


def read_by(reading: ModelReading, persona: str, names: Names) -> Block | None:
    """One line that says who read the step: model, tries, detours, tokens and price."""
    if reading.call is not None and not reading.is_held:
        return context(LATE.format(persona=short(persona)))
    if reading.why_script in NOT_READ:
        return context(NOT_READ[reading.why_script].format(persona=short(persona)))
    if reading.why_script == "script-only" or not reading.model:
        return None
    parts = [f"Read by {_name(reading.model)}"]
    if reading.tier:
        parts[0] += f" ({reading.tier})"
    if reading.detours:
        detours = ", ".join(map(_name, reading.detours))
        parts.append(f"in place of {detours}")
    parts.append(f"{reading.tries} {'request' if reading.tries == 1 else 'requests'}")
    if reading.wanted_by:
        parts.append(f"once more for {name_of(names, reading.wanted_by)}")
    if reading.left_out:
        parts.append(_without(reading.left_out))
    return context(" · ".join([*parts, *used(reading.usage)]))


def waits(reading: ModelReading, persona: str) -> Block | None:
    """One line where what a model read waits for somebody to accept it."""
    return context(CAME_LATER.format(persona=short(persona))) if reading.waiting else None


def proposed(proposals: Sequence[PersonaProposal], menu: Menu | None, persona: str) -> list[Block]:
    """What nobody said, each with its reason; with an open menu, a button that takes it."""
    if menu is None or menu.state != "open":
        return []
    open_proposals = [proposal for proposal in proposals if f"take:{proposal.key}" in menu.choices]
    rows = [
        paragraph(
            [
                words(f"{number}. {short(proposal.text, TEXT_CHARS_MAX)}", bold=True),
                words(f" · {short(proposal.reason, TEXT_CHARS_MAX)}", italic=True),
            ]
        )
        for number, proposal in enumerate(open_proposals, 1)
    ]
    buttons = [
        button(_take(number, open_proposals), f"{ACTION}take:{proposal.key}", menu.id)
        for number, proposal in enumerate(open_proposals, 1)
    ]
    row = actions(buttons, f"{menu.id}|taking")
    title = context(
        f"Proposed by {short(persona)}; nobody said it. It counts if somebody takes it."
    )
    return [title, *rows, *([row] if row else [])]


def budget(menu: Menu, names: Names, tokens: int, persona: str) -> Message:
    """What language models may use in a session is used up."""
    text = (
        f"Language models have used {tokens:,} tokens here, which is what this session may use. "
        f"{short(persona)} goes on from the script."
    )
    if menu.state != "open":
        name = known_name(names, menu.used_by) if menu.used_by else ""
        text = f"{text} {name or 'Somebody'} allowed as much again." if menu.used_by else text
    return message(paragraph(text), menu_row(menu))


def _without(left_out: Sequence[str]) -> str:
    """What the request had no room for, the first of it by name."""
    names = [short(source, NAME_CHARS_MAX) for source in left_out[:LEFT_OUT_MAX]]
    more = [f"{len(left_out) - LEFT_OUT_MAX} more"] if len(left_out) > LEFT_OUT_MAX else []
    return f"without {', '.join([*names, *more])}, for which there was no room"


def _take(number: int, proposals: Sequence[PersonaProposal]) -> str:
    return f"Take {number}" if len(proposals) > 1 else "Take it"


def _name(model: str) -> str:
    """The model alone: which provider and address it is at, `/roundtable brain` tells."""
    return short(model.partition(":")[2].partition("@")[0] or model, NAME_CHARS_MAX)
