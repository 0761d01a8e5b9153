"""What the player hands to the bot's process at its start."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, Self

Transport = Literal["socket", "http"]

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Config:
    controls: str  # the folder of the files by which the play steers it
    transport: Transport
    counts: bool = False  # whether it notes the points where a crash could be
    crash_at: int | None = None  # the number of the point where it crashes

    @classmethod
    def read(cls, path: Path) -> Self:
        return cls(**json.loads(path.read_text()))

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))
