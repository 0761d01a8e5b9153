"""What importing the bot brings in, and what waits until a bot starts."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = (
    "core.brains.script.reading",
    "core.brains.script.council.",
    "core.brains.script.parts.",
    "core.brains.text.",
    "core.artifacts.compose.layouts",
    "core.artifacts.compose.inception.",
)
OF_SOME = (  # what only a bot has that asks language models, looks into code, or is installed
    "core.brains.model.requests",
    "core.brains.model.replies",
    "core.runtime.brains.model_",
    "core.runtime.brains.code_runner",
    "core.repositories.ranking",
    "bot.server.install_flow",
    "sqlalchemy.dialects.postgresql",
)
COMMANDS = (
    "cryptography",
    "procrastinate",
    "prometheus_client",
    "psycopg",
    "pydantic_ai",
    "typer",
    "bot.cli",
    "bot.devtools.workspace",
    "uvicorn",
    "starlette",
    "jinja2",
    "markdown_it",
    "alembic",
)

LISTED = "import sys\n{}\nprint(*sys.modules)"
STARTED = """
import bot.server.composition
from core.brains.script import brain
{}
"""
ALL = """
import pkgutil, core.artifacts, core.brains
for each in (core.artifacts, core.brains):
    print(*(one.name for one in pkgutil.walk_packages(each.__path__, f"{each.__name__}.")))
"""
ASKED_FOR = (  # loaded when somebody asks for a report, or for a folder to be taken up
    "core.artifacts.report",
    "core.artifacts.render.html",
    "core.artifacts.files.archive",
    "core.artifacts.files.stored_folder",  # at the start, where a database keeps them
    "core.artifacts.files.arrival",
    "core.artifacts.files.meta_shape",
    "core.brains.model",  # with the first reply of a language model, where one is set
)


def told_by(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_the_bot_loads_no_rules_and_no_library_of_a_command() -> None:
    found = told_by(LISTED.format("import bot.server.composition"))
    assert "slack_bolt" in found
    assert [each for each in found if each.startswith(RULES + OF_SOME) or each in COMMANDS] == []


def test_once_a_bot_has_loaded_its_rules_no_answer_waits_for_one() -> None:
    loads = "core.artifacts.compose.sections_elsewhere, core.artifacts.compose.stance_files"
    found = told_by(LISTED.format(STARTED.format(f"brain.load(); import {loads}")))
    everything = {each for each in told_by(ALL) if not each.startswith(ASKED_FOR)}
    assert "core.brains.script.reading" in everything
    assert everything - found == set()
