"""A section shows what a later step says of its lines, in every file in which they stand."""

from itertools import takewhile
from pathlib import Path

from structlog.testing import capture_logs

from core.artifacts.document import words
from tests.support.harness import Harness

NO_CHECK = words.text("no_check")


def under(line: str, text: str) -> str:
    """The items below a line of a list, where it stands last."""
    assert line in text
    rest = text.rpartition(line)[2]
    return rest.partition("\n- ")[0].partition("\n#")[0]


def test_a_check_that_a_later_step_brings_stands_below_its_line_in_every_file(
    tmp_path: Path,
) -> None:
    table = Harness(tmp_path)
    table.start("Hold a slot")
    table.go_to("02-01")
    table.say("The receptionist's screen must show a held slot in grey.")
    line = "The receptionist's screen must show a held slot in grey. — said by"
    assert NO_CHECK in under(line, (table.folder() / "impact-analysis.md").read_text())
    table.go_to("02-04")
    table.say("Check for FR-001: I hold a slot and see grey on the receptionist's screen.")
    for file in ("impact-analysis.md", "requirements-spec.md"):
        below = under(line, (table.folder() / file).read_text())
        assert "Accepted when: **AC-001** " in below, file
        assert NO_CHECK not in below, file


def test_both_lines_that_differ_say_so_in_every_file_in_which_they_stand(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start("Report a message")
    table.go_to("01-05")
    table.say("The content of a report is to be kept 30 days.")
    table.go_to("04-03")
    table.say("The content of a report is thus kept 180 days.")
    assert "(differs from: FR-" in (table.folder() / "nfr-matrix.md").read_text()
    line = "The content of a report is thus kept 180 days. — said by"
    for file in ("data-flow.md", "requirements-spec.md"):
        assert "Differs from: " in under(line, (table.folder() / file).read_text()), file


def test_a_file_is_written_once_where_sections_of_several_steps_change(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start("Hold a slot")
    table.go_to("02-01")
    table.say("The receptionist's screen must show a held slot in grey.")
    table.go_to("02-02")
    table.say("The owner must be able to free a held slot at once.")
    table.go_to("02-03")
    with capture_logs() as logs:
        table.say("Check for FR-001: I see grey there.\nCheck for FR-002: I free one, it is white.")
    impact = (table.folder() / "impact-analysis.md").read_text()
    assert impact.count("Accepted when: **AC-00") == 2
    moves = [log["on"] for log in logs if log["event"] == "session.moved"]
    after = moves[moves.index("BrainReplied") + 1 :]
    # impact-analysis.md with the step's own section, requirements-spec.md, traceability-matrix.csv
    assert list(takewhile("FolderWritten".__eq__, after)) == ["FolderWritten"] * 3
