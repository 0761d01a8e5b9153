"""`meta.json`: how a folder travels. The database is the record; this file repeats it."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Final, Literal, get_args

from pydantic import BeforeValidator, TypeAdapter

AnalysisStatus = Literal["raw", "partial", "analyzed"]
MetaState = Literal["absent", "corrupt", "ok"]

META_FILE: Final = "meta.json"
ABSENT: Final = "ERR-META-001"
CORRUPT: Final = "ERR-META-002"
BAD_STEPS: Final = "ERR-META-004"
BAD_OVERRIDES: Final = "ERR-META-005"


def _text(value: object) -> str:
    # JSON can spell half a character, "\ud800", which no journal and no message takes.
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode(errors="replace").decode()


def _texts(value: object) -> list[object]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _object(value: object) -> dict[object, object]:
    return value if isinstance(value, dict) else {}


def _known_status(value: object) -> object:
    return value if value in get_args(AnalysisStatus) else "raw"


def _depths(value: object) -> dict[object, object]:
    return {key: str(depth) for key, depth in _object(value).items()}


def _owner(value: object) -> dict[str, object]:
    return _only(value, "team", "channel")


def _entries(value: object) -> dict[object, object]:
    entries = _object(value).items()
    return {phase: _only(entry, "by", "at") for phase, entry in entries if _object(entry)}


def _only(value: object, *names: str) -> dict[str, object]:
    content = _object(value)
    return {name: content[name] for name in names if name in content}


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_texts)]


# What is of another type than it should be is put right when the file is read.


@dataclass(frozen=True, slots=True)
class Owner:
    team: Text = ""
    channel: Text = ""


@dataclass(frozen=True, slots=True)
class Acceptance:
    by: Text = ""
    at: Text = ""  # ISO 8601


@dataclass(frozen=True, slots=True)
class Meta:
    slug: Text = ""
    title: Text = ""
    source: Text = ""
    owner: Annotated[Owner, BeforeValidator(_owner)] = Owner()
    created_at: Text = ""  # ISO 8601
    analysis_status: Annotated[AnalysisStatus, BeforeValidator(_known_status)] = "raw"
    phases_completed: Texts = ()
    steps_completed: Texts = ()
    depth_overrides: Annotated[Mapping[Text, Text], BeforeValidator(_depths)] = field(
        default_factory=dict
    )
    acceptance: Annotated[Mapping[Text, Acceptance], BeforeValidator(_entries)] = field(
        default_factory=dict
    )


_META: Final = TypeAdapter(Meta)
_KEYS: Final = tuple(key.name for key in fields(Meta))


@dataclass(frozen=True, slots=True)
class MetaFound:
    """What lay in the folder. `kept_as` is the name a corrupt file was set aside under."""

    state: MetaState
    meta: Meta | None = None
    faults: tuple[str, ...] = ()
    kept_as: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)  # by code: what stood there instead


def analysis_status(phases_completed: Iterable[str], all_phases: Iterable[str]) -> AnalysisStatus:
    """raw: no phase is done; analyzed: every phase is; else partial."""
    done, needed = set(phases_completed), set(all_phases)
    if not done & needed:
        return "raw"
    return "analyzed" if needed <= done else "partial"


def meta_in(text: str) -> MetaFound | None:
    """The file's content, wrong types put right; None if it is no JSON object."""
    content = _mapping(text)
    if content is None:
        return None
    steps, overrides = content.get("steps_completed", []), content.get("depth_overrides", {})
    types = {
        **({} if isinstance(steps, list) else {BAD_STEPS: _json_type(steps)}),
        **({} if isinstance(overrides, dict) else {BAD_OVERRIDES: _json_type(overrides)}),
    }
    meta = _META.validate_python(_only(content, *_KEYS))
    return MetaFound("ok", meta, tuple(types), types=types)


def _json_type(value: object) -> str:
    """What JSON calls a value of that type."""
    if isinstance(value, bool):
        return "a boolean"
    numbers = {int: "a number", float: "a number"}
    names = {**numbers, str: "a string", list: "an array", dict: "an object"}
    return names.get(type(value), "null")


def meta_text(meta: Meta, existing: str | None) -> str:
    """The file, with whatever keys of others the existing one holds."""
    before = (_mapping(existing) if existing else None) or {}
    content = _META.dump_python(meta, mode="json")
    content |= {key: value for key, value in before.items() if key not in _KEYS}
    return json.dumps(content, indent=2) + "\n"


def _mapping(text: str) -> dict[str, object] | None:
    try:
        content = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _refused(constant: str) -> object:
    raise ValueError(constant)  # NaN and Infinity are no JSON


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(number)  # 1e999 would be written back as Infinity
    return value
