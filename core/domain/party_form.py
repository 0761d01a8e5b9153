"""What each mapping of a party file may say, as tables, and the search for what does not fit.

A fault carries the place in the file, counted from 1: `phases[1].personas[2]`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, get_args

from core.domain.agent_form import PERSONA_FIELDS, agent_fault
from core.domain.forms import TITLE_CHARS_MAX, is_key, is_line, is_output_name, is_phase_key
from core.domain.playbook import StepFault
from core.domain.step_form import ASKS, SHORT_CHARS_MAX

Protocol = Literal[
    "question-broadcast-debate",  # ask people, give everybody all answers, weigh, take a position
    "propose-critique-converge",  # the first proposes, the others criticise, the first revises
    "produce-cross-review-finalize",  # each writes alone, then each reads the next one's, in a ring
    "constitution",  # article by article
    "walkthrough",  # part by part
]
PhaseType = Literal["parallel", "sequential"]

PARTY_FILE: Final = "party.yaml"
MESSAGES_MAX: Final = 10  # between personas, in one parallel phase
QUESTIONS_MAX: Final = 6  # of one persona
PERSONAS_MAX: Final = 60
PHASES_MAX: Final = 10  # of the party, and of the classic mode
ITEMS_MAX: Final = 20  # of any other list
PART_CHARS_MAX: Final = 300


class Field(NamedTuple):
    """Whether a value is good, and what would be."""

    good: Callable[[object], bool]
    hint: str
    required: bool = True
    each: bool = False  # it is a list, and `good` is asked of each of its items


def _line(chars_max: int) -> Field:
    hint = f"one line of 1 to {chars_max} characters"
    return Field(lambda value: is_line(value, chars_max), hint)


def _one_of(names: tuple[str, ...]) -> Field:
    return Field(lambda value: isinstance(value, str) and value in names, one_of(names))


def one_of(names: tuple[str, ...]) -> str:
    return f"one of {', '.join(names)}"


def _is_question(value: object) -> bool:
    return is_line(value, SHORT_CHARS_MAX) and str(value).rstrip().endswith(ASKS)


def is_file(value: object) -> bool:
    """Whether `value` is the name of one file: no `*`, which steps may have."""
    return is_output_name(value) and "*" not in str(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MESSAGES_MAX


_KEY: Final = Field(is_key, "small letters, digits and hyphens, at most 40")
_PHASE_KEY: Final = Field(is_phase_key, "a key like 01-name")
_TITLE: Final = _line(TITLE_CHARS_MAX)
_LINES: Final = _line(SHORT_CHARS_MAX)._replace(each=True)
_FILES: Final = Field(is_file, "a plain file name, like project-brief.md", each=True)
_QUESTION_HINT: Final = f"one question, on one line of at most {SHORT_CHARS_MAX} characters"

PARTY_FIELDS: Final[Mapping[str, Field]] = {
    "name": _TITLE,
    "description": Field(lambda value: isinstance(value, str), "some text", required=False),
}
MEMBER_FIELDS: Final[Mapping[str, Field]] = {
    **{name: Field(good, hint) for name, (good, hint) in PERSONA_FIELDS.items()},
    "phase": _PHASE_KEY,
    "expertise": _LINES,
    "focus": _LINES._replace(required=False),
    "checks": _LINES._replace(required=False),
    "produces": _FILES._replace(required=False),
}
QUESTION_FIELDS: Final[Mapping[str, Field]] = {
    "key": _KEY,
    "domain": _KEY,
    "text": Field(_is_question, _QUESTION_HINT),
}
PART_FIELDS: Final[Mapping[str, Field]] = {
    "key": _KEY,
    "title": _TITLE,
    "text": _line(PART_CHARS_MAX),
    "sources": _FILES._replace(required=False),
    "mandatory": Field(lambda value: isinstance(value, bool), "true or false", required=False),
}
PHASE_FIELDS: Final[Mapping[str, Field]] = {
    "key": _PHASE_KEY,
    "label": _TITLE,
    "type": _one_of(get_args(PhaseType)),
    "protocol": _one_of(get_args(Protocol)),
    "personas": Field(is_key, "the key of a persona", each=True),
    "max_messages": Field(_is_count, f"a whole number from 1 to {MESSAGES_MAX}", required=False),
    "outputs": _FILES,
}
CLASSIC_FIELDS: Final[Mapping[str, Field]] = {
    "persona": Field(is_key, "the key of a persona"),
    "phases": Field(
        lambda value: isinstance(value, dict) and 1 <= len(value) <= PHASES_MAX,
        f"1 to {PHASES_MAX} phase keys like 01-name, each with its label",
    ),
}


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping of the file, and where it stands. Reading it reports nothing."""

    place: str
    data: Mapping[str, object]

    def at(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name

    def text(self, name: str) -> str:
        """A string; nothing where there is none."""
        value = self.data.get(name)
        return value.strip() if isinstance(value, str) else ""

    def items(self, name: str) -> list[tuple[str, object]]:
        """The items of a list, each with its place; those beyond any limit are not looked at."""
        value = self.data.get(name)
        found = enumerate(value[:PERSONAS_MAX] if isinstance(value, list) else (), start=1)
        return [(f"{self.at(name)}[{number}]", item) for number, item in found]

    def texts(self, name: str) -> list[tuple[str, str]]:
        """Those items of a list that are strings, each with its place."""
        return [(place, item) for place, item in self.items(name) if isinstance(item, str)]

    def records(self, name: str) -> list["Record"]:
        """Those items of a list that are mappings."""
        return [Record(place, i) for place, i in self.items(name) if isinstance(i, dict)]

    def lines(self, name: str) -> tuple[str, ...]:
        return tuple(item.strip() for _, item in self.texts(name))


@dataclass(frozen=True, slots=True)
class Search:
    """Collects the faults while it looks."""

    faults: list[StepFault] = field(default_factory=list)

    def wrong(self, place: str, value: object, hint: str) -> None:
        self.faults.append(agent_fault(PARTY_FILE, place, value, hint))

    def fields(self, record: Record, fields: Mapping[str, Field]) -> None:
        for name, asked in fields.items():
            value = record.data.get(name)
            if value is None:
                if asked.required:
                    self.wrong(record.at(name), None, asked.hint)
            elif not asked.each:
                if not asked.good(value):
                    self.wrong(record.at(name), value, asked.hint)
            else:
                self.length(record, name, int(asked.required), ITEMS_MAX)
                for place, item in record.items(name):
                    if not asked.good(item):
                        self.wrong(place, item, asked.hint)

    def length(self, record: Record, name: str, least: int, most: int) -> None:
        """Whether a field is a list of that many items; fewer than one may be left out."""
        value = record.data.get(name)
        if value is None and not least:
            return
        if not isinstance(value, list) or not least <= len(value) <= most:
            size = f"{least} to {most}" if least else f"at most {most}"
            self.wrong(record.at(name), value, f"a list of {size}")

    def records(
        self, record: Record, name: str, fields: Mapping[str, Field], *taken: str
    ) -> list[Record]:
        """The mappings of a list, each looked at, and each with a key of its own."""
        for place, item in record.items(name):
            if not isinstance(item, dict):
                self.wrong(place, item, f"a mapping with {', '.join(fields)}")
        found = record.records(name)
        for each in found:
            self.fields(each, fields)
        self.once(found, "key", *taken)
        return found

    def once(self, records: list[Record], name: str, *taken: str) -> None:
        """No two of them have the same, whatever the case of the letters."""
        seen = {one.casefold() for one in taken}
        for record in records:
            value = record.text(name).casefold()
            if value and value in seen:
                self.wrong(record.at(name), record.text(name), f"a {name} of its own")
            seen.add(value)


def places(records: list[Record], name: str) -> Iterator[tuple[str, str]]:
    """The strings in a list of each record, each with its place."""
    return (one for record in records for one in record.texts(name))
