"""What the pre-flight of sessions found wanting, as long as they are under way."""

import json
import sqlite3
from collections.abc import Collection
from typing import Final

from bot.cli.doctor.check import Check, DoctorCheck
from bot.views.kit.names import counted
from core.domain.session import ENDED

PREFLIGHT: Final = DoctorCheck(
    "pre-flight", "database", "what each session under way lacked when it began"
)
SHOWN_MAX: Final = 5
REMEDY: Final = "See /roundtable status --errors in the channel; what is put right serves the next."


def check(connection: sqlite3.Connection, tables: Collection[str]) -> Check:
    """One line for all of them. A document that is not readable as JSON is another check's."""
    if "sessions" not in tables:
        return PREFLIGHT.ok("no session yet")
    places = ", ".join("?" * len(ENDED))
    rows = connection.execute(
        "SELECT slug, json_extract(doc, '$.missed') FROM sessions "  # noqa: S608 - placeholders
        f"WHERE status NOT IN ({places}) AND json_valid(doc) ORDER BY updated_at DESC",
        sorted(ENDED),
    )
    wanting = [(slug, json.loads(missed)) for slug, missed in rows if missed]
    if not wanting:
        return PREFLIGHT.ok("nothing")
    some = [f"{slug}: {each['what']} ({each.get('found', '')})"
            for slug, missed in wanting for each in missed]  # fmt: skip
    more = ", …" if len(some) > SHOWN_MAX else ""
    found = f"{counted(len(wanting), 'session')}: {', '.join(some[:SHOWN_MAX])}{more}"
    return PREFLIGHT.warn(found, REMEDY)
