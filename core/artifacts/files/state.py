"""What a party leaves beside its artifacts: `state.json`, and the team while it is running.

The keys of `state.json` are those of seed 001 (State change). The team is a folder of its own with
the roster of whoever is at the table; it is made before a party starts and removed after its end.
"""

import json
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.artifacts.files.permissions import file_mode, make_below
from core.domain.ids import PersonaKey, SessionId
from core.domain.session.session import Session

STATE_FILE: Final = "state.json"
TEAMS: Final = "_teams"  # no slug begins with an underscore
ROSTER: Final = "roster.json"


class TeamError(Exception):
    """The team cannot be made, or cannot be removed. Its text says why."""


def state_text(session: Session) -> str:
    """`state.json` of a party: the same session gives the same text."""
    value = {
        "party_mode": True,
        "status": session.status if session.status in ("completed", "cancelled") else "running",
        "party_phases": {
            record.phase: {
                "status": record.status,
                "agents": list(record.agents),
                "contributions": dict.fromkeys(record.unavailable, "unavailable"),
                "messages": record.messages,
                **({"artifacts": dict.fromkeys(record.unwritten)} if record.unwritten else {}),
                "started_at": record.started_at,
                "completed_at": record.completed_at,
            }
            for record in session.party.records
        },
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def roster_text(members: Collection[PersonaKey]) -> str:
    """`roster.json` of a team."""
    return json.dumps(list(members), indent=2)


class Teams:
    """The running teams, a folder for each below the artifacts' root."""

    def __init__(self, root: Path) -> None:
        self._root = root / TEAMS

    def create(self, session: SessionId, members: Collection[PersonaKey]) -> None:
        """Make the team, with its roster. Twice is once. Raises `TeamError`."""
        team_folder = self._root / session
        try:
            make_below(self._root.parent, team_folder)
            roster = team_folder / ROSTER
            roster.write_text(roster_text(members), encoding="utf-8")
            roster.chmod(file_mode(team_folder))
        except OSError as cause:
            raise TeamError(cause.strerror or type(cause).__name__) from cause

    def delete(self, session: SessionId) -> None:
        """Remove it; one that is gone is removed. Raises `TeamError`."""
        try:
            with suppress(FileNotFoundError):
                shutil.rmtree(self._root / session)
        except OSError as cause:
            raise TeamError(cause.strerror or type(cause).__name__) from cause

    def sweep(self, running: Collection[SessionId]) -> tuple[str, ...]:
        """Remove what a failed clean-up left behind (E-010); the names of what is gone."""
        try:
            names = [path.name for path in self._root.iterdir()]
        except OSError:
            return ()
        gone = []
        for name in sorted(set(names) - set(running)):
            with suppress(OSError):
                shutil.rmtree(self._root / name)
                gone.append(name)
        return tuple(gone)
