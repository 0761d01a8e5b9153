"""A mapping and a body become a step, or everything that is wrong with them."""

import datetime
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content.models.agent import parse_agent
from core.content.models.sections import sections_of
from core.content.models.step import parse_step
from core.content.models.values import (
    OUTPUT_CHARS_MAX,
    VALUE_CHARS_MAX,
    is_output_name,
    is_phase_key,
    label_of,
    step_id_of_place,
    value_shown,
)
from core.domain.ids import Digest, PersonaKey, PhaseKey, StepId
from core.domain.steps.playbook import (
    BUILT_IN,
    BUILT_IN_PHASES,
    FACILITATOR,
    AgentFile,
    Persona,
    Phase,
    Step,
    StepFault,
)

PHASE = PhaseKey("01-requirements")
PERSONAS = frozenset({PersonaKey("business-analyst"), PersonaKey("solutions-architect")})
FRONT: dict[str, object] = {
    "step_id": "01-02",
    "title": "User Needs Discovery",
    "persona": "business-analyst",
    "depth": "standard",
    "outputs": ["requirements-spec.md"],
}


def parsed(body: str = "", /, **changes: object) -> Step | tuple[StepFault, ...]:
    return parse_step(
        {**FRONT, **changes},
        body,
        file="02-user-needs.md",
        phase=PHASE,
        digest=Digest("d"),
        personas=PERSONAS,
    )


def good(body: str = "", /, **changes: object) -> Step:
    step = parsed(body, **changes)
    assert isinstance(step, Step), step
    return step


def faults(**changes: object) -> tuple[StepFault, ...]:
    found = parsed(**changes)
    assert isinstance(found, tuple), found
    return found


# Steps


def test_a_good_file_becomes_a_step() -> None:
    assert good("Hello") == Step(
        id=StepId("01-02"),
        title="User Needs Discovery",
        persona=PersonaKey("business-analyst"),
        depth="standard",
        outputs=("requirements-spec.md",),
        file="02-user-needs.md",
        phase=PHASE,
        digest=Digest("d"),
        body="Hello",
    )


def test_the_optional_fields_are_taken_over() -> None:
    step = good(depends_on=["01-01", "01-01", "00-03"], skip_if="scope == 'small'")
    assert step.depends_on == ("01-01", "00-03")
    assert step.skip_if == "scope == 'small'"
    assert good(depends_on=[]).depends_on == ()
    assert good(sources=["AGENTS.md", "AGENTS.md", "b.txt"]).sources == ("AGENTS.md", "b.txt")
    assert good().sources == ()
    assert good(depends_on=None, skip_if=None) == good()


def test_unknown_fields_are_kept() -> None:
    assert good(owner="Ana", weight=3, nothing=None).extra == {
        "owner": "Ana",
        "weight": 3,
        "nothing": None,
    }


def test_the_same_output_twice_is_one() -> None:
    assert good(outputs=["a.md", "b.md", "a.md"]).outputs == ("a.md", "b.md")


def test_space_around_a_title_is_not_part_of_it() -> None:
    assert good(title=" Needs\n").title == "Needs"


@pytest.mark.parametrize("name", ["step_id", "title", "persona", "depth", "outputs"])
def test_a_required_field_that_is_absent_or_null_is_missing(name: str) -> None:
    message = f"Warning: Step file 02-user-needs.md is missing required field '{name}'. Skipping."
    expected = (StepFault("ERR-STEP-005", "02-user-needs.md", message, field=name),)
    assert faults(**{name: None}) == expected
    without = {one: value for one, value in FRONT.items() if one != name}
    assert (
        parse_step(
            without,
            "",
            file="02-user-needs.md",
            phase=PHASE,
            digest=Digest("d"),
            personas=PERSONAS,
        )
        == expected
    )


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("step_id", "1-2", "1-2"),
        ("step_id", "01-02\n", "01-02 "),
        ("step_id", "01-02-03", "01-02-03"),
        ("step_id", "٠١-٠٢", "٠١-٠٢"),
        ("step_id", 1, "1"),
        ("step_id", datetime.date(2001, 1, 2), "2001-01-02"),
        ("step_id", 3723, "3723"),
        ("step_id", ["01-02"], "['01-02']"),
        ("step_id", "", ""),
        ("title", "", ""),
        ("title", "  ", "  "),
        ("title", "x" * 61, "x" * 61),
        ("title", "one\ntwo", "one two"),
        ("title", "one\u2028two", "one two"),
        ("title", "tab\there", "tab here"),
        ("title", 2026, "2026"),
        ("title", True, "True"),
        ("persona", "maya", "maya"),
        ("persona", ["business-analyst"], "['business-analyst']"),
        ("persona", {}, "{}"),
        ("depth", "Standard", "Standard"),
        ("depth", True, "True"),
        ("depth", [], "[]"),
        ("outputs", [], "[]"),
        ("outputs", "a.md", "a.md"),
        ("outputs", {"a.md": 1}, "{'a.md': 1}"),
        ("outputs", ["a.md", "../b.md"], "../b.md"),
        ("outputs", [["a.md"]], "['a.md']"),
        ("outputs", [None], "None"),
        ("sources", "AGENTS.md", "AGENTS.md"),
        ("sources", ["AGENTS.md", "../notes.md"], "../notes.md"),
        ("sources", ["adr-*.md"], "adr-*.md"),
        ("sources", ["meta.json"], "meta.json"),
        ("depends_on", "01-01", "01-01"),
        ("depends_on", ["01-01", 1.5], "1.5"),
        ("depends_on", ["requirements"], "requirements"),
        ("skip_if", True, "True"),
        ("skip_if", ["scope"], "['scope']"),
    ],
)
def test_a_bad_value_is_named_with_its_field(name: str, value: object, written: str) -> None:
    (fault,) = faults(**{name: value})
    assert (fault.code, fault.field, fault.value) == ("ERR-STEP-006", name, written)
    assert fault.message == (
        f"Warning: Step file 02-user-needs.md has invalid value for '{name}': '{written}'. "
        "Skipping."
    )
    assert fault.hint


def test_the_hints_say_what_would_be_right() -> None:
    everything = faults(
        step_id="x", title="", persona="x", depth="x", outputs="x", depends_on="x", skip_if=1
    )
    assert [fault.hint for fault in everything] == [
        'two digits, a hyphen and two digits in quotes, like "01-02"',
        "one line of 1 to 60 characters",
        "one of business-analyst, solutions-architect",
        "one of brief, standard, deep",
        "a list of plain file names, like [requirements-spec.md]",
        'a list of step ids, like ["01-01"]',
        "an expression in quotes, like \"scope == 'small'\"",
    ]


def test_all_faults_of_a_file_are_found_in_the_order_of_the_fields() -> None:
    found = faults(step_id=None, title="", depth="x", outputs=["/a", "ok.md", "b/c"])
    assert [(fault.code, fault.field, fault.value) for fault in found] == [
        ("ERR-STEP-005", "step_id", None),
        ("ERR-STEP-006", "title", ""),
        ("ERR-STEP-006", "depth", "x"),
        ("ERR-STEP-006", "outputs", "/a"),
        ("ERR-STEP-006", "outputs", "b/c"),
    ]


@pytest.mark.parametrize("title", ["x", "x" * 60, "Müller & Söhne 🙂", "👩‍🚀 plan", "  x  "])
def test_a_title_of_one_to_sixty_characters_is_good(title: str) -> None:
    assert good(title=title).title == title.strip()


@pytest.mark.parametrize(
    "name",
    ["a.md", "adr-*.md", "tech stack.md", "größe.csv", "README", "a..b", "x" * OUTPUT_CHARS_MAX],
)
def test_a_plain_file_name_is_an_output(name: str) -> None:
    assert is_output_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", ".hidden", "a/b", "/etc/passwd", "..\\a", "a\\b", "C:a", "a\0b", "a\nb"),
        *(
            " a",
            "a ",
            "a.",
            "meta.json",
            "META.json",
            "state.json",
            "reports",
            "a\u202eb",
            "\ud800",
        ),
        *("x" * (OUTPUT_CHARS_MAX + 1), "語" * 67, "a\u00a0b"),
        *(None, 3, ["a"], b"a"),
    ],
)
def test_what_could_leave_its_folder_or_is_ours_is_no_output(name: object) -> None:
    assert not is_output_name(name)


JSON_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from([*FRONT, "depends_on", "skip_if", "more"])


@given(st.dictionaries(FIELDS, JSON_LIKE), st.text())
def test_any_front_matter_is_a_step_or_has_faults(front: dict[str, object], body: str) -> None:
    found = parsed(body, **front)
    if isinstance(found, Step):
        assert found.outputs
        assert 1 <= len(found.title) <= 60
    else:
        assert found
        for fault in found:
            assert fault.code in {"ERR-STEP-005", "ERR-STEP-006"}
            assert "\n" not in fault.message
            assert len(fault.value or "") <= VALUE_CHARS_MAX


# Places


@pytest.mark.parametrize(
    ("phase", "file", "step_id"),
    [
        ("01-requirements", "03-ux-journey.md", "01-03"),
        ("00-quick-scan", "01.md", "00-01"),
        ("01", "02-x.md", "01-02"),
        ("01-requirements", "notes.md", "notes"),
        ("01-requirements", "3-notes.md", "3-notes"),
        ("01-requirements", "033-notes.md", "033-notes"),
        ("requirements", "03-notes.md", "03-notes"),
        ("01-requirements", "٠٣-notes.md", "٠٣-notes"),
    ],
)
def test_a_place_asks_for_an_id(phase: str, file: str, step_id: str) -> None:
    assert step_id_of_place(PhaseKey(phase), file) == step_id


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("05-data-model", "Data Model"),
        ("05-security_review", "Security Review"),
        ("10-x", "X"),
        ("05-ux-API", "Ux API"),
        ("05--", "05--"),
    ],
)
def test_a_label_is_made_from_a_directory(key: str, label: str) -> None:
    assert label_of(key) == label


@pytest.mark.parametrize("key", ["01-a", "99-a b", "00-ü"])
def test_a_phase_is_two_digits_and_a_name(key: str) -> None:
    assert is_phase_key(key)


@pytest.mark.parametrize(
    "key", ["1-a", "01", "01-", "a01-b", "01-a/b", "01-a\\b", "01-\n", 1, None]
)
def test_anything_else_is_no_phase(key: object) -> None:
    assert not is_phase_key(key)


# Sections


BODY = """Before.

## Brief Mode

Short.

### Deeper
More.
## Standard Mode ##
```python
## not a heading
```
After code.

~~~
```
## nor this
~~~~
##no space
## Deep Mode

## Brief Mode
Again."""


def test_sections_are_cut_at_their_headings_outside_of_code() -> None:
    assert sections_of(BODY) == {
        "Brief Mode": "Short.\n\n### Deeper\nMore.\n\nAgain.",
        "Standard Mode": (
            "```python\n## not a heading\n```\nAfter code.\n\n"
            "~~~\n```\n## nor this\n~~~~\n##no space"
        ),
        "Deep Mode": "",
    }


def test_code_that_opens_before_the_first_heading_hides_it() -> None:
    assert sections_of("```\n## A\n```\n## B\nb") == {"B": "b"}
    assert sections_of("````\n```\n## A\n````\n## B\nb") == {"B": "b"}
    assert sections_of("```\n## A") == {}


def test_a_heading_keeps_a_sharp_of_its_own() -> None:
    assert sections_of("## C#\nx\n## D #\ny") == {"C#": "x", "D": "y"}


def test_a_body_without_headings_has_no_sections() -> None:
    assert sections_of("Just text") == {}
    assert sections_of("") == {}


@given(st.text(alphabet="#`~ ab\n", max_size=80))
def test_any_text_has_sections_and_nothing_is_made_up(body: str) -> None:
    for heading, text in sections_of(body).items():
        assert heading in body
        assert all(line in body for line in text.split("\n"))


def test_the_prompt_falls_back_to_standard_and_then_to_the_body() -> None:
    step = good("## Standard Mode\nAsk.\n## Brief Mode\n  \n")
    assert step.prompt("standard") == ("Ask.", False)
    assert step.prompt("brief") == ("Ask.", True)
    assert step.prompt("deep") == ("Ask.", True)
    assert good(" Only this. ").prompt("deep") == ("Only this.", True)


# The agent file


PERSONA: dict[str, object] = {
    "key": "business-analyst",
    "name": "Maya Chen",
    "role": "Business Analyst",
    "icon": ":bar_chart:",
    "identity": "Sees both sides.",
    "style": "Warm.",
    "principles": ["One.", "Two.", "Three."],
}
MAYA = Persona(
    PersonaKey("business-analyst"),
    "Maya Chen",
    "Business Analyst",
    ":bar_chart:",
    "Sees both sides.",
    "Warm.",
    ("One.", "Two.", "Three."),
)
AGENT: dict[str, object] = {
    "name": "roundtable",
    "description": " Three people. ",
    "personas": [PERSONA],
    "phases": {
        "01-requirements": {"persona": "business-analyst", "label": "Requirements"},
        "00-quick-scan": {"persona": "business-analyst"},
    },
}
WORDS = (
    "Warning: Roundtable agent file has invalid format. Falling back to standard analysis agents."
)


def agent(**changes: object) -> AgentFile:
    found = parse_agent({**AGENT, **changes})
    assert isinstance(found, AgentFile), found
    return found


def places(found: tuple[StepFault, ...]) -> list[tuple[str | None, str | None]]:
    assert all(fault.code == "ERR-RT-002" and fault.message == WORDS for fault in found)
    return [(fault.field, fault.value) for fault in found]


def test_a_good_agent_file_says_who_sits_at_the_table() -> None:
    assert agent() == AgentFile(
        "roundtable",
        "Three people.",
        (MAYA,),
        (
            Phase(PhaseKey("00-quick-scan"), "Quick Scan", PersonaKey("business-analyst")),
            Phase(PhaseKey("01-requirements"), "Requirements", PersonaKey("business-analyst")),
        ),
    )
    assert agent(description=None).description == ""


@pytest.mark.parametrize("name", [None, "", 3, "x" * 61, "a\nb"])
def test_without_a_name_it_is_no_use(name: object) -> None:
    found = parse_agent({**AGENT, "name": name})
    assert isinstance(found, tuple)
    assert places(found) == [("name", None if name is None else value_shown(name))]


@pytest.mark.parametrize("personas", [None, [], {}, "maya"])
def test_without_personas_it_is_no_use(personas: object) -> None:
    found = parse_agent({**AGENT, "personas": personas})
    assert isinstance(found, tuple)
    assert [place for place, _ in places(found)] == ["personas"]


def test_everything_wrong_with_it_is_found() -> None:
    found = parse_agent({"personas": [{**PERSONA, "icon": "chart", "style": ""}, "Alex"]})
    assert isinstance(found, tuple)
    assert places(found) == [
        ("name", None),
        ("personas[1].icon", "chart"),
        ("personas[1].style", ""),
        ("personas[2]", "Alex"),
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("key", None),
        ("key", "Maya"),
        ("key", "-a"),
        ("key", "a" * 41),
        ("key", FACILITATOR.key),
        ("key", "business-analyst"),
        ("name", ""),
        ("name", "x" * 61),
        ("role", None),
        ("icon", "bar_chart"),
        ("icon", ":a b:"),
        ("identity", " "),
        ("style", 3),
        ("principles", ["One.", "Two."]),
        ("principles", ["One.", "Two.", ""]),
        ("principles", "One."),
    ],
)
def test_a_persona_that_cannot_be_used_is_left_out_and_said(name: str, value: object) -> None:
    second = {**PERSONA, "key": "alex", name: value}
    found = agent(personas=[PERSONA, second])
    assert found.personas == (MAYA,)
    assert [place for place, _ in places(found.flaws)] == [f"personas[2].{name}"]


@pytest.mark.parametrize(
    ("phases", "place"),
    [
        (None, "phases"),
        (["01-a"], "phases"),
        ({"01-a": "business-analyst"}, "phases.01-a"),
        ({"requirements": {"persona": "business-analyst"}}, "phases.requirements"),
        ({1: {"persona": "business-analyst"}}, "phases.1"),
        ({"01-a": {"persona": "alex"}}, "phases.01-a.persona"),
        ({"01-a": {"persona": ["business-analyst"]}}, "phases.01-a.persona"),
        ({"01-a": {"label": "A"}}, "phases.01-a.persona"),
        ({"01-a": {"persona": "business-analyst", "label": ""}}, "phases.01-a.label"),
    ],
)
def test_a_phase_that_cannot_be_used_is_left_out_and_said(phases: object, place: str) -> None:
    found = agent(phases=phases)
    assert found.phases == ()
    assert [one for one, _ in places(found.flaws)] == [place]


@given(st.dictionaries(st.sampled_from([*AGENT]), JSON_LIKE))
def test_any_agent_file_is_usable_or_has_faults(front: dict[str, object]) -> None:
    found = parse_agent({**AGENT, **front})
    assert found.personas if isinstance(found, AgentFile) else found


def test_the_built_in_phases_are_led_by_the_built_in_personas() -> None:
    assert [phase.key for phase in BUILT_IN_PHASES] == sorted(one.key for one in BUILT_IN_PHASES)
    assert {phase.persona for phase in BUILT_IN_PHASES} == {who.key for who in BUILT_IN}


# Values as they are shown


def test_a_long_value_is_cut_to_one_short_line() -> None:
    assert value_shown("x" * VALUE_CHARS_MAX) == "x" * VALUE_CHARS_MAX
    assert value_shown("x" * (VALUE_CHARS_MAX + 1)) == "x" * (VALUE_CHARS_MAX - 1) + "…"
    assert value_shown("a\r\nb\x1b[31m\ud800") == "a  b [31m "


def test_a_number_without_a_decimal_form_is_no_crash() -> None:
    huge = 1 << 40_000
    assert value_shown(huge) == "a very large number"
    assert value_shown([huge]) == "a very large number"


def test_a_structure_that_holds_itself_or_grows_without_end_is_shown_in_short() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert value_shown(circle) == "[[[[...]]]]"
    bomb: list[object] = ["x"]
    for _ in range(60):
        bomb = [bomb] * 9
    assert len(value_shown(bomb)) == VALUE_CHARS_MAX
    assert len(value_shown({letter: {letter: [letter]} for letter in string.ascii_letters})) <= 80
