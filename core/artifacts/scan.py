"""`quick-scan.md` and its parseable block: how big it is, by what people said."""

from collections.abc import Mapping
from typing import Final, cast, get_args

from core.artifacts import data, page
from core.artifacts.view import View, list_body
from core.artifacts.words import UNKNOWN
from core.domain.answers import Scan, Section, Size
from core.domain.sizes import contested_parts

SCAN_WORD_CHARS_MAX: Final = 40
_KEYS: Final = ("scope", "complexity", "file_count", "confidence")
_BY_FILES: Final = "scope_by_files"


def body(view: View) -> str:
    """The list, opened by what this step's claims say about size, as front matter of its own."""
    said: dict[str, str] = {}
    for claim in view.own:
        said |= {key: claim.data[key] for key in (*_KEYS, _BY_FILES) if key in claim.data}
    people = {answer.id: answer.by for answer in view.sources.answers.values()}
    scan = [one for one in view.everything if one.step.partition("-")[0] == _phase_of(view)]
    said |= dict.fromkeys(contested_parts(scan, people), UNKNOWN)
    if not said and view.scan:
        parts = {key: getattr(view.scan, key) for key in _KEYS}
        said = {key: str(value) for key, value in parts.items() if value is not None}
    front = f"---\n{data.front_matter(said, None)}---\n\n" if said else ""
    return f"{front}{list_body(view)}"


def _phase_of(view: View) -> str:
    return view.step.id.partition("-")[0]


def taken_off(sections: list[Section]) -> tuple[dict[str, object], list[Section]]:
    """What the sections say of the size, later ones first, and the sections without it.

    What people differ on at one of the steps is unknown, whatever the others say.
    """
    said: dict[str, object] = {}
    contested: set[str] = set()
    plain = []
    for one in sections:
        front, rest = page.front_matter(one.body)
        parts = data.mapping_in(front)
        contested |= {key for key, value in parts.items() if value == UNKNOWN}
        said |= parts
        plain.append(Section(one.file, one.step, one.title, rest))
    said |= dict.fromkeys(contested, UNKNOWN)
    said["scope"] = said.get("scope", said.get(_BY_FILES))
    return said, plain


def block(said: Mapping[str, object], existing: str) -> tuple[str, str]:
    """The block, with the keys that people added to the old one; and the rest of the old file."""
    old, rest = page.front_matter(existing)
    if old is not None and not data.mapping_in(old):
        rest = existing
    values = {key: _value(key, said.get(key)) for key in _KEYS}
    return f"---\n{data.front_matter(values, old)}---\n\n", rest


def _value(key: str, value: object) -> object:
    if value in (None, UNKNOWN):
        return UNKNOWN
    return int(str(value)) if key == "file_count" else str(value)


def parse_quick_scan(text: str) -> Scan:
    """Read the block at the top of `quick-scan.md`. What is missing or odd is unknown."""
    front, _ = page.front_matter(page.unified(text))
    values = data.mapping_in(front)
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
