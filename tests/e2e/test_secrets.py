"""A credential on its way through the real bot: it is nowhere afterwards, and people know."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import logs
from core.domain.answers import Draft, ReadRequest
from core.domain.session.halt import Fault
from tests.core.secrets_corpus import HARMLESS
from tests.support.fakes import ReadingBrain
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, controls, served_bot
from tests.support.waiting import wait_until

# Looks like one, opens nothing.
SECRET = "_".join(("ghp", "16C7e42F292c6912E7710c838347Ae178B4a"))
LONG = "github" + "_pat_" + "11ABCDE" + "0z9Y8x7W6v5U4t3S" + "_" + "q1W2e3R4t5Y6u7I8o9P0" * 3
WORDY = "Xk29" + "!fge7"
LINES_EACH = 70  # of a message
WORDS = (
    "That looks like a password, key or token, so I stopped here and kept nothing of it. "
    "Please delete the message and rotate the credential."
)


@pytest.fixture
def lines() -> io.StringIO:
    """Everything that is logged."""
    written = io.StringIO()
    logs.configure("json", "debug", written)
    return written


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedBot]:
    with served_bot(tmp_path_factory.mktemp("commands")) as table:
        table.start("Export dashboard as PDF")
        yield table


def said_by_us(table: ServedBot) -> str:
    every = [*table.slack.messages("general"), *table.slack.messages(ELSEWHERE)]
    ours = [f"{each.text} {each.blocks}" for each in every if each.author not in ("pm", "dev")]
    return "\n".join([*ours, *(each.text for each in table.slack.ephemerals)])


def kept(folder: Path) -> str:
    """Database, its log, artifacts and forensics, as bytes."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def press(table: ServedBot, choice: str, by: str = "pm") -> None:
    for message in reversed(table.slack.messages("general")):
        if any(each.get("action_id") == f"menu:{choice}" for each in controls(message)):
            table.slack.click(by, "general", message.ts, f"menu:{choice}")
            table.settle()
            return
    raise AssertionError(f"no message offers {choice}")


def test_a_secret_is_nowhere_and_redact_and_resume_goes_on(
    tmp_path: Path, lines: io.StringIO
) -> None:
    with served_bot(tmp_path, operators=ELSEWHERE) as table:
        table.start("Export dashboard as PDF")
        ts = table.say(f"It needs {SECRET} to run, about 30 files.")
        assert table.session().status == "halted"
        shown = [each for each in table.slack.messages("general") if WORDS in each.plain]
        assert len(shown) == 1
        assert "Redact and resume" in shown[0].text
        assert table.slack.user_id("pm") in str(shown[0].blocks)
        told = [each.plain for each in table.slack.messages(ELSEWHERE)]
        assert len(told) == 1
        assert "ERR-SEC-001" in told[0]
        assert "_forensics/T0LOCAL01/export-dashboard-as-pdf/fatal-001" in told[0]
        table.slack.delete("pm", "general", ts)
        table.settle()
        press(table, "redact")
        assert table.session().status == "choosing"
        after = [each.plain for each in table.slack.messages("general") if WORDS in each.plain]
        assert "chose “Redact and resume”" in after[0]
        assert SECRET not in said_by_us(table)
        assert "[redacted: GitHub token]" in kept(tmp_path)
    assert SECRET not in kept(tmp_path)
    assert SECRET not in lines.getvalue()
    assert "fault.recorded" in lines.getvalue()


def test_a_secret_in_a_command_is_refused_and_not_repeated(
    tmp_path: Path, lines: io.StringIO
) -> None:
    with served_bot(tmp_path) as table:
        told = table.command(f"/roundtable analyze Rotate {SECRET}")
        assert "so I started nothing" in told[0]
        told = table.command(f"/roundtable {SECRET}")
        assert SECRET not in told[0]
        assert len(table.slack.messages("general")) == 0
    assert SECRET not in kept(tmp_path)
    assert SECRET not in lines.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        "resume {}", "status {}", "status {} --errors", "why {}", "why FR-001 {}", "export {}",
        "export --format {}", "depth {}", "cancel {}", "delete {}", "catchup {}", "list {}",
        "help {}", "{}", "analyze a title --depth {}", "analyze a title --{}",
    ],
)  # fmt: skip
def test_a_credential_in_any_other_command_is_not_read_back_not_even_cut(
    commands: ServedBot, line: str
) -> None:
    for secret in (SECRET, LONG, f"login: admin / {WORDY}"):
        typed = line.replace("{}", secret)
        (told,) = commands.command(f"/roundtable {typed}")
        assert not any(piece in told.lower() for piece in pieces(secret)), told
        commands.slack.say("pm", CHANNEL, f"@Roundtable {typed}")
        commands.settle()
        shown = commands.slack.ephemerals[-1].text + said_by_us(commands)
        assert not any(piece in shown.lower() for piece in pieces(secret)), shown


def pieces(secret: str) -> set[str]:
    """Any eight signs of it, in small letters, as slugs are."""
    credential = secret.rpartition(" ")[2].lower()
    return {credential[at : at + 8] for at in range(len(credential) - 7)}


def test_somebody_else_may_not_choose_and_cancel_ends_it(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        table.start("Export dashboard as PDF")
        table.say(f"It needs {SECRET}.", by="dev")
        press(table, "redact", by="dev")
        assert table.session().status == "halted"
        assert any("Only" in each.text for each in table.slack.ephemerals if each.to == "dev")
        press(table, "cancel")
        assert table.session().status == "cancelled"


def test_untidy_chat_about_passwords_halts_nobody(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        table.start("Export dashboard as PDF")
        for at in range(0, len(HARMLESS), LINES_EACH):
            lines = HARMLESS[at : at + LINES_EACH]
            table.say("\n".join(lines))
            assert table.session().status != "halted", lines
        assert faults(table) == ()


class Talkative(ReadingBrain):
    """A brain that crashes with whatever it holds in its hands."""

    tier = "haiku"

    def read(self, request: ReadRequest) -> Draft:
        raise RuntimeError(f"the provider refused the key {SECRET}")


def test_a_secret_on_its_way_into_the_log_is_nowhere_and_halts_its_session(
    tmp_path: Path, lines: io.StringIO
) -> None:
    brains = iter([Talkative()])
    with served_bot(tmp_path, brain=lambda scripted: next(brains, scripted)) as table:
        logs.configure("json", "debug", lines, on_secret=table.table.secret_logged)
        table.start("Export dashboard as PDF")
        table.say("It is needed every week, about 30 files.")
        wait_until(lambda: table.session().status == "halted")
        table.settle()
        halted = [each for each in table.slack.messages("general") if WORDS in each.plain]
        assert len(halted) == 1
        assert "It was a GitHub token, in a log line." in halted[0].plain
        assert "Please look for what logged it, and rotate the credential." in halted[0].plain
        press(table, "redact")
        # It is read again, crashes again, and now that is ERR-INT-001 and no second halt.
        wait_until(lambda: table.session().status == "choosing")
        assert table.session().course.phases[0].facilitated
        codes = [each.code for each in faults(table)]
        assert codes.count("ERR-SEC-001") >= 1
        assert "ERR-INT-001" in codes
        assert SECRET not in said_by_us(table)
    assert SECRET not in kept(tmp_path)
    assert SECRET not in lines.getvalue()
    assert "brain.crashed" in lines.getvalue()


def faults(table: ServedBot) -> tuple[Fault, ...]:
    return table.table.runtime.reader.faults(table.session().id)
