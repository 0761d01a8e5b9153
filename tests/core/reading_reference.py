"""What the scripted readers make of texts in many scripts and of the example plays, kept.

    python -m tests.core.reading_reference

writes the digests again, after a change that is meant to read something otherwise.
"""

import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import yaml

from core.artifacts.compose.layouts import sections
from core.brains.script.performing import consult
from core.brains.script.reading import read
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party.contributions import Want
from tests.core.test_scripted import request
from tests.support import council_requests
from tests.support.composing import compose
from tests.support.follow_ups import question_of
from tests.support.inception import STEPS, asked

DATA: Final = Path(__file__).parent / "data"
KEPT: Final = DATA / "readings.txt"
PLAYS: Final = Path(__file__).parents[2] / "docs" / "examples"
ANALYSIS: Final = (
    *("00-01", "00-03", "01-01", "01-05", "01-06", "01-07", "01-08", "02-03", "03-02", "03-03"),
    *("04-03", "04-04"),
)
OUTPUTS: Final = ("requirements.md", "user-stories.md", "impact.md", "design.md", "decisions.md")
SHARES: Final = 3
"""Into so many the readers are dealt out; every text has a digest for each."""
TURNS: Final[tuple[tuple[PersonaKey, PhaseKey, Want], ...]] = (
    (council_requests.NADIA, council_requests.VISION, "position"),
    (council_requests.TESSA, council_requests.VISION, "position"),
    (council_requests.LIAM, council_requests.STACK, "position"),
    (council_requests.ZARA, council_requests.STACK, "revision"),
    (council_requests.DRAWS, council_requests.BLUEPRINT, "position"),
    (council_requests.MODELS, council_requests.BLUEPRINT, "position"),
)


def texts() -> list[str]:
    """The lines in many languages, then everything that is said in the plays."""
    lines = (DATA / "languages.txt").read_text().splitlines()
    plays = [yaml.safe_load(path.read_text()) for path in sorted(PLAYS.glob("*.yaml"))]
    return list(dict.fromkeys([*lines, *(text for play in plays for text in _said(play))]))


def _said(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key in ("reply", "edit", "text") and isinstance(value, str):
                yield value
            else:
                yield from _said(value)
    elif isinstance(part, list):
        for item in part:
            yield from _said(item)


def readings(text: str, share: int) -> Iterator[Any]:
    """What the readers of a share make of one answer: claims, and the sections made of them."""
    analysis = [partial(request, step, outputs=OUTPUTS) for step in ANALYSIS]
    inception = [partial(asked, step) for step in STEPS]
    for asking in (*analysis, *inception)[share::SHARES]:
        made = asking(text)
        draft = read(made)
        yield made.step.id, draft.claims, question_of(draft), draft.scan
        parts = sections(made, draft)
        yield [compose(part.file, "A title", "a-slug", (part,), None) for part in parts]
    for persona, phase, want in TURNS[share::SHARES]:
        yield consult(council_requests.request(persona, want, *council_requests.said(phase, text)))


def digest(text: str, share: int) -> str:
    return sha256(repr(list(readings(text, share))).encode()).hexdigest()[:12]


if __name__ == "__main__":
    lines = (" ".join(digest(text, share) for share in range(SHARES)) for text in texts())
    KEPT.write_text("\n".join(lines) + "\n")
    sys.stdout.write(f"{KEPT}\n")
