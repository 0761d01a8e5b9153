"""No character of an answer, a title or a name changes how another line or a name reads."""

import csv
import io
import json

import pytest
import yaml

from bot.views.kit.terminal import echo
from core.artifacts.compose.data_files import head_of, steps_value
from core.artifacts.compose.layouts import sections
from core.artifacts.document.plain import lines, one_line
from core.artifacts.document.tree import LineSource, Voice, item, listing
from core.artifacts.render.data import written
from core.artifacts.render.markdown import escape
from core.artifacts.report.pages import html_of
from core.artifacts.report.report import Chapter, Fact, Report
from core.brains.script.reading import read
from core.characters import readable
from tests.core.test_scripted import PRIYA, request
from tests.support.inception import whole

STEERING = [
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    *"\u00ad\u034f\u180e\u200b\u2060\u2061\u2064\u206a\u206f\ufeff\u3164\uffa0\u115f\u1160",
    *"\U000e0001\U000e0041\U000e0100\ufff9\ufffb\x07\x1b\x7f\x9b",
]  # fmt: skip


@pytest.mark.parametrize("sign", STEERING)
def test_what_steers_the_text_around_it_is_taken_out_of_every_artifact(sign: str) -> None:
    forged = f"fine{sign} — said by Priya"
    asked = request("01-06", f"- {forged}", outputs=("requirements.md",))
    draft = read(asked)
    files, _ = whole({"02-01": [f"- {forged}"]})
    assert files
    written = [section.body for section in sections(asked, draft)]
    for text in (*files.values(), *written, one_line(forged), *lines(forged), readable(forged)):
        assert sign not in text
    assert escape(forged) == escape("fine — said by Priya")


@pytest.mark.parametrize("sign", STEERING)
def test_a_name_and_a_title_are_cleaned_too(sign: str) -> None:
    asked = request("01-06", "- x", names={PRIYA: f"Pri{sign}ya"})
    assert all(sign not in section.body for section in sections(asked, read(asked)))
    head = head_of(f"Ex{sign}port", "export")
    assert head["title"] == "Export"
    for file in ("a.json", "a.yaml", "a.txt", "a.html"):
        assert sign not in written(file, steps_value(head, ()))


@pytest.mark.parametrize(
    "word",
    ["گزارش‌گیری", "क्‍ष", "👩‍👩‍👧", "عربي", "naïve", "Größe", "e\u0301te\u0301", "❤\ufe0f"],
)
def test_words_and_emoji_that_need_their_joiners_keep_them(word: str) -> None:
    assert readable(word) == word


@pytest.mark.parametrize(
    "word", ["Pri\u200cya", "Pri\u200dya", "\u200dPriya", "Priya\u200c", "P\u200d\u200diya"]
)
def test_joiners_that_join_nothing_are_taken_out(word: str) -> None:
    assert readable(word).isascii()


@pytest.mark.parametrize("sign", [*"=+-@＝＋－＠﹢﹣﹦﹫−", "\u200b=", "\u202e＝"])
def test_no_cell_of_a_table_begins_as_a_formula_in_any_width(sign: str) -> None:
    rows = csv.reader(io.StringIO(written("a.csv", [["a"], [f"{sign}SUM(1)"]])))
    assert list(rows)[1][0].startswith("'")


def test_json_and_yaml_hold_the_cleaned_words() -> None:
    head = head_of("A \u202etitle", "a")
    value = steps_value(head, ())
    assert json.loads(written("a.json", value))["title"] == "A title"
    assert yaml.safe_load(written("a.yaml", value))["title"] == "A title"


def test_a_report_isolates_what_was_said_and_each_name() -> None:
    voices = (Voice("דנה", ("https://x.example/1",)), Voice("Sam", ("https://x.example/2",)))
    line = listing([item("שלום (עולם)", LineSource(voices))])
    report = Report("כותרת", (Fact("Owner", "דנה"),), (), (Chapter("A", line),))
    page = html_of(report)
    assert "<bdi>שלום (עולם)</bdi> — said by <bdi>דנה</bdi> (" in page
    assert " and <bdi>Sam</bdi> (" in page
    assert '<h1 dir="auto"><bdi>כותרת</bdi></h1>' in page
    assert "<bdi>דנה</bdi></dd>" in page


@pytest.mark.parametrize("sign", [*STEERING, "\r", "\v", "\x1b]0;"])
def test_the_command_line_prints_nothing_that_steers_a_terminal(
    sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    echo(f"Export{sign}s\tby Priya")
    printed = capsys.readouterr().out
    assert sign not in printed
    assert printed.startswith("Export")
