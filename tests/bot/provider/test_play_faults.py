"""A play sets faults of the provider as it sets Slack's."""

from pathlib import Path

import openai
import pytest

from bot.devtools.play.places import tree_of
from bot.devtools.play.script.entries import ProviderFails
from bot.devtools.play.script.file import parse
from bot.devtools.play.world import PlayWorkspace, World
from bot.devtools.provider.readers import RunningReaders, readers, running
from bot.devtools.yaml_file import FaultyFileError
from core.domain.ids import Slug, StepId
from tests.bot.provider.requests import Clients, arguments, data

HEAD = 'people: [pm]\nstart: {by: pm, command: "/roundtable analyze Title"}\n'
STEP, SLUG = StepId("00-02"), Slug("title")


def mishaps(*entries: str) -> tuple[ProviderFails, ...]:
    script = parse(HEAD + 'before:\n  "00-02":\n' + "".join(f"    - {one}\n" for one in entries))
    return script.before["00-02"]


def world(place: Path, reading: RunningReaders) -> World:
    setting = PlayWorkspace(f"sqlite:///{place}/db", place, tree_of(None), readers=reading)
    return World(parse(HEAD), setting)


def test_faults_of_a_provider_are_understood_and_told() -> None:
    first, always, well = mishaps(
        "{provider: 429, retry_after: 2, times: 3, task: read_answers}",
        "{provider: hang, seconds: 1.5, times: always, model: large}",
        "{provider: well}",
    )

    assert (first.told(), always.told(), well.told()) == (
        "the provider: 429, 3 times",
        "the provider: hang, from now on",
        "the provider: well",
    )


def test_the_stand_in_of_a_play_fails_until_it_is_well(tmp_path: Path) -> None:
    fails, well = mishaps("{provider: 503, times: always}", "{provider: well}")
    with running(readers(None, None)) as reading:
        play, clients = world(tmp_path, reading), Clients(reading.provider)
        assert play.meet(fails, STEP, SLUG)
        for _ in range(2):
            with pytest.raises(openai.InternalServerError):
                clients.chat(data())
        assert play.meet(well, STEP, SLUG)
        assert arguments(clients.chat(data()))
        clients.close()


def test_where_the_script_reads_alone_there_is_nothing_to_trouble(tmp_path: Path) -> None:
    (fails,) = mishaps("{provider: 503}")

    assert not world(tmp_path, RunningReaders()).meet(fails, STEP, SLUG)
    assert fails.unmet == "no stand-in reads here"


def test_another_fault_is_named_with_all_that_there_are() -> None:
    with pytest.raises(
        FaultyFileError, match=r'"00-02"\[1\]\.provider: 418 is none of 301, .*well'
    ):
        mishaps("{provider: 418}")
