"""A mapping becomes a party, or everything that is wrong with it, each with its place."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content.models.party import parse_party
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party import (
    PROTOCOLS,
    Classic,
    Party,
    PartyPhase,
    Question,
)
from core.domain.steps.playbook import Phase, StepFault
from tests.content.parties import faults, parsed, persona, phase, places, question, whole

ABSENT = object()


def changed(path: str, value: object) -> dict[str, Any]:
    """The whole party with one value changed, or taken out: `phases.0.label`."""
    front = whole()
    target: Any = front
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        target = target[step]
    if value is ABSENT:
        del target[last]
    else:
        target[last] = value
    return front


# What it becomes


def test_a_whole_party_becomes_its_values() -> None:
    party = parsed(whole())
    assert party.name == "test-party"
    assert [one.key for one in party.members] == ["ann", "bob", "cat", "dan", "eve", "lead"]
    assert [one.name for one in party.personas][:2] == ["Ann", "Bob"]
    assert party.phase(PhaseKey("02-plan")) == PartyPhase(
        PhaseKey("02-plan"),
        "Phase 02-plan",
        "parallel",
        "produce-cross-review-finalize",
        (PersonaKey("dan"), PersonaKey("eve")),
        10,
        ("plan.md", "tests.md"),
    )
    ann = party.member(PersonaKey("ann"))
    assert ann.persona.principles == ("One.", "Two.", "Three.")
    assert (ann.phase, ann.expertise, ann.focus) == ("01-vision", ("Everything",), ("The user",))
    assert ann.questions[1] == Question("why", "goals", "Who is it for?")
    assert party.member(PersonaKey("dan")).produces == ("plan.md",)
    assert party.member(PersonaKey("dan")).checks == ("It is short.",)
    assert party.member(PersonaKey("lead")).produces == ("end.json",)
    assert party.classic == Classic(
        PersonaKey("lead"),
        (
            Phase(PhaseKey("01-vision"), "Vision", PersonaKey("lead")),
            Phase(PhaseKey("02-plan"), "The Plan", PersonaKey("lead")),
        ),
    )


def test_a_sequential_phase_counts_no_messages() -> None:
    assert parsed(whole()).phase(PhaseKey("03-walk")).max_messages == 0


@pytest.mark.parametrize("count", [1, 10])
def test_a_parallel_phase_has_one_to_ten_messages(count: int) -> None:
    party = parsed(changed("phases.0.max_messages", count))
    assert party.phase(PhaseKey("01-vision")).max_messages == count


def test_what_stands_around_a_text_is_not_part_of_it() -> None:
    front = changed("personas.0.name", "  Ann ")
    front["personas"][0]["focus"] = [" The user\n"]
    front["personas"][0]["questions"][0]["text"] = " Who is it for? "
    front["classic"]["phases"]["01-vision"] = " Vision "
    assert parsed(front) == parsed(whole())


def test_phases_run_in_number_order_and_members_as_declared() -> None:
    front = whole()
    front["phases"].reverse()
    front["phases"][2]["personas"] = ["cat", "ann", "bob"]
    party = parsed(front)
    assert [one.key for one in party.phases] == ["01-vision", "02-plan", "03-walk"]
    assert [one.key for one in party.members_of(PhaseKey("01-vision"))] == ["cat", "ann", "bob"]


def test_who_is_not_there_is_a_key_error() -> None:
    party = parsed(whole())
    with pytest.raises(KeyError):
        party.member(PersonaKey("nobody"))
    with pytest.raises(KeyError):
        party.phase(PhaseKey("09-none"))


def test_further_fields_are_allowed_everywhere() -> None:
    front = whole()
    for one in (front, *front["personas"], *front["phases"], front["classic"]):
        one["owner"] = "Ana"
    front["personas"][0]["questions"][0]["note"] = 3
    assert parsed(front) == parsed(whole())


def test_a_field_without_a_value_counts_as_absent() -> None:
    front = changed("personas.0.checks", None)
    front["phases"][2]["max_messages"] = None
    assert parsed(front) == parsed(whole())


def test_a_persona_added_to_the_data_takes_part() -> None:
    front = whole()
    front["personas"].append(persona("fay", "02-plan", produces=["risks.md"], checks=["Risks."]))
    front["phases"][1]["personas"].append("fay")
    front["phases"][1]["outputs"].append("risks.md")
    assert len(parsed(front).members_of(PhaseKey("02-plan"))) == 3


def test_personas_may_share_a_question() -> None:
    party = parsed(whole())
    assert [one.questions[0].key for one in party.members[:3]] == ["who", "who", "who"]


# What is wrong with one field


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("name", ABSENT, "name"),
        ("name", "x" * 61, "name"),
        ("description", 3, "description"),
        ("personas.1.name", "", "personas[2].name"),
        ("personas.1.role", ABSENT, "personas[2].role"),
        ("personas.1.icon", "gear", "personas[2].icon"),
        ("personas.1.identity", " ", "personas[2].identity"),
        ("personas.1.style", None, "personas[2].style"),
        ("personas.1.principles", ["One.", "Two."], "personas[2].principles"),
        ("personas.1.expertise", ABSENT, "personas[2].expertise"),
        ("personas.1.expertise", [], "personas[2].expertise"),
        ("personas.1.expertise", ["x"] * 21, "personas[2].expertise"),
        ("personas.1.expertise", ["x", "two\nlines"], "personas[2].expertise[2]"),
        ("personas.1.focus", ["x" * 201], "personas[2].focus[1]"),
        ("personas.3.checks", ["Good.", 3], "personas[4].checks[2]"),
        ("personas.0.questions.1.key", "Why?", "personas[1].questions[2].key"),
        ("personas.0.questions.1.domain", ABSENT, "personas[1].questions[2].domain"),
        ("personas.0.questions.1.text", "No question.", "personas[1].questions[2].text"),
        ("personas.0.questions.1.text", "x" * 200 + "?", "personas[1].questions[2].text"),
        ("personas.0.questions.1", "Why?", "personas[1].questions[2]"),
        ("personas.0.questions", {"who": "Who?"}, "personas[1].questions"),
        ("phases.0.label", ABSENT, "phases[1].label"),
        ("phases.0.type", "both", "phases[1].type"),
        ("phases.0.type", ["parallel"], "phases[1].type"),
        ("phases.0.protocol", "debate", "phases[1].protocol"),
        ("phases.0.protocol", {}, "phases[1].protocol"),
        ("phases.0.outputs", [], "phases[1].outputs"),
        ("phases.0.outputs", ["a/b.md"], "phases[1].outputs[1]"),
        ("phases.0.outputs", ["state.json"], "phases[1].outputs[1]"),
        ("phases.0.outputs", ["adr-*.md"], "phases[1].outputs[1]"),
        ("phases.0.max_messages", 0, "phases[1].max_messages"),
        ("phases.0.max_messages", 11, "phases[1].max_messages"),
        ("phases.0.max_messages", "10", "phases[1].max_messages"),
        ("phases.0.max_messages", True, "phases[1].max_messages"),
        ("phases.0.max_messages", ABSENT, "phases[1].max_messages"),
        ("phases.2.max_messages", 10, "phases[3].max_messages"),
        ("classic", ABSENT, "classic"),
        ("classic", ["lead"], "classic"),
        ("classic.persona", ABSENT, "classic.persona"),
        ("classic.persona", "nobody", "classic.persona"),
        ("classic.phases", {}, "classic.phases"),
        ("classic.phases", ["01-vision"], "classic.phases"),
        ("classic.phases", {"vision": "Vision"}, "classic.phases.vision"),
        ("classic.phases", {"01-vision": ""}, "classic.phases.01-vision"),
        ("classic.phases", {10**5000: "Vision"}, "classic.phases.a very large number"),
    ],
)
def test_a_bad_field_is_one_fault_at_its_place(path: str, value: object, place: str) -> None:
    (fault,) = faults(changed(path, value))
    assert (fault.code, fault.file, fault.field) == ("ERR-RT-002", "party.yaml", place)
    assert fault.hint


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("personas.0.key", "Ann Lee", "personas[1].key"),
        ("personas.0.key", "x" * 41, "personas[1].key"),
        ("personas.0", "ann", "personas[1]"),
    ],
)
def test_a_persona_without_a_good_key_is_missed_where_it_is_named(
    path: str, value: str, place: str
) -> None:
    found = places(changed(path, value))
    assert found == [(place, value), ("phases[1].personas[1]", "ann")]


@pytest.mark.parametrize("name", ["personas", "phases"])
@pytest.mark.parametrize("value", [ABSENT, None, [], {}, "x", 3])
def test_a_party_needs_personas_and_phases(name: str, value: object) -> None:
    assert [field for field, _ in places(changed(name, value))] == [name]


def test_more_questions_than_six_are_too_many() -> None:
    many = [question(f"q{number}") for number in range(7)]
    assert places(changed("personas.0.questions", many))[0][0] == "personas[1].questions"
    assert parsed(changed("personas.0.questions", many[:6]))


def test_the_words_are_those_of_the_catalogue() -> None:
    (fault,) = faults(changed("phases.0.type", "both"))
    assert fault == StepFault(
        "ERR-RT-002",
        "party.yaml",
        "Warning: Roundtable agent file has invalid format. "
        "Falling back to standard analysis agents.",
        "phases[1].type",
        "both",
        "one of parallel, sequential",
    )


# What does not fit together


def test_an_unknown_persona_in_a_phase_is_a_fault() -> None:
    (fault,) = faults(changed("phases.0.personas", ["ann", "bob", "cat", "zoe"]))
    assert (fault.field, fault.value) == ("phases[1].personas[4]", "zoe")
    assert fault.hint == "one of ann, bob, cat, dan, eve, lead"


def test_a_persona_that_no_phase_lists_is_a_fault() -> None:
    (fault,) = faults(changed("phases.0.personas", ["ann", "bob"]))
    assert (fault.field, fault.value) == ("personas[3].phase", "01-vision")
    assert fault.hint == "no phase lists this persona"


def test_a_persona_in_another_phase_than_it_declares_is_a_fault() -> None:
    front = changed("phases.0.personas", ["ann", "bob"])
    front["phases"][1]["personas"].append("cat")
    (fault,) = faults(front)
    assert (fault.field, fault.value) == ("phases[2].personas[3]", "cat")
    assert fault.hint == "its own phase is 01-vision"


def test_a_persona_of_a_phase_that_is_not_there_is_a_fault() -> None:
    (fault,) = faults(changed("personas.2.phase", "07-none"))
    assert (fault.field, fault.hint) == ("personas[3].phase", "one of 01-vision, 02-plan, 03-walk")


def test_a_persona_sits_in_its_phase_once() -> None:
    assert places(changed("phases.0.personas", ["ann", "bob", "cat", "ann"])) == [
        ("phases[1].personas[4]", "ann")
    ]


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("personas.1.name", "ANN", "personas[2].name"),
        ("personas.1.name", "roundtable", "personas[2].name"),
        ("personas.0.questions.1.key", "who", "personas[1].questions[2].key"),
        ("phases.1.label", "Phase 01-vision", "phases[2].label"),
    ],
)
def test_what_should_be_its_own_is_a_fault_at_the_second_place(
    path: str, value: str, place: str
) -> None:
    found = places(changed(path, value))
    assert (place, value) in found


def test_of_two_personas_with_one_key_the_second_is_the_fault() -> None:
    front = whole()
    front["personas"].append(persona("ann", "02-plan", name="Second"))
    assert places(front) == [("personas[7].key", "ann")]
    front["personas"][6]["key"] = "dan"
    front["personas"][6] |= {"phase": "02-plan", "produces": ["else.md"]}
    assert places(front) == [("personas[7].key", "dan")]


def test_of_two_phases_with_one_key_the_second_is_the_fault() -> None:
    front = whole()
    front["phases"].append(phase("01-vision", "walkthrough", ["lead"], outputs=["x.md"]))
    assert ("phases[4].key", "01-vision") in places(front)


def test_the_facilitator_is_taken() -> None:
    front = changed("personas.2.key", "facilitator")
    front["phases"][0]["personas"][2] = "facilitator"
    assert places(front) == [("personas[3].key", "facilitator")]


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_a_protocol_fits_one_type_of_phase(protocol: str) -> None:
    front = changed("phases.0.protocol", protocol)
    found = parse_party(front)
    told = [] if isinstance(found, Party) else [one.field for one in found]
    unfit = "phases[1].protocol" in told
    assert unfit == (protocol in ("constitution", "walkthrough"))


def test_a_protocol_that_does_not_fit_names_those_that_do() -> None:
    fault = faults(changed("phases.2.protocol", "propose-critique-converge"))[0]
    assert fault.hint == "one of constitution, walkthrough in a sequential phase"


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("personas.0.questions", "personas[1].questions"),
        ("personas.0.focus", "personas[1].focus"),
        ("personas.3.checks", "personas[4].checks"),
    ],
)
@pytest.mark.parametrize("value", [ABSENT, []])
def test_a_member_without_what_the_protocol_needs_is_a_fault(
    path: str, place: str, value: object
) -> None:
    (fault,) = faults(changed(path, value))
    assert (fault.field, fault.value) == (place, None)
    assert "the protocol" in (fault.hint or "")


def test_a_parallel_phase_has_two_to_six_members() -> None:
    front = changed("phases.1.personas", ["dan"])
    front["phases"][1]["outputs"] = ["plan.md"]
    del front["personas"][4]
    assert [field for field, _ in places(front)] == ["phases[2].personas"]

    crowd = whole()
    ask = {"focus": ["x"], "questions": [question("who")]}
    for number in range(4):
        crowd["personas"].append(persona(f"p{number}", "01-vision", **ask))
        crowd["phases"][0]["personas"].append(f"p{number}")
    (fault,) = faults(crowd)
    assert (fault.field, fault.hint) == (
        "phases[1].personas",
        "2 to 6 personas in a parallel phase",
    )


def test_an_output_belongs_to_one_phase_whatever_its_case() -> None:
    front = changed("phases.0.outputs", ["Plan.MD"])
    (fault,) = faults(front)
    assert (fault.field, fault.value) == ("phases[2].outputs[1]", "plan.md")
    assert fault.hint == "phases[1].outputs[1] has it"
    front = changed("phases.2.outputs", ["end.json", "BRIEF.md"])
    front["personas"][5]["produces"] = ["end.json", "BRIEF.md"]
    (fault,) = faults(front)
    assert (fault.field, fault.hint) == ("phases[3].outputs[2]", "phases[1].outputs[1] has it")


def test_the_classic_mode_is_led_by_one_of_the_party() -> None:
    (fault,) = faults(changed("classic.persona", "nobody"))
    assert fault.hint == "one of ann, bob, cat, dan, eve, lead"


def test_each_file_has_one_writer() -> None:
    assert places(changed("personas.4.produces", ["plan.md"])) == [
        ("personas[5].produces[1]", "plan.md"),
        ("phases[2].outputs[2]", "tests.md"),
    ]


def test_nobody_produces_what_is_no_output_of_the_phase() -> None:
    assert places(changed("personas.0.produces", ["plan.md"])) == [
        ("personas[1].produces[1]", "plan.md")
    ]


def test_a_shared_question_is_about_one_thing() -> None:
    (fault,) = faults(changed("personas.2.questions.0.domain", "law"))
    assert (fault.field, fault.value) == ("personas[3].questions[1].domain", "law")
    assert fault.hint == "users, as elsewhere for the question who"


# All at once


def test_every_fault_is_told_at_once() -> None:
    front = whole()
    front["personas"][0]["icon"] = "gear"
    front["personas"][3]["checks"] = []
    front["phases"][0]["personas"][1] = "zoe"
    front["phases"][2]["type"] = "parallel"
    front["classic"]["persona"] = "zoe"
    del front["name"]
    assert [field for field, _ in places(front)] == [
        "name",
        "personas[1].icon",
        "phases[1].personas[2]",
        "personas[2].phase",
        "personas[4].checks",
        "phases[3].protocol",
        "phases[3].personas",
        "phases[3].max_messages",
        "classic.persona",
    ]


def test_a_faulty_persona_is_still_known_by_its_key() -> None:
    front = changed("personas.0.icon", None)
    assert [field for field, _ in places(front)] == ["personas[1].icon"]


def test_hints_hold_nothing_that_a_terminal_would_obey() -> None:
    evil = "\x1b[31m.md"
    for path in ("phases.1.outputs", "personas.3.produces", "phases.1.personas"):
        for fault in faults(changed(path, [evil])):
            assert "\x1b" not in f"{fault.field}{fault.value}{fault.hint}{fault.message}"
    for fault in faults(changed("personas.1.questions.0.domain", evil)):
        assert "\x1b" not in f"{fault.hint}{fault.value}"
    for fault in faults(changed("classic.phases", {evil: 1})):
        assert "\x1b" not in f"{fault.field}{fault.value}"


YAML = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(junk=YAML, seed=st.integers(0, 10**6))
def test_junk_anywhere_is_a_party_or_faults(junk: object, seed: int) -> None:
    chance = random.Random(seed)
    front = whole()
    target: Any = front
    while True:
        key = chance.choice(list(target) if isinstance(target, dict) else range(len(target)))
        inner = target[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.8:
            target = inner
            continue
        target[key] = junk
        break
    found = parse_party(front)
    if not isinstance(found, Party):
        assert found
        assert all(one.code == "ERR-RT-002" and one.field for one in found)


def test_a_list_of_very_many_is_not_looked_at_to_its_end() -> None:
    front = whole()
    front["personas"] = [{} for _ in range(20_000)]
    front["phases"] = [{} for _ in range(20_000)]
    assert len(faults(front)) < 2_000
