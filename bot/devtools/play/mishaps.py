"""The `before` part of a play file: what the world does wrong, read."""

import math
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final, get_args

from bot.devtools.play.notes import Notes, shown
from bot.devtools.play.script import (
    BrainFails,
    BrainTrouble,
    CleanupFails,
    ClockMoves,
    Mishap,
    Removes,
    Restarts,
    SlackFails,
    SlackTrouble,
    TeamRefuses,
    WriteFails,
    Writes,
)
from core import patterns
from core.domain.ids import PersonaKey

STEPS: Final = "steps"
WRITE_FAILS: Final = "write-fails"
RETRY_AFTER_S_MAX: Final = 600.0
CLOCK_S_MAX: Final = 366 * 86_400.0
TIMES_MAX: Final = 1000

_UNITS: Final[Mapping[str, int]] = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_SPAN: Final = patterns.compile(r"\+?((?:\d+(?:\.\d+)?[smhd])+)")
_PART: Final = patterns.compile(r"(\d+(?:\.\d+)?)([smhd])")
_METHOD: Final = patterns.compile(r"[a-zA-Z]+(?:\.[a-zA-Z]+)+")
_DRIVE: Final = patterns.compile(r"[A-Za-z]:")
_PERSONA: Final = patterns.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_SLACK: Final[Mapping[str, SlackTrouble]] = {
    "429": "429",
    "500": "500",
    "drop": "drop",
    "accept-then-drop": "accept-then-drop",
    "redeliver": "redeliver",
    "revoke": "revoke",
    "unrevoke": "unrevoke",
}
_BRAIN: Final[Mapping[str, BrainTrouble]] = {kind: kind for kind in get_args(BrainTrouble)}


def read(path: str, value: object, notes: Notes) -> Mishap | None:
    if not isinstance(value, Mapping):
        notes.add(path, "what happens is a mapping like {slack: 429}")
        return None
    kinds = [kind for kind in _MISHAPS if kind in value]
    if len(kinds) != 1:
        which = f"{' and '.join(kinds)} stand together" if kinds else "none of them is here"
        notes.add(path, f"what happens is one of {', '.join(_MISHAPS)}; {which}")
        return None
    allowed, make = _MISHAPS[kinds[0]]
    notes.unknown(path, value, (kinds[0], *allowed))
    return make(path, value, notes)


def _slack(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    kind = _SLACK.get(str(value["slack"]))
    if kind is None:
        notes.add(f"{path}.slack", f"{shown(value['slack'])} is none of {', '.join(_SLACK)}")
    method = value.get("method")
    if method is not None and not _METHOD.fullmatch(str(method)):
        notes.add(f"{path}.method", f"{shown(method)} is no method like chat.postMessage")
    wait = value.get("retry_after", 1)
    if not _is_number(wait) or not 0 <= wait <= RETRY_AFTER_S_MAX:
        notes.add(f"{path}.retry_after", f"seconds from 0 to {RETRY_AFTER_S_MAX:g} are needed")
        return None
    times = _times(path, value, notes)
    return SlackFails(kind, method, float(wait), times) if kind else None


def _brain(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    kind = _BRAIN.get(str(value["brain"]))
    if kind is None:
        notes.add(f"{path}.brain", f"{shown(value['brain'])} is none of {', '.join(_BRAIN)}")
    persona = value.get("persona")
    if persona is not None and not _PERSONA.fullmatch(str(persona)):
        notes.add(f"{path}.persona", f"{shown(persona)} is no persona like business-analyst")
        return None
    times = _times(path, value, notes)
    key = None if persona is None else PersonaKey(str(persona))
    return BrainFails(kind, key, times) if kind else None


def _team(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    times = _times(path, value, notes)
    return TeamRefuses(times) if _is_word(path, "team", "refuse", value, notes) else None


def _cleanup(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    times = _times(path, value, notes)
    return CleanupFails(times) if _is_word(path, "cleanup", "fail", value, notes) else None


def _write_fails(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    times = _times(path, value, notes)
    where = _inside(path, WRITE_FAILS, value, notes)
    if where is not None and len(PurePosixPath(where).parts) > 1:
        notes.add(f"{path}.{WRITE_FAILS}", f"{shown(where)} is no file of the artifact folder")
        return None
    return None if where is None else WriteFails(where, times)


def _is_word(path: str, key: str, word: str, value: Mapping[Any, Any], notes: Notes) -> bool:
    if value[key] == word:
        return True
    notes.add(f"{path}.{key}", f"{shown(value[key])} is not {word}")
    return False


def _times(path: str, value: Mapping[Any, Any], notes: Notes) -> int:
    times = notes.count(path, value, "times", 1) or 1
    if times > TIMES_MAX:
        notes.add(f"{path}.times", f"{TIMES_MAX} times are enough")
    return times


def _write(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    where = _inside(path, "write", value, notes)
    text = notes.text(path, value, "text")
    return None if where is None or text is None else Writes(where, text)


def _remove(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    if value["remove"] == ".":
        return Removes(".")  # the artifact folder itself
    where = _inside(path, "remove", value, notes)
    return None if where is None else Removes(where)


def _inside(path: str, key: str, value: Mapping[Any, Any], notes: Notes) -> str | None:
    """A relative path that leads out of nowhere: into the step tree or the artifact folder."""
    where = value[key]
    fault = None
    if not isinstance(where, str) or not where.strip():
        fault = f"{shown(where)} is no path"
    elif "\\" in where or not where.isprintable():
        fault = "folders are parted by /, and nothing unprintable stands in it"
    elif PurePosixPath(where).is_absolute() or _DRIVE.match(where):
        fault = "the path is absolute; it must be relative to the artifact folder or to steps/"
    elif ".." in PurePosixPath(where).parts:
        fault = "the path leads out of its folder (..)"
    elif PurePosixPath(where).parts in ((), (STEPS,)):
        fault = "it names the whole folder; name something inside of it"
    if fault is not None:
        notes.add(f"{path}.{key}", fault)
        return None
    return str(PurePosixPath(str(where)))


def _restart(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    return Restarts() if _is_word(path, "restart", "kill", value, notes) else None


def _clock(path: str, value: Mapping[Any, Any], notes: Notes) -> Mishap | None:
    seconds = _span(value["clock"])
    if seconds is None or seconds > CLOCK_S_MAX:
        fault = f"{shown(value['clock'])} is no span like +90s, +5m, +2h or +1d, a year at most"
        notes.add(f"{path}.clock", fault)
        return None
    return ClockMoves(seconds)


def _span(value: object) -> float | None:
    found = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return None
    parts = _PART.findall(found[1])
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def _is_number(value: object) -> bool:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return good and math.isfinite(float(value))  # type: ignore[arg-type] # it is a number here


_Maker = Callable[[str, Mapping[Any, Any], Notes], Mishap | None]
_MISHAPS: Final[Mapping[str, tuple[tuple[str, ...], _Maker]]] = {
    "slack": (("method", "retry_after", "times"), _slack),
    "brain": (("persona", "times"), _brain),
    "team": (("times",), _team),
    "cleanup": (("times",), _cleanup),
    WRITE_FAILS: (("times",), _write_fails),
    "write": (("text",), _write),
    "remove": ((), _remove),
    "restart": ((), _restart),
    "clock": ((), _clock),
}
