"""One of the items for development, played to its end: what holds of every analysis."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from core.domain.answers import NOT_SAID
from tests.facilitation.__main__ import EXIT_REFUSED, ITEMS, app
from tests.facilitation.asking import FOLLOW_UPS_A_STEP_MAX
from tests.facilitation.items import read_items
from tests.facilitation.matching import contains
from tests.facilitation.record import Record
from tests.facilitation.running import record_of

ITEM: Final = "clinic-slots"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Record:
    (item,) = read_items(ITEMS, [ITEM])
    return record_of(item, tmp_path_factory.mktemp(ITEM))


@pytest.mark.whole
def test_the_item_comes_to_its_end_and_everybody_does_what_they_meant_to_do(
    played: Record,
) -> None:
    assert (played.status, played.stopped, played.notes) == ("completed", "", ())
    assert played.claims
    assert played.files


@pytest.mark.whole
def test_no_follow_up_vanishes(played: Record) -> None:
    assert played.follow_ups
    for asked in played.follow_ups:
        assert asked.asked.outcome != "open", asked
        if asked.asked.outcome != "answered":
            assert played.stands_in_files(asked.asked.question), asked


@pytest.mark.whole
def test_a_step_asks_two_follow_ups_at_most(played: Record) -> None:
    counts = Counter(asked.step for asked in played.follow_ups)
    assert max(counts.values()) <= FOLLOW_UPS_A_STEP_MAX


@pytest.mark.whole
def test_every_requirement_rests_on_somebodys_words(played: Record) -> None:
    requirements = [claim for claim in played.claims if claim.kind == "requirement"]
    assert requirements
    for claim in requirements:
        said = [played.by_id[source] for source in claim.sources if source in played.by_id]
        texts = [answer.text for answer in said if answer.source not in NOT_SAID]
        assert any(contains(claim.text, text) for text in texts), claim


@pytest.mark.whole
def test_a_click_a_step_is_enough(played: Record) -> None:
    assert len(played.clicks) <= played.steps


def test_a_folder_with_faults_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("people: []\n")
    result = CliRunner().invoke(app, [str(tmp_path)])
    assert result.exit_code == EXIT_REFUSED
    assert "one.yaml: people: " in result.stderr
    assert "one.facts.yaml: the facts of one.yaml are missing." in result.stderr
    assert result.stdout == ""
