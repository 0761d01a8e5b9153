"""Every error on the reference page of every method the bot calls, answered over HTTP.

Each is brought about once, and comes back from the bot's client as its disposition. Of each
disposition one error is played in a session: what the thread says, what becomes of the session, and
what is asked of Slack next. What an error comes to is written here by hand only for the
dispositions; which error has which stands in `bot/web_api/api_errors.toml`, and a few are named
again so that the file cannot drift.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, get_args

import pytest

from bot.devtools.workspace import SCOPES_ALL, LocalWorkspace
from bot.views.kit.blocks import message
from bot.views.kit.rich_text import prose
from bot.web_api.api_errors import DATA, NAME_ERRORS, Disposition, answers, disposition
from bot.web_api.client import SlackClient
from core.domain import events as on
from core.domain.ids import Ts
from core.domain.session.menu import Menu
from core.ports import Later, Refused, Unclear
from core.taxonomy.catalogue import CATALOGUE
from core.taxonomy.post_refusals import (
    ACCESS_LOST,
    EDITS_REFUSED,
    REFUSALS,
    RefusalReason,
    paused_words,
)
from tests.conformance.coverage import called_methods
from tests.core.test_halting import LEAK
from tests.refusals_page import PAGE, rewritten
from tests.support.api_pages import method_pages
from tests.support.fakes import CHANNEL, OWNER
from tests.support.harness_over_http import SlackTable, slack_table, slack_workspace
from tests.support.step_trees import AGENT, Tree

AT_ONCE: Final = 12
HELLO: Final = message(*prose("Hello"))
VIEW: Final = {"type": "home", "blocks": [{"type": "divider"}]}
INVITES: Final = {"not_invited", "channel_unknown", "direct_message"}
STOPS_NOBODY: Final = {"already_so", "edit_refused", "not_needed"}
OWN_WORDS: Final = {"thread_gone": CATALOGUE["ERR-SLACK-002"].message, "token_revoked": ACCESS_LOST}
SURE: Final[dict[str, Disposition]] = {
    "update_failed": "again",
    "fatal_error": "look",
    "edit_window_closed": "edit_refused",
    "cant_update_message": "edit_refused",
    "block_mismatch": "edit_refused",
    "restricted_action": "posting_restricted",
    "restricted_action_read_only_channel": "read_only",
    "restricted_action_thread_only_channel": "threads_only",
    "restricted_action_non_threadable_channel": "no_threads",
    "restricted_action_thread_locked": "thread_locked",
    "is_archived": "archived",
    "ekm_access_denied": "key_withdrawn",
    "invalid_blocks": "bad_blocks",
    "channel_not_found": "channel_unknown",
    "msg_too_long": "too_long",
    "not_in_channel": "not_invited",
    "messages_tab_disabled": "direct_message",
}


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalWorkspace]:
    with slack_workspace() as found:
        yield found


@pytest.fixture
def laid(slack: LocalWorkspace, tmp_path: Path) -> Iterator[SlackTable]:
    """A phase with more steps than errors are tried at once, and one answer to the first."""
    tree = Tree(tmp_path / "steps")
    tree.agent(AGENT)
    for number in range(1, AT_ONCE + 3):
        tree.step(f"01-requirements/{number:02}-a.md", title=f"Number {number}")
    found = slack_table(slack, tmp_path, tree=tree)
    found.table.start()
    found.answer = found.table.say("Because the bank asks for it.")
    yield found
    slack.clear_faults()


# ── the data file ──────────────────────────────────────────────────────────────────────────────


def test_the_data_file_has_the_methods_that_the_bot_calls() -> None:
    assert set(method_pages()) == called_methods()


def test_every_method_has_the_address_of_its_page_and_the_date_is_there() -> None:
    pages = {method: page.page for method, page in method_pages().items()}
    site = "https://docs.slack.dev/reference/methods"
    assert pages == {method: f"{site}/{method}" for method in pages}
    assert "read = 20" in DATA.read_text()


def test_no_error_of_any_page_meets_the_default_row() -> None:
    listed = {error for page in method_pages().values() for error in page.errors | page.unlisted}
    assert {error for error in listed if disposition(error) == "unknown"} == set()
    assert set(answers()) == listed
    assert disposition("something_new") == "unknown"


def test_the_page_says_what_the_file_and_the_words_say() -> None:
    assert PAGE.read_text() == rewritten(PAGE.read_text())


def test_the_errors_that_matter_most_come_to_what_they_must() -> None:
    assert {error: disposition(error) for error in SURE} == SURE


def test_every_reason_is_known_and_has_words_of_its_own() -> None:
    reasons = set(get_args(RefusalReason))
    assert set(answers().values()) <= reasons | {"done", "again", "look"}
    assert set(REFUSALS) == reasons - STOPS_NOBODY - {"thread_gone"}
    words = [f"{each.what} {each.helps}" for each in REFUSALS.values()]
    assert len(set(words)) == len(words)
    assert {reason for reason, each in REFUSALS.items() if "/invite" in each.helps} == INVITES
    assert not any("/invite" in each.what for each in REFUSALS.values())


# ── an error of each disposition of a method, in one session ──────────────────────────────────────


def errors_of(method: str) -> list[str]:
    """All that its page lists, and what Slack is known to answer besides."""
    page = method_pages()[method]
    return sorted(page.errors | page.unlisted)


def played_errors_of(method: str) -> Iterator[tuple[str, ...]]:
    """One of each disposition, and those of a name; some at a time, so that no session grows."""
    errors = errors_of(method)
    by_disposition = {disposition(error): error for error in reversed(errors)}
    names = [error for error in errors if error in NAME_ERRORS]
    chosen = sorted({*by_disposition.values(), *names})
    return (tuple(chosen[at : at + AT_ONCE]) for at in range(0, len(chosen), AT_ONCE))


def each_error_of(*methods: str) -> pytest.MarkDecorator:
    cases = [(method, errors) for method in methods for errors in played_errors_of(method)]
    ids = [f"{method}, {errors[0]} to {errors[-1]}" for method, errors in cases]
    return pytest.mark.parametrize(("method", "errors"), cases, ids=ids)


def new_texts(laid: SlackTable, act: Callable[[], object]) -> list[str]:
    """What the session said in new messages while that was done."""
    before = len(laid.texts)
    laid.forget()
    act()
    return laid.texts[before:]


def wait_it_out(laid: SlackTable) -> None:
    row = laid.table.runtime.outbox.head(laid.table.id, "visible")
    if row is not None and row.due > laid.table.clock.now():
        laid.table.pass_time(row.due - laid.table.clock.now())


def next_calls(laid: SlackTable, method: str) -> list[str]:
    """The methods that were called after the refusal, reactions and names aside."""
    methods = [(call.method, call.error) for call in laid.calls]
    at = next(n for n, (name, error) in enumerate(methods) if name == method and error)
    aside = ("reactions.add", "reactions.remove", "users.info")
    return [name for name, _ in methods[at + 1 :] if name not in aside]


def answered(laid: SlackTable) -> Ts:
    assert laid.answer is not None
    return laid.answer


def step_message(laid: SlackTable) -> str:
    post = laid.table.runtime.reader.last_post(laid.table.id, "step:01-01:")
    assert post is not None
    return post.ts


def said_of(laid: SlackTable, texts: list[str]) -> list[str]:
    """Of new messages those that tell of a refusal."""
    told = (*(paused_words(reason) for reason in REFUSALS), EDITS_REFUSED, *OWN_WORDS.values())
    return [words for text in texts for words in told if words in unescaped(text)]


def unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@each_error_of("chat.postMessage")
def test_each_error_of_a_post(laid: SlackTable, method: str, errors: tuple[str, ...]) -> None:
    step = 1
    for error in errors:
        answer, step = disposition(error), step + 1
        prompt = f"Step 01-{step:02}"
        laid.slack.refuse(method, error)
        texts = new_texts(laid, lambda: laid.table.forward())
        asked = [text for text in texts if prompt in text]
        said, calls, status = (
            said_of(laid, texts),
            next_calls(laid, method),
            laid.table.session.status,
        )
        if answer in ("again", "look"):
            assert (status, said, asked) == ("asking", [], []), error
            texts = new_texts(laid, lambda: wait_it_out(laid))
            look = ["conversations.replies"] if answer == "look" else []
            asked_now = list(dict.fromkeys(call.method for call in laid.calls))
            assert asked_now[: len(look) + 1] == [*look, method], error
        elif error in NAME_ERRORS:  # posted again at once, with the name in the text
            assert (status, said, len(asked)) == ("asking", [], 1), error
        elif answer == "token_revoked":
            assert (status, said, asked) == ("paused", [ACCESS_LOST], []), error
            texts = new_texts(laid, lambda: laid.table.resume())
        else:
            assert (status, asked) == ("paused", []), error
            expected = OWN_WORDS.get(answer) or paused_words(answer)
            assert said == [expected], error
            assert calls[0] == method, error
            assert ("/invite" in said[0]) == (answer in INVITES), error
            texts = new_texts(laid, lambda: laid.table.resume())
        assert laid.table.session.status == "asking", error
        assert sum(prompt in text for text in laid.texts) == 1, error
        laid.table.say("Nothing to add.")
    assert "ERR-SLACK-001" in laid.table.codes


@each_error_of("chat.update")
def test_each_error_of_an_edit(laid: SlackTable, method: str, errors: tuple[str, ...]) -> None:
    for error in errors:
        answer, before = disposition(error), laid.table.session.menus.current
        laid.slack.refuse(method, error, ts=step_message(laid))
        texts = new_texts(
            laid, lambda error=error: laid.table.edit(answered(laid), f"Because of {error}.")
        )
        said, calls, status = (
            said_of(laid, texts),
            next_calls(laid, method),
            laid.table.session.status,
        )
        if answer == "done":
            assert (status, said) == ("choosing", []), error
        elif answer in ("again", "look"):
            assert (status, said) == ("choosing", []), error
            laid.forget()
            wait_it_out(laid)
            assert laid.calls[0].args["ts"] == step_message(laid), error
        elif answer == "edit_refused":
            assert (status, calls[0]) == ("choosing", "chat.postMessage"), error
            assert before is not None
            old, new = laid.table.runtime.reader.menu(before), laid.table.menu
            assert isinstance(old, Menu)
            assert (old.state, new.state, old.id != new.id) == ("closed", "open", True), error
            laid.table.click("continue", menu=before)
            assert laid.table.reply == "unknown-choice"
            assert laid.table.session.status == "choosing"
        else:
            assert status == "paused", error
            expected = OWN_WORDS.get(answer) or paused_words(answer)
            assert said == [expected], error
            laid.table.resume()
        assert laid.table.session.status == "choosing", error
    fixed = any(disposition(error) == "edit_refused" for error in errors)
    assert sum(EDITS_REFUSED in unescaped(text) for text in laid.texts) == fixed


@each_error_of("reactions.add", "reactions.remove")
def test_each_error_of_a_mark_stops_nobody(
    laid: SlackTable, method: str, errors: tuple[str, ...]
) -> None:
    for error in errors:
        answer = disposition(error)
        ts = laid.table.say(f"More about {error}.") if method == "reactions.remove" else None
        laid.slack.refuse(method, error)

        def act(ts: Ts | None = ts, error: str = error) -> None:
            if ts is None:
                laid.table.say(f"Of {error}.")
            else:
                now = laid.table.clock.now()
                laid.table.take(on.AnswerTakenOut(OWNER, now, CHANNEL, ts))

        texts = new_texts(laid, act)
        assert laid.slack.faults.planned == [], error
        said, status = said_of(laid, texts), laid.table.session.status
        if answer in ("again", "look"):
            assert (status, said) == ("choosing", []), error
            laid.forget()
            wait_it_out(laid)
            assert laid.calls[0].method == method, error
        elif answer == "token_revoked":
            assert (status, said) == ("paused", [ACCESS_LOST]), error
            laid.table.resume()
        else:
            assert (status, said) == ("choosing", []), error
        assert laid.table.session.status == "choosing", error


@each_error_of("files.getUploadURLExternal", "files.completeUploadExternal")
def test_each_error_of_an_export_is_told_with_the_way_without_slack(
    laid: SlackTable, method: str, errors: tuple[str, ...]
) -> None:
    for error in errors:
        answer = disposition(error)
        laid.slack.refuse(method, error)
        export = on.ExportRequested(OWNER, laid.table.clock.now())
        texts = new_texts(laid, lambda export=export: laid.table.take(export))
        calls, status = next_calls(laid, method), laid.table.session.status
        if answer in ("again", "look"):
            assert (status, texts) == ("choosing", []), error
            laid.forget()
            wait_it_out(laid)
            looks = answer == "look" and method == "files.completeUploadExternal"
            after = "conversations.replies" if looks else "files.getUploadURLExternal"
            assert laid.calls[0].method == after, error
        elif answer == "token_revoked":
            assert status == "paused", error
            laid.table.resume()
        else:
            assert (status, calls) == ("choosing", ["chat.postMessage"]), error
            (text,) = map(unescaped, texts)
            assert REFUSALS[answer].what in text, error  # type: ignore[index]
            assert REFUSALS[answer].helps in text, error  # type: ignore[index]
            assert "roundtable export" in text, error
        assert laid.table.session.status == "choosing", error


@each_error_of("conversations.replies")
def test_each_error_of_a_look_leaves_the_post_in_doubt_or_pauses_and_posts_nothing(
    laid: SlackTable, method: str, errors: tuple[str, ...]
) -> None:
    step = 1
    for error in errors:
        answer, step = disposition(error), step + 1
        prompt = f"Step 01-{step:02}"
        laid.slack.inject("accept-then-drop", method="chat.postMessage")
        laid.slack.refuse(method, error)
        laid.table.forward()
        texts = new_texts(laid, lambda: wait_it_out(laid))
        assert not any(text.startswith(prompt) for text in texts), error
        if answer in ("again", "look"):
            assert laid.table.session.status == "asking", error
            assert laid.asked("chat.postMessage") == 0, error
            wait_it_out(laid)
        else:
            assert laid.table.session.status == "paused", error
            assert len(said_of(laid, texts)) == 1, error
            laid.table.resume()
        assert laid.table.session.status == "asking", error
        laid.table.say("Nothing to add.")


# ── methods without a message of the session's ─────────────────────────────────────────────────

GENERAL: Final = CHANNEL
LATER: Final = (Later, Unclear)
ASKS: Final[dict[str, Callable[[SlackClient], object]]] = {
    "auth.test": lambda client: client.lookups.auth_test(),
    "chat.postEphemeral": lambda client: client.ephemeral(GENERAL, OWNER, HELLO),
    "conversations.history": lambda client: client.lookups.look_for(
        lambda _: False, GENERAL, oldest=0
    ),
    "conversations.info": lambda client: client.lookups.channel_name(GENERAL),
    "users.conversations": lambda client: client.lookups.channels(),
    "users.info": lambda client: client.lookups.user(OWNER),
    "views.open": lambda client: client.open_view("1.2.3", VIEW),
    "views.publish": lambda client: client.publish_home(OWNER, VIEW),
    "views.push": lambda client: client.push_view("1.2.3", VIEW),
    "views.update": lambda client: client.update_view("form", VIEW),
}


@pytest.mark.parametrize("method", ASKS)
def test_each_error_of_what_is_asked_beside_a_session_is_told_apart_by_whoever_asks(
    slack: LocalWorkspace, method: str
) -> None:
    """One call each, and no other after it; a refusal comes back with its reason."""
    client = SlackClient(slack.bot_token, base_url=slack.api_url, scopes=frozenset(SCOPES_ALL))
    for error in errors_of(method):
        answer, before = disposition(error), len(slack.calls)
        slack.refuse(method, error)
        found = ASKS[method](client)
        assert [call.method for call in slack.calls[before:]] == [method], error
        if method == "conversations.info":
            assert found == "", error
        elif answer == "again":
            assert isinstance(found, Later), error
        elif method == "chat.postEphemeral":  # words for one person are let go, and stop nobody
            assert (found is None) == (answer != "token_revoked"), error
        elif answer == "look":
            assert isinstance(found, LATER), error
        else:
            assert isinstance(found, Refused), error
            assert (found.error, found.reason) == (error, answer), error


SENDS: Final[dict[str, Callable[[SlackClient], object]]] = {
    "chat.postMessage": lambda client: client.post(GENERAL, HELLO),
    "chat.update": lambda client: client.update(GENERAL, Ts("1.0"), HELLO),
    "reactions.add": lambda client: client.react(GENERAL, Ts("1.0"), "eyes", on=True),
    "reactions.remove": lambda client: client.react(GENERAL, Ts("1.0"), "eyes", on=False),
    "files.getUploadURLExternal": lambda client: client.upload(GENERAL, [("a.md", b"a")]),
    "files.completeUploadExternal": lambda client: client.upload(GENERAL, [("a.md", b"a")]),
    "conversations.replies": lambda client: client.lookups.look_for(
        lambda _: False, GENERAL, oldest=0, thread_ts=Ts("1.0")
    ),
}


STATUS: Final = "assistant.threads.setStatus"
MARKS_LET_GO: Final = {"permission_missing", "not_needed"}


@pytest.mark.parametrize("method", SENDS)
def test_each_error_of_what_a_session_sends_comes_back_as_its_disposition(
    slack: LocalWorkspace, method: str
) -> None:
    client = SlackClient(slack.bot_token, base_url=slack.api_url, scopes=frozenset(SCOPES_ALL))
    for error in errors_of(method):
        answer = disposition(error)
        slack.refuse(method, error)
        outcome = SENDS[method](client)
        assert slack.faults.planned == [], error
        if answer == "again":
            assert isinstance(outcome, Later), error
        elif answer == "look":
            assert isinstance(outcome, LATER), error
        elif method.startswith("reactions.") and answer in MARKS_LET_GO:
            assert outcome is None, error
        elif answer == "done":
            assert outcome is None or outcome == Refused(error, "already_so"), error
        else:
            assert isinstance(outcome, Refused), error
            assert (outcome.error, outcome.reason) == (error, answer), error


def test_each_error_of_a_status_is_passed_over(slack: LocalWorkspace) -> None:
    client = SlackClient(slack.bot_token, base_url=slack.api_url, scopes=frozenset(SCOPES_ALL))
    for error in errors_of(STATUS):
        slack.refuse(STATUS, error)
        client.set_status(GENERAL, Ts("1.0"), "is reading 3 answers")
        assert slack.faults.planned == [], error


def test_every_method_is_played() -> None:
    played = {*ASKS, *SENDS, STATUS}
    # test_serve.py::test_each_error_of_a_connection_ends_it_in_one_line_that_says_whose_it_is
    # test_installing.py: a token that nobody may have is given back
    assert set(method_pages()) - played == {"apps.connections.open", "auth.revoke"}


# ── what is edited besides a step's message ────────────────────────────────────────────────────


def test_a_recovery_menu_that_cannot_be_edited_any_more_is_closed_and_the_session_goes_on(
    laid: SlackTable,
) -> None:
    laid.table.say(LEAK)
    assert laid.table.session.status == "halted"
    menu = laid.table.session.menus.recovery
    message = next(each for each in laid.messages if "Redact and resume" in each.plain)
    laid.slack.refuse("chat.update", "edit_window_closed", ts=message.ts)
    texts = new_texts(laid, lambda: laid.table.click("redact"))
    assert laid.table.session.status == "choosing"
    assert said_of(laid, texts) == [EDITS_REFUSED]
    assert any(text.startswith("Here we are again") for text in texts)
    laid.table.click("redact", menu=menu)  # its buttons still stand there
    assert laid.table.reply == "used-by-you"
    assert laid.table.session.status == "choosing"
