"""The documentation agrees with itself and with the code."""

import re
from pathlib import Path

import pytest

from bot.cli.main import VERSION

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    missing = [
        target for target in LINK.findall(page.read_text()) if not (page.parent / target).exists()
    ]
    assert missing == []


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
