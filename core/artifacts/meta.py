"""`meta.json`: how a folder travels. The database is the record; this file repeats it."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, cast, get_args

AnalysisStatus = Literal["raw", "partial", "analyzed"]
MetaState = Literal["absent", "corrupt", "ok"]

META_FILE: Final = "meta.json"
ABSENT: Final = "ERR-META-001"
CORRUPT: Final = "ERR-META-002"
BAD_STEPS: Final = "ERR-META-004"
BAD_OVERRIDES: Final = "ERR-META-005"

_KEYS: Final = (
    "slug",
    "title",
    "source",
    "owner",
    "created_at",
    "analysis_status",
    "phases_completed",
    "steps_completed",
    "depth_overrides",
    "acceptance",
)


@dataclass(frozen=True, slots=True)
class Owner:
    team: str
    channel: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    by: str
    at: str  # ISO 8601


@dataclass(frozen=True, slots=True)
class Meta:
    slug: str
    title: str
    source: str
    owner: Owner
    created_at: str  # ISO 8601
    analysis_status: AnalysisStatus = "raw"
    phases_completed: tuple[str, ...] = ()
    steps_completed: tuple[str, ...] = ()
    depth_overrides: Mapping[str, str] = field(default_factory=dict)
    acceptance: Mapping[str, Acceptance] = field(default_factory=dict)


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
    found = _mapping(text)
    if found is None:
        return None
    steps, overrides = found.get("steps_completed", []), found.get("depth_overrides", {})
    types = {
        **({} if isinstance(steps, list) else {BAD_STEPS: _json_type(steps)}),
        **({} if isinstance(overrides, dict) else {BAD_OVERRIDES: _json_type(overrides)}),
    }
    owner = _dict(found.get("owner"))
    status = found.get("analysis_status")
    meta = Meta(
        slug=_str(found.get("slug")),
        title=_str(found.get("title")),
        source=_str(found.get("source")),
        owner=Owner(_str(owner.get("team")), _str(owner.get("channel"))),
        created_at=_str(found.get("created_at")),
        analysis_status=cast("AnalysisStatus", status)
        if status in get_args(AnalysisStatus)
        else "raw",
        phases_completed=_strs(found.get("phases_completed")),
        steps_completed=_strs(steps),
        depth_overrides={_str(key): _str(str(value)) for key, value in _dict(overrides).items()},
        acceptance=_acceptance(found.get("acceptance")),
    )
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
    kept = (_mapping(existing) if existing else None) or {}
    content: dict[str, object] = {
        "slug": meta.slug,
        "title": meta.title,
        "source": meta.source,
        "owner": {"team": meta.owner.team, "channel": meta.owner.channel},
        "created_at": meta.created_at,
        "analysis_status": meta.analysis_status,
        "phases_completed": list(meta.phases_completed),
        "steps_completed": list(meta.steps_completed),
        "depth_overrides": dict(meta.depth_overrides),
        "acceptance": {
            phase: {"by": accepted.by, "at": accepted.at}
            for phase, accepted in meta.acceptance.items()
        },
    }
    content |= {key: value for key, value in kept.items() if key not in _KEYS}
    return json.dumps(content, indent=2) + "\n"


def _mapping(text: str) -> dict[str, object] | None:
    try:
        found = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refused(constant: str) -> object:
    raise ValueError(constant)  # NaN and Infinity are no JSON


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(number)  # 1e999 would be written back as Infinity
    return value


def _acceptance(value: object) -> dict[str, Acceptance]:
    entries = {_str(phase): _dict(entry) for phase, entry in _dict(value).items()}
    return {
        phase: Acceptance(_str(entry.get("by")), _str(entry.get("at")))
        for phase, entry in entries.items()
        if entry
    }


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _str(value: object) -> str:
    # JSON can spell half a character, "\ud800", which no journal and no message takes.
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode(errors="replace").decode()


def _strs(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(_str(item) for item in listed if isinstance(item, str))
