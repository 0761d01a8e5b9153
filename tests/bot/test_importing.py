"""What importing the bot brings in, and what waits until a bot starts."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = ("core.brains.scripted", "core.brains.council.", "core.brains.inception.")
COMMANDS = ("typer", "bot.cli", "bot.local", "gunicorn", "jinja2", "markdown_it", "alembic")

LISTED = "import sys; {}; print(*sys.modules)"
ALL_RULES = """
import pkgutil, core.brains
print(*(each.name for each in pkgutil.walk_packages(core.brains.__path__, "core.brains.")))
"""


def told_by(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_the_bot_loads_no_rules_and_no_library_of_a_command() -> None:
    found = told_by(LISTED.format("import bot.app"))
    assert "slack_bolt" in found
    assert [each for each in found if each.startswith(RULES) or each in COMMANDS] == []


def test_once_the_brains_are_loaded_no_answer_waits_for_a_rule() -> None:
    program = "import bot.app; bot.app.load()"
    assert told_by(ALL_RULES) - told_by(LISTED.format(program)) == set()
