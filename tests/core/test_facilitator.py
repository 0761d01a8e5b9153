"""The standard facilitator: word for word, nothing asked, and nothing shared with the persona."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.brains.facilitator import word_for_word
from core.brains.tasks import BrainError
from core.domain.faults import record_of
from tests.core.test_engine_escalating import naming, routings
from tests.core.test_faults_brains import TROUBLE
from tests.core.test_scripted import PRIYA, SAM, request
from tests.support.artifact_checker import check
from tests.support.fakes import FACILITATOR, Thinking
from tests.support.follow_ups import passed, question_of
from tests.support.harness import Harness, small_table, small_tree

SAID = (
    "We must keep it small. Then: what about Zürich?\n"
    "As a user, I want a PDF so that I can file it."
)


# ── what it makes of answers ───────────────────────────────────────────────────────────────────


def test_each_answer_is_one_line_in_its_own_words() -> None:
    draft = word_for_word(request("01-07", SAID, (SAM, "Large. 40 files.")))
    assert [(claim.kind, claim.text, claim.sources) for claim in draft.claims] == [
        ("fact", SAID, ("01-07:1",)),
        ("fact", "Large. 40 files.", ("01-07:2",)),
    ]
    assert draft.recorded == (
        "Kept word for word, from Priya and Sam: “We must keep it small. Then: what about Zürich?"
        " As a user, I want a PDF so that…”, “Large. 40 files.”."
    )


def test_it_asks_nothing_and_weighs_nothing() -> None:
    draft = word_for_word(request("00-01", "Large."))
    assert (question_of(draft), draft.scan) == (None, None)


def test_a_question_that_was_left_open_stays_an_assumption() -> None:
    draft = word_for_word(request("01-02", "Admins.", follow_ups=passed("Who pays?")))
    assert [(claim.text, claim.confidence) for claim in draft.claims] == [
        ("Admins.", "stated"),
        ("Asked, not answered: Who pays?", "assumed"),
    ]


def test_where_everything_was_withdrawn_it_says_so() -> None:
    draft = word_for_word(request("01-02"))
    assert draft.claims == ()
    assert draft.recorded == "All answers to this step were withdrawn."


def test_many_people_are_counted_and_nobody_is_left_without_a_name() -> None:
    people = [PRIYA, SAM, "U3", "U4", "U5"]
    draft = word_for_word(request("01-02", *((by, f"I am {by}.") for by in people)))  # type: ignore[misc]
    assert draft.recorded == (
        "Kept word for word, from Priya, Sam and 3 others: “I am U4.”, “I am U5.”."
    )
    alone = word_for_word(request("01-02", ("U9", "Hm.")))  # type: ignore[arg-type]
    assert alone.recorded == "Kept word for word, from someone: “Hm.”."


def test_it_loads_no_rule_of_the_script_and_no_pattern() -> None:
    """What the script fails over, the facilitator must not even import."""
    code = (
        "import sys, core.brains.facilitator as f; "
        "print(sorted(m for m in sys.modules if m.startswith('core.brains.')))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert out.stdout.split("'")[1::2] == [
        "core.brains.bookkeeping",
        "core.brains.bookkeeping.corrections",
        "core.brains.bookkeeping.unanswered",
        "core.brains.facilitator",
        "core.brains.tasks",
    ]


# ── in the place of a persona ──────────────────────────────────────────────────────────────────


def failing(request: object) -> object:
    raise RuntimeError("no sign of anything")


@pytest.mark.parametrize(("flow", "mode"), [("analysis", ""), ("inception", "classic")])
def test_it_leads_a_whole_flow_and_every_answer_stands_in_the_files_word_for_word(
    tmp_path: Path, flow: str, mode: str
) -> None:
    """The persona fails in every phase, and every artifact is whole all the same."""
    table = Harness(tmp_path, brains={None: Thinking([failing] * 99)})
    table.start(flow=flow, mode=mode)
    said: list[str] = []
    while table.session.status != "completed":
        if table.session.status == "asking":
            said.append(f"Point {len(said)} is that we (all of us) keep the zebra — 3 × daily.")
            table.say(said[-1])
        table.forward()
    assert len(said) > 8
    assert set(table.messages) == {TROUBLE}
    assert len(table.messages) == len([each for each in table.session.course.phases if each.count])
    assert check(table.folder(), said, table.session.title) == []
    written = "\n".join(path.read_text() for path in table.folder().iterdir() if path.is_file())
    plain = written.replace("\\", "")
    assert [text for text in said if text not in plain] == []


def in_the_way(folder: Path, source: str) -> None:
    (folder / source).mkdir()


def not_text(folder: Path, source: str) -> None:
    (folder / source).write_bytes(b"\xff\xfe\x00")


def test_a_folder_in_the_place_of_a_document_is_classified_and_asked_about(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    in_the_way(table.folder(), "CLAUDE.md")
    table.say("Because of the bank.")
    assert table.messages == []
    assert table.statuses["01-01"] == "blocked"
    assert routings(table) == ["DETOUR", "BLOCKED"]
    record = record_of(table.runtime.reader.faults(table.id)[-1], "analysis")
    assert (record["category"], record["error_type"]) == (
        "prerequisite_failure",
        "IsADirectoryError",
    )
    assert record["input_source"] == "CLAUDE.md"
    table.say("We do without it.")
    assert table.session.status == "choosing"


def test_a_document_that_is_no_text_reaches_the_classifier_and_the_facilitator_reads_without_it(
    tmp_path: Path,
) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    not_text(table.folder(), "CLAUDE.md")
    table.say("Because of the bank.")
    fault = table.runtime.reader.faults(table.id)[-1]
    assert fault.type == "UnicodeDecodeError"
    assert fault.category == "unexpected_result"
    assert table.session.status == "choosing"
    assert table.session.course.phases[0].facilitated
    assert table.phases["01-requirements"] == "open"
    text = (table.folder() / "requirements-spec.md").read_text()
    assert "Because of the bank." in text
    assert "CLAUDE.md" not in text


@pytest.mark.parametrize("trouble", [in_the_way, not_text])
def test_what_the_persona_failed_over_does_not_touch_the_facilitator(
    tmp_path: Path, trouble: object
) -> None:
    tree = small_tree(tmp_path / "steps")
    for place in ("01-a", "02-b"):
        tree.step(f"01-requirements/{place}.md", title=place, sources="[NOTES.md]")
    brains = {None: Thinking([RuntimeError("no sign of anything")])}
    table = small_table(tmp_path, tree=tree, brains=brains)
    table.start()
    (table.folder() / "NOTES.md").write_text("Notes.\n")
    table.say("Because of the bank.")
    assert table.session.course.phases[0].facilitated
    (table.folder() / "NOTES.md").unlink()
    trouble(table.folder(), "NOTES.md")  # type: ignore[operator]
    table.forward()
    table.say("And the auditors.")
    assert table.session.status == "choosing"
    assert table.messages == [TROUBLE]
    text = (table.folder() / "requirements-spec.md").read_text()
    assert "Because of the bank." in text
    assert "And the auditors." in text
    assert table.session.course.steps[1].prompt.persona == FACILITATOR


def test_a_persona_that_gives_nonsense_twice_loses_no_word(tmp_path: Path) -> None:
    table = small_table(tmp_path, brains={None: Thinking([BrainError("invalid")] * 2)})
    table.start()
    table.say(SAID)
    text = (table.folder() / "requirements-spec.md").read_text()
    assert " ".join(SAID.split()) in text.replace("\\", "")
    assert table.session.course.steps[0].questions.open is None
