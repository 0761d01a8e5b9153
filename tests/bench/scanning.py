"""Row 11: how long a text is looked at for secrets, and that no text can make it take longer."""

from collections.abc import Sequence
from statistics import median
from typing import Final

from core.secrets import find
from tests.bench.answer import ANSWER
from tests.bench.arena import Arena
from tests.bench.figures import Figure, Subject
from tests.bench.pairs import mean_s
from tests.bench.size import Size

TEXT_CHARS: Final = 4_000
LONGER: Final = 8
SLACK: Final = 2.5  # what a busy machine may add to a fair share; squared it would be LONGER

SCAN: Final = Subject(11, "4,000 characters looked at for secrets (median)", "ms", "≤", 1.5, 0.05)

# Made to be begun again at every sign, and to be given up as late as possible.
HOSTILE: Final = (
    "password=",
    "token for ",
    "https://a:b@",
    "http://a:",
    "-----BEGIN " + "PRIVATE KEY-----\n",
    "eyJaaaaaaaa.",
    "xox" + "b-1",
    "basic abcdefgh ",
    "hooks.slack.com/services/",
    "MAAAAAAAAAAAAAAAAAAAAAAA.",
)


def scan(_arena: Arena, size: Size) -> Figure:
    """It holds only if hostile texts take no more than their length in proportion."""
    text = _filled(ANSWER + "\n", TEXT_CHARS)
    find(text)
    seconds = median(mean_s(find, [text]) for _ in range(size.scans))
    return SCAN.measured(seconds * 1000, sound=all(map(_is_linear, HOSTILE)))


def _is_linear(again: str) -> bool:
    short, long = _filled(again, TEXT_CHARS), _filled(again, TEXT_CHARS * LONGER)
    find(short)  # compiles what this one needs
    return _fastest_s([long]) <= SLACK * _fastest_s([short] * LONGER) * LONGER


def _fastest_s(texts: Sequence[str]) -> float:
    """Seconds per text; the fastest of a few says least of what else the machine does."""
    return min(mean_s(find, texts) for _ in range(3))


def _filled(again: str, chars: int) -> str:
    return (again * (chars // len(again) + 1))[:chars]
