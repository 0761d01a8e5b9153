"""Whether the parts of a party file fit together: who sits where, who writes what, what is read.

What follows from another fault is not reported again: a persona with a bad icon is known by its
key all the same, and a phase without a type is not asked whether its protocol fits.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from core.domain import party_form as form
from core.domain.forms import TITLE_CHARS_MAX, is_key, is_line, is_phase_key, value_shown
from core.domain.party_form import PhaseType, Protocol, Record, Search
from core.domain.playbook import FACILITATOR

PARALLEL_MEMBERS_MIN: Final = 2
MEMBERS_MAX: Final = 6  # of one phase


class Rules(NamedTuple):
    """What a protocol asks for: the type of its phase, and the fields that each member fills."""

    type: PhaseType
    needs: tuple[str, ...]


PROTOCOLS: Final[Mapping[Protocol, Rules]] = {
    "question-broadcast-debate": Rules("parallel", ("questions", "focus")),
    "propose-critique-converge": Rules("parallel", ("focus", "checks")),
    "produce-cross-review-finalize": Rules("parallel", ("checks", "produces")),
    "constitution": Rules("sequential", ("covers", "produces")),
    "walkthrough": Rules("sequential", ("covers", "produces")),
}
RULES: Final[Mapping[str, Rules]] = {str(key): rules for key, rules in PROTOCOLS.items()}


def look(search: Search, personas: list[Record], phases: list[Record]) -> None:
    """Everything that only shows in several parts of the file together."""
    search.once(personas, "name", FACILITATOR.name)
    search.once(phases, "label")
    _seats(search, personas, phases)
    for phase in phases:
        _protocol(search, phase)
        _written(search, phase, _members(phase, personas))
    _outputs(search, phases)
    _sources(search, personas, phases)
    _domains(search, personas)


def _members(phase: Record, personas: list[Record]) -> list[Record]:
    """Those who sit in a phase and say so themselves, in the order of its list."""
    by_key = {persona.text("key"): persona for persona in reversed(personas)}
    named = dict.fromkeys(key for _, key in phase.texts("personas"))
    found = (by_key[key] for key in named if key in by_key)
    return [persona for persona in found if persona.text("phase") == phase.text("key")]


def _seats(search: Search, personas: list[Record], phases: list[Record]) -> None:
    """Each persona sits in the phase it declares, once, and nowhere else."""
    homes = {persona.text("key"): persona.text("phase") for persona in reversed(personas)}
    known = tuple(key for key in homes if is_key(key))
    rooms = tuple(phase.text("key") for phase in phases if is_phase_key(phase.text("key")))
    seated: set[str] = set()
    for phase in phases:
        here: set[str] = set()
        for place, key in phase.texts("personas"):
            if not is_key(key) or not known:
                continue
            if key not in homes:
                search.wrong(place, key, form.one_of(tuple(sorted(known))))
            elif key in here:
                search.wrong(place, key, "each persona once")
            elif homes[key] in rooms and homes[key] != phase.text("key"):
                search.wrong(place, key, f"its own phase is {homes[key]}")
            here.add(key)
        seated |= here
    for persona in personas:
        home, key = persona.text("phase"), persona.text("key")
        if not is_phase_key(home) or not rooms:
            continue
        if home not in rooms:
            search.wrong(persona.at("phase"), home, form.one_of(rooms))
        elif is_key(key) and key not in seated:
            search.wrong(persona.at("phase"), home, "no phase lists this persona")


def _protocol(search: Search, phase: Record) -> None:
    """The protocol fits the type, and so do the number of members and of messages."""
    kind, protocol = phase.text("type"), phase.text("protocol")
    if kind not in ("parallel", "sequential"):
        return
    if protocol in RULES and RULES[protocol].type != kind:
        fitting = tuple(key for key, rules in RULES.items() if rules.type == kind)
        search.wrong(phase.at("protocol"), protocol, f"{form.one_of(fitting)} in a {kind} phase")
    least = PARALLEL_MEMBERS_MIN if kind == "parallel" else 1
    members = {key for _, key in phase.texts("personas")}
    if members and not least <= len(members) <= MEMBERS_MAX:
        hint = f"{least} to {MEMBERS_MAX} personas in a {kind} phase"
        search.wrong(phase.at("personas"), phase.data["personas"], hint)
    count = phase.data.get("max_messages")
    if kind == "parallel" and count is None:
        hint = form.PHASE_FIELDS["max_messages"].hint
        search.wrong(phase.at("max_messages"), None, f"{hint} in a parallel phase")
    if kind == "sequential" and count is not None:
        search.wrong(phase.at("max_messages"), count, "left out in a sequential phase")


def _written(search: Search, phase: Record, members: list[Record]) -> None:
    """Each member has what the protocol needs, and each file has one writer."""
    rules = RULES.get(phase.text("protocol"))
    outputs = [name for _, name in phase.texts("outputs") if form.is_file(name)]
    for member in members:
        for need in rules.needs if rules else ():
            if member.data.get(need) in (None, []):
                hint = f"at least one: the protocol {phase.text('protocol')} needs it"
                search.wrong(member.at(need), None, hint)
    writers: dict[str, str] = {}
    for place, name in form.places(members, "produces"):
        if outputs and name not in outputs:
            search.wrong(place, name, f"one of the outputs of its phase: {', '.join(outputs)}")
        elif name in writers:
            search.wrong(place, name, f"{writers[name]} has it")
        writers.setdefault(name, place)
    if rules and "produces" in rules.needs and members:
        for place, name in phase.texts("outputs"):
            if name in outputs and name not in writers:
                search.wrong(place, name, "no persona of this phase produces it")


def _outputs(search: Search, phases: list[Record]) -> None:
    owners: dict[str, str] = {}  # file systems that know no case know one file
    for place, name in form.places(phases, "outputs"):
        if name.casefold() in owners:
            search.wrong(place, name, f"{owners[name.casefold()]} has it")
        owners.setdefault(name.casefold(), place)


def _sources(search: Search, personas: list[Record], phases: list[Record]) -> None:
    """A part rests on files that are there by then: of its own phase, or of one before."""
    for persona in personas:
        home = persona.text("phase")
        there = {
            name
            for phase in phases
            if phase.text("key") <= home
            for _, name in phase.texts("outputs")
        }
        for place, name in form.places(persona.records("covers"), "sources"):
            if there and form.is_file(name) and name not in there:
                search.wrong(place, name, "an output of its own phase or of one before")


def _domains(search: Search, personas: list[Record]) -> None:
    """Personas may share a question's key; then they mean the same by it."""
    domains: dict[str, str] = {}
    for persona in personas:
        for question in persona.records("questions"):
            key, domain = question.text("key"), question.text("domain")
            if is_key(key) and is_key(domain) and domains.setdefault(key, domain) != domain:
                hint = f"{domains[key]}, as elsewhere for the question {key}"
                search.wrong(question.at("domain"), domain, hint)


def look_at_classic(search: Search, classic: Record, personas: list[Record]) -> None:
    """Who leads the classic mode, and what its phases are called."""
    search.fields(classic, form.CLASSIC_FIELDS)
    known = tuple(sorted(filter(is_key, {persona.text("key") for persona in personas})))
    leader = classic.text("persona")
    if is_key(leader) and known and leader not in known:
        search.wrong(classic.at("persona"), leader, form.one_of(known))
    phases = classic.data.get("phases")
    for key, label in phases.items() if isinstance(phases, dict) else ():
        place = f"{classic.at('phases')}.{value_shown(key)}"
        if not is_phase_key(key):
            search.wrong(place, label, "a key like 01-name")
        elif not is_line(label, TITLE_CHARS_MAX):
            search.wrong(place, label, f"a label, one line of 1 to {TITLE_CHARS_MAX} characters")
