"""What came of an event, as its journal row says: a checksum, the settings, the effects in order.

Seven bytes and one for each effect, since every event has it: the session's checksum (4), the
settings' (3), then the effects by number. Rows of before have the same as text.
"""

import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from core.domain import effects as fx
from core.store.packing import Stored

# A row says the number: names are only ever added, at the end.
NAMES: Final = (
    "PostCard", "PaintCard", "OpenThread", "Greet", "HandOver", "PostPrompt", "PaintPrompt",
    "ShowStep", "PaintStep", "ShowPhase", "ShowFault", "ShowRecovery", "ShowMode", "PostReminder",
    "PaintReminder", "PostQuestions", "ShowProposals", "SayContribution", "TellOperators", "Say",
    "SayTurn", "Mark", "Tell", "Respond", "UploadExport", "OpenFlow", "OpenPhase", "OpenStep",
    "WriteFolder", "PreserveState", "WriteReport", "CreateTeam", "DeleteTeam", "WriteState",
    "ReadAnswers", "Speak", "Diagnose", "Consult", "MergeQuestions", "ReadThread", "ShowResult",
)  # fmt: skip
NUMBERS: Final = {name: number for number, name in enumerate(NAMES)}
SESSION_BYTES: Final = 4
SETTINGS_BYTES: Final = 3
NO_SETTINGS: Final = "0" * (2 * SETTINGS_BYTES)


class Came(NamedTuple):
    session: str
    conditions: str
    effects: tuple[str, ...]

    @classmethod
    def read(cls, stored: Stored) -> "Came":
        """Raises `ValueError` or `LookupError` for what was never written."""
        if isinstance(stored, str):
            session, conditions, *effects = stored.split(" ")
            return cls(session, conditions, tuple(effects))
        head = SESSION_BYTES + SETTINGS_BYTES
        session, conditions = stored[:SESSION_BYTES].hex(), stored[SESSION_BYTES:head].hex()
        return cls(session, conditions, tuple(NAMES[number] for number in stored[head:]))


def came_of(doc: str, effects: Iterable[fx.Effect], conditions: str) -> bytes:
    """As it is written down, and `Came` reads it."""
    settings = bytes.fromhex((conditions or NO_SETTINGS)[: 2 * SETTINGS_BYTES])
    names = bytes([NUMBERS[effect.__class__.__name__] for effect in effects])
    return zlib.crc32(doc.encode()).to_bytes(SESSION_BYTES, "big") + settings + names
