"""What a line is once it is known what it speaks of: one reader for each kind and label.

A reader takes a text and gives its readings, with the parts that the text names.
"""

from collections.abc import Callable, Mapping
from typing import Final, cast

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import choices, skills, things, weighing
from core.brains.script.parts.phrases import flows_in
from core.brains.script.readings import (
    CONSTRAINT,
    FACT,
    OPEN,
    OUT_OF_SCOPE,
    FragmentReading,
    Readings,
)
from core.domain.answers import ClaimKind

Reader = Callable[[str], Readings]


def plain(kind: str) -> Reader:
    """The reader of a kind of claim whose lines name no parts."""
    return lambda text: (FragmentReading(cast("ClaimKind", kind)),)


def _of(kind: ClaimKind, data: Mapping[str, str]) -> Readings:
    return (FragmentReading(kind, data),)


def _user(text: str) -> Readings:
    role = weighing.actor_in(text)
    return _of("user", {"role": role} if role else {})


def _stack(choice: str) -> Reader:
    return lambda text: tuple(
        FragmentReading("stack", each) for each in choices.stack_in(text, choice)
    )


def _decision(text: str) -> Readings:
    why = choices.reason_in(text)
    return _of("decision", {"reason": why} if why else {})


def _option(text: str) -> Readings:
    return tuple(FragmentReading("option", each) for each in weighing.options_in(text) or [{}])


def _interface(text: str) -> Readings:
    return tuple(FragmentReading("interface", each) for each in flows_in(text) or [{}])


def _entity(text: str) -> Readings:
    found = things.entity_in(text)
    return _of("entity", found) if found else _of("data", {})


def _relation(text: str) -> Readings:
    return tuple(FragmentReading("relation", each) for each in things.relations_in(text) or [{}])


def _article(text: str) -> Readings:
    why = choices.reason_in(text)
    return _of("article", {"reason": why} if why else {})


def _skill(status: str) -> Reader:
    def read(text: str) -> Readings:
        return FACT if _NO_SKILL.match(text) else _of("skill", skills.skill_in(text, status))

    return read


def _gap(text: str) -> Readings:
    return FACT if _NO_GAP.match(text) else _of("test-gap", {})


def _test(text: str) -> Readings:
    return _gap(text) if UNTESTED.search(text) else _of("test", things.test_in(text))


def _remark(topic: str) -> Reader:
    """A constitution that nobody has read yet was not reviewed."""
    return lambda text: FACT if _UNREAD.search(text) else _of("remark", {"topic": topic})


_PEOPLE: Final = patterns.compile(r"(?:no one|none of us)\b", patterns.IGNORECASE)
_NO_SKILL: Final = patterns.compile(
    r"(?:no|none|nothing)\b",
    patterns.IGNORECASE,
    unless=lambda match: _PEOPLE.match(match.string),
)
_NO_GAP: Final = lexicon.pattern("no-gap")
UNTESTED: Final = lexicon.pattern("untested")
_UNREAD: Final = lexicon.pattern("unread")
_READERS: Final[dict[str, Reader]] = {
    "user": _user,
    "out-of-scope": lambda text: (OUT_OF_SCOPE,),
    "law": lambda text: _of("domain", {"topic": "law"}),
    "constraint": lambda text: (CONSTRAINT,),
    "open-question": lambda text: (OPEN,),
    "assumption": lambda text: (FragmentReading("assumption", confidence="assumed"),),
    "risk": lambda text: _of("risk", weighing.risk_in(text)),
    "stack": _stack("chosen"),
    "weighed": _stack("weighed"),
    "rejected": _stack("rejected"),
    "interface": _interface,
    "option": _option,
    "decision": _decision,
    "entity": _entity,
    "relation": _relation,
    "retention": lambda text: _of("retention", things.retention_in(text)),
    "test": _test,
    "test-gap": _gap,
    "article": _article,
    "skill": _skill(""),
    "has": _skill("has"),
    "missing": _skill("gap"),
    "constitution": _remark("constitution"),
    "architecture": _remark("architecture"),
    "iteration": lambda text: _of("iteration", things.iteration_in(text)),
    "fact": lambda text: FACT,
}

_PLAIN: Final[tuple[ClaimKind, ...]] = (
    "purpose", "success", "scope", "domain", "trade-off", "module", "permission", "next-step",
    "entry-point", "data", "error", "requirement", "quality",
)  # fmt: skip
READERS: Final[Mapping[str, Reader]] = {kind: plain(kind) for kind in _PLAIN} | _READERS
