"""What a persona says in passing: first words, greetings, the handover, one-liners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.kit.blocks import Message, message
from bot.views.kit.leaves import Leaf, link, words
from bot.views.kit.names import counted, listed
from bot.views.kit.rich_text import paragraph
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING, phrase_leaves, sentence
from core.domain.effects import LineKind
from core.domain.steps.playbook import Persona
from core.english import joined
from core.taxonomy.post_refusals import RefusalWords

IDENTITY_CHARS_MAX: Final = 600
TITLE_CHARS_MAX: Final = 300
FILES_NAMED_MAX: Final = 6
FILE_CHARS_MAX: Final = 80
PHASES_NAMED_MAX: Final = 6

TURN_CHARS_MAX: Final = 1_500


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What a persona finds when it takes over."""

    name: str
    phases: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    open_questions: int = 0


def root(persona: Persona, title: str, phases: Sequence[str]) -> Message:
    """The message in the channel under which a persona's thread hangs."""
    led = joined([short(phase) for phase in phases[:PHASES_NAMED_MAX]])
    part = f" leads {led} here." if led else " sits at this table."
    role = "" if _nameless(persona) else f", {short(persona.role)},"
    name = words(short(persona.name), bold=True)
    return message(paragraph([name, words(f"{role}{part}")], short(title, TITLE_CHARS_MAX)))


def greeting(persona: Persona, phase: str, taken_over: TakenOver | None = None) -> Message:
    """First words of a persona in its thread."""
    rows = [[words(f"Hi, {introduced(persona)}")]]
    if identity := short(persona.identity, IDENTITY_CHARS_MAX):
        rows.append([words(identity, italic=True)])
    return message(paragraph(*rows, *_taken_over(taken_over), _begin(phase)))


def introduced(persona: Persona) -> str:
    """Name and role in the first person; the role alone where it says the name as well."""
    name = "" if _nameless(persona) else f"{short(persona.name)}, "
    return f"I'm {name}your {short(persona.role)}."


def return_greeting(phase: str, taken_over: TakenOver | None = None) -> Message:
    """The words of a persona whose thread was open before."""
    opening = [words("I'm back with you.")]
    return message(paragraph(opening, *_taken_over(taken_over), _begin(phase)))


def handover(name: str, phase: str, url: str) -> Message:
    """One line in the thread that is left."""
    leads = f", who leads {short(phase)}" if phase else ""
    over = words(f"I'm handing over to {short(name)}{leads}: ")
    return message(paragraph([over, link(url, "continue there"), words(".")]))


def spoken(kind: LineKind, args: Mapping[str, str]) -> Message:
    return message(paragraph(phrase_leaves(WORDING.lines[kind], args)))


def turn(text: str) -> Message:
    """What a persona says in an elaboration."""
    return message(paragraph(short(text, TURN_CHARS_MAX)))


def held_back() -> Message:
    """Instead of an export, where the session was halted for a secret meanwhile."""
    reason = "I hold the export back: a password, key or token was found meanwhile"
    return message(paragraph(f"{reason}. Once that is settled, export again."))


def no_upload(name: str, why: RefusalWords) -> Message:
    """Instead of an export that Slack does not take: why, what helps, and the way without Slack."""
    reason = f"The export could not be put here: {short(name)}. {why.what}"
    instead = "{helps} Whoever runs me can fetch it with `roundtable export`."
    return message(paragraph(reason, sentence(instead, helps=why.helps)))


def _nameless(persona: Persona) -> bool:
    return not persona.name or persona.role.endswith(persona.name)


def _begin(phase: str) -> str:
    return f"We begin with {short(phase)}." if phase else "Let us begin."


def _taken_over(taken_over: TakenOver | None) -> list[list[Leaf]]:
    """One line on what is taken over."""
    if taken_over is None:
        return []
    phases = [short(phase) for phase in taken_over.phases[-PHASES_NAMED_MAX:]]
    done = f": {joined(phases)} {'is' if len(phases) == 1 else 'are'} done" if phases else ""
    text = f"I take over from {short(taken_over.name)}{done}."
    if taken_over.files:
        text += f" Written so far: {listed(taken_over.files, FILES_NAMED_MAX, FILE_CHARS_MAX)}."
    if taken_over.open_questions:
        text += f" {counted(taken_over.open_questions, 'question')} stayed open."
    return [[words(text)]]
