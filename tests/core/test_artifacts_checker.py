"""The checker finds what is wrong: each fault, put into an example that is right, is told."""

import json
import re
import shutil
from pathlib import Path

import pytest

from bot.devtools.play.script.file import read
from core.artifacts.document import words
from tests.examples import KEPT, PLAYS, ROOT
from tests.support.artifact_checker import PAGES, check
from tests.support.artifact_checker_formats import against, flowchart
from tests.support.artifact_checker_words import TEMPLATE, Known
from tests.support.artifact_words import OF_REPORTS, OURS, phrases

EXAMPLE = "export-dashboard-as-pdf"
TITLE = "Export dashboard as PDF"


def said() -> tuple[str, ...]:
    """Everything anybody says in the example's script."""
    script = (ROOT / "docs" / "examples" / f"{EXAMPLE}.yaml").read_text()
    assert read(ROOT / "docs" / "examples" / f"{EXAMPLE}.yaml")
    return (script,)


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("requirements-spec.md", "<!-- /roundtable:section 01-06 -->\n", "", "marks do not match"),
        ("requirements-spec.md", "# Requirements Spec", "# The Spec", "does not open with"),
        ("requirements-spec.md", "## Assumptions", "## Guesses", "closes with"),
        ("requirements-spec.md", "**FR-003** The", "**FR-003** Zeppelins: the", "'zeppelins'"),
        ("requirements-spec.md", "one PDF of it", "49 PDFs of it", "'49'"),
        ("requirements-spec.md", "nfr-matrix.md](nfr", "nfr-matrix.md](nfx", "leads nowhere"),
        ("requirements-spec.md", "US-003", "US-077", "US-077 is nowhere defined"),
        ("requirements-spec.md", "## Assumptions\n", "## Assumptions\n\n- The PDF.\n", "nobody is"),
        ("requirements-spec.md", "one PDF of it.", "one {format} of it.", "a placeholder"),
        ("requirements-spec.md", "one PDF of it.", 'one "PDF dashboard" of it.', "“PDF dashboard”"),
        ("user-stories.json", '"role"', '"roles"', "role is missing"),
        ("user-stories.json", '"stories": [', '"stories": [,', "cannot be read"),
        ("traceability-matrix.csv", "FR-004,", "FR-003,", "FR-004 is missing"),
        ("interface-spec.yaml", "    post:", "    push:", "push should not be there"),
        ("interface-spec.yaml", "title:", "title: [", "cannot be read"),
        ("adr-001.md", "### Context", "### Surroundings", "holds"),
        ("error-taxonomy.md", "| Condition |", "| Cause |", "a table of"),
        ("impact-analysis.md", "| R1 |", "| R9 |", "the matrix shows"),
        ("design-summary.md", "22 requirements", "Five requirements", "counts 5 "),
        ("quick-scan.md", "metabase@", "metabase of ", "no place for"),
        ("quick-scan.md", "scope: large", "scope: vast", "scope is none of"),
        ("meta.json", '"analyzed"', '"done"', "analysis_status is none of"),
    ],
)  # fmt: skip
def test_a_fault_is_told(file: str, old: str, new: str, fault: str, tmp_path: Path) -> None:
    folder = tmp_path / "artifacts"
    shutil.copytree(KEPT / EXAMPLE, folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    assert [told for told in check(folder, said(), TITLE) if fault in told]


def test_an_example_as_it_is_kept_has_no_fault() -> None:
    assert check(KEPT / EXAMPLE, said(), TITLE) == []


def test_every_example_is_kept() -> None:
    assert sorted(path.name for path in KEPT.iterdir() if path.is_dir()) == sorted(PLAYS)


def test_what_nobody_said_is_found_in_answers_title_and_template_alike() -> None:
    known = Known(["We keep two files."], "A title", ["Priya"])
    assert list(known.inventions("Priya: we keep 2 files. A title")) == []
    assert list(known.inventions("We keep gadgets")) == ["nobody said 'gadgets'"]
    assert list(known.inventions("“files we keep”")) == ["nobody said “files we keep”"]


@pytest.mark.parametrize(
    "chart",
    [
        "graph TD\n    n1[\"a\"]",
        'flowchart LR\n    n1["a"]\n    n1 --> n2',
        'flowchart LR\n    n1["a"]',
        'flowchart LR\n    n1["a"]\n    n1["b"]\n    n1 --> n1',
        'flowchart LR\n    n1["a"b"]\n    n1 --> n1',
        'flowchart LR\n    n1["a;"]\n    n1 --> n1',
    ],
)  # fmt: skip
def test_a_chart_that_is_none_is_refused(chart: str) -> None:
    with pytest.raises(ValueError):
        flowchart(chart)


def test_a_schema_says_where_something_is_wrong() -> None:
    schema = {"type": "array", "items": {"type": "object", "required": ["id"]}, "minItems": 1}
    assert against(schema, [{"id": 1}, {}]) == ["$[1].id is missing"]
    assert against(schema, []) == ["$ has too few items"]
    assert against(schema, "x") == ["$ is no array"]


def test_the_documented_template_is_the_one_in_use() -> None:
    assert TEMPLATE.read_text().split("\n")[:-1] == list(dict.fromkeys(phrases()))


def test_the_code_asks_for_every_word_of_the_file_and_for_no_other() -> None:
    code = "\n".join(path.read_text() for path in (ROOT / "core" / "artifacts").rglob("*.py"))
    assert _asked("words", code) <= set(OURS)
    columns = {name for name in OURS if name.endswith("_columns")}
    asked = {name for name in OURS if f'"{name}"' in code or f"'{name}'" in code}
    asked |= {name for name in columns if f'"{name.removesuffix("_columns")}"' in code}
    of_data = {"marks", "views", "modes", "context_values", "sizes", "openapi", "counted"}
    assert asked | of_data == set(OURS)


def test_a_report_asks_for_every_word_of_its_file_and_for_no_other() -> None:
    folder = ROOT / "core" / "artifacts" / "report"
    code = "\n".join(path.read_text() for path in folder.glob("*.py"))
    assert _asked("WORDS", code) <= set(OF_REPORTS)
    columns = {name for name in OF_REPORTS if f'"{name.removesuffix("_columns")}"' in code}
    assert columns == set(OF_REPORTS)


def _asked(words_: str, code: str) -> set[str]:
    return set(re.findall(rf"\b{words_}\.(?:text|row|mapping)\(\s*[\"'](\w+)", code))


def test_the_documented_layouts_are_the_ones_in_use() -> None:
    headings = {name: page["heading"] for name, page in PAGES.items() if page["heading"]}
    assert headings == dict(words.HEADINGS)
    columns = [words.row(name) for name in OURS if name.endswith("_columns")]
    documented = [tuple(each) for page in PAGES.values() for each in page["tables"]]
    assert set(columns) == set(documented)
    json.loads((ROOT / "docs" / "schemas" / "markdown.json").read_text())
