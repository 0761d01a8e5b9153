"""Every error of the analysis really happens: what is said, what is recorded, what comes next.

On both databases; the page is made of what happens on a file.
"""

from collections.abc import Iterator

import pytest

from core.taxonomy.catalogue import CATALOGUE
from tests.e2e.lived import CASES, PAGE, Living, living, page
from tests.e2e.lived_room import FULL, INSTEAD

SEED = "Roundtable Analysis Agent"
CRAMPED = ("ERR-META-003", "ERR-ART-002", "ERR-STORE-001")


ON_A_FILE = pytest.mark.parametrize("each_database_of_module", ["sqlite"], indirect=True)
ON_EACH = pytest.mark.parametrize(
    "each_database_of_module",
    ["sqlite", pytest.param("postgres", marks=pytest.mark.whole)],
    indirect=True,
)


@pytest.fixture(scope="module")
def lives(each_database_of_module: str) -> Iterator[Living]:
    with living() as found:
        yield found


@ON_EACH
@pytest.mark.parametrize("code", CASES)
def test_an_error_is_said_and_recorded_and_the_session_goes_on(lives: Living, code: str) -> None:
    row, case = lives.row(code), CASES[code]
    assert row.words == case.words
    assert row.records == case.records
    assert row.then == case.then


def test_every_code_of_the_analysis_is_among_them() -> None:
    codes = [code for code, row in CATALOGUE.items() if row.source.startswith(SEED)]
    assert len(codes) == 25
    assert set(codes) - set(CASES) == set()


def test_every_code_of_our_own_is_among_them() -> None:
    codes = [code for code, row in CATALOGUE.items() if row.source == "Roundtable"]
    assert len(codes) == 8
    assert set(codes) - set(CASES) == set()


def test_silence_is_kept_where_the_catalogue_says_so() -> None:
    codes = [code for code in CASES if CATALOGUE[code].source.startswith(SEED)]
    silent = {code for code in codes if not CATALOGUE[code].user_visible}
    assert {code for code in codes if not CASES[code].words} == silent


@ON_A_FILE
def test_the_page_says_what_was_seen(lives: Living) -> None:
    seen = page(lives.row(code) for code in CASES)
    for cause in INSTEAD.values():  # this machine may let us have no file system
        seen = seen.replace(cause, FULL)
    assert PAGE.read_text() == seen, "python -m tests.e2e.lived makes the page again"


@pytest.fixture(scope="module")
def lives_without_mounts(each_database_of_module: str) -> Iterator[Living]:
    with living(mounts=False) as found:
        yield found


@ON_A_FILE
@pytest.mark.parametrize("code", CRAMPED)
def test_where_nothing_can_be_mounted_another_real_cause_does(
    lives_without_mounts: Living, code: str
) -> None:
    row, case = lives_without_mounts.row(code), CASES[code]
    assert any(cause in row.cause for cause in INSTEAD.values())
    assert (row.words, row.records, row.then) == (case.words, case.records, case.then)
