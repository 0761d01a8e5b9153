"""The documentation agrees with itself and with the code."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
import typer
import yaml

from bot.cli import main
from bot.cli.main import VERSION

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
ANCHOR = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)")
BLOCK = re.compile(r"(?ms)^([ ]*)```(\w+)\n(.*?)^\1```$")
COMMAND = re.compile(
    r"(?m)^ *(?:\$ )?(?:[A-Z_]+=\S+ )*(?:[\w./-]+/)?roundtable +([a-z-][^\n|>&]*)$"
)
MAKE = re.compile(r"(?:^ *|`)make ([a-z][a-z-]*)", re.M)  # typed in a block, or named in a line
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    missing = [
        target for target in LINK.findall(page.read_text()) if not (page.parent / target).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_heading_leads_to_one(page: Path) -> None:
    missing = [
        f"{target}#{anchor}"
        for target, anchor in ANCHOR.findall(page.read_text())
        if (page.parent / target).suffix in ("", ".md")
        and anchor not in anchors(page.parent / target if target else page)
    ]
    assert missing == []


PLACE = re.compile(r"`((?:bot|core|tests)/[\w./-]*)`(?: \(`(\w+)`\))?")


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if "explanation" in page.parts or "how-to" in page.parts],
    ids=lambda page: page.stem,
)
def test_every_place_in_the_code_that_a_page_names_is_there(page: Path) -> None:
    for path, name in PLACE.findall(page.read_text()):
        assert (ROOT / path).exists(), path
        if name:
            assert re.search(rf"(?m)^\s*(def )?{name}\b", (ROOT / path).read_text()), (path, name)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The headings of a page, as GitHub names them, and the places that are named in HTML."""
    text = page.read_text()
    found: list[str] = re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text)
    for heading in re.findall(r"(?m)^#+ (.+)$", re.sub(r"(?ms)^```.*?^```$", "", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        same = sum(each == name or re.fullmatch(rf"{name}-\d+", each) is not None for each in found)
        found.append(f"{name}-{same}" if same else name)
    return frozenset(found)


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Language and text of each fenced block."""
    for indent, language, body in BLOCK.findall(page.read_text()):
        yield language, re.sub(rf"(?m)^{indent}", "", body)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_data_or_code_can_be_read(page: Path) -> None:
    for language, body in blocks(page):
        read = READ.get(language)
        if read is not None:
            read(body)


READ: dict[str, Any] = {
    "yaml": lambda body: list(yaml.safe_load_all(body)),
    "json": lambda body: json.loads(f"{{{body}}}" if body.startswith('"') else body),  # or a part
    "toml": tomllib.loads,
    "python": lambda body: compile(body, "block", "exec"),
    "ini": lambda body: ConfigParser(strict=False, interpolation=None).read_string(body),
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_in_a_page_is_one_that_there_is(page: Path) -> None:
    wrong = [line for line in COMMAND.findall(page.read_text()) if not is_known(line)]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_make_target_in_a_page_is_one_that_there_is(page: Path) -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.M))
    assert set(MAKE.findall(page.read_text())) <= targets


@cache
def commands() -> click.Command:
    main._mount()
    return typer.main.get_command(main.app)


def is_known(line: str) -> bool:
    """True if its subcommand and its options are there. What it is about is anybody's choice."""
    words = shlex.split(line, comments=True)
    command: Any = commands()
    while words and hasattr(command, "commands"):
        if words[0] in ("--help", "--version"):
            return True
        command = command.commands.get(words.pop(0))
        if command is None:
            return False
    given = {word.partition("=")[0] for word in words if word.startswith("-")}
    known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    return given <= known | {"--help"}


def test_the_drawn_floors_are_those_that_imports_are_held_to() -> None:
    contracts = ConfigParser()
    contracts.read(ROOT / ".importlinter")
    drawn = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    floors = drawn.partition("## The floors")[2].split("```")[1]
    for contract in ("core", "bot"):
        layers = contracts[f"importlinter:contract:{contract}"]["layers"]
        rooms = set(re.findall(r"\w+", layers))
        assert rooms - {"__main__", *re.findall(r"\w+", floors)} == set()


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    pages = {
        str(page.relative_to(ROOT / "docs"))
        for page in (ROOT / "docs").rglob("*.md")
        if page.name != "index.md" and "examples" not in page.parts  # examples are no pages
    }
    assert {page for page in pages if f"({page})" not in index} == set()


def test_the_version_is_said_once_in_each_place() -> None:
    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text()
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_top_level_holds_what_it_should() -> None:
    named = {
        "bot", "core", "steps", "tests", "docs", "pyproject.toml", "manifest.yml", "Procfile",
        "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile",
        "constraints.txt",
    }  # fmt: skip
    made = {
        "build",
        "dist",
        "play-output",
        "roundtable-demo",
        "roundtable.egg-info",
        "artifacts",
        "roundtable.db",
    }
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert named - found == set()
    assert found - named - made == set()


def test_the_artifact_in_the_readme_is_one_of_the_examples() -> None:
    name = "docs/examples/artifacts/export-dashboard-as-pdf/requirements-spec.md"
    (excerpt,) = (body for language, body in blocks(ROOT / "README.md") if language == "markdown")
    assert name in (ROOT / "README.md").read_text()
    assert excerpt in (ROOT / name).read_text()
