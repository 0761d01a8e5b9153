"""All cases by subject, in the order in which they are listed and run."""

from collections.abc import Mapping, Sequence
from typing import Final

from tests.conformance.cases import (
    blocks,
    chat,
    door,
    files,
    http,
    newer_blocks,
    reactions,
    reading,
    socket,
    trouble,
    views,
)
from tests.conformance.values import Case

SUBJECTS: Final[Mapping[str, Sequence[Case]]] = {
    "Tokens, scopes and headers": door.TOKENS,
    "Bodies": door.BODIES,
    "Installing and leaving": door.INSTALLING,
    "Messages posted": chat.POSTED,
    "Messages updated": chat.UPDATED,
    "Messages deleted": chat.DELETED_CASES,
    "Ephemerals": chat.EPHEMERAL,
    "Blocks": blocks.CASES,
    "Newer blocks": newer_blocks.CASES,
    "Threads": reading.THREADS,
    "Channels": reading.CHANNELS,
    "People and memberships": reading.PEOPLE,
    "Reactions": reactions.CASES,
    "Modals opened": views.OPENED,
    "Modals in a stack": views.STACKED,
    "The Home tab": views.HOMES,
    "Files": files.CASES,
    "Socket Mode and events": socket.CASES,
    "Events over HTTP": http.CASES,
    "Trouble, and answers": trouble.CASES,
}
CASES: Final = tuple(case for cases in SUBJECTS.values() for case in cases)
