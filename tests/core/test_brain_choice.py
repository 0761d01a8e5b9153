"""Who may keep language models from a session or a channel, and who may let them read again."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.domain import events as on
from core.domain.effects import Reply
from core.runtime.commit import Handled
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, DEV, TEAM
from tests.support.harness import Harness, small_table

pytestmark = EACH_DATABASE


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    table = small_table(tmp_path)
    table.start("Retry failed card payments")
    return table


def script_only(table: Harness, **more: object) -> on.BrainChosen:
    event = on.BrainChosen(DEV, table.clock.now(), TEAM, CHANNEL, script_only=True)
    return replace(event, **more)  # type: ignore[arg-type]


def of_session(table: Harness, event: on.BrainChosen) -> Handled:
    return table.runtime.handle(event, team=TEAM, session=table.id)


def of_channel(table: Harness, event: on.BrainChosen) -> Handled:
    return table.runtime.handle(event, team=TEAM)


def test_anybody_has_the_script_read_a_session_alone(table: Harness) -> None:
    assert not table.session.model.script_only
    done = of_session(table, script_only(table))
    assert done.reply == Reply("brain-script", {"title": "Retry failed card payments"})
    assert table.session.model.script_only
    assert table.session.status == "asking"


def test_only_its_owner_or_an_admin_lets_models_read_it_again(table: Harness) -> None:
    of_session(table, script_only(table))
    again = script_only(table, script_only=False)
    assert of_session(table, again).needs_admin
    refused = of_session(table, replace(again, admin=False))
    assert refused.reply is not None
    assert (refused.reply.kind, table.session.model.script_only) == ("not-yours", True)
    allowed = of_session(table, replace(again, admin=True))
    assert allowed.reply is not None
    assert (allowed.reply.kind, table.session.model.script_only) == ("brain-models", False)
    of_session(table, script_only(table))
    of_session(table, replace(again, by=table.cast.owner))
    assert not table.session.model.script_only


def test_a_channel_that_reads_by_script_begins_every_session_so(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    done = of_channel(table, script_only(table))
    assert done.reply == Reply("brain-script", {})
    table.start("Retry failed card payments")
    assert table.session.model.script_only


def test_only_an_admin_lets_models_read_in_a_channel_again(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    of_channel(table, script_only(table))
    again = script_only(table, script_only=False)
    assert of_channel(table, again).needs_admin
    refused = of_channel(table, replace(again, admin=False))
    assert refused.reply == Reply("not-yours", {})
    assert table.runtime.reader.is_script_channel(TEAM, CHANNEL)
    assert of_channel(table, replace(again, admin=True)).reply == Reply("brain-models", {})
    table.start("Retry failed card payments")
    assert not table.session.model.script_only


def test_a_channels_repository_and_its_brain_are_settled_apart(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    link = on.RepositoryNamed(DEV, 0.0, TEAM, CHANNEL, "shop", ("shop",), admin=True, shared=False)
    table.runtime.handle(link, team=TEAM)
    of_channel(table, script_only(table))
    reader = table.runtime.reader
    assert reader.channel_repository(TEAM, CHANNEL) == "shop"
    assert reader.is_script_channel(TEAM, CHANNEL)
    table.runtime.handle(replace(link, name=""), team=TEAM)
    assert reader.channel_repository(TEAM, CHANNEL) == ""
    assert reader.is_script_channel(TEAM, CHANNEL)


def test_a_session_that_is_over_takes_no_choice_back(table: Harness) -> None:
    table.cancel()
    of_session(table, script_only(table))
    assert table.session.status == "cancelled"
