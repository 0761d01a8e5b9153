"""What lay in the folder of a session: progress that no row knows, and what was wrong with it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from core.domain import events as on
from core.domain.ids import (
    DEPTHS,
    Depth,
    PhaseKey,
)
from core.engine.flow import navigation
from core.engine.kernel.turn import Turn
from core.taxonomy.catalogue import META_CORRUPT_KNOWN


def take_up(turn: Turn, folder: on.FolderFound) -> None:
    """Progress of a folder whose session the database does not know, and what was wrong with it."""
    for code in folder.faults:
        turn.fault(code, thread=None, facts=_instead(folder, code))
    accepted = {key: (by, at) for key, by, at in folder.accepted}
    for phase in turn.course.phases:
        count = sum(1 for step in set(folder.steps_completed) if step[:2] == phase.key[:2])
        phase = replace(phase, done=min(count, phase.count))
        if phase.key in folder.phases_completed:
            by, at = accepted.get(phase.key, ("", ""))
            phase = replace(phase, status="completed", accepted_before=by, accepted_at=at or None)
        turn.save_phase(phase)
    if folder.steps_completed or folder.phases_completed:
        turn.taken_up, turn.created_at = True, _moment(folder.created_at) or turn.created_at
        turn.course = turn.course.steps_taken_up(folder.steps_completed)
        turn.scan = folder.scan or turn.scan
    good, bad = _depths(folder.overrides)
    turn.course = turn.course.depths_taken_up(good)
    for key, value in bad:
        _report_depth(turn, key, value)


def report(turn: Turn, folder: on.FolderFound) -> None:
    for code in folder.faults:
        message = None
        if code == "ERR-META-002" and folder.kept_as:
            message = META_CORRUPT_KNOWN.format(name=folder.kept_as)
        facts = _instead(folder, code)
        turn.fault(code, thread=navigation.thread(turn), message=message, facts=facts)
    for phase, value in _depths(folder.overrides)[1]:
        _report_depth(turn, phase, value)


def _moment(text: str) -> str:
    """The time a folder names, if it is one."""
    try:
        return text if datetime.fromisoformat(text).tzinfo else ""
    except ValueError:
        return ""


def _depths(
    overrides: tuple[tuple[str, str], ...],
) -> tuple[tuple[tuple[PhaseKey, Depth], ...], list[tuple[str, str]]]:
    valid: Mapping[str, Depth] = {depth: depth for depth in DEPTHS}
    good = tuple((PhaseKey(phase), valid[value]) for phase, value in overrides if value in valid)
    return good, [(phase, value) for phase, value in overrides if value not in valid]


def _instead(folder: on.FolderFound, code: str) -> dict[str, str]:
    """What stood in the folder's meta.json in place of what it should be."""
    return {"actual_value": folder.types[code]} if code in folder.types else {}


def _report_depth(turn: Turn, phase: str, value: str) -> None:
    facts = {"field": f"depth_overrides.{phase}", "actual_value": value}
    turn.fault("ERR-DEPTH-002", detail=f"{phase}: {value!r}", facts=facts)
