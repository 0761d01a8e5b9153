"""Whether the parts of a party file fit together: who sits where, who writes what, what is read.

The rules look at the file as it stands, also where some of its values are faulty, so that all
faults are told at once. What follows from another fault is not told again: a persona with a bad
icon is known by its key all the same, and a phase without a type is not asked whether its protocol
fits.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from core.content.models.agent import KEY_OF_ITS_OWN
from core.content.models.validation import Flaw, Path, shown_path, words_of
from core.content.models.values import (
    TITLE_CHARS_MAX,
    is_key,
    is_line,
    is_phase_key,
    is_plain_file,
)
from core.domain.party import PROTOCOLS, ProtocolRules
from core.domain.steps.playbook import FACILITATOR

PERSONAS_MAX: Final = 60
PARALLEL_MEMBERS_MIN: Final = 2
MEMBERS_MAX: Final = 6  # of one phase
RULES: Final[Mapping[str, ProtocolRules]] = {str(key): rules for key, rules in PROTOCOLS.items()}

Place = tuple[Path, str]  # where in the file, and what stands there


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping of the file, and where it stands. What is no such value reads as nothing."""

    path: Path
    data: Mapping[str, object]

    def text(self, name: str) -> str:
        value = self.data.get(name)
        return value.strip() if isinstance(value, str) else ""

    def texts(self, name: str) -> list[Place]:
        return [(path, item) for path, item in self._items(name) if isinstance(item, str)]

    def records(self, name: str) -> list["Record"]:
        return [Record(path, item) for path, item in self._items(name) if isinstance(item, dict)]

    def flaw(self, name: str, value: object, hint: str) -> Flaw:
        return Flaw((*self.path, name), value, hint)

    def _items(self, name: str) -> list[tuple[Path, object]]:
        value = self.data.get(name)
        items = value[:PERSONAS_MAX] if isinstance(value, list) else ()  # no list is longer
        return [((*self.path, name, number), item) for number, item in enumerate(items)]


def broken(front: Mapping[str, object], messages_hint: str) -> Iterator[Flaw]:
    """Everything that only shows in several parts of the file together."""
    file = Record((), front)
    personas, phases = file.records("personas"), file.records("phases")
    yield from _once(personas, "key", KEY_OF_ITS_OWN, FACILITATOR.key)
    for persona in personas:
        yield from _once(persona.records("questions"), "key", KEY_OF_ITS_OWN)
    yield from _once(phases, "key", KEY_OF_ITS_OWN)
    yield from _once(personas, "name", "a name of its own", FACILITATOR.name)
    yield from _once(phases, "label", "a label of its own")
    yield from _seats(personas, phases)
    for phase in phases:
        yield from _protocol(phase, messages_hint)
        yield from _needs(phase, _members(phase, personas))
        yield from _writers(phase, _members(phase, personas))
    yield from _outputs(phases)
    yield from _domains(personas)
    classic = front.get("classic")
    if isinstance(classic, dict):
        yield from _classic(Record(("classic",), classic), personas)


def _once(records: Iterable[Record], name: str, hint: str, *taken: str) -> Iterator[Flaw]:
    """No two have the same, whatever the case of the letters."""
    values = {value.casefold() for value in taken}
    for record in records:
        value = record.text(name)
        if value and value.casefold() in values:
            yield record.flaw(name, value, hint)
        values.add(value.casefold())


def _members(phase: Record, personas: list[Record]) -> list[Record]:
    """Those who sit in a phase and say so themselves, in the order of its list."""
    by_key = {persona.text("key"): persona for persona in reversed(personas)}
    keys = dict.fromkeys(key for _, key in phase.texts("personas"))
    listed = (by_key[key] for key in keys if key in by_key)
    return [persona for persona in listed if persona.text("phase") == phase.text("key")]


def _seats(personas: list[Record], phases: list[Record]) -> Iterator[Flaw]:
    """Each persona sits in the phase it declares, once, and nowhere else."""
    homes = {persona.text("key"): persona.text("phase") for persona in reversed(personas)}
    rooms = tuple(key for phase in phases if is_phase_key(key := phase.text("key")))
    for phase in phases:
        yield from _listed(phase, homes, rooms)
    seated = {key for phase in phases for _, key in phase.texts("personas") if is_key(key)}
    for persona in personas:
        home, key = persona.text("phase"), persona.text("key")
        if not is_phase_key(home) or not rooms:
            continue
        if home not in rooms:
            yield persona.flaw("phase", home, words_of(rooms))
        elif is_key(key) and key not in seated:
            yield persona.flaw("phase", home, "no phase lists this persona")


def _listed(phase: Record, homes: Mapping[str, str], rooms: tuple[str, ...]) -> Iterator[Flaw]:
    """Whom a phase lists is there, is listed once, and says the same of itself."""
    keys = tuple(sorted(filter(is_key, homes)))
    listed_keys: set[str] = set()
    for path, key in phase.texts("personas"):
        if not is_key(key) or not keys:
            continue
        if key not in homes:
            yield Flaw(path, key, words_of(keys))
        elif key in listed_keys:
            yield Flaw(path, key, "each persona once")
        elif homes[key] in rooms and homes[key] != phase.text("key"):
            yield Flaw(path, key, f"its own phase is {homes[key]}")
        listed_keys.add(key)


def _protocol(phase: Record, messages_hint: str) -> Iterator[Flaw]:
    """The protocol fits the type, and so do the number of members and of messages."""
    kind, protocol = phase.text("type"), phase.text("protocol")
    if kind not in ("parallel", "sequential"):
        return
    if protocol in RULES and RULES[protocol].type != kind:
        fitting = tuple(key for key, rules in RULES.items() if rules.type == kind)
        yield phase.flaw("protocol", protocol, f"{words_of(fitting)} in a {kind} phase")
    least = PARALLEL_MEMBERS_MIN if kind == "parallel" else 1
    members = {key for _, key in phase.texts("personas")}
    if members and not least <= len(members) <= MEMBERS_MAX:
        hint = f"{least} to {MEMBERS_MAX} personas in a {kind} phase"
        yield phase.flaw("personas", phase.data["personas"], hint)
    count = phase.data.get("max_messages")
    if kind == "parallel" and count is None:
        yield phase.flaw("max_messages", None, f"{messages_hint} in a parallel phase")
    if kind == "sequential" and count is not None:
        yield phase.flaw("max_messages", count, "left out in a sequential phase")


def _needs(phase: Record, members: list[Record]) -> Iterator[Flaw]:
    """Each member has what the protocol needs."""
    protocol = phase.text("protocol")
    for member in members if protocol in RULES else ():
        for need in RULES[protocol].needs:
            if member.data.get(need) in (None, []):
                yield member.flaw(need, None, f"at least one: the protocol {protocol} needs it")


def _writers(phase: Record, members: list[Record]) -> Iterator[Flaw]:
    """Each file of a phase has one writer, where its members write alone."""
    rules = RULES.get(phase.text("protocol"))
    outputs = [name for _, name in phase.texts("outputs") if is_plain_file(name)]
    writers: dict[str, Path] = {}
    for path, name in _places(members, "produces"):
        if outputs and name not in outputs:
            yield Flaw(path, name, f"one of the outputs of its phase: {', '.join(outputs)}")
        elif name in writers:
            yield Flaw(path, name, _has_it(writers[name]))
        writers.setdefault(name, path)
    if rules and "produces" in rules.needs and members:
        for path, name in phase.texts("outputs"):
            if name in outputs and name not in writers:
                yield Flaw(path, name, "no persona of this phase produces it")


def _outputs(phases: list[Record]) -> Iterator[Flaw]:
    """No two phases have the same file; file systems that know no case know one."""
    owners: dict[str, Path] = {}
    for path, name in _places(phases, "outputs"):
        if owners.setdefault(name.casefold(), path) != path:
            yield Flaw(path, name, _has_it(owners[name.casefold()]))


def _has_it(path: Path) -> str:
    return f"{Flaw(path, None, '').place()} has it"


def _domains(personas: list[Record]) -> Iterator[Flaw]:
    """Personas may share a question's key; then they mean the same by it."""
    domains: dict[str, str] = {}
    for question in (question for persona in personas for question in persona.records("questions")):
        key, domain = question.text("key"), question.text("domain")
        if is_key(key) and is_key(domain) and domains.setdefault(key, domain) != domain:
            hint = f"{domains[key]}, as elsewhere for the question {key}"
            yield question.flaw("domain", domain, hint)


def _classic(classic: Record, personas: list[Record]) -> Iterator[Flaw]:
    """Who leads the classic mode is one of the party; its phases have good keys and labels."""
    keys = tuple(sorted(filter(is_key, {persona.text("key") for persona in personas})))
    leader = classic.text("persona")
    if is_key(leader) and keys and leader not in keys:
        yield classic.flaw("persona", leader, words_of(keys))
    phases = classic.data.get("phases")
    for key, label in phases.items() if isinstance(phases, dict) else ():
        path = shown_path("classic", "phases", key)
        if not is_phase_key(key):
            yield Flaw(path, label, "a key like 01-name")
        elif not is_line(label, TITLE_CHARS_MAX):
            hint = f"a label, one line of 1 to {TITLE_CHARS_MAX} characters"
            yield Flaw(path, label, hint)


def _places(records: Iterable[Record], name: str) -> Iterator[Place]:
    """The strings in a list of each record, each with its place."""
    return (place for record in records for place in record.texts(name))
