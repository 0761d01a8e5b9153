"""The quick scan counts what people said: sums, ranges, parts of a number, files that are named."""

from dataclasses import replace

import pytest

from core.artifacts.compose.analysis.quick_scan import parse_quick_scan
from core.brains.script.parts.counts import count_in
from core.brains.script.parts.phrases import files_in, files_listed
from core.brains.script.reading import read
from core.domain.answers import Draft, Scan
from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM, request, shipped

RAY = UserId("U3")


def scanned(step: str, *said: str | tuple[UserId, str]) -> Draft:
    """The draft of a shipped step, with its questions as they are asked at standard depth."""
    asked = request(step, *said)
    step_file = next(each for each in shipped() if each.id == asked.step.id)
    return read(replace(asked, step=step_file))


def files(step: str, *said: str | tuple[UserId, str]) -> int | None:
    scan = scanned(step, *said).scan
    return scan.file_count if scan else None


@pytest.mark.parametrize(
    ("said", "number", "words"),
    [
        ("2 hooks + 1 test file", 3, "2 hooks + 1 test file"),
        ("one controller, two jobs and a migration file", 3, "one controller, two jobs"),
        ("4 components & 4 specs", 8, "4 components & 4 specs"),
        ("12ish", 12, "12ish"),
        ("30-ish, if the importer holds", 30, "30-ish"),
        ("ca. 15-20", 20, "ca. 15-20"),
        ("anywhere from 8 to 11", 11, "anywhere from 8 to 11"),
        ("somewhere between 5 and 9 files", 9, "somewhere between 5 and 9 files"),
        ("half a dozen, tops", 6, "half a dozen"),
        ("30 files, 8 of them translations", 30, "30 files, 8"),
        ("18 files: 11 views, 7 tests", 18, "18 files: 11 views, 7 tests"),
        ("15 Dateien, davon 4 Tests", 15, "15 Dateien, davon 4 Tests"),
        ("I count 40 files, from that 14 tests", 40, "40 files, from that 14 tests"),
        ("40 files from that folder, 14 tests", 54, "40 files from that folder, 14 tests"),
        ("unos 12 archivos", 12, "unos 12 archivos"),
        ("12 in the api, 3 in the web app", 15, "12 in the api, 3"),
        ("10+ files", 10, "10+ files"),
        ("8, maybe 9", 9, "maybe 9"),
        ("40 countries, 300 files", 300, "300 files"),
        ("60 actually, I forgot the fonts", 60, "60"),
        ("actually make it 95, forgot the fonts", 95, "actually make it 95"),
        ("let's write 45 then", 45, "let's write 45"),
        ("plus specs, so call it thirty", 30, "so call it thirty"),
        ("ok 51 dan", 51, "ok 51"),
    ],
)
def test_a_line_is_counted_as_it_was_said(said: str, number: int, words: str) -> None:
    count = count_in(said, counting=True)
    assert count is not None
    assert (count.number, count.said) == (number, words)


@pytest.mark.parametrize(
    "said",
    ["idk ask dev", "40 % sure", "6k lines", "3 days", "the last one was in 2023", "TIX-882",
     "one PDF file", "3 of the files are the worry", "not 3 files", "2 or 3 people", "v2 of it",
     "that's the one", "1.5 files", "ask Marta, I have never seen the code"],
)  # fmt: skip
def test_a_number_of_something_else_counts_nothing(said: str) -> None:
    assert files("00-03", said) is None


@pytest.mark.parametrize(
    "said",
    [
        "~25 files, thereof\n- 9 tests\n- 3 settings/migrations\n- rest in templates",
        "25 files:\n* 14 views\n* 11 tests",
        "- 14 views\n- 8 tests\n- 3 fixtures",
        "14 views\n8 tests\n3 fixtures",
        "1. 25 files\n   - 9 tests\n2. low, the importer is old",
        "1. 25 files, 9 of them tests 2. medium",
        "Well. 25 files. 9 tests are in there",
        "- 14 views\n- 11 tests\n- 25 in all",
    ],
)
def test_lines_of_a_list_add_up_or_are_parts_of_the_number_above_them(said: str) -> None:
    assert files("00-03", said) == 25


def test_numbers_alone_do_not_add_up() -> None:
    assert files("00-03", "- 12\n- 90 %\n- 4711") == 4711


def test_a_later_question_asks_for_another_number() -> None:
    asked = request("00-03", "1. 12 files\n2. up to 40 files")
    step = next(each for each in shipped() if each.id == asked.step.id)
    scan = read(replace(asked, step=step, depth="deep")).scan
    assert scan is not None
    assert scan.file_count == 12


def test_files_that_are_named_one_by_one_count_and_those_of_several_answers_are_united() -> None:
    one = "`shop/cart.py`, shop/tax.py and the template checkout.html"
    assert files("00-03", one) == 3
    assert files("00-03", one, (SAM, "also shop/tax.py and conf/{dev,test,prod}.yaml")) == 6
    assert files("00-03", one, (SAM, "about 20")) == 20
    assert files("00-02", one) is None  # words to search for are no files that change


def test_braces_hold_several_files_and_a_folder_is_none() -> None:
    named = files_in("rest in `booking/{holds, rules,views}.py`, `src/app/` and a.{ts,css}")["file"]
    assert files_listed(named) == [
        "booking/holds.py", "booking/rules.py", "booking/views.py", "a.ts", "a.css"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "scan"),
    [
        ("medium / high", Scan(scope="medium", complexity="high")),
        ("large. high. money and people", Scan(scope="large", complexity="high")),
        ("1. small\n2. medium, leaning high", Scan(scope="small", complexity="medium")),
        ("1. medium 2. low, we did it before", Scan(scope="medium", complexity="low")),
        ("medium? it is only a form", Scan(scope="medium")),
        ("Is it large or small?", Scan()),
        ("hi 👋 small??", Scan(scope="small")),
        ("Medium for me?", Scan(scope="medium")),
        ("big. complexity: med", Scan(scope="large", complexity="medium")),
        ("For me it's huge, because of the money", Scan(scope="large")),
        ("For me it is not big. Only big files", Scan()),
        ("The complexity I would call high", Scan(complexity="high")),
        ("complexity med-high, size: L imo", Scan(scope="large", complexity="medium")),
        ("The complexity isn't high", Scan()),
        ("large for the size and low for complexity", Scan(scope="large", complexity="low")),
        ("medium and high", Scan(scope="medium", complexity="high")),
        ("somewhere between small and medium", Scan(scope="medium")),
        ("I hesitate to call it small", Scan()),
        ("ok ok large then, I take medium back.", Scan(scope="large")),
        ("pls dont write medium down", Scan()),
        ("Three of these do not add up to a medium.", Scan()),
    ],
)
def test_size_and_complexity_are_told_apart_by_the_question_and_by_their_words(
    said: str, scan: Scan
) -> None:
    assert scanned("00-01", said).scan == scan


def test_low_to_medium_confidence_is_no_size() -> None:
    assert scanned("00-03", "Confidence: low to medium.").scan == Scan(confidence="low")
    assert scanned("00-03", "conf low").scan == Scan(confidence="low")
    assert scanned("00-03", "confidence medium?").scan == Scan(confidence="medium")


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("~40?", 40),
        ("20 files?", 20),
        ("~50 w tests?", 50),
        ("maybe 25 files??", 25),
        ("hm, no. forgot the label printing, rather 32", 32),
        ("is 60 a lot?", None),
        ("how many files is it, 30?", None),
    ],
)
def test_a_number_of_files_may_be_given_as_a_question(said: str, count: int | None) -> None:
    assert scanned("00-03", said).scan == Scan(file_count=count, scope="large" if count else None)


# ── people who differ ──────────────────────────────────────────────────────────────────────────


def test_where_people_differ_nobody_wins_and_both_are_shown() -> None:
    draft = scanned("00-01", (PRIYA, "medium? it's a calendar"), (SAM, "large if you ask me"))
    assert draft.scan == Scan()
    assert "Priya says “medium” and Sam says “large”" in draft.recorded
    text = page(made("00-01", "quick-scan.md", "Medium.", (SAM, "large if you ask me")))
    head = text.partition("\n---\n")[0]
    assert "scope: unknown" in head
    assert "Priya: medium; Sam: large" in head
    assert parse_quick_scan(text) == Scan()


@pytest.mark.parametrize(
    "said",
    [
        "Then large, I trust you.",
        "ok. large then",
        "Let's write large for the size and low for complexity.",
        "large and high, go",
        "large it is",
    ],
)
def test_whoever_closes_the_size_has_the_last_word_on_it(said: str) -> None:
    draft = scanned("00-01", (PRIYA, "medium"), (SAM, "small"), (RAY, said))
    assert draft.scan is not None
    assert draft.scan.scope == "large"
    assert draft.follow_up is None


def test_who_only_says_another_size_closes_nothing() -> None:
    said = (PRIYA, "medium"), (SAM, "small"), (RAY, "large, because of the rounding")
    assert scanned("00-01", *said).scan == Scan()
    again = scanned("00-01", *said[:2], (RAY, "large then"), (SAM, "no, it is small"))
    assert again.scan == Scan()


def test_people_who_count_differently_leave_the_number_and_the_size_by_it_open() -> None:
    assert scanned("00-03", (PRIYA, "about 12"), (SAM, "more like 30")).scan == Scan()
    assert scanned("00-03", (PRIYA, "about 12"), (SAM, "12ish, yes")).scan == Scan(
        scope="medium", file_count=12
    )


def test_the_block_shows_a_range_as_it_was_said_and_forgets_it_with_the_answer() -> None:
    text = page(made("00-03", "quick-scan.md", "ca. 15-20"))
    assert "file_count: 20\n" in text
    assert "file_count_said: ca. 15-20\n" in text
    assert "file_count_said" not in page(made("00-03", "quick-scan.md", "20 files"), text)
    named = page(made("00-03", "quick-scan.md", "a.py, b.py, c.py, d.py, e.py"))
    assert "file_count_said: at least 5, by the files that were named\n" in named


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("L", "large"),
        ("for me M", "medium"),
        ("I'd say XL", "large"),
        ("L, easily", "large"),
        ("**Size:** S", "small"),
        ("Sizing as in the intake doc: M, medium complexity", "medium"),
        ("S or M", None),
        ("Line M is closed", None),
        ("M is the letter of the barn", None),
    ],
)
def test_a_size_of_clothes_is_a_size_where_the_size_is_asked(said: str, size: str | None) -> None:
    scan = read(request("00-01", said)).scan
    assert scan is not None
    assert scan.scope == size


def test_a_complexity_in_bold_is_no_size() -> None:
    scan = read(request("00-01", "large\n**Complexity:** medium, most of it is there")).scan
    assert scan is not None
    assert (scan.scope, scan.complexity) == ("large", "medium")


def test_files_in_dutch_are_files_and_part_of_them_is_counted_once() -> None:
    scan = read(request("00-03", "45 bestanden, 18 daarvan tests")).scan
    assert scan is not None
    assert scan.file_count == 45


@pytest.mark.parametrize(
    ("said", "size", "complexity"),
    [
        ("Komplexität mittel", None, "medium"),
        ("mittelgroß, Komplexität hoch", "medium", "high"),
        ("für mich klein", "small", None),
        ("mediano, complejidad alta", "medium", "high"),
        ("grande", "large", None),
        ("ask Frau Klein or Herr Hoch", None, None),
    ],
)
def test_size_and_complexity_are_read_in_german_and_spanish(
    said: str, size: str | None, complexity: str | None
) -> None:
    scan = read(request("00-01", said)).scan
    assert scan is not None
    assert (scan.scope, scan.complexity) == (size, complexity)


def test_a_size_that_somebody_closed_holds_at_the_later_steps_of_the_scan() -> None:
    said = ((PRIYA, "large-ish?"), (SAM, "medium. ca 25 files"), (PRIYA, "ok large then"))
    first = request("00-01", *said)
    claims = read(first).claims
    later = request("00-03", (SAM, "agree"), claims=claims, other_answers=first.answers)
    scan = read(later).scan
    assert scan is not None
    assert (scan.scope, scan.file_count) == ("large", 25)
