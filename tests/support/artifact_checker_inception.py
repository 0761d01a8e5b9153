"""Checks a folder of an inception: what `checker` checks, and the context against the pages.

    check(Path("artifacts/a-plugin"), answers, "A plugin")

gives a line for each fault, and nothing for a folder that is as docs/reference/artifacts.md says.
"""

import html
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from core.artifacts.document.plain import without_bold
from tests.support import artifact_checker
from tests.support.artifact_checker_words import plain, visible

CONTEXT: Final = "discovery-context.json"
ORDER: Final = (
    *("schema", "project", "mode", "brief", "stack", "architecture", "data_model", "testing"),
    *("constitution", "skills", "walkthrough", "open_questions", "assumptions", "sources"),
    "artifacts",
)
_ARTICLE: Final = re.compile(r"(?m)^- \*\*ART-([0-9]{3,})\*\*")
_LINK: Final = re.compile(r"\[message\]\((https?://[^)\s]+)\)")


def check(folder: Path, answers: Sequence[str], title: str) -> list[str]:
    """Everything that is wrong with the artifacts of one inception."""
    there = (folder / CONTEXT).exists()
    context = json.loads((folder / CONTEXT).read_text()) if there else {"sources": []}
    people = {each["who"] for each in context["sources"]}
    faults = artifact_checker.check(folder, [*answers, *people], title)
    if faults or not there:
        return faults
    pages = {path.name: path.read_text() for path in sorted(folder.glob("*.md"))}
    return [f"{CONTEXT}: {fault}" for fault in _context(context, pages, folder, title)]


def _context(
    context: dict[str, Any], pages: dict[str, str], folder: Path, title: str
) -> Iterator[str]:
    if tuple(context)[: len(ORDER)] != ORDER:
        yield f"its keys stand in the order {list(context)}"
    if context["project"] != {"title": title, "slug": folder.name}:
        yield f"it is of the project {context['project']}"
    there = {path.name for path in folder.iterdir()} - {"meta.json", "state.json"}
    if {name for name in context["artifacts"] if name not in there}:
        yield f"it names artifacts that are not there: {context['artifacts']}"
    written = [int(number) for number in _ARTICLE.findall(pages.get("constitution.md", ""))]
    if [each["number"] for each in context["constitution"]] != written:
        yield f"its articles are not those of constitution.md: {written}"
    linked = {html.unescape(url) for page in pages.values() for url in _LINK.findall(page)}
    missing = linked - {each["permalink"] for each in context["sources"]}
    yield from (f"a source is missing: {url}" for url in sorted(missing))
    shown = plain(" ".join(map(visible, pages.values())))
    yield from (
        f"{place} says what no page says: {text!r}"
        for place, text in _texts(context)
        if plain(without_bold(text)) not in shown
    )


def _texts(context: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What stands in a page as well: all but the walkthrough, which has no page of its own."""
    brief = context["brief"]
    yield from (("brief.purpose", line) for line in brief["purpose"].splitlines())
    for key in ("users", "domain", "constraints", "success", "scope"):
        yield from ((f"brief.{key}", text) for text in brief[key])
    for each in context["stack"]:
        yield from ((f"stack.{key}", each[key]) for key in ("area", "choice", "reason"))
    for each in context["architecture"]["components"]:
        yield from (("architecture.components", text) for text in each.values())
    for each in context["data_model"]["entities"]:
        yield from (("data_model.entities", text) for text in (each["name"], *each["fields"]))
    for each in context["testing"]["levels"]:
        yield from (("testing.levels", text) for text in each.values())
    yield from (("constitution", each["article"]) for each in context["constitution"])
    yield from (("skills", each["skill"]) for each in context["skills"])
