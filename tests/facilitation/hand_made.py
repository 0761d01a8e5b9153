"""A small item and what a bot might leave of it, made by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from bot.devtools.play.script.file import parse
from core.domain.answers import Answer, Claim
from core.domain.follow_ups import FollowUp, FollowUpKind, FollowUpOutcome, LineRef
from core.domain.ids import AnswerId, StepId, Ts, UserId
from tests.facilitation.asking import asking_figures
from tests.facilitation.facts import facts_of
from tests.facilitation.figures import Figure
from tests.facilitation.items import Item
from tests.facilitation.lines import line_figures
from tests.facilitation.record import Asked, Record

HOLD = "The chosen slot is held for 10 minutes."
MOVE = "A patient can move an appointment."
PLAY = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Slots"}
when_asked: [{about: "x", kind: check, by: dev, reply: "We choose blue."}]
"""
PEOPLE = {"U1": "pm", "U2": "dev"}


def item(**lists: Sequence[Mapping[str, str]]) -> Item:
    """Facts of dev at 01-06, where nothing else is said."""
    rows = {
        name: [{"step": "01-06", "by": "dev"} | dict(fact) for fact in facts]
        for name, facts in lists.items()
    }
    facts, faults = facts_of(yaml.safe_load(yaml.safe_dump(rows)), ("pm", "dev"))
    assert faults == []
    return Item("slots", parse(PLAY), facts)


def answer(number: int, text: str, by: str = "U2", step: str = "01-06") -> Answer:
    """Later ones have higher numbers."""
    return Answer(AnswerId(f"a{number}"), StepId(step), UserId(by), text, Ts(f"{number}.0"))


def claim(kind: str, text: str, source: int = 1, **more: Any) -> Claim:
    """Of dev's first answer, unless `source` says which."""
    id_ = more.pop("id", f"01-06/{kind}-{text}")
    return Claim(id_, StepId("01-06"), kind, text, (AnswerId(f"a{source}"),), **more)


def asked(
    kind: FollowUpKind,
    *quotes: str,
    question: str = "How would you see that?",
    outcome: FollowUpOutcome = "answered",
    after: str = "1.0",
    **more: Any,
) -> Asked:
    lines = [LineRef(AnswerId("a1"), quote) for quote in quotes]
    line, other = (*lines, None, None)[:2]
    return Asked("01-06", FollowUp(kind, question, line, other, outcome, None, after), **more)


def record(*claims: Claim, files: str | None = None, **more: Any) -> Record:
    """`files`: the text of the only file; without it every claim stands there."""
    text = "\n".join(f"- **{one.ref}** {one.text}" for one in claims) if files is None else files
    said = more.pop("answers", (answer(1, f"{HOLD} {MOVE} " + " ".join(c.text for c in claims)),))
    return Record(claims=claims, answers=said, people=PEOPLE, files={"spec.md": text}, **more)


def figure(key: str, item: Item, record: Record) -> Figure:
    return next(one for one in every_figure(item, record) if one.subject.key == key)


def every_figure(item: Item, record: Record) -> tuple[Figure, ...]:
    return (*line_figures(item, record), *asking_figures(item, record))


def counted(key: str, item: Item, record: Record) -> tuple[float, int | None]:
    found = figure(key, item, record)
    return found.found, found.of
