"""A workspace that knows none of Slack's newer blocks, and drafts checked by blocks.validate."""

from collections.abc import Iterator
from typing import Any

import pytest

from bot.devtools.workspace import NEWER_BLOCKS, LocalWorkspace
from tests.bot.test_local_support import (
    actions,
    bolt,
    button,
    by_socket,
    client,
    error_of,
    workspace,
)
from tests.bot.test_local_support import section as text_section
from tests.support.waiting import wait_until

Json = dict[str, Any]
SECTION = text_section("x")
PLAIN = {"type": "plain_text", "text": "x"}
TABLE = {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}
FOLD = {"type": "container", "title": PLAIN, "child_blocks": [SECTION, TABLE]}
ALERT = {"type": "alert", "text": PLAIN}
MODAL = {"type": "modal", "title": PLAIN, "blocks": [ALERT]}


@pytest.fixture
def old() -> Iterator[LocalWorkspace]:
    with workspace(unknown_blocks=NEWER_BLOCKS) as running:
        yield running


def unsupported(kind: str, pointer: str) -> str:
    return f"[ERROR] unsupported type: {kind} [json-pointer:{pointer}/type]"


def test_the_newer_blocks_are_those_that_slack_added_since_2025() -> None:
    assert {
        "alert", "card", "carousel", "container", "context_actions", "data_table", "plan",
        "table", "task_card",
    } == NEWER_BLOCKS  # fmt: skip


@pytest.mark.parametrize("method", ["chat_postMessage", "chat_update", "chat_postEphemeral"])
def test_an_old_slack_refuses_newer_blocks_in_slacks_words(
    old: LocalWorkspace, method: str
) -> None:
    slack, where = client(old), old.channel_id("general")
    ts = slack.chat_postMessage(channel=where, text="old", blocks=[SECTION])["ts"]
    about = {"chat_update": {"ts": ts}, "chat_postEphemeral": {"user": old.user_id("Ada")}}
    call = getattr(slack, method)
    refused = error_of(
        call, channel=where, text="x", blocks=[SECTION, FOLD], **about.get(method, {})
    )
    assert refused["error"] == "invalid_blocks"
    assert refused["response_metadata"]["messages"] == [unsupported("container", "/blocks/1")]
    assert [message.plain for message in old.messages("general")] == ["x"]
    assert old.ephemerals == []


def test_an_old_slack_refuses_newer_blocks_in_answers_and_views(old: LocalWorkspace) -> None:
    app = bolt(old)
    errors: list[Json] = []

    @app.command("/roundtable")
    def called(ack: Any, command: Json, client: Any) -> None:
        ack(text="x", blocks=[FOLD])
        errors.append(error_of(client.views_open, trigger_id=command["trigger_id"], view=MODAL))

    with by_socket(old, app):
        old.command("Ada", "general", "/roundtable")
        wait_until(lambda: bool(errors and old.ephemerals))
    assert old.ephemerals[0].text.endswith('failed with the error "invalid_blocks"')
    assert errors[0]["error"] == "invalid_arguments"
    assert errors[0]["response_metadata"]["messages"] == [unsupported("alert", "/view/blocks/0")]
    assert old.modals == []


def test_single_types_are_refused_wherever_they_stand_until_they_are_known_again() -> None:
    with workspace() as local:
        slack, where = client(local), local.channel_id("general")
        local.unknown_blocks = {"table"}
        plain_fold = {**FOLD, "child_blocks": [SECTION]}
        slack.chat_postMessage(channel=where, text="x", blocks=[plain_fold])
        refused = error_of(slack.chat_postMessage, channel=where, text="x", blocks=[FOLD])
        assert refused["response_metadata"]["messages"] == [
            unsupported("table", "/blocks/0/child_blocks/1")
        ]
        local.unknown_blocks = ()
        slack.chat_postMessage(channel=where, text="x", blocks=[FOLD])
        assert [message.plain for message in local.messages("general")] == ["x\nx", "x\nx\nx"]


def test_what_is_no_block_cannot_be_unknown() -> None:
    with pytest.raises(ValueError, match="tabel"):
        workspace(unknown_blocks={"tabel", "plan"})


@pytest.mark.parametrize(
    "draft",
    [
        {"blocks": [SECTION, FOLD]},
        {"message": {"text": "x", "blocks": [FOLD]}},
        {"message": {"text": "x"}},
        {"view": MODAL},
        {"view": {"type": "home", "blocks": [actions(button("x", "a"))]}},
    ],
)
def test_a_draft_that_slack_takes_is_ok_and_shown_to_nobody(draft: Json) -> None:
    with workspace() as local:
        assert client(local).api_call("blocks.validate", json=draft).data == {"ok": True}
        assert client(local).blocks_validate(**draft)["ok"]  # as a form
        assert local.messages("general") == []


def test_a_draft_with_faults_is_told_each_of_them_with_its_place() -> None:
    with workspace() as local:
        validate = client(local).blocks_validate
        broken = [{"type": "section", "text": {"type": "invalid", "text": "x"}}, {**PLAIN}]
        refused = error_of(validate, blocks=broken)
        assert refused["error"] == "invalid_blocks"
        assert refused["errors"] == [
            {
                "code": "failed_constraint",
                "message": "must be one of: plain_text, mrkdwn",
                "pointer": "/0/text/type",
            },
            {
                "code": "failed_constraint",
                "message": "unsupported type: plain_text",
                "pointer": "/1/type",
            },
        ]
        of_message = error_of(validate, message={"blocks": [ALERT]})
        assert (of_message["error"], of_message["errors"][0]["pointer"]) == (
            "invalid_message",
            "/blocks/0/type",
        )
        of_view = error_of(validate, view={**MODAL, "blocks": [FOLD]})
        assert (of_view["error"], of_view["errors"][0]["pointer"]) == (
            "invalid_view",
            "/blocks/0/type",
        )


@pytest.mark.parametrize("draft", [{}, {"blocks": [SECTION], "view": MODAL}])
def test_one_draft_is_checked_at_a_time(draft: Json) -> None:
    with workspace() as local:
        refused = error_of(client(local).blocks_validate, **draft)
        assert refused["error"] == "invalid_arguments"
        assert refused["response_metadata"]["messages"] == [
            "must provide exactly one of `blocks`, `view`, or `message`"
        ]


def test_an_old_slack_says_so_of_a_draft_too(old: LocalWorkspace) -> None:
    refused = error_of(client(old).blocks_validate, blocks=[FOLD])
    assert [fault["message"] for fault in refused["errors"]] == ["unsupported type: container"]
