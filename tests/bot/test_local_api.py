"""The Web API of the local workspace, driven by the real slack_sdk client."""

import json
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.webhook import WebhookClient

from bot.devtools.workspace import SCOPES_ALL, LocalWorkspace
from tests.bot.test_local_support import actions, button, client, error_of, section, workspace
from tests.support.waiting import wait_until


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with workspace(channels=["general", "private-den", "random"], admins=["Ada"]) as running:
        yield running


@pytest.fixture
def slack(local: LocalWorkspace) -> WebClient:
    return client(local)


@pytest.fixture
def general(local: LocalWorkspace) -> str:
    return local.channel_id("general")


def post(slack: WebClient, channel: str, text: str = "hello", **more: Any) -> str:
    return str(slack.chat_postMessage(channel=channel, text=text, **more)["ts"])


def test_the_identity_is_the_same_in_every_run(local: LocalWorkspace, slack: WebClient) -> None:
    told = slack.auth_test()
    assert (told["team_id"], told["user_id"], told["bot_id"]) == (
        local.team_id,
        local.bot_user_id,
        local.bot_id,
    )
    assert (told["url"], local.user_id("Ada")) == (local.workspace_url, "U0PM00001")
    assert local.channel_id("private-den").startswith("G")
    assert set(told.headers["x-oauth-scopes"].split(",")) == set(SCOPES_ALL)
    with pytest.raises(KeyError, match="Ada"):
        local.user_id("Nobody")


def test_a_start_is_quick_and_a_stopped_workspace_starts_again() -> None:
    local = workspace()
    began = time.process_time()  # of the processor: how busy the machine is says nothing
    local.start()
    assert time.process_time() - began < 0.3
    ts, port = post(client(local), "general"), local.api_url
    local.stop()
    with local:
        assert local.api_url == port
        assert [message.ts for message in local.messages("general")] == [ts]
    with pytest.raises(RuntimeError, match="start"):
        local.say("Ada", "general", "too late")


def test_every_ts_is_unique_and_later_than_the_one_before(local: LocalWorkspace) -> None:
    stamps = [local.say("Ada", "general", "x") for _ in range(300)]
    assert stamps == sorted(set(stamps))
    assert all(len(stamp.partition(".")[2]) == 6 for stamp in stamps)


@pytest.mark.parametrize(
    ("token", "error"),
    [
        ("", "not_authed"),
        ("xoxb-somebody-else", "invalid_auth"),
        ("app", "not_allowed_token_type"),
    ],
)
def test_a_wrong_token_is_refused(local: LocalWorkspace, token: str, error: str) -> None:
    stranger = client(local, token=local.app_token if token == "app" else token)
    assert error_of(stranger.chat_postMessage, channel="C1", text="x")["error"] == error


def test_an_unknown_method_is_named(slack: WebClient) -> None:
    assert error_of(slack.api_call, api_method="chat.whisper")["error"] == "unknown_method"


@pytest.mark.parametrize(
    ("missing", "method", "arguments"),
    [
        ("chat:write", "chat.postMessage", {"text": "x"}),
        ("chat:write", "chat.postEphemeral", {"text": "x", "user": "U0PM00001"}),
        ("reactions:write", "reactions.add", {"name": "eyes", "timestamp": "1.0"}),
        ("files:write", "files.getUploadURLExternal", {"filename": "a", "length": 1}),
        ("users:read", "users.info", {"user": "U0PM00001"}),
        ("channels:read", "conversations.info", {}),
        ("channels:history", "conversations.history", {}),
        ("channels:history", "conversations.replies", {"ts": "1.0"}),
    ],
)
def test_a_method_without_its_scope_is_refused(
    missing: str, method: str, arguments: dict[str, Any]
) -> None:
    granted = [scope for scope in SCOPES_ALL if scope != missing]
    with workspace(scopes=granted) as local:
        arguments = {"channel": local.channel_id("general")} | arguments
        refusal = error_of(client(local).api_call, api_method=method, params=arguments)
    assert (refusal["error"], refusal["needed"]) == ("missing_scope", missing)
    assert missing not in refusal["provided"].split(",")


def test_private_channels_need_the_scopes_of_groups() -> None:
    granted = [scope for scope in SCOPES_ALL if not scope.startswith("groups:")]
    with workspace(scopes=granted) as local:
        slack, den = client(local), local.channel_id("private-den")
        assert error_of(slack.conversations_info, channel=den)["needed"] == "groups:read"
        assert error_of(slack.conversations_history, channel=den)["needed"] == "groups:history"


def test_a_persona_speaks_under_its_name_only_with_the_scope() -> None:
    for scopes, shown in ((SCOPES_ALL, "Maya Chen"), (["chat:write"], "Roundtable")):
        with workspace(scopes=scopes) as local:
            answer = client(local).chat_postMessage(
                channel="general", text="Hi", username="Maya Chen", icon_emoji=":memo:"
            )
            message = local.messages("general")[0]
        assert (message.author, message.author_id) == (shown, local.bot_user_id)
        assert answer["message"].get("username") == (None if shown == "Roundtable" else shown)


def test_where_the_bot_is_not_it_cannot_post(local: LocalWorkspace) -> None:
    with workspace(bot_in=[]) as outside:
        slack = client(outside)
        for name, error in (("general", "not_in_channel"), ("private-den", "channel_not_found")):
            channel = outside.channel_id(name)
            assert error_of(slack.chat_postMessage, channel=channel, text="x")["error"] == error
        assert (
            slack.conversations_info(channel=outside.channel_id("general"))["channel"]["is_member"]
            is False
        )
    assert (
        error_of(client(local).chat_postMessage, channel="C404", text="x")["error"]
        == "channel_not_found"
    )


def test_empty_and_oversized_messages_are_refused(slack: WebClient, general: str) -> None:
    def refusal(method: str, **body: Any) -> Any:
        arguments = {"channel": general} | body
        return error_of(slack.api_call, api_method=method, json=arguments)["error"]

    assert refusal("chat.postMessage") == "no_text"
    assert refusal("chat.postMessage", blocks="[not json") == "invalid_blocks_format"
    ts = post(slack, general)
    assert refusal("chat.update", ts=ts, text="é" * 4_001) == "msg_too_long"
    long = [section("x" * 2_900)] * 5
    assert refusal("chat.postMessage", text="x", blocks=long) == "msg_blocks_too_long"
    assert refusal("chat.postMessage", text="x", metadata={"event_type": "t"}) == (
        "invalid_metadata_schema"
    )


def test_a_message_beyond_40_000_characters_is_cut_and_says_so(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    told = slack.chat_postMessage(channel=general, text="x" * 40_001)
    assert (told["warning"], len(local.messages("general")[0].text)) == (
        "message_truncated",
        40_000,
    )


def test_blocks_and_metadata_are_understood_as_json_and_as_form(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    metadata = {"event_type": "step", "event_payload": {"id": "s-1"}}
    blocks = [section("*Bold* `code_x` and <https://a.b|a link> &amp; more")]
    post(slack, general, blocks=blocks, metadata=metadata)
    form = {"channel": general, "blocks": json.dumps(blocks), "metadata": json.dumps(metadata)}
    slack.api_call("chat.postMessage", params=form)
    slack.api_call("chat.postMessage", data=form)
    for message in local.messages("general"):
        assert message.plain == "Bold code_x and a link & more"
        assert message.metadata == metadata
        assert message.blocks[0]["block_id"]


def test_invalid_blocks_are_refused_with_every_fault(slack: WebClient, general: str) -> None:
    blocks = [section(""), {"type": "marquee"}]
    refusal = error_of(slack.chat_postMessage, channel=general, text="x", blocks=blocks)
    assert refusal["error"] == "invalid_blocks"
    assert refusal["response_metadata"]["messages"] == [
        "[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]",
        "[ERROR] unsupported type: marquee [json-pointer:/blocks/1/type]",
    ]


def test_an_update_of_the_words_takes_the_blocks_away_and_keeps_the_rest(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    metadata = {"event_type": "out", "event_payload": {"id": "1"}}
    ts = post(slack, general, "one", blocks=[section("One")], username="Maya", metadata=metadata)
    slack.chat_update(channel=general, ts=ts, text="two", blocks=[section("Two")])
    assert local.messages("general")[0].plain == "Two"
    slack.chat_update(channel=general, ts=ts, text="three", username="Eve")
    kept = local.messages("general")[0]
    assert (kept.text, kept.plain, kept.author, kept.edited) == ("three", "three", "Maya", True)
    assert (kept.blocks, kept.metadata) == ((), metadata)


def test_a_file_that_is_deleted_takes_its_empty_message_along(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    for comment in (None, "Here it is."):
        shared = slack.files_upload_v2(
            channel=general, content="x", filename="a.txt", initial_comment=comment
        )
        slack.files_delete(file=shared["file"]["id"])
    assert local.files == []
    assert [(m.text, m.files) for m in local.messages("general")] == [("Here it is.", ())]
    assert error_of(slack.files_delete, file="F404")["error"] == "file_not_found"


def test_only_its_own_messages_can_be_changed_by_the_bot(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    theirs = local.say("Ada", "general", "mine")
    gone = post(slack, general)
    slack.chat_delete(channel=general, ts=gone)
    for call, ts, error in (
        (slack.chat_update, theirs, "cant_update_message"),
        (slack.chat_update, gone, "message_not_found"),
        (slack.chat_update, "1.000001", "message_not_found"),
        (slack.chat_delete, gone, "message_not_found"),
    ):
        more = {"text": "x"} if call == slack.chat_update else {}
        assert error_of(call, channel=general, ts=ts, **more)["error"] == error
    assert error_of(slack.chat_delete, channel=general, ts=theirs)["error"] == (
        "cant_delete_message"
    )
    with pytest.raises(PermissionError):
        local.edit("Bob Lee", "general", theirs, "not mine")


def test_a_thread_needs_its_root(local: LocalWorkspace, slack: WebClient, general: str) -> None:
    root = local.say("Ada", "general", "root")
    reply = post(slack, general, thread_ts=root)
    post(slack, general, "to the reply", thread_ts=reply)
    assert [m.thread_ts for m in local.messages("general", thread_ts=root)] == [None, root, root]
    local.delete("Ada", "general", root)
    for ts, error in ((root, "cannot_reply_to_message"), ("1.000001", "thread_not_found")):
        refusal = error_of(slack.chat_postMessage, channel=general, text="x", thread_ts=ts)
        assert refusal["error"] == error
    thread = slack.conversations_replies(channel=general, ts=root)["messages"]
    assert (thread[0]["subtype"], len(thread)) == ("tombstone", 3)


def test_a_thread_is_read_in_pages_with_its_root(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    root = local.say("Ada", "general", "root")
    metadata = {"event_type": "out", "event_payload": {"id": "1"}}
    sent = [post(slack, general, f"{n}", thread_ts=root, metadata=metadata) for n in range(5)]
    in_pages = slack.conversations_replies(channel=general, ts=root, limit=2)
    pages = [page["messages"] for page in in_pages]
    assert [message["ts"] for page in pages for message in page[1:]] == sent
    assert {page[0]["ts"] for page in pages} == {root}
    assert pages[0][0]["reply_count"] == 5
    assert "metadata" not in pages[0][1]
    late = slack.conversations_replies(
        channel=general, ts=root, oldest=sent[2], include_all_metadata=True
    )
    assert [m["ts"] for m in late["messages"][1:]] == sent[3:]
    assert late["messages"][1]["metadata"] == metadata
    with_edge = slack.conversations_replies(
        channel=general, ts=root, oldest=sent[2], latest=sent[3], inclusive=True
    )
    assert [m["ts"] for m in with_edge["messages"][1:]] == sent[2:4]
    assert error_of(slack.conversations_replies, channel=general, ts="1.0")["error"] == (
        "thread_not_found"
    )


def test_history_holds_the_channel_newest_first_without_replies(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    roots = [local.say("Ada", "general", f"{n}") for n in range(3)]
    post(slack, general, thread_ts=roots[0])
    local.delete("Ada", "general", roots[2])
    shown = slack.conversations_history(channel=general)["messages"]
    assert [message["ts"] for message in shown] == [roots[1], roots[0]]


def test_an_ephemeral_is_in_no_history(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    ada = local.user_id("Ada")
    ts = slack.chat_postEphemeral(channel=general, user=ada, text="psst")["message_ts"]
    assert slack.conversations_history(channel=general)["messages"] == []
    assert error_of(slack.chat_update, channel=general, ts=ts, text="x")["error"] == (
        "message_not_found"
    )
    assert [(e.to, e.text, e.ts) for e in local.ephemerals] == [("Ada", "psst", ts)]
    refusal = error_of(slack.chat_postEphemeral, channel=general, user="U404", text="x")
    assert refusal["error"] == "user_not_in_channel"


def test_reactions_are_given_once_and_taken_once(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    ts = local.say("Ada", "general", "an answer")
    target: dict[str, Any] = {"channel": general, "timestamp": ts, "name": "white_check_mark"}
    slack.reactions_add(**target)
    assert error_of(slack.reactions_add, **target)["error"] == "already_reacted"
    local.react("Bob Lee", "general", ts, ":white_check_mark:")
    assert local.messages("general")[0].reactions == {"white_check_mark": ("Roundtable", "Bob Lee")}
    slack.reactions_remove(**target)
    assert error_of(slack.reactions_remove, **target)["error"] == "no_reaction"
    missing = target | {"timestamp": "1.000001"}
    assert error_of(slack.reactions_add, **missing)["error"] == "message_not_found"
    with pytest.raises(ValueError, match="already"):
        local.react("Bob Lee", "general", ts, "white_check_mark")


def test_permalinks_can_be_composed_from_the_workspace_url(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    root = post(slack, general)
    reply = post(slack, general, thread_ts=root)
    told = slack.chat_getPermalink(channel=general, message_ts=reply)["permalink"]
    digits = reply.replace(".", "")
    link = f"{local.workspace_url}archives/{general}/p{digits}?thread_ts={root}&cid={general}"
    assert told == link


def test_people_and_members_are_told(local: LocalWorkspace, slack: WebClient) -> None:
    ada = slack.users_info(user=local.user_id("Ada"))["user"]
    assert (ada["is_admin"], ada["profile"]["display_name"]) == (True, "Ada")
    assert slack.users_info(user=local.user_id("Bob Lee"))["user"]["is_admin"] is False
    assert error_of(slack.users_info, user="U404")["error"] == "user_not_found"
    members = slack.conversations_members(channel=local.channel_id("general"))["members"]
    assert set(members) == {
        local.user_id("Ada"),
        local.user_id("Bob Lee"),
        local.bot_user_id,
    }


def test_a_file_is_uploaded_in_three_steps_into_a_thread(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    root = post(slack, general)
    slack.files_upload_v2(
        channel=general,
        thread_ts=root,
        filename="spec.md",
        title="The spec",
        content="# Übersicht",
        initial_comment="Here it is",
    )
    (file,) = local.files
    assert (file.name, file.title, file.content.decode()) == ("spec.md", "The spec", "# Übersicht")
    assert (file.channel, file.thread_ts) == ("general", root)
    shared = local.messages("general", thread_ts=root)[1]
    assert (shared.files, shared.plain) == (("spec.md",), "Here it is")
    unknown = {"files": [{"id": "F404"}], "channel_id": general}
    assert error_of(slack.files_completeUploadExternal, **unknown)["error"] == "file_not_found"


def test_a_status_stands_under_its_thread_until_the_bot_says_something(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    ts = post(slack, general)
    status = {"channel_id": general, "thread_ts": ts, "status": "is reading 3 answers"}
    slack.assistant_threads_setStatus(**status, username="Maya Chen")
    assert local.status("general", ts) == "Maya Chen is reading 3 answers"
    local.say("Ada", "general", "And one more.", thread_ts=ts)
    assert local.status("general", ts)
    slack.chat_postMessage(channel=general, thread_ts=ts, text="This is what I read.")
    assert local.status("general", ts) == ""


def test_a_status_is_taken_away_by_no_words_and_after_two_minutes(
    local: LocalWorkspace, slack: WebClient, general: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ts = post(slack, general)
    status = {"channel_id": general, "thread_ts": ts, "status": "is reading 3 answers"}
    slack.assistant_threads_setStatus(**status)
    assert local.status("general", ts) == "Roundtable is reading 3 answers"
    slack.assistant_threads_setStatus(**status | {"status": ""})
    assert local.status("general", ts) == ""
    slack.assistant_threads_setStatus(**status)
    monkeypatch.setattr("time.time", lambda now=time.time() + 121: now)
    assert local.status("general", ts) == ""
    missing = status | {"thread_ts": "1.0"}
    assert error_of(slack.assistant_threads_setStatus, **missing)["error"] == "invalid_thread_ts"


def test_a_response_url_works_five_times(local: LocalWorkspace) -> None:
    local.command("Ada", "general", "/roundtable help")
    wait_until(lambda: local.deliveries)
    wait_until(lambda: local.ephemerals)  # that nobody took the command is said first
    hook = WebhookClient(local.deliveries[0].payload["response_url"])
    before = len(local.ephemerals)
    assert hook.send(text="x", blocks=[section("")]).status_code == 400
    assert [hook.send(text=f"{n}").status_code for n in range(5)] == [200] * 4 + [404]
    assert [e.text for e in local.ephemerals[before:]] == ["0", "1", "2", "3"]


def test_every_call_is_written_down_without_its_token(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    post(slack, general, "noted")
    error_of(slack.chat_update, channel=general, ts="1.0", text="x")
    first, second = local.calls
    assert (first.method, first.args["text"], first.ok) == ("chat.postMessage", "noted", True)
    assert (second.status, second.error, second.ok) == (200, "message_not_found", False)
    assert "token" not in first.args


def test_the_workspace_listens_on_loopback_only(local: LocalWorkspace) -> None:
    assert local.api_url.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(f"{local.api_url}auth.test") as answer:
        assert json.load(answer) == {"ok": False, "error": "not_authed"}


def test_a_button_without_its_twin_is_found_and_a_missing_one_is_not(
    local: LocalWorkspace, slack: WebClient, general: str
) -> None:
    blocks = [
        actions(button("Yes", "vote", value="yes")) | {"block_id": "first"},
        actions(button("No", "vote", value="no")) | {"block_id": "second"},
    ]
    ts = post(slack, general, blocks=blocks)
    for wrong in (
        {"action_id": "none"},
        {"action_id": "vote"},
        {"action_id": "vote", "value": "?"},
    ):
        with pytest.raises(LookupError):
            local.click("Ada", "general", ts, **wrong)
