"""What a journal row holds: the event by reference, and what is needed to decide it once more.

`doc` is the event without what stands in columns beside it and in rows of its own; its extra is
what those rows cannot give back later: what was overwritten, or looked up elsewhere. The outcome of
the decision stands beside: a checksum of the session's document and of words that a reading left on
steps, the settings it was decided under, and the effects in their order.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, get_args

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Section
from core.domain.ids import SessionId, StepId
from core.domain.model_calls import ModelOffer
from core.domain.session.session import Session
from core.domain.session.step_words import StepWords, question_place
from core.engine.kernel.situation import Situation, Transition
from core.store.documents import adapter, dump, dump_session
from core.store.statements import sessions, steps
from core.store.statements.statement import Connection, Value

Extra = dict[str, Any]

EVENTS: Final[Mapping[str, type[Any]]] = {kind.__name__: kind for kind in get_args(on.Event)}
ADDRESS: Final = "not kept"  # in place of an address that only mattered then


@dataclass(frozen=True, slots=True)
class Conditions:
    """The settings a decision rests on. They may differ from one start of the bot to the next."""

    quiet_s: float = 0.0
    remind_s: float = 0.0
    deadline_s: float = 60.0
    tiers: tuple[str, ...] = ()
    offer: ModelOffer = ModelOffer()


@lru_cache(maxsize=16)
def dump_conditions(conditions: Conditions) -> str:
    return dump(conditions)


@lru_cache(maxsize=16)
def conditions_name(conditions: Conditions) -> str:
    """The settings as a journal row says them: with language models, which are long, by digest."""
    doc = dump_conditions(conditions)
    return hashlib.sha256(doc.encode()).hexdigest()[:12] if conditions.offer.models else doc


class JournalledDecision(NamedTuple):
    """A decision with what it rests on. Where damage was found, `event` is not `delivered`."""

    result: Transition
    event: on.Event
    delivered: on.Event
    situation: Situation
    conditions: Conditions = Conditions()


class DecisionOutcome(NamedTuple):
    """What a decision led to, as its journal row says it."""

    checksum: str
    conditions: str
    effects: str

    @classmethod
    def of(cls, doc: str, decision: JournalledDecision) -> "DecisionOutcome":
        """`doc` is the session's document after it."""
        if isinstance(decision.event, on.BrainReplied | on.ModelReplied):
            # their words are read off the steps: somebody may have changed those
            doc += "".join(map(dump, _words_after(decision).values()))
        names = " ".join(type(effect).__name__ for effect in decision.result.effects)
        conditions = conditions_name(decision.conditions)
        return cls(f"{zlib.crc32(doc.encode()):08x}", conditions, names)


def save_entry(db: Connection, session: Session, doc: str, decision: JournalledDecision) -> None:
    """Write what the journal says of a decision.

    Called before its records are saved: it needs what they overwrite.
    """
    event, before = decision.event, decision.situation.session
    if decision.conditions.offer.models:
        _save_conditions(db, decision.conditions)
    place = (before.version if before else 0) + 1
    if extra := _extra(db, session, decision):
        doc_of_extra = _as_json(extra)
        sessions.INSERT_JOURNAL_EXTRA(db, session=session.id, place=place, doc=doc_of_extra)
    is_answer = any(isinstance(record, fx.AnswerSaved) for record in decision.result.records)
    doc_of_event = dump_event(event, is_answer=is_answer)
    if isinstance(event, on.BrainReplied | on.ModelReplied | on.ModelFailed):
        doc_of_event = _dump_reading(db, session.id, decision, doc_of_event)
    sessions.INSERT_JOURNAL(
        db,
        session=session.id,
        place=place,
        at=event.at,
        kind=type(event).__name__,
        by=getattr(event, "by", None),
        doc=doc_of_event,
        **DecisionOutcome.of(doc, decision)._asdict(),
    )


def _save_conditions(db: Connection, conditions: Conditions) -> None:
    digest, doc = conditions_name(conditions), dump_conditions(conditions)
    sessions.SAVE_CONTENT(db, digest=digest, kind="settings", doc=doc)


# ── the event ──

_COLUMNS: Final = {"at": True, "by": True}  # the journal has them beside

# What a step file holds beside its name stands in `contents`, by its digest.
_OF_FILE: Final = {
    "title", "persona", "depth", "outputs", "file", "phase", "depends_on", "skip_if", "short",
    "sources", "reads", "needs", "body", "sections", "extra",
}  # fmt: skip
_OF_SECTION: Final = {
    "__all__": {field.name for field in fields(Section)} - {"step", "file"},
}

# What of a draft quotes people beside its claims. What no step holds of it stands in `extra`.
QUOTING: Final = ("recorded", "follow_up", "closed")
OF_STEP: Final = frozenset({"basis", "lines", "open_criteria", "question", "proposals"})
"""What a reading brought, and its step holds from then on."""
HELD: Final = "held"  # in place of a question that stands on the step, and nobody is asked yet

# What people said and what files held stands in rows of its own; the journal refers to it.
_BY_REFERENCE: Final[Mapping[type[Any], Mapping[str, Any]]] = {
    on.MessageEdited: {"was": True},
    on.SessionRequested: {"text": True, "seed": True},
    on.BrainReplied: {
        "draft": {"claims": True, "sections": _OF_SECTION, **dict.fromkeys(QUOTING, True)},
        "elsewhere": _OF_SECTION,
    },
    on.PhaseOpened: {"files": {"__all__": {"step": _OF_FILE}}},
    on.StepOpened: {"file": {"step": _OF_FILE}},
}
_OF_ANSWER: Final[Mapping[type[Any], Mapping[str, Any]]] = {
    on.MessagePosted: {"text": True, "files": True, "permalink": True},
    on.MessageEdited: {"text": True},
}


def dump_event(event: on.Event, *, is_answer: bool = False) -> str:
    """The event without what other columns and rows hold; `is_answer`: those of an answer too."""
    kind = type(event)
    if isinstance(event, on.SessionRequested | on.FlowOpened | on.PostRefused) and event.respond_to:
        # An address that opens a door: that it was there is enough.
        event = replace(event, respond_to=ADDRESS)
    excluded = {**_COLUMNS, **_BY_REFERENCE.get(kind, {})}
    if is_answer:
        excluded |= _OF_ANSWER.get(kind, {})
    return adapter(kind).dump_json(event, exclude=excluded, exclude_defaults=True).decode()


def _dump_reading(
    db: Connection, session: SessionId, decision: JournalledDecision, event_doc: str
) -> str:
    """The event without what the request's row says, and with numbers for what the step holds."""
    event, doc = decision.event, json.loads(event_doc)
    assert isinstance(event, on.BrainReplied | on.ModelReplied | on.ModelFailed)
    if not isinstance(event, on.BrainReplied):
        from core.store.repository.calls import call_of  # no session without models needs it

        call = call_of(db, session, event.task)
        if call and all(getattr(event, name, value) == value for name, value in call.items()):
            doc = {name: value for name, value in doc.items() if name not in call}
    words = _words_after(decision).get(event.step, StepWords())
    for name in doc.keys() & OF_STEP:
        if getattr(event, name) == getattr(words, name):
            doc[name] = len(doc[name]) if isinstance(doc[name], list) else HELD
    return _as_json(doc)


# ── what rows cannot give back ──


def _extra(db: Connection, session: Session, decision: JournalledDecision) -> Extra:
    """Most events are answers, clicks and files that were read: those have nothing of it."""
    event, situation = decision.event, decision.situation
    extra: Extra = {}
    if overwritten := _overwritten(db, session.id, decision.result.records):
        extra["was"] = overwritten
    if lost := _words_lost(decision):
        extra["words"] = lost
    if others := [asdict(known) for known in situation.known if known.id != session.id]:
        extra["known"] = others
    if isinstance(event, on.MessagePosted | on.SecretFound):
        extra |= _place(situation)
    if isinstance(event, on.BrainReplied):
        if quoted := _quoted(event, decision):
            extra["draft"] = quoted
        if beside := [*_beside(db, session.id, decision.result.records)]:
            extra["beside"] = beside
    if situation.taken:
        extra["taken"] = sorted(situation.taken)
    if isinstance(event, on.DamageFound) and event is not decision.delivered:
        extra |= _damaged(decision)
    return extra


def _quoted(event: on.BrainReplied, decision: JournalledDecision) -> Mapping[str, Any]:
    """What of a draft quotes people, but what stands on a step from then on.

    One for the files alone asks nothing, and no step says it.
    """
    draft, session = json.loads(dump(event.draft)), decision.situation.session
    is_said = session is not None and event.task == session.reading.task
    quoted = {name: draft[name] for name in (QUOTING if is_said else ("closed",)) if name in draft}
    words = _words_after(decision)
    step_words, follow_up = words.get(event.step, StepWords()), event.draft.follow_up
    if quoted.get("recorded") == step_words.recorded:
        del quoted["recorded"]
    if is_said and follow_up is not None and follow_up in step_words.asked:
        quoted["follow_up"] = step_words.asked.index(follow_up)
    elif is_said and follow_up is not None and follow_up == step_words.held:
        quoted["follow_up"] = HELD
    if event.draft.closed:
        quoted["closed"] = [
            question_place(closed, words) or doc
            for closed, doc in zip(event.draft.closed, draft["closed"], strict=True)
        ]
    return quoted


def _words_after(decision: JournalledDecision) -> dict[StepId, StepWords]:
    """The words on the steps that a decision changed."""
    records = decision.result.records
    states = (record.state for record in records if isinstance(record, fx.StepSaved))
    return {state.id: StepWords.of(state) for state in states}


def _words_lost(decision: JournalledDecision) -> Mapping[str, Any]:
    """The words on steps that are about to be overwritten, by step."""
    situation, after, lost = decision.situation, _words_after(decision), dict[str, Any]()
    pinned = situation.session.course.steps if situation.session else ()
    states = (*situation.stored, *situation.all_steps, *situation.others.values(), *pinned)
    for before in (state for state in states if state.id in after):
        words = StepWords.of(before)
        if names := words.lost_in(after[before.id]):
            doc = adapter(StepWords).dump_json(words, include=set(names), exclude_defaults=True)
            questions = after[before.id].asked
            lost[before.id] = json.loads(doc) | {
                name: questions.index(question)
                for name in names & {"held", "question"}
                if (question := getattr(words, name)) in questions
            }
    return lost


def _damaged(decision: JournalledDecision) -> Extra:
    session = decision.situation.session
    extra: Extra = {"instead": type(decision.delivered).__name__}
    if session is not None and _unreadable(session):
        extra["found"] = json.loads(dump_session(session))
    return extra


def _unreadable(session: Session) -> bool:
    """True if its damage is a row that said nothing, and not the session itself, kept as found."""
    return not session.damage.startswith("{")


def _place(situation: Situation) -> Extra:
    """Where it was said, unless that is where everybody is."""
    session = situation.session
    step = situation.prompted_step.id if situation.prompted_step else None
    if session is None or (situation.thread, step) == (session.course.thread, session.course.step):
        return {}
    return {"thread": situation.thread, "asked": step}


def _overwritten(
    db: Connection, session: SessionId, records: Iterable[fx.Record]
) -> Mapping[str, list[Any]]:
    """The claims that are about to go, by step, where others come in their place.

    Most of them come again: a number says which of the new ones one was.
    """
    overwritten: dict[str, list[Any]] = {}
    replaced = {
        record.step: record.claims for record in records if isinstance(record, fx.ClaimsReplaced)
    }
    for step, claims in replaced.items():
        row = steps.STEP_CLAIMS(db, session=session, step=step).fetchone()
        before = _claims(row[0]) if row else []
        after = [json.loads(dump(claim)) for claim in claims]
        if before != after:
            overwritten[step] = [
                after.index(claim) if claim in after else claim for claim in before
            ]
    return overwritten


def _beside(
    db: Connection, session: SessionId, records: Iterable[fx.Record]
) -> Iterator[tuple[StepId, str]]:
    """Which sections become versions beside older ones: step and file."""
    saved = [record for record in records if isinstance(record, fx.SectionsSaved) and record.anew]
    for section in (section for record in saved for section in record.sections):
        if last_version(db, session=session, step=section.step, file=section.file):
            yield section.step, section.file


def last_version(db: Connection, **key: Value) -> int:
    """The number of a section's newest version, by `session`, `step` and `file`; else 0."""
    row = steps.LAST_SECTION(db, **key).fetchone()
    return row[0] if row else 0


def _claims(doc: str) -> list[Any]:
    """Nothing is lost where nothing could be read any more."""
    try:
        claims = json.loads(doc)
    except ValueError:
        return []
    return claims if isinstance(claims, list) else []


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def claims_before(overwritten: Iterable[Any], after: Sequence[Any]) -> list[Any]:
    """The claims of before, from what a row says of them and those that came in their place."""
    return [after[claim] if isinstance(claim, int) else claim for claim in overwritten]
