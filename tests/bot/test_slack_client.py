"""What Slack answers, as the outbox needs it: done, refused, later, unclear."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

import pytest
from pytest_mock import MockerFixture
from structlog.testing import capture_logs

from bot.devtools.workspace import SCOPES_ALL, LocalWorkspace
from bot.devtools.workspace.people import modal_stack
from bot.server.one_workspace import NotConnectedError, who_we_are
from bot.views.kit.blocks import Message, message
from bot.views.kit.identity import Author
from bot.views.kit.modals import notice_of
from bot.views.kit.rich_text import prose
from bot.web_api.api_errors import after_no_answer, retry_after, translated
from bot.web_api.client import SlackClient
from bot.web_api.directory import NAMES_MAX, SlackDirectory
from bot.web_api.lookups import Identity, SlackLookups
from bot.web_api.message_search import CURSORS_MAX, PAGE_MESSAGES_SCARCE
from core.domain.ids import ChannelId, TeamId, Ts, UserId
from core.ports import Later, Refused, Unclear
from tests.support.handlers import served_by

HELLO: Final = message(*prose("Hello"))
MAYA: Final = Author("Maya Chen", ":bar_chart:")
TEAM: Final = TeamId("T0LOCAL01")
NOWHERE: Final = ChannelId("C0NOWHERE")


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalWorkspace]:
    with LocalWorkspace(people=["Priya", "Sam"]) as workspace:
        yield workspace


@pytest.fixture
def slack(shared: LocalWorkspace) -> Iterator[LocalWorkspace]:
    yield shared
    shared.clear_faults()


@pytest.fixture
def client(slack: LocalWorkspace) -> SlackClient:
    return client_of(slack)


@pytest.fixture
def general(slack: LocalWorkspace) -> ChannelId:
    return ChannelId(slack.channel_id("general"))


def client_of(slack: LocalWorkspace, token: str = "", timeout_s: int = 5) -> SlackClient:
    return SlackClient(token or slack.bot_token, base_url=slack.api_url, timeout_s=timeout_s)


def posted(client: SlackClient, channel: ChannelId, shown: Message = HELLO) -> Ts:
    ts = client.post(channel, shown)
    assert isinstance(ts, str), ts
    return ts


# ── words for a modal ──────────────────────────────────────────────────────────────────────────


def test_words_for_a_modal_wait_for_the_acknowledgement_that_shows_it(
    slack: LocalWorkspace, client: SlackClient
) -> None:
    shown = notice_of("It begins", HELLO.blocks, "begun:V1")

    def acknowledge() -> None:
        with slack.world.lock:
            modal_stack.opened(slack.world, slack.world.person("Priya"), shown, "")

    timer = threading.Timer(0.5, acknowledge)
    timer.start()
    assert client.respond("view:begun:V1", message(*prose("Invite me first."))) is None
    timer.join()
    assert "Invite me first." in slack.modals[-1].plain


def test_words_for_a_modal_that_was_closed_are_let_go(client: SlackClient) -> None:
    assert client.respond("view:begun:V2", HELLO) is None


# ── what is done ───────────────────────────────────────────────────────────────────────────────


def test_a_post_stands_under_the_persona_s_name(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    ts = client.post(general, HELLO, author=MAYA)
    found = slack.messages("general")[-1]
    assert (found.ts, found.author, found.plain) == (ts, "Maya Chen", "Hello")


def test_links_are_never_unfolded(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    posted(client, general)
    sent = slack.calls[-1].args
    assert (sent["unfurl_links"], sent["unfurl_media"]) == (False, False)


def test_an_edit_changes_the_words(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    ts = posted(client, general)
    assert client.update(general, ts, message(*prose("Other words")), author=MAYA) is None
    assert slack.messages("general")[-1].plain == "Other words"


def test_a_reaction_is_put_on_and_taken_off_and_twice_is_once(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    ts = posted(client, general)
    for on in (True, True, False, False):
        assert client.react(general, ts, "white_check_mark", on=on) is None
        assert bool(slack.messages("general")[-1].reactions) is on


def test_what_is_gone_counts_as_done(client: SlackClient, general: ChannelId) -> None:
    gone = Ts("1.000001")
    assert client.update(general, gone, HELLO) is None
    assert client.react(general, gone, "white_check_mark", on=True) is None


def test_a_status_is_the_persona_s_and_what_slack_makes_of_it_stops_nobody(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    ts = posted(client, general)
    client.set_status(general, ts, "is reading 3 answers", author=MAYA)
    assert slack.status("general", ts) == "Maya Chen is reading 3 answers"
    client.set_status(general, ts, "", author=MAYA)
    assert slack.status("general", ts) == ""
    before = len(slack.calls)
    for kind in ("429", "500", "drop"):
        slack.inject(kind, method="assistant.threads.setStatus")
        client.set_status(general, ts, "is reading 3 answers", author=MAYA)
    client.set_status(general, Ts("1.0"), "is reading 3 answers")
    assert len(slack.calls) == before + 4
    assert slack.status("general", ts) == ""


def test_an_ephemeral_reaches_one_person(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    assert client.ephemeral(general, UserId(slack.user_id("Sam")), HELLO) is None
    assert (slack.ephemerals[-1].to, slack.ephemerals[-1].text) == ("Sam", "Hello")


def test_a_file_arrives_in_its_thread(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    root = posted(client, general)
    done = client.upload(general, [("a.zip", b"PK\x00\xff")], thread_ts=root, comment="Here")
    assert done is None
    file = slack.files[-1]
    assert (file.name, file.content, file.thread_ts) == ("a.zip", b"PK\x00\xff", root)


def test_a_message_is_found_by_what_it_bears(client: SlackClient, general: ChannelId) -> None:
    def wanted(found: Any) -> bool:
        return bool((found.get("metadata") or {}).get("event_payload") == {"order": "7"})

    bearing = {"event_type": "roundtable", "event_payload": {"order": "7"}}
    root = posted(client, general)
    ts = client.post(general, HELLO, thread_ts=root, metadata=bearing)
    assert client.lookups.look_for(wanted, general, oldest=0, thread_ts=root) == ts
    assert client.lookups.look_for(wanted, general, oldest=0) is None
    assert (
        client.lookups.look_for(wanted, general, oldest=float(str(ts)) + 1, thread_ts=root) is None
    )


def test_where_pages_are_scarce_a_look_goes_on_where_the_last_one_ended(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    scarce = SlackClient(slack.bot_token, base_url=slack.api_url, scarce_s=60.0)
    wanted_ts = posted(client, general)
    for _ in range(PAGE_MESSAGES_SCARCE * 2):
        posted(client, general)
    oldest = float(wanted_ts) - 5.0

    def look() -> object:
        return scarce.lookups.look_for(lambda row: row["ts"] == wanted_ts, general, oldest=oldest)

    for _ in range(2):
        before = len(slack.calls)
        assert look() == Later("there is more", 60.0)
        assert len(slack.calls) == before + 1
    slack.inject("429", method="conversations.history", retry_after=1)
    assert isinstance(look(), Later)
    assert look() == wanted_ts
    assert scarce.lookups.look_for(lambda _: False, general, oldest=oldest + 1e6) is None


def test_of_looks_that_nobody_goes_on_with_only_the_latest_are_remembered(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    scarce = SlackClient(slack.bot_token, base_url=slack.api_url, scarce_s=60.0)
    oldest = float(posted(client, general)) - 5.0
    for _ in range(PAGE_MESSAGES_SCARCE * 2):
        posted(client, general)
    scarce.lookups._search._cursors.update(
        {(general, None, f"{n}"): "cursor" for n in range(CURSORS_MAX)}
    )
    for _ in range(2):
        assert isinstance(scarce.lookups.look_for(lambda _: False, general, oldest=oldest), Later)
        assert len(scarce.lookups._search._cursors) == CURSORS_MAX


def test_a_look_ends_after_some_pages(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    for _ in range(3):
        posted(client, general)
    before = len(slack.calls)
    assert client.lookups.look_for(lambda _: False, general, oldest=0) is None
    assert {call.method for call in slack.calls[before:]} == {"conversations.history"}
    assert len(slack.calls) - before <= 5


def test_auth_test_says_who_we_are(slack: LocalWorkspace, client: SlackClient) -> None:
    found = client.lookups.auth_test()
    assert found == Identity(
        TEAM,
        slack.workspace_url,
        UserId(slack.bot_user_id),
        slack.bot_id,
        "roundtable",
    )


def test_at_the_start_slack_is_asked_again_where_it_does_not_answer(
    slack: LocalWorkspace, client: SlackClient, mocker: MockerFixture
) -> None:
    slack.inject("500", method="auth.test")
    slack.inject("429", method="auth.test", retry_after=7)
    sleep = mocker.stub()
    assert who_we_are(client, sleep=sleep).team == TEAM
    assert sleep.call_args_list == [mocker.call(0.5), mocker.call(7.0)]


def test_a_start_gives_up_after_three_questions_and_at_once_where_slack_refuses(
    slack: LocalWorkspace, client: SlackClient, mocker: MockerFixture
) -> None:
    slack.inject("500", method="auth.test", times=3)
    sleep = mocker.stub()
    with pytest.raises(NotConnectedError) as silent:
        who_we_are(client, sleep=sleep)
    assert not silent.value.heard
    assert sleep.call_args_list == [mocker.call(0.5), mocker.call(1.0)]
    slack.refuse("auth.test", "invalid_auth")
    with pytest.raises(NotConnectedError) as refused:
        who_we_are(client, sleep=sleep)
    assert refused.value.heard
    assert sleep.call_count == 2


# ── what is not ────────────────────────────────────────────────────────────────────────────────


def test_what_slack_refuses_is_refused_in_its_own_word(client: SlackClient) -> None:
    assert client.post(NOWHERE, HELLO) == Refused("channel_not_found", "channel_unknown")
    assert client.update(NOWHERE, Ts("1.1"), HELLO) == Refused(
        "channel_not_found", "channel_unknown"
    )
    assert client.lookups.look_for(lambda _: True, NOWHERE, oldest=0) == Refused(
        "channel_not_found", "channel_unknown"
    )
    assert client.upload(NOWHERE, [("a.zip", b"x")]) == Refused(
        "channel_not_found", "channel_unknown"
    )


def test_a_bad_token_is_refused_everywhere(slack: LocalWorkspace, general: ChannelId) -> None:
    client = client_of(slack, "xoxb-wrong")
    user = UserId(slack.user_id("Sam"))
    assert client.post(general, HELLO) == Refused("invalid_auth", "token_revoked")
    assert client.ephemeral(general, user, HELLO) == Refused("invalid_auth", "token_revoked")
    assert client.react(general, Ts("1.1"), "x", on=True) == Refused(
        "invalid_auth", "token_revoked"
    )
    assert client.lookups.auth_test() == Refused("invalid_auth", "token_revoked")


def test_words_for_one_person_are_let_go_where_they_cannot_be_said(client: SlackClient) -> None:
    with capture_logs() as logs:
        assert client.ephemeral(NOWHERE, UserId("U1"), HELLO) is None
    assert [entry["event"] for entry in logs] == ["slack.words-lost"]


@pytest.mark.parametrize("kind", ["429"])
def test_being_too_fast_means_later_and_when(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId, kind: Any
) -> None:
    ts, user = posted(client, general), UserId(slack.user_id("Sam"))
    slack.inject(kind, retry_after=7, times=5)
    wait = Later("ratelimited", 7.0, 429)
    assert client.post(general, HELLO) == wait
    assert client.update(general, ts, HELLO) == wait
    assert client.ephemeral(general, user, HELLO) == wait
    assert client.react(general, ts, "white_check_mark", on=True) == wait
    assert client.upload(general, [("a.zip", b"x")]) == wait


@pytest.mark.parametrize("kind", ["500", "drop", "accept-then-drop"])
def test_no_answer_is_unclear_for_a_post_later_for_an_edit_and_done_for_an_ephemeral(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId, kind: Any
) -> None:
    ts, user = posted(client, general), UserId(slack.user_id("Sam"))
    slack.inject(kind, times=4)
    assert isinstance(client.post(general, HELLO), Unclear)
    assert isinstance(client.update(general, ts, HELLO), Later)
    assert isinstance(client.react(general, ts, "white_check_mark", on=True), Later)
    assert client.ephemeral(general, user, HELLO) is None


def test_a_post_is_sent_once_however_it_ends(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    before = len(slack.messages("general"))
    slack.inject("accept-then-drop", method="chat.postMessage")
    client.post(general, HELLO)
    assert len(slack.messages("general")) == before + 1


def test_no_answer_in_time_is_unclear(slack: LocalWorkspace, general: ChannelId) -> None:
    slack.inject("timeout", method="chat.postMessage")
    hasty = SlackClient(
        slack.bot_token, base_url=slack.api_url, timeout_s=1, scopes=frozenset(SCOPES_ALL)
    )
    assert hasty.post(general, HELLO) == Unclear("TimeoutError")


def test_only_the_last_step_of_an_upload_can_be_unclear(
    slack: LocalWorkspace, client: SlackClient, general: ChannelId
) -> None:
    slack.inject("drop", method="files.getUploadURLExternal")
    assert isinstance(client.upload(general, [("a.zip", b"x")]), Later)
    slack.inject("accept-then-drop", method="files.completeUploadExternal")
    assert isinstance(client.upload(general, [("a.zip", b"x")]), Unclear)


def test_nobody_listening_means_nothing_was_sent() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    client = SlackClient("xoxb-x", base_url=f"http://127.0.0.1:{port}/api/", timeout_s=1)
    assert client.post(ChannelId("C1"), HELLO) == Later("ConnectionRefusedError")
    assert client.respond(f"http://127.0.0.1:{port}/x", HELLO) == Later("ConnectionRefusedError")


@pytest.fixture
def answers() -> Iterator[tuple[str, list[int], list[Any]]]:
    """A reply address: its URL, the statuses it will answer with, and what it was sent."""
    statuses: list[int] = []
    sent: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(statuses.pop(0))
            self.send_header("Retry-After", "9")
            self.end_headers()

    with served_by(Handler) as url:
        yield url, statuses, sent


def test_a_command_is_answered_through_its_own_address(
    client: SlackClient, answers: tuple[str, list[int], list[Any]]
) -> None:
    url, statuses, sent = answers
    statuses += [200, 404, 500, 429]
    found = [client.respond(url, HELLO) for _ in range(4)]
    assert found == [None, None, None, Later("ratelimited", 9.0)]
    assert sent[0] == {
        "text": "Hello",
        "blocks": list(HELLO.blocks),
        "response_type": "ephemeral",
        "replace_original": False,
        "unfurl_links": False,
        "unfurl_media": False,
    }


def test_a_revoked_token_is_found_out_by_what_is_sent(general: ChannelId) -> None:
    with LocalWorkspace(people=["Priya"]) as other:
        other.inject("revoke")
        assert client_of(other).post(general, HELLO) == Refused("token_revoked", "token_revoked")


@pytest.mark.parametrize(
    ("status", "error", "outcome"),
    [
        (200, "ratelimited", Later("ratelimited", 3.0, 200)),
        (200, "message_limit_exceeded", Later("message_limit_exceeded", 3.0, 200)),
        (200, "service_unavailable", Later("service_unavailable", 3.0, 200)),
        (200, "fatal_error", Unclear("fatal_error", http_status=200)),
        (200, "is_archived", Refused("is_archived", "archived")),
        (200, "something_new", Refused("something_new")),
        (503, "x", Unclear("http 503", http_status=503)),
        (404, "Received a response in a non-JSON format: <html>", Unclear),
    ],
)
def test_the_table_of_errors(status: int, error: str, outcome: Any) -> None:
    class Response(dict[str, str]):
        status_code = status
        headers: Final = {"Retry-After": "3"}

    found = translated("post", Response(error=error))
    assert found == outcome if not isinstance(outcome, type) else isinstance(found, outcome)


def test_a_wait_that_makes_no_sense_is_none() -> None:
    assert retry_after({"Retry-After": "soon"}) is None
    assert retry_after({"retry-after": ["4"]}) == 4.0
    assert retry_after({}) is None
    assert retry_after({"Retry-After": "inf"}) is None
    assert retry_after({"Retry-After": "nan"}) is None
    assert after_no_answer("repeat", ConnectionResetError()) == Later("ConnectionResetError")


# ── scopes ─────────────────────────────────────────────────────────────────────────────────────


def test_without_the_scope_for_names_the_name_stands_in_the_message() -> None:
    with LocalWorkspace(people=["Priya"], scopes=_without("chat:write.customize")) as slack:
        client, general = client_of(slack), ChannelId(slack.channel_id("general"))
        ts = client.post(general, HELLO, author=MAYA)
        assert isinstance(ts, str)
        first = slack.messages("general")[-1]
        assert (first.author, first.plain) == ("Roundtable", "Maya Chen\nHello")
        client.update(general, ts, message(*prose("Bye")), author=MAYA)
        assert slack.messages("general")[-1].plain == "Maya Chen\nBye"
        posted(client, general)
        assert slack.messages("general")[-1].plain == "Hello"


@pytest.mark.parametrize("scope", ["reactions:write", "files:write", "users:read"])
def test_a_missing_scope_is_skipped_and_logged_once(scope: str) -> None:
    with LocalWorkspace(people=["Priya"], scopes=_without(scope)) as slack:
        client, general = client_of(slack), ChannelId(slack.channel_id("general"))
        with capture_logs() as logs:
            for _ in range(2):
                assert client.react(general, Ts("1.1"), "x", on=True) is None
                uploaded = client.upload(general, [("a.zip", b"x")])
                found = client.lookups.user(UserId(slack.user_id("Priya")))
        assert (uploaded == Refused("missing_scope", "permission_missing")) is (
            scope == "files:write"
        )
        assert (found == Refused("missing_scope", "permission_missing")) is (scope == "users:read")
        assert [entry["scope"] for entry in logs] == [scope]


def _without(scope: str) -> list[str]:
    return [each for each in SCOPES_ALL if each != scope]


def test_the_token_is_in_no_repr_and_in_no_log(slack: LocalWorkspace, general: ChannelId) -> None:
    client = client_of(slack, "xoxb-very-secret")
    with capture_logs() as logs:
        outcome = client.post(general, HELLO, author=MAYA)
    assert "very-secret" not in f"{client!r} {client} {logs} {outcome}"


# ── names ──────────────────────────────────────────────────────────────────────────────────────


def test_names_are_asked_for_once_and_again_after_an_hour(slack: LocalWorkspace) -> None:
    now = [0.0]
    directory = SlackDirectory(lambda _: client_of(slack), now=lambda: now[0])
    priya, sam = UserId(slack.user_id("Priya")), UserId(slack.user_id("Sam"))
    assert directory.remembered(TEAM, [priya]) == {}
    for asked, at in ((1, 0.0), (1, 3_599.0), (2, 3_601.0)):
        now[0] = at
        assert directory.names(TEAM, [priya, priya]) == {priya: "Priya"}
        assert _asked_for(slack, priya) == asked
    assert directory.names(TEAM, {sam, priya}) == {sam: "Sam", priya: "Priya"}
    assert directory.remembered(TEAM, [priya, UserId("U0")]) == {priya: "Priya"}


def test_who_cannot_be_found_is_left_out_and_asked_for_again_after_minutes(
    slack: LocalWorkspace,
) -> None:
    now = [0.0]
    directory = SlackDirectory(lambda _: client_of(slack), now=lambda: now[0])
    nobody = UserId("U0NOBODY")
    for asked, at in ((1, 0.0), (1, 299.0), (2, 301.0)):
        now[0] = at
        assert directory.names(TEAM, [nobody]) == {}
        assert _asked_for(slack, nobody) == asked


def test_an_old_name_is_kept_where_slack_does_not_answer(slack: LocalWorkspace) -> None:
    now = [0.0]
    directory = SlackDirectory(lambda _: client_of(slack), now=lambda: now[0])
    sam = UserId(slack.user_id("Sam"))
    directory.names(TEAM, [sam])
    now[0] = 4_000.0
    slack.inject("500", method="users.info")
    assert directory.names(TEAM, [sam]) == {sam: "Sam"}


def test_a_stranger_who_joins_the_workspace_is_none_any_more(
    slack: LocalWorkspace, mocker: MockerFixture
) -> None:
    now = [0.0]
    directory = SlackDirectory(lambda _: client_of(slack), now=lambda: now[0])
    sam = UserId(slack.user_id("Sam"))
    users_info = mocker.patch.object(SlackLookups, "user")
    for at, answer, strangers in (
        (0.0, {"name": "sam", "team_id": "TOTHER"}, {sam}),
        (4_000.0, Later("timeout"), {sam}),
        (8_000.0, {"name": "sam", "team_id": TEAM}, set()),
    ):
        now[0], users_info.return_value = at, answer
        assert directory.strangers(TEAM, [sam]) == strangers
        assert directory.names(TEAM, [sam]) == {sam: "sam"}


def test_of_the_people_that_were_asked_for_only_the_latest_are_remembered(
    slack: LocalWorkspace, mocker: MockerFixture
) -> None:
    directory = SlackDirectory(lambda _: client_of(slack))
    mocker.patch.object(SlackLookups, "user", return_value={"name": "sam", "team_id": "TOTHER"})
    people = [UserId(f"U{number}") for number in range(NAMES_MAX + 1)]
    assert len(directory.strangers(TEAM, people)) == NAMES_MAX


def _asked_for(slack: LocalWorkspace, user: UserId) -> int:
    return sum(c.method == "users.info" and c.args["user"] == user for c in slack.calls)
