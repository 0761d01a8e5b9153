"""`quick-scan.md` and its parseable block: how big it is, by what people said."""

from collections.abc import Iterable, Mapping
from typing import Final, cast, get_args

from core.artifacts.compose.view import SectionView
from core.artifacts.document import words
from core.artifacts.document.tree import StepPart
from core.artifacts.render import page
from core.artifacts.render.data import front_matter, mapping_in, yaml_of
from core.domain.answers import Scan, Size
from core.domain.ids import StepId, UserId
from core.domain.stances import contested_parts, views_of_parts

SCAN_WORD_CHARS_MAX: Final = 40
_KEYS: Final = ("scope", "complexity", "file_count", "confidence")
_BY_FILES: Final = "scope_by_files"
_AS_SAID: Final = ("files_said", "files_named")  # a range, a sum; files that were named one by one
_VIEWS: Final = "views:"  # begins a key with what each person said of a part
COUNTED_AS: Final = "file_count_said"
PEOPLE_SAY: Final = "people_say"
UNKNOWN: Final = words.text("unknown")


def step_size(view: SectionView) -> tuple[tuple[str, str], ...]:
    """What the step's claims say about size, for the block at the top."""
    size: dict[str, str] = {}
    for claim in view.standing:
        if "file_count" in claim.data:
            size |= dict.fromkeys(_AS_SAID, "")
        keys = (*_KEYS, _BY_FILES, *_AS_SAID)
        size |= {key: claim.data[key] for key in keys if key in claim.data}
    people = {answer.id: answer.by for answer in view.sources.answers.values()}
    scan = [claim for claim in view.everything if _phase_of(claim.step) == _phase_of(view.step.id)]
    size |= dict.fromkeys(contested_parts(scan, people), UNKNOWN)
    for part, views in views_of_parts(scan, people).items():
        if part in _KEYS:
            size[f"{_VIEWS}{part}"] = _listed(views, view.sources.names)
    if not size and view.scan:
        values = {key: getattr(view.scan, key) for key in _KEYS}
        size = {key: str(value) for key, value in values.items() if value is not None}
    return tuple(size.items())


def _listed(views: Mapping[UserId, str], names: Mapping[UserId, str]) -> str:
    return "; ".join(
        f"{names.get(user) or words.text('someone')}: {value}" for user, value in views.items()
    )


def _phase_of(step: StepId) -> str:
    return step.partition("-")[0]


def block(parts: Iterable[StepPart], existing: str) -> tuple[str, str]:
    """The block's YAML, with the keys that people added to the old one; and the old file's rest."""
    old, body = page.front_matter(existing)
    mapped = mapping_in(old)
    if old is not None and not mapped:
        body = existing
    size = _size_of(parts)
    values = {key: _value(key, size.get(key)) for key in _KEYS} | _beside(size)
    ours = mapped.keys() & {COUNTED_AS, PEOPLE_SAY}
    theirs = yaml_of({key: mapped[key] for key in mapped if key not in ours}) if ours else old
    return front_matter(values, theirs), body


def _beside(size: Mapping[str, str | None]) -> dict[str, object]:
    """How the number of files was given, where it was no plain number; who said what."""
    values: dict[str, object] = {}
    count, estimate = (size.get(key) for key in _AS_SAID)
    if size.get("file_count") != UNKNOWN and (count or estimate):
        values[COUNTED_AS] = (
            words.text("at_least_named").format(count=estimate) if estimate else count
        )
    views = {key: size[f"{_VIEWS}{key}"] for key in _KEYS if size.get(f"{_VIEWS}{key}")}
    return values | ({PEOPLE_SAY: views} if views else {})


def _size_of(parts: Iterable[StepPart]) -> Mapping[str, str | None]:
    """What the sections say of the size, later ones first.

    What people differ on at one of the steps is unknown, whatever the others say.
    """
    size: dict[str, str | None] = {}
    contested: set[str] = set()
    for part in parts:
        contested |= {key for key, value in part.size if value == UNKNOWN}
        size |= dict(part.size)
    size |= dict.fromkeys(contested, UNKNOWN)
    size["scope"] = size.get("scope", size.get(_BY_FILES))
    return size


def _value(key: str, value: str | None) -> object:
    if value is None or value == UNKNOWN:
        return UNKNOWN
    return int(value) if key == "file_count" else value


def parse_quick_scan(text: str) -> Scan:
    """Read the block at the top of `quick-scan.md`. What is missing or odd is unknown."""
    front, _ = page.front_matter(page.unified(text))
    values = mapping_in(front)
    scope, files = _word(values.get("scope")), values.get("file_count")
    return Scan(
        scope=cast("Size", scope) if scope in get_args(Size) else None,
        complexity=_word(values.get("complexity")),
        file_count=files if type(files) is int and files >= 0 else None,
        confidence=_word(values.get("confidence")),
    )


def _word(value: object) -> str | None:
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word and word != UNKNOWN and len(word) <= SCAN_WORD_CHARS_MAX else None
