"""Reads the party file. What was read is remembered by its text, for it is asked for often."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from core.content import files, front_matter
from core.content.models.agent import agent_fault
from core.content.models.party import parse_party
from core.content.models.values import is_key
from core.domain.ids import PersonaKey
from core.domain.party import PARTY_FILE, Party
from core.domain.steps.playbook import AgentFile, Phase, StepFault

REMEMBERED_MAX: Final = 8  # texts of party files


def read(path: str, root: Path) -> Party | tuple[StepFault, ...]:
    """The party, or everything that is wrong with its file (ERR-RT-002)."""
    try:
        return _parsed(_text(path, root))
    except (files.UnreadableFileError, front_matter.MalformedError) as why:
        return (agent_fault(PARTY_FILE, hint=str(why)),)


def persona_keys(path: str, root: Path) -> frozenset[PersonaKey]:
    """The keys that a file gives to personas, whatever else is wrong with it."""
    try:
        personas = _front(_text(path, root)).get("personas")
    except (files.UnreadableFileError, front_matter.MalformedError):
        return frozenset()
    items = personas if isinstance(personas, list) else ()
    keys = (item.get("key") for item in items if isinstance(item, dict))
    return frozenset(PersonaKey(str(key)) for key in keys if is_key(key))


def agent_of(party: Party) -> AgentFile:
    """The classic mode in the shape of an agent file."""
    return AgentFile(party.name, party.description, party.personas, party.classic.phases)


def phases_of(party: Party) -> tuple[Phase, ...]:
    """The phases of the party mode, each led by the first of its members."""
    return tuple(
        Phase(phase.key, phase.label, phase.members[0]) for phase in party.phases if phase.members
    )


def _text(path: str, root: Path) -> str:
    _, text = files.read_text(path, root)
    return text


def _front(text: str) -> dict[str, object]:
    return front_matter.load(text, chars_max=files.FILE_BYTES_MAX, first_line=1)


@lru_cache(maxsize=REMEMBERED_MAX)
def _parsed(text: str) -> Party | tuple[StepFault, ...]:
    return parse_party(_front(text))
