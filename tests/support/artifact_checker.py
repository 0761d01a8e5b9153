"""Checks a folder of artifacts: structure, marks, links and ids, provenance, and non-invention.

    check(Path("artifacts/export-dashboard-as-pdf"), answers, "Export dashboard as PDF")

gives a line for each fault, and nothing for a folder that is as docs/reference/artifacts.md says.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from core.artifacts.compose.markdown_files import TITLE_CHARS_MAX
from core.artifacts.document import words
from tests.support.artifact_checker_formats import against, flowchart, outside_code, tables
from tests.support.artifact_checker_words import NUMBERS, ROOT, Known, people_in, visible

SCHEMAS: Final = ROOT / "docs" / "schemas"
PAGES: Final[dict[str, Any]] = json.loads((SCHEMAS / "markdown.json").read_text())["files"]
VIEWS: Final = frozenset({"Differing views", "Agreement"})  # may close any section
_MARK: Final = re.compile(r"<!-- (/?)roundtable:section ([0-9]{2}-[0-9]{2}|head|end) -->")
_LINK: Final = re.compile(r"(?<!\\)\]\(([^)]*)\)")
_ID: Final = re.compile(r"\b(?:FR|NFR|US|ADR)-[0-9]{3,}\b")
_PLACEHOLDER: Final = re.compile(
    r"\{[a-z_ ]*\}|\b(?:TODO|TBD|FIXME|XXX)\b|\blorem\b", re.IGNORECASE
)
_BY_PHASE: Final = "### What it comes to, by phase\n"
_COUNTS: Final = re.compile(
    rf"(?m)^(?:The files have )?(?:(?:no|[0-9]+|{'|'.join(NUMBERS)}) [a-z -]+(?:, |\.$))+", re.I
)
_FILES: Final = re.compile(r"(?m)^- \[[^\]\n]+\]\([^)\n]+\)(?:: .*)?$")
_UNTOLD: Final = re.compile(r"(?m)^Empty columns, left out: (.*)\.$")
_NO_RECORD: Final = ("no_decision", "withdrawn", "nothing_weighed")
_UNSAID: Final = (
    *("  - Story: ", "  - Goal: ", "  - Checks: "),
    *("  - Nobody has said ", "  - No check: ", "  - Serves no ", "  - Nearly the same words "),
    "  - Asked: ",
    *("- Asked, not answered: ", "- Skipped by "),
)
_SOURCE: Final = re.compile(
    r"\(\[message\]\(https?://|\(draft confirmed\)|confirmed by |\(\w+ does not know yet\)$"
)
_STEP: Final = re.compile(r"^- \*\*[^*\n]+:\*\* ")
_LEFT: Final = re.compile(r"(?s)#### Asked, not answered\n.*?(?=\n### |\n<!--)")
_MEASURED: Final = re.compile(r"(?s)### Measured in the code\n(.*?)(?=\n#|\n<!--)")
_PLACE: Final = re.compile(r"@[0-9a-f]{10}:\S+#L[0-9]+`|^- The search finds [0-9]+ files?$")


def check(folder: Path, answers: Sequence[str], title: str) -> list[str]:
    """Everything that is wrong with the artifacts of one session."""
    texts = {path.name: path.read_text() for path in sorted(folder.iterdir()) if path.is_file()}
    data = {name: parsed(name, text) for name, text in texts.items()}
    faults = [f"{name}: {value}" for name, value in data.items() if isinstance(value, ValueError)]
    if faults:
        return faults
    known = Known(answers, title, _people(texts, data))
    for name, text in texts.items():
        found = [*_structure(name, text, data[name], title), *_links(name, text, folder)]
        if name not in ("meta.json", "state.json"):
            found += _measured(text)
            text = _MEASURED.sub("", text)  # what a repository shows is nobody's statement
            value = data[name]
            if isinstance(value, dict):
                value = {key: part for key, part in value.items() if key != "measured"}
            found += [*_provenance(name, text, value), *_placeholders(text, answers)]
            found += [fault for part in seen(name, text, value)
                      for fault in known.inventions(part)]  # fmt: skip
        faults += [f"{name}: {fault}" for fault in found]
    return faults + _ids(texts, data, answers)


def parsed(name: str, text: str) -> Any:
    """The content of a file of data, or the `ValueError` that says why it has none."""
    try:
        match Path(name).suffix:
            case ".json":
                return json.loads(text)
            case ".yaml":
                return yaml.safe_load(text)
            case ".csv":
                return list(csv.DictReader(io.StringIO(text), strict=True))
    except (ValueError, yaml.YAMLError, csv.Error) as error:
        return ValueError(f"cannot be read: {error}")
    return None


def seen(name: str, text: str, value: Any) -> Iterator[str]:
    """The texts of a file that somebody reads: its words, not its keys, links or marks."""
    if name.endswith(".md"):
        shown = text
        if name == "design-summary.md":  # counted, see below
            shown = re.sub(r"(?s)### Before you build\n.*?(?=\n### )", "", text)
            shown = _LEFT.sub("", _COUNTS.sub("", shown))
        yield visible(shown)
    else:
        yield from _strings(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if not value.startswith("http") and value != "3.1.0":
            yield re.sub(r"https?://\S+", "", value)
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def _people(texts: dict[str, str], data: dict[str, Any]) -> set[str]:
    people = {name for page in texts.values() for name in people_in(page)}
    stories = data.get("user-stories.json") or {"stories": [], "notes": []}
    rows = [*stories["stories"], *stories["notes"]]
    people |= {source["by"] for row in rows for source in row["sources"]}
    return people | {row["said_by"] for row in _spec_rows(data.get("interface-spec.yaml") or {})}


def _spec_rows(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Its lines, with those of its calls."""
    yield from (*spec.get("interfaces", ()), *spec.get("notes", ()))
    for calls in spec.get("paths", {}).values():
        yield from (speech for call in calls.values() for speech in call["x-said"])


# ── structure ──────────────────────────────────────────────────────────────────────────────────


def _structure(name: str, text: str, value: Any, title: str) -> Iterator[str]:
    if not text.endswith("\n") or "\r" in text:
        yield "does not end like a text file"
    schema = SCHEMAS / f"{Path(name).stem}.schema.json"
    if name.endswith(".md"):
        yield from _page(name, text, title)
    elif schema.exists():
        yield from against(json.loads(schema.read_text()), value)
    if name == "quick-scan.md":
        front = yaml.safe_load(text.split("---\n")[1])
        yield from against(json.loads(schema.read_text()), front)


def _page(name: str, text: str, title: str) -> Iterator[str]:
    yield from _marks(text)
    is_record = re.fullmatch(r"adr-[0-9]{3,}\.md", name)
    layout = PAGES["adr-nnn.md" if is_record else name]
    heading = Path(name).stem.upper() if is_record else layout["heading"]
    decided = re.search(r"(?m)^\*\*(.*)\*\*$", text) if is_record else None
    if decided:
        title = visible(decided[1])
        cut = f"{title[: TITLE_CHARS_MAX - 1].rstrip()}…"
        title = cut if len(title) > TITLE_CHARS_MAX else title
    first = re.search(r"(?m)^# (.*)$", outside_code(text))
    if not first or visible(first[1]) != f"{heading} — {title}":
        yield f"does not open with “{heading} — {title}”"
    body, _, end = text.partition("<!-- roundtable:section end -->")
    closing = re.findall(r"(?m)^## (.*)$", outside_code(end))
    if [each for each in closing if each not in layout["may_end"]] != layout["end"]:
        yield f"closes with {closing}"
    inside = [
        each for each in re.findall(r"(?m)^### (.*)$", outside_code(body)) if each not in VIEWS
    ]
    empty = any(words.text(name) in body for name in _NO_RECORD)
    if layout["inside"] and not empty and inside != layout["inside"]:
        yield f"holds {inside}"
    yield from _tables(text, layout["tables"])
    yield from _charts(text)
    if name == "design-summary.md":
        yield from _counts(text)


def _marks(text: str) -> Iterator[str]:
    marks = _MARK.findall(text)
    names = [name for close, name in marks if not close]
    if [(bool(close), name) for close, name in marks] != [
        each for name in names for each in ((False, name), (True, name))
    ]:
        yield "marks do not match"
    places = [{"head": "", "end": "~"}.get(name, name) for name in names]
    if places != sorted(set(places)):
        yield f"sections stand in the order {names}"
    if text.count("<!--") != len(marks):
        yield "a comment that is no mark"


def _tables(text: str, columns: list[list[str]]) -> Iterator[str]:
    untold = [name for line in _UNTOLD.findall(text) for name in line.split(", ")]
    for head, *rows in tables(text):
        names = [[each for each in row if each in head or each not in untold]
                 for row in columns]  # fmt: skip
        if head not in names and not head[0].startswith("Likelihood"):
            yield f"a table of {head}"
        yield from (f"a row of {len(row)} cells: {row}" for row in rows if len(row) != len(head))
        yield from (f"an empty row below {head}" for row in rows if not any(row))


def _charts(text: str) -> Iterator[str]:
    for code in re.findall(r"(?ms)^```mermaid\n(.*?)\n```$", text):
        try:
            flowchart(code)
        except ValueError as error:
            yield str(error)


def _counts(text: str) -> Iterator[str]:
    """What the summary counts is what its phases have, or what its lists hold."""
    above, _, by_phase = text.partition(_BY_PHASE)
    whole, *phases = [_counted(match[0]) for match in _COUNTS.finditer(by_phase)] or [{}]
    for noun in ("requirement", "quality requirement", "user storie", "risk"):
        count = sum(phase.get(noun, 0) for phase in phases)
        if whole.get(noun) != count:
            yield f"counts {whole.get(noun)} {noun}s and has {count}"
    for noun, heading in (("decision", "What was decided"), ("open question", "Open Questions")):
        listed = above.partition(f"### {heading}\n")[2].partition("\n#")[0]
        count = len(re.findall(r"(?m)^- ", listed))
        if whole.get(noun) != count:
            yield f"counts {whole.get(noun)} {noun}s and lists {count}"


def _counted(line: str) -> dict[str, int]:
    """`Two risks, no decisions.`"""
    parts = (part.split(" ", 1) for part in line.rstrip(".").split(", "))
    return {noun.rstrip("s").replace("story", "storie"): _number(number) for number, noun in parts}


def _number(word: str) -> int:
    words_ = ("no", *NUMBERS)
    return words_.index(word.lower()) if word.lower() in words_ else int(word)


# ── links and ids ──────────────────────────────────────────────────────────────────────────────


def _links(name: str, text: str, folder: Path) -> Iterator[str]:
    if not name.endswith(".md"):
        return
    for target in _LINK.findall(outside_code(text)):
        web = re.fullmatch(r"https?://[^\s/]+/\S*", target)
        if not web and not (folder / target).is_file():
            yield f"a link to {target!r} leads nowhere"


def _ids(texts: dict[str, str], data: dict[str, Any], answers: Sequence[str]) -> list[str]:
    """Every id that is named is one that was given, and no link between two is lost."""
    spec, matrix = texts.get("requirements-spec.md", ""), texts.get("nfr-matrix.md", "")
    stories = data.get("user-stories.json") or {"stories": []}
    rows = data.get("traceability-matrix.csv") or []
    given = set(re.findall(r"(?m)^- \*\*((?:FR|NFR)-[0-9]+)\*\*", spec))
    given |= set(re.findall(r"(?m)^\| (NFR-[0-9]+) \|", matrix))
    told = {story["id"] for story in stories["stories"]}
    given |= told | {Path(name).stem.upper() for name in texts if name.startswith("adr-")}
    # A decision that nobody weighed has no record: its line in the design summary defines it.
    given |= set(re.findall(r"(?m)^- \*\*(ADR-[0-9]+)\*\*", texts.get("design-summary.md", "")))
    given |= set(_ID.findall(" ".join(answers)))
    if "user-stories.json" not in texts:
        given |= {row["story"] for row in rows}
    faults = [
        f"{name}: {one} is nowhere defined"
        for name, text in texts.items()
        for one in sorted(set(_ID.findall(text)) - given)
    ]
    if "traceability-matrix.csv" in texts:
        traced = {row[key] for row in rows for key in ("requirement", "story")}
        wanted = told | {one for one in given if re.search(rf"(?m)^- \*\*{one}\*\*", spec)}
        lost = {one for one in wanted if not one.startswith(("NFR", "ADR"))} - traced
        faults += [f"traceability-matrix.csv: {one} is missing" for one in sorted(lost)]
    return faults + list(_risks(texts.get("impact-analysis.md", "")))


def _risks(text: str) -> Iterator[str]:
    grids = [table for table in tables(text) if table[0][0].startswith("Likelihood")]
    shown = re.findall(r"\bR[0-9]+\b", str(grids))
    listed = [row[0] for table in tables(text) if table[0][0] == "Id" for row in table[1:]]
    if grids and sorted(shown) != sorted(listed):
        yield f"impact-analysis.md: the matrix shows {shown}, the register {listed}"


# ── provenance and placeholders ────────────────────────────────────────────────────────────────


def _provenance(name: str, text: str, value: Any) -> Iterator[str]:
    if name.endswith(".md"):
        yield from _lines_without_source(text)
    elif name == "user-stories.json":
        for row in (*value["stories"], *value["notes"]):
            if not row["sources"] or not all(source["by"] for source in row["sources"]):
                yield f"nobody is named for {row}"
    elif name == "interface-spec.yaml":
        for row in _spec_rows(value):
            if not row["said_by"]:
                yield f"nobody is named for {row}"
    elif name == "traceability-matrix.csv":
        yield from (f"nobody is named for {row}" for row in value if not row["source"])


def _measured(text: str) -> Iterator[str]:
    for lines in _MEASURED.findall(text):
        listed = (line for line in lines.split("\n") if line.startswith("- "))
        yield from (f"no place for {line!r}" for line in listed if not _PLACE.search(line))


def _lines_without_source(text: str) -> Iterator[str]:
    above, heading, by_phase = _LEFT.sub("", outside_code(text)).partition(_BY_PHASE)
    body = f"{above}{heading}{_FILES.sub('', by_phase)}"
    for line in body.split("\n"):
        listed = re.match(r" *- ", line) and not _STEP.sub("- ", line).startswith(_UNSAID)
        if listed and not _SOURCE.search(line) and not line.endswith("*(assumed)*"):
            yield f"nobody is named for {line!r}"
    for head, *rows in tables(body):
        if head[-1] in ("Said by", "Source"):
            yield from (f"nobody is named for {row}" for row in rows if not _SOURCE.search(row[-1]))


def _placeholders(text: str, answers: Sequence[str]) -> Iterator[str]:
    """What looks as if somebody had still to fill it in, unless somebody wrote it like that."""
    said = " ".join(answers).casefold()
    for match in _PLACEHOLDER.finditer(text):
        name = match[0].strip("{}").casefold()
        if match[0].casefold() not in said and f"/:{name}" not in said and f"<{name}>" not in said:
            yield f"a placeholder: {match[0]}"
