"""Which files a search means: five bugs of public history, and steps of ordinary words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from core.code_search import CodeLine
from core.repositories.lines import SearchResult
from core.repositories.ranking import Hit, hits_of, is_definition, named_files, ranked
from core.repositories.terms import TERMS_MAX, SearchTerm, terms_of
from core.runtime.brains.code_runner import found_in
from tests.support.repositories import Remote, mirrored

BUGS: Final[Mapping[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[1] / "core" / "data" / "public_bugs.yaml").read_text("utf-8")
)
ORDINARY: Final = (
    "Product managers print the dashboard every Monday for the board. They want charts and figures"
    " in one file; it's the owners' job, and “fast” is enough. See www.example.com, e.g. the page"
    " of John's team, and/or our APIs on GitHub for B2B customers (PhD not needed) 24/7."
)


def searched(texts: list[str], files: Mapping[str, str], folder: Path) -> SearchResult:
    """What a search for these texts finds in a repository of these files."""
    search, _ = mirrored(Remote(folder / "remote", files).folder, folder / "mirrors")
    return found_in(search.view("shop", "", 5.0), texts)


def first_three(bug: Mapping[str, Any], folder: Path) -> list[str]:
    texts = [*bug["answers"], bug["title"]]
    return [file.path for file in searched(texts, bug["files"], folder).code[:3]]


def test_a_file_of_the_fix_stands_among_the_first_three_for_four_of_five_bugs(
    tmp_path: Path,
) -> None:
    hit = [
        name
        for name, bug in BUGS.items()
        if set(bug["fix"]) & set(first_three(bug, tmp_path / name))
    ]
    assert len(BUGS) == 5
    assert len(hit) >= 4, hit


@pytest.mark.parametrize("name", BUGS)
def test_ordinary_words_find_nothing_in_any_of_them(name: str, tmp_path: Path) -> None:
    assert searched([ORDINARY], BUGS[name]["files"], tmp_path) == SearchResult()


def test_terms_are_what_only_code_is_called() -> None:
    text = (
        "`caplog.get_records` and retry_policy.apply() conflict in src/_pytest/logging.py;"
        ' it says "No module named shop" with --ignore-paths, see HTTPAdapter and item(s)'
    )
    assert {term.text: term.kind for term in terms_of([text])} == {
        "src/_pytest/logging.py": "file",
        "caplog.get_records": "span",
        "get_records": "identifier",
        "retry_policy.apply": "identifier",
        "retry_policy": "identifier",
        "apply(": "identifier",
        "ignore-paths": "identifier",
        "ignore_paths": "identifier",
        "HTTPAdapter": "identifier",
        "No module named shop": "phrase",
    }


def test_ordinary_words_give_no_term() -> None:
    assert terms_of([ORDINARY]) == ()


def test_a_step_has_forty_terms_at_most_and_answers_come_before_the_item() -> None:
    answer = " ".join(f"name_{number}" for number in range(39))
    terms = terms_of([answer, "item_one item_two"])
    assert len(terms) == TERMS_MAX
    assert terms[-1].text == "item_one"


def test_a_name_is_found_as_a_whole_and_a_phrase_anywhere() -> None:
    term = SearchTerm("get_records", "identifier")
    lines = [CodeLine("a.py", 1, "forget_records()"), CodeLine("b.py", 1, "x.get_records()")]
    assert [hit.path for hit in hits_of(lines, [term])] == ["b.py"]


def test_what_is_in_many_files_says_nothing() -> None:
    common, rare = SearchTerm("do_it", "identifier"), SearchTerm("do_that", "identifier")
    hits = [Hit(f"src/{n}.py", 1, "do_it()", common) for n in range(30)]
    hits.append(Hit("src/a.py", 1, "do_that()", rare))
    assert [file.path for file in ranked(hits, {}, 100)] == ["src/a.py"]


def test_the_file_that_declares_a_name_comes_before_those_that_use_it() -> None:
    term = SearchTerm("check_limit", "identifier")
    hits = [
        Hit("a/caller.py", 3, "if check_limit(x):", term),
        Hit("z/limits.py", 9, "def check_limit(account):", term),
        Hit("tests/test_limits.py", 1, "check_limit(1)", term),
    ]
    files = ranked(hits, {}, 100)
    assert [file.path for file in files[:2]] == ["z/limits.py", "a/caller.py"]


@pytest.mark.parametrize(
    ("line", "declares"),
    [
        ("    def check_limit(self):", True),
        ("export const check_limit = () => {", True),
        ("func (s *Server) check_limit(x int) error {", True),
        ("  public static boolean check_limit(int x) {", True),
        ("x = check_limit(1)", False),
        ("return check_limit", False),
    ],
)
def test_a_declaration_is_told_from_a_use(line: str, declares: bool) -> None:
    assert is_definition(Hit("a", 1, line, SearchTerm("check_limit", "identifier"))) is declares


def test_a_file_is_named_by_the_end_of_its_path_or_by_its_module() -> None:
    paths = ["src/shop/limits.py", "src/shop/retry_policy.py", "src/other/limits.pyx"]
    terms = [SearchTerm("shop/limits.py", "file"), SearchTerm("RetryPolicy", "identifier")]
    assert set(named_files(terms, paths)) == {"src/shop/limits.py", "src/shop/retry_policy.py"}
