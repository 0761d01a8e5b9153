"""What a journal row holds: the event by reference, and what is needed to decide it once more.

`doc` is the event without what stands in columns beside it and in rows of its own; `extra` is what
those rows cannot give back later: what was overwritten, looked up elsewhere, or never stored. The
outcome of the decision stands beside: a checksum of the session's document, the settings it was
decided under, and the effects in their order.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import SessionId
from core.domain.session import Session
from core.engine.kernel.situation import Situation, Transition
from core.store.documents.codec import adapter, dump, dump_event, dump_session
from core.store.statements import sessions, steps
from core.store.statements.statement import Value

CONDITIONS: Final = "conditions"
MARK_CHARS: Final = 6
Extra = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Conditions:
    """The settings a decision rests on. They may differ from one start of the bot to the next."""

    quiet_s: float = 0.0
    remind_s: float = 0.0
    deadline_s: float = 60.0
    tiers: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def mark_of(conditions: Conditions) -> str:
    """What a row calls them by."""
    return f"{zlib.crc32(dump(conditions).encode()):08x}"[:MARK_CHARS]


class JournalledDecision(NamedTuple):
    """A decision with what it rests on. `event` is not `given` where damage was found instead."""

    result: Transition
    event: on.Event
    given: on.Event
    seen: Situation
    conditions: str = ""


def keep_conditions(db: sqlite3.Connection, conditions: Conditions) -> None:
    digest = f"{CONDITIONS}:{mark_of(conditions)}"
    sessions.SAVE_CONTENT(db, digest=digest, kind=CONDITIONS, doc=dump(conditions))


class DecisionOutcome(NamedTuple):
    """What a decision led to, as its journal row says it."""

    checksum: str
    conditions: str
    effects: str

    @classmethod
    def of(cls, doc: str, effects: Iterable[fx.Effect], conditions: str) -> "DecisionOutcome":
        """`doc` is the session's document after it, `conditions` the mark of the settings."""
        names = " ".join(type(effect).__name__ for effect in effects)
        return cls(f"{zlib.crc32(doc.encode()):08x}", conditions, names)


def row_of(
    db: sqlite3.Connection, session: Session, doc: str, decided: JournalledDecision
) -> dict[str, Value]:
    """All columns of the row. Made before the records are saved: it needs what they overwrite."""
    event, seen = decided.event, decided.seen.session
    extra = _extra(db, session, decided)
    return {
        "session": session.id,
        "place": (seen.version if seen else 0) + 1,
        "at": event.at,
        "kind": type(event).__name__,
        "by": getattr(event, "by", None),
        "doc": dump_event(event),
        "extra": json.dumps(extra, ensure_ascii=False, separators=(",", ":")) if extra else None,
        **DecisionOutcome.of(doc, decided.result.effects, decided.conditions)._asdict(),
    }


def _extra(db: sqlite3.Connection, session: Session, decided: JournalledDecision) -> Extra:
    """Most events are answers, clicks and files that were read: those are through here at once."""
    event, seen = decided.event, decided.seen
    extra: Extra = {}
    if overwritten := _overwritten(db, session.id, decided.result.records):
        extra["was"] = overwritten
    if others := [asdict(known) for known in seen.known if known.id != session.id]:
        extra["known"] = others
    more = _MORE.get(type(event))
    return extra | more(event, decided) if more is not None else extra


def _told(event: Any, _: JournalledDecision) -> Extra:
    # An address that opens a door: that it was there is enough.
    return {"respond_to": True} if event.respond_to else {}


def _posted(event: on.MessagePosted, decided: JournalledDecision) -> Extra:
    place = _place(decided.seen)
    if any(isinstance(record, fx.AnswerSaved) for record in decided.result.records):
        return place
    return place | {"text": event.text, "permalink": event.permalink}


def _secret(event: on.SecretFound, decided: JournalledDecision) -> Extra:
    said = event.said
    return _place(decided.seen) | {"said": [type(said).__name__, json.loads(dump(said))]}


def _thread_read(event: on.ThreadRead, decided: JournalledDecision) -> Extra:
    extra: Extra = {"found": [json.loads(dump(each)) for each in event.found]}
    return extra | ({"taken": sorted(decided.seen.taken)} if decided.seen.taken else {})


def _consulted(event: on.Consulted, _: JournalledDecision) -> Extra:
    return {"contribution": json.loads(dump(event.contribution))}


def _damaged(event: on.DamageFound, decided: JournalledDecision) -> Extra:
    if event is decided.given:
        return {}
    extra: Extra = {"instead": type(decided.given).__name__}
    found = decided.seen.session
    if found is not None and _unreadable(found):
        extra["found"] = json.loads(dump_session(found))
    return extra


def _unreadable(session: Session) -> bool:
    """Whether its damage is a row that said nothing, and not the session itself, kept as found."""
    return not session.damage.startswith("{")


def _place(seen: Situation) -> Extra:
    """Where it was said, unless that is where everybody is."""
    session = seen.session
    asked = seen.asked.id if seen.asked else None
    if session is None or (seen.thread == session.voice and asked == session.step):
        return {}
    return {"thread": seen.thread, "asked": asked}


def _draft(event: on.BrainReplied, _: JournalledDecision) -> Extra:
    """All of a draft but its claims and the text of its sections: those are rows."""
    draft = event.draft
    kept = adapter(type(draft)).dump_json(
        draft, exclude={"claims", "sections"}, exclude_defaults=True
    )
    extra: Extra = {"draft": json.loads(kept)}
    if draft.sections:
        extra["sections"] = [section.file for section in draft.sections]
    if event.elsewhere:
        extra["elsewhere"] = [[section.step, section.file] for section in event.elsewhere]
    return extra


def _overwritten(
    db: sqlite3.Connection, session: SessionId, records: Iterable[fx.Record]
) -> Mapping[str, list[Any]]:
    """The claims that are about to go, by step, where others come in their place.

    Most of them come again: a number says which of the new ones one was.
    """
    found: dict[str, list[Any]] = {}
    replaced = {
        record.step: record.claims for record in records if isinstance(record, fx.ClaimsReplaced)
    }
    for step, claims in replaced.items():
        row = steps.STEP_CLAIMS(db, session=session, step=step).fetchone()
        before = _read(row[0]) if row else []
        after = [json.loads(dump(claim)) for claim in claims]
        if before != after:
            found[step] = [after.index(each) if each in after else each for each in before]
    return found


def _read(doc: str) -> list[Any]:
    """Nothing is lost where nothing could be read any more."""
    try:
        claims = json.loads(doc)
    except ValueError:
        return []
    return claims if isinstance(claims, list) else []


def back(were: Iterable[Any], now: Sequence[Any]) -> list[Any]:
    """The claims of before, from what a row says of them and those that came in their place."""
    return [now[each] if isinstance(each, int) else each for each in were]


_MORE: Final[Mapping[type[Any], Callable[[Any, JournalledDecision], Extra]]] = {
    on.SessionRequested: _told,
    on.FlowOpened: _told,
    on.PostRefused: _told,
    on.MessagePosted: _posted,
    on.SecretFound: _secret,
    on.BrainReplied: _draft,
    on.ThreadRead: _thread_read,
    on.Consulted: _consulted,
    on.DamageFound: _damaged,
}
