"""A step file may hold anything: it is a step or has a code, and nothing takes long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content.check import check
from core.content.front_matter import FRONT_CHARS_MAX
from core.content.library import Library
from core.content.models.sections import sections_of
from core.content.models.step import STEP_FIELDS
from core.content.prose import sentences
from core.content.step_style import COMPARED_MAX
from core.domain.steps.playbook import Step, StepFault
from tests.content.looking import PHASE, SECONDS, look_at, planted
from tests.content.odd import HOSTILE_BODIES, ODD_VALUES, RAW, bombs
from tests.support.hostile import within
from tests.support.step_trees import AGENT, BODY, FRONT, REQUIRED_FIELDS, text_of


def with_field(name: str, value: str, number: int = 1) -> bytes:
    front = {**FRONT, "step_id": f'"{number // 100:02}-{number % 100:02}"', name: value}
    lines = [f"{key}: {written}" for key, written in front.items()]
    return "\n".join(["---", *lines, "---", BODY]).encode()


@pytest.mark.parametrize("name", [*STEP_FIELDS, "further", "<<", "1", "null", '"\\ud800"'])
def test_a_field_with_any_odd_value_is_good_or_has_a_code(name: str) -> None:
    with planted() as tree:
        for number, value in enumerate(ODD_VALUES):
            tree.file(f"{PHASE}/{number:03}.md", with_field(name, value, number))
        found = look_at(tree)
    became = dict(zip(ODD_VALUES, found, strict=True))
    wanted = {
        "": "ERR-STEP-005",
        "null": "ERR-STEP-005",
        "!!python/object:os.system x": "ERR-STEP-004",
    }
    for value, code in wanted.items() if name in REQUIRED_FIELDS else ():
        fault = became[value]
        assert isinstance(fault, StepFault)
        assert fault.code == code


@pytest.mark.parametrize("bomb", bombs())
def test_a_bomb_in_the_front_matter_costs_nothing(bomb: str) -> None:
    front = bombs()[bomb]
    fields = "\n".join(f"{name}: {value}" for name, value in FRONT.items())
    with planted() as tree:
        tree.file(f"{PHASE}/01-bomb.md", f"---\n{front}\n---\n{BODY}".encode())
        tree.file(f"{PHASE}/02-with.md", f"---\n{fields}\n{front}\n---\n{BODY}".encode())
        tree.agent(f"---\n{front}\n---\n")
        (became, _) = look_at(tree)
        assert isinstance(became, StepFault)
        if len(front) > FRONT_CHARS_MAX:
            assert became.code == "ERR-STEP-004"


@pytest.mark.parametrize("body", HOSTILE_BODIES)
def test_a_hostile_body_is_read_and_measured_in_bounded_time(body: str) -> None:
    with planted() as tree:
        tree.step(f"{PHASE}/01-a.md", HOSTILE_BODIES[body])
        (became,) = look_at(tree)
    assert isinstance(became, Step)


@given(st.lists(RAW, min_size=1, max_size=4), RAW | st.none())
def test_any_bytes_are_a_step_or_have_a_code(contents: list[bytes], agent: bytes | None) -> None:
    with planted() as tree:
        for number, content in enumerate(contents):
            tree.file(f"{PHASE}/{number:02}-a.md", content)
        if agent is not None:
            (tree.flow / "roundtable.md").write_bytes(agent)
        assert len(look_at(tree)) == len(contents)


@given(
    st.dictionaries(
        st.sampled_from([*STEP_FIELDS, "further"]), st.sampled_from(ODD_VALUES), max_size=4
    ),
    st.text(max_size=200),
    st.integers(0, 400),
    st.binary(max_size=3),
)
def test_a_good_file_changed_anywhere_is_a_step_or_has_a_code(
    fields: dict[str, str], body: str, at: int, cut: bytes
) -> None:
    content = text_of(body, **fields).encode("utf-8", "surrogatepass")
    content = content[:at] + cut + content[at + len(cut) :]
    with planted() as tree:
        tree.file(f"{PHASE}/01-a.md", content)
        tree.step(f"{PHASE}/02-b.md")
        one, other = look_at(tree)
    assert isinstance(one, Step | StepFault)
    assert isinstance(other, Step) or other.code == "ERR-STEP-006"  # its id was taken


AGENT_PARTS = ("name", "description", "personas", "phases")


@pytest.mark.parametrize("part", AGENT_PARTS)
def test_an_agent_file_with_any_odd_value_is_usable_or_has_faults(part: str) -> None:
    with planted() as tree:
        tree.step(f"{PHASE}/01-a.md")
        for value in ODD_VALUES:
            lines = AGENT.split("\n")
            first = next(n for n, line in enumerate(lines) if line.startswith(f"{part}:"))
            after = next(
                (n for n, line in enumerate(lines) if n > first and not line.startswith(" ")),
                len(lines),
            )
            tree.agent("\n".join([*lines[:first], f"{part}: {value}", *lines[after:]]))
            with within(SECONDS):
                library = Library(tree.root)
                assert library.personas("analysis")
                assert library.phases("analysis")
                check(tree.root)


# What was found that way


def test_a_number_without_a_decimal_form_is_kept_in_words() -> None:
    with planted() as tree:
        tree.file(f"{PHASE}/01-a.md", with_field("further", "[0x" + "f" * 5_000 + "]"))
        (became,) = look_at(tree)
    assert isinstance(became, Step)
    assert became.extra == {"further": "a very large number"}


def test_a_heading_of_blanks_is_read_once() -> None:
    with within(SECONDS):
        found = sections_of("## Standard" + " \t" * 50_000 + "Mode ## \n\nWhy?")
    assert found == {"Standard" + " \t" * 50_000 + "Mode": "Why?"}


def test_only_the_first_questions_of_many_are_compared() -> None:
    with planted() as tree:
        same = "".join(f"{n}. Why is the export of a report slow?\n" for n in range(1, 60))
        tree.step(f"{PHASE}/01-a.md", f"## Standard Mode\n\n{same}")
        found = check(tree.root, strict=True).faults
    pairs = [one for one in found if one.message == "'## Standard Mode' asks the same twice."]
    assert len(pairs) == COMPARED_MAX * (COMPARED_MAX - 1) // 2


@pytest.mark.parametrize(
    ("text", "many"),
    [("Why... not?!", 2), ("Wait…", 1), ("So?) Yes.", 2), ("a.b c.", 1), ("..x", 1), ("?!", 0)],
)
def test_a_run_of_signs_ends_one_sentence(text: str, many: int) -> None:
    assert sentences(text) == many
