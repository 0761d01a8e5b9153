"""What `meta.json` must hold so that an unknown folder can be taken up: every flaw, and where.

As docs/schemas/meta.schema.json says. A folder of our own is read more leniently (`meta.meta_in`):
there the database knows what the file does not.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Final, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from core import patterns
from core.artifacts.files.meta import AnalysisStatus
from core.content.models.validation import fits, validated
from core.domain.ids import DEPTHS

FlawLine = tuple[str, str]  # place, and what is wrong there

_WORDS: Final = {
    "missing": "it is missing",
    "extra_forbidden": "nothing of that name belongs there",
    "model_type": "it is no object",
    "dict_type": "it is no object",
    "list_type": "it is no list",
    "string_type": "it is no text",
    "string_unicode": "it is no text",
    "string_too_short": "it is empty",
}


def _like(pattern: str, noun: str) -> BeforeValidator:
    compiled = patterns.compile(pattern)
    return fits(
        lambda value: isinstance(value, str) and compiled.match(value) is not None,
        f"it is no {noun}",
    )


def _one_of(words: tuple[str, ...]) -> BeforeValidator:
    return fits(lambda value: value in words, f"it is none of {', '.join(words)}")


class _Owner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    team: str
    channel: str


class _Acceptance(BaseModel):
    model_config = ConfigDict(extra="forbid")

    by: str
    at: str


class _MetaFile(BaseModel):
    slug: Annotated[str, Field(min_length=1)]
    title: str
    source: str
    owner: _Owner
    created_at: Annotated[str, _like("[0-9]{4}-[0-9]{2}-[0-9]{2}T", "time in ISO 8601")]
    analysis_status: Annotated[str, _one_of(get_args(AnalysisStatus))]
    phases_completed: list[Annotated[str, _like("[0-9]{2}-", "phase (NN-name)")]]
    steps_completed: list[Annotated[str, _like(r"[0-9]{2}-[0-9]{2}\Z", "step id (NN-NN)")]]
    depth_overrides: dict[Any, Annotated[str, _one_of(DEPTHS)]]
    acceptance: dict[Any, _Acceptance]


def flaws(value: object) -> Iterator[FlawLine]:
    """Everything in the content of `meta.json` that is not as it has to be."""
    checked = validated(_MetaFile, value, words=lambda fault: _WORDS.get(fault["type"]))
    for flaw in checked if isinstance(checked, tuple) else ():
        place = flaw.place(0)
        yield f"$.{place}" if place else "$", flaw.hint
