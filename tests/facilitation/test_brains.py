"""Who refines while items are played: the script alone, a stand-in by its name, or a provider."""

import pytest
from typer.testing import CliRunner

from bot.devtools.provider import PERSONALITIES
from tests.facilitation.__main__ import app, reading_of


def test_the_script_reads_alone_unless_it_is_said_otherwise() -> None:
    assert reading_of("scripted", None, None) is None


@pytest.mark.parametrize("brain", PERSONALITIES)
def test_a_stand_in_is_started_by_its_name(brain: str) -> None:
    reading = reading_of(brain, None, None)

    assert reading is not None
    assert reading.url is None


def test_a_provider_is_asked_at_its_address() -> None:
    reading = reading_of("scripted", "http://127.0.0.1:8080/v1", "qwen3")

    assert (reading.url, set(reading.models.values())) == ("http://127.0.0.1:8080/v1", {"qwen3"})


def test_a_provider_without_the_name_of_a_model_is_refused_before_anything_is_played() -> None:
    done = CliRunner().invoke(app, ["--provider-url", "http://127.0.0.1:8080/v1"])

    assert done.exit_code == 2
    assert done.stderr == (
        "--provider-url needs the model's name as well: "
        "--model NAME, or --model fast=A,middle=B,strong=C.\n"
    )
