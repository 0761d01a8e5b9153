"""Fatal errors: everything stops, nothing of a credential is kept, and the owner decides."""

from pathlib import Path

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import SharedFile
from core.domain.ids import SessionId, Ts, UserId
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import DEV, MAYA, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.rows import run_query

pytestmark = EACH_DATABASE

STRANGER = UserId("USTRANGER")
# Looks like one, opens nothing.
SECRET = "-".join(("xoxb", "2345678901", "2345678901234", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))
LEAK = f"The token is {SECRET}, please use it."
WORDS = (
    "That looks like a password, key or token, so I stopped here and kept nothing of it. "
    "Please delete the message and rotate the credential."
)


def everything(table: Harness) -> str:
    """All bytes below the table's folder: database, its log, artifacts and forensics."""
    files = [path for path in table.place.rglob("*") if path.is_file()]
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def forensics(table: Harness, number: int = 1) -> Path:
    return (
        table.place / "artifacts" / "_forensics" / TEAM / table.session.slug / f"fatal-{number:03d}"
    )


# ── credentials ────────────────────────────────────────────────────────────────────────────────


def test_a_secret_in_an_answer_halts_the_run_and_is_nowhere(table: Harness) -> None:
    table.answer("Because of the bank.")
    table.say(LEAK)
    assert table.session.status == "halted"
    assert table.reply == "halted-now"
    assert SECRET not in everything(table)
    (shown,) = table.shown(fx.ShowRecovery)
    assert shown.thread == MAYA
    fault = table.runtime.reader.faults(table.id)[-1]
    assert (fault.code, fault.message) == ("ERR-SEC-001", WORDS)
    assert fault.facts["secret_type"] == "a Slack bot token"
    assert len(table.shown(fx.TellOperators)) == 1


def test_redact_and_resume_goes_on_with_what_is_left_of_the_message(table: Harness) -> None:
    first = table.session.run
    table.say(LEAK)
    table.click("redact")
    assert table.session.status == "choosing"
    assert table.session.run != first
    assert table.said == ["The token is [redacted: Slack bot token], please use it."]
    assert SECRET not in everything(table)
    runs = run_query(table.runtime.database, "SELECT status FROM runs ORDER BY started_at, id")
    assert sorted(str(row[0]) for row in runs) == ["None", "halted"]


def test_whoever_deletes_the_message_as_advised_keeps_the_redacted_answer(table: Harness) -> None:
    ts = table.say(LEAK)
    table.delete(ts)
    table.click("redact")
    table.delete(ts)
    assert table.said == ["The token is [redacted: Slack bot token], please use it."]


def test_the_menu_works_after_a_restart(table: Harness) -> None:
    table.say(LEAK)
    menu = table.session.menus.recovery
    again = table.again()
    again.click("redact", menu=menu)
    assert again.session.status == "choosing"


def test_only_the_owner_or_an_admin_may_choose(table: Harness) -> None:
    table.say(LEAK)
    menu = table.session.menus.recovery
    table.click("redact", by=STRANGER, menu=menu)
    assert table.reply == "not-yours"
    assert table.session.status == "halted"
    table.click("redact", by=STRANGER, menu=menu, admin=True)
    assert table.session.status != "halted"


def test_cancel_ends_it_and_the_menu_says_so(table: Harness) -> None:
    table.say(LEAK)
    menu = table.session.menus.recovery
    table.click("cancel", menu=menu)
    assert table.session.status == "cancelled"
    ended = table.runtime.reader.menu(menu)  # type: ignore[arg-type]
    assert ended is not None
    assert (ended.state, ended.used_by, ended.chosen) == ("used", OWNER, "cancel")
    table.click("redact", menu=menu)
    assert table.session.status == "cancelled"


def test_what_people_say_to_a_halted_session_is_refused_kindly(table: Harness) -> None:
    table.say(LEAK)
    table.say("Are you there?")
    assert table.reply == "is-halted"
    table.resume()
    assert table.reply == "is-halted"
    assert table.session.status == "halted"
    assert table.said == []


def test_a_secret_in_an_edit_halts_and_the_edit_comes_in_redacted(table: Harness) -> None:
    ts = table.say("The token is in the vault.")
    table.edit(ts, LEAK)
    assert table.session.status == "halted"
    assert SECRET not in everything(table)
    table.click("redact")
    assert "The token is [redacted: Slack bot token], please use it." in table.said


def test_an_edit_with_a_secret_takes_the_place_of_what_was_said_before(table: Harness) -> None:
    ts = table.say("The token is in the vault.")
    table.edit(ts, LEAK)
    table.delete(ts)
    table.click("redact")
    assert table.said == ["The token is [redacted: Slack bot token], please use it."]


def test_a_late_answer_with_a_secret_comes_into_its_step_without_it(table: Harness) -> None:
    first = table.thread()
    table.answer("Because of the bank.")
    table.answer("Because of the auditors.")
    asked = [post for post in table.stage.posts if post.step == "01-01"]
    table.say(LEAK, thread=first, ts=Ts(f"{asked[0].ts}5"))
    assert table.session.status == "halted"
    table.click("redact")
    assert table.session.course.step == "02-01"
    text = (table.folder() / "requirements-spec.md").read_text()
    assert "redacted: Slack bot token" in text
    assert SECRET not in everything(table)


def test_a_secret_in_the_old_text_of_an_edit_halts_too(table: Harness) -> None:
    ts = table.say("The token is in the vault.")
    event = on.MessageEdited(
        OWNER, table.clock.now(), table.session.channel, ts, table.stage.next_ts(),
        "It is in the vault.", was=LEAK,
    )  # fmt: skip
    table.take(event)
    assert table.session.status == "halted"
    assert SECRET not in everything(table)


def test_a_secret_in_a_file_name_halts(table: Harness) -> None:
    table.say("See the file.", files=(SharedFile(f"{SECRET}.txt", f"https://p/{SECRET}.txt"),))
    assert table.session.status == "halted"
    assert SECRET not in everything(table)


def test_a_secret_in_a_title_starts_nothing_and_leaves_a_record(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    handled = table.start(title=f"Rotate {SECRET}")
    assert handled.session is None
    assert table.reply == "secret-title"
    assert SECRET not in everything(table)
    rows = run_query(table.runtime.database, "SELECT session, code FROM faults").fetchall()
    assert rows == [("", "ERR-SEC-001")]
    sessions = run_query(table.runtime.database, "SELECT count(*) FROM sessions").fetchone()
    assert sessions == (0,)


def test_a_second_secret_while_halted_is_counted_and_asks_nothing_anew(table: Harness) -> None:
    table.say(LEAK)
    table.say(LEAK)
    assert table.codes.count("ERR-SEC-001") == 2
    assert len(table.shown(fx.ShowRecovery)) == 1
    assert table.session.halt.count == 1


def test_another_session_goes_on(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.say(LEAK)
    other = table.again()
    other.id = SessionId("s2")
    other.start(title="Another item")
    other.answer("Because of the bank.")
    assert other.session.status == "asking"
    other.id = SessionId("s1")
    assert other.session.status == "halted"


def test_what_a_fatal_fault_suppresses_is_recorded_with_its_note(table: Harness) -> None:
    table.answer("Because of the bank.")
    path = table.folder() / "requirements-spec.md"
    path.write_text(f"{path.read_text()}\nOur own note: {LEAK}\n")
    (table.folder() / "meta.json").write_text("{broken")
    table.say("And because of the auditors.")
    assert table.session.status == "halted"
    noted = {fault.code: fault.detail for fault in table.runtime.reader.faults(table.id)}
    assert noted["ERR-META-002"].startswith("Would be reported, but fatal halts: ")
    assert table.messages == []  # the menu of the halt says all there is to say


def test_several_messages_with_secrets_all_come_in_without_them(table: Harness) -> None:
    table.say(LEAK)
    table.say(f"And this one: {SECRET}", by=DEV)
    table.click("redact")
    assert table.said == [
        "The token is [redacted: Slack bot token], please use it.",
        "And this one: [redacted: Slack bot token]",
    ]
    assert {OWNER, DEV} <= set(table.session.people.answered)


def test_a_secret_where_nothing_is_asked_is_no_answer_afterwards(table: Harness) -> None:
    table.say(LEAK, thread=table.card)
    assert table.session.status == "halted"
    table.click("redact")
    assert (table.session.status, table.said) == ("asking", [])


def test_a_secret_said_to_a_session_that_is_over_is_refused_and_recorded(table: Harness) -> None:
    thread = table.thread()
    table.finish()
    table.say(LEAK, thread=thread)
    assert (table.session.status, table.reply) == ("completed", "halted-now")
    assert table.codes[-1] == "ERR-SEC-001"
    assert table.messages[-1] == WORDS
    assert SECRET not in everything(table)


def test_a_session_that_was_halted_without_a_menu_is_told_of_all_the_same(table: Harness) -> None:
    table.say(LEAK)
    with table.runtime.database.write() as db:
        db.execute("UPDATE sessions SET doc = json_remove(doc, '$.menus.recovery')")
    table.resume()
    assert table.reply == "is-halted"
