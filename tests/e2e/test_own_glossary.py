"""A question to the bot is answered from the glossary of the step tree, through the real bot."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.content.library import default_steps_dir
from tests.e2e.test_differences import step_message, written
from tests.support.served_bot import ServedBot, served_bot

OWN = 'terms:\n  scope: {also: [round], means: "How far the van drives in a day."}\n'


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    steps = tmp_path / "steps"
    shutil.copytree(default_steps_dir(), steps, ignore=shutil.ignore_patterns("brains"))
    (steps / "glossary.yaml").write_text(OWN)
    with served_bot(tmp_path, steps=steps) as found:
        found.start("Plan the rounds of the van")
        yield found


def test_a_word_is_explained_by_the_tree_first_and_is_no_open_question(table: ServedBot) -> None:
    table.say("what is a round?")
    assert "You asked what “scope” means. How far the van drives" in str(step_message(table))
    assert "Open questions" not in written(table)


def test_a_word_that_the_tree_does_not_explain_is_explained_by_the_shipped_glossary(
    table: ServedBot,
) -> None:
    table.say("what is a quality attribute?")
    assert "How well something has to work" in str(step_message(table))
