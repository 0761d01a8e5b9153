"""What is shipped is whole, and works from a folder that has nothing of ours in it.

The wheel is unpacked beside the libraries that are here, without a network. That a clean
environment finds its libraries by itself is slow and needs an index: `make package`.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.cli.demo import LIBRARIES
from bot.cli.main import VERSION
from tests.support.demo_process import READY, demo

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.whole
WAIT_S_MAX = 300  # whatever else the machine does
PLAY = ROOT / "docs" / "examples" / "local-timezone-small.yaml"
OURS = ("SLACK_", "ROUNDTABLE_", "PYTHON", "PORT")
COMMANDS = """
import sys, typer
from bot.cli import main
main._mount()
def walk(command, path):
    print(" ".join(path))
    for name, below in getattr(command, "commands", {}).items():
        walk(below, [*path, name])
walk(typer.main.get_command(main.app), [])
"""
HELP = """
import sys, typer
from bot.cli import main
main._mount()
for line in sys.stdin.read().splitlines():
    main.app([*line.split(), "--help"], standalone_mode=False)
"""
IMPORTS = """
import importlib, pkgutil, bot, core
for package in (bot, core):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        # [llm], [metrics], [postgres]
        is_of_extra = found.name.endswith(("provider_clients", "metrics", ".postgres"))
        is_run = "migrations" in found.name or found.name.endswith("__main__")
        if not (is_run or is_of_extra):
            importlib.import_module(found.name)
"""


@dataclass(frozen=True, slots=True)
class Built:
    wheel: Path
    sdist: Path


@dataclass(frozen=True, slots=True)
class Installed:
    """Roundtable as somebody else has it, run from an empty folder."""

    python: Path
    home: Path
    packages: Path
    on_path: bool = False

    def run(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """`python …` there, with nothing of ours in the environment."""
        return subprocess.run(
            [str(self.python), *command],
            cwd=self.home,
            env=bare(PYTHONPATH=str(self.packages) if self.on_path else ""),
            input=given,
            capture_output=True,
            text=True,
            timeout=WAIT_S_MAX,
            check=False,
        )

    def roundtable(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "bot", *arguments)


def bare(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return kept | {name: value for name, value in more.items() if value}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    target = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(ROOT)],
        capture_output=True,
        text=True,
        env=bare(),
        timeout=WAIT_S_MAX,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = target.glob("*.whl"), target.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture
def unpacked(built: Built, tmp_path: Path) -> Installed:
    """The wheel alone; its libraries are those that run this test."""
    packages, home = tmp_path / "packages", tmp_path / "home"
    with zipfile.ZipFile(built.wheel) as wheel:
        wheel.extractall(packages)
    home.mkdir()
    return Installed(Path(sys.executable), home, packages, on_path=True)


def files(*folders: str) -> set[str]:
    """What lies in these folders, and was not made by running something."""
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def checked_files() -> int:
    """Both flows, and the prompts of language models."""
    prompts = {name for name in files("steps/brains") if name.endswith(".md")}
    return len(files("steps/analysis", "steps/inception")) + len(prompts)


# ── what is in it ──────────────────────────────────────────────────────────────────────────────


def test_the_wheel_has_the_packages_the_step_tree_the_manifest_and_nothing_else(
    built: Built,
) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    carried = {f"core/{name}" for name in files("steps")} | {"bot/manifest.yml"}
    assert found == files("bot", "core") | carried


def test_the_sdist_has_what_the_wheel_and_the_tests_are_made_from(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist:
        found = {name.partition("/")[2] for name in sdist.getnames()}
    wanted = files("bot", "core", "steps", "tests", "docs", ".ci")
    assert wanted - found == set()
    alone = {name for name in found - wanted if not name.startswith(".container/")}
    assert alone == {
        ".gitignore", ".importlinter", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
        "PKG-INFO", "Procfile", "README.md", "SECURITY.md", "constraints.txt", "manifest.yml",
        "pyproject.toml",
    }  # fmt: skip


# ── what works from there ──────────────────────────────────────────────────────────────────────


def test_every_command_works_from_an_empty_folder_with_the_packaged_step_tree(
    unpacked: Installed,
) -> None:
    check_commands(unpacked)
    check_steps(unpacked)
    check_kept(unpacked)
    check_doctor(unpacked)


def test_a_play_runs_from_an_empty_folder_with_the_packaged_step_tree(unpacked: Installed) -> None:
    check_play(unpacked)


def test_the_demo_plays_its_sessions_in_from_an_empty_folder(unpacked: Installed) -> None:
    with demo(unpacked.home, PYTHONPATH=str(unpacked.packages)) as running:
        running.until(READY)
        running.sees("24 of 24 steps done", "payments")
        assert running.end()[0] == 0
    made = list((unpacked.home / "roundtable-demo").rglob("*"))
    assert {"roundtable.db", "roundtable.log", "meta.json"} <= {path.name for path in made}
    assert [path for path in made if path.stat().st_mode & 0o077] == []


def test_a_folder_called_steps_beside_the_packages_is_somebody_elses(unpacked: Installed) -> None:
    (unpacked.packages / "steps").mkdir()
    check_steps(unpacked)


def check_commands(there: Installed) -> None:
    listed = ok(there.run("-c", COMMANDS))
    some = {"", "serve", "demo", "doctor", "steps check", "db upgrade", "adopt", "delete"}
    assert some <= set(listed.split("\n"))
    helped = ok(there.run("-c", HELP, given=listed))
    assert helped.count("Usage: ") == listed.count("\n")
    assert ok(there.roundtable("--version")) == f"roundtable {VERSION}\n"
    ok(there.run("-c", IMPORTS))


def check_steps(there: Installed) -> None:
    assert ok(there.roundtable("steps", "check")).startswith(f"{checked_files()} files, ")
    inventory = ok(there.roundtable("steps", "list"))
    assert "analysis/00-quick-scan" in inventory
    assert "inception/classic/08-walkthrough" in inventory


def check_doctor(there: Installed) -> None:
    """A fresh install lacks tokens, and knows it; all the rest is as it has to be."""
    done = there.roundtable("doctor", "--offline", "--format", "json")
    assert done.returncode == 1, done.stderr
    checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert {name for name, each in checks.items() if each["state"] != "ok"} == {
        "bot token",
        "modes",
    }
    assert checks["step tree"]["found"].startswith(f"{checked_files()} files, ")
    assert f"roundtable {VERSION}" in checks["versions"]["found"]


def check_kept(there: Installed) -> None:
    before = there.roundtable("doctor", "--offline", "--format", "json")
    told = {check["name"]: check for check in json.loads(before.stdout)["checks"]}
    assert told["database"]["remedy"] == "roundtable db upgrade (it makes the file)"
    assert ok(there.roundtable("db", "upgrade")).startswith("The database is at revision ")
    assert (there.home / "roundtable.db").is_file()
    assert ok(there.roundtable("faults")) == "Nothing has gone wrong.\n"
    assert ok(there.roundtable("delete", "--person", "U1")) == "No session names U1.\n"
    assert "does not know its workspace yet" in there.roundtable("adopt", "no-folder").stderr


def check_play(there: Installed) -> None:
    played = json.loads(ok(there.roundtable("demo", "--play", str(PLAY), "--json")))
    assert played["session"]["status"] == "completed"
    assert (there.home / "play-output").is_dir()


def ok(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ── a clean environment ────────────────────────────────────────────────────────────────────────


@pytest.fixture
def environment(tmp_path: Path) -> Callable[[Sequence[str]], Installed]:
    """Makes an environment of its own and has pip install there, from the index that pip knows."""
    place, home = tmp_path / "environment", tmp_path / "home"
    home.mkdir()

    def made(arguments: Sequence[str]) -> Installed:
        venv.create(place, with_pip=True)
        there = Installed(place / "bin" / "python", home, place)
        ok(there.run("-m", "pip", "install", "--quiet", *arguments))
        return there

    return made


@pytest.mark.slow
def test_the_wheel_brings_everything_it_needs_into_a_clean_environment(
    built: Built, environment: Callable[[Sequence[str]], Installed]
) -> None:
    there = environment(["-c", str(ROOT / "constraints.txt"), f"{built.wheel}[demo]"])
    for check in (check_commands, check_steps, check_kept, check_doctor, check_play):
        check(there)
    script = subprocess.run(
        [there.python.with_name("roundtable"), "--version"], capture_output=True, check=True
    )
    assert script.stdout.decode() == f"roundtable {VERSION}\n"


@pytest.mark.slow
def test_the_sdist_installs_as_the_wheel_does(
    built: Built, environment: Callable[[Sequence[str]], Installed]
) -> None:
    there = environment(["-c", str(ROOT / "constraints.txt"), f"{built.sdist}[demo]"])
    check_steps(there)
    check_commands(there)


# ── without the extra ──────────────────────────────────────────────────────────────────────────


@pytest.fixture
def without_demo(unpacked: Installed, tmp_path: Path) -> Installed:
    """The wheel beside every library of this environment but those of the extra."""
    python = tmp_path / "environment" / "bin" / "python"
    venv.create(python.parents[1], with_pip=False, symlinks=True)
    extra = {"roundtable", *LIBRARIES, *(name.replace("-", "_") for name in LIBRARIES.values())}
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        is_ours = (unpacked.packages / entry.name).exists() or entry.suffix == ".pth"
        if entry.name.partition("-")[0].lower() not in extra and not is_ours:
            (unpacked.packages / entry.name).symlink_to(entry)
    return Installed(python, unpacked.home, unpacked.packages, on_path=True)


@pytest.mark.parametrize("command", [("demo",), ("demo", "--play", str(PLAY))])
def test_without_the_extra_one_line_says_what_to_install(
    without_demo: Installed, command: tuple[str, ...]
) -> None:
    done = without_demo.roundtable(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"roundtable {command[0]} needs the extra [demo], which is not installed. "
        "Run: pip install emoji mdit-py-plugins starlette websockets\n"
    )


def test_a_bot_in_service_needs_nothing_of_the_extra(without_demo: Installed) -> None:
    check_kept(without_demo)
    check_steps(without_demo)
    ok(
        without_demo.run(
            "-c", "import bot.server.composition, bot.server.http_server, bot.server.socket_mode"
        )
    )


def test_the_extra_is_what_pyproject_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extra = [line.partition(">=")[0] for line in project["optional-dependencies"]["demo"]]
    assert extra == sorted(LIBRARIES.values())
    assert set(extra) & {line.partition(">=")[0] for line in project["dependencies"]} == set()
