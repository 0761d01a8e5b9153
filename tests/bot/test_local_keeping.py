"""A workspace that is kept in a folder: nothing of it is lost, and nothing damaged is used."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk import WebClient

from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.persistence import STATE, DamagedError, Keeper
from bot.devtools.workspace.state import StoredEphemeral, StoredPost, WorkspaceState
from bot.devtools.workspace.values import Ping, WorkspaceFile
from tests.support.waiting import wait_until

PEOPLE, CHANNELS = ("Ada", "Ben"), ("general", "private-den")

# Half of a surrogate pair is what JSON lets through and UTF-8 does not.
texts = st.text(max_size=40) | st.just("\ud83d")
stamps = st.from_regex(r"1[0-9]{9}\.[0-9]{6}", fullmatch=True)
blocks = st.lists(
    st.builds(lambda text: {"type": "markdown", "text": text, "block_id": text}, texts), max_size=2
)


def world() -> WorkspaceState:
    return WorkspaceState(PEOPLE, CHANNELS, ["general"], ["Ada"])


def worlds() -> st.SearchStrategy[WorkspaceState]:
    empty = world()
    channels, people = st.sampled_from(empty.channels), st.sampled_from(empty.people)
    posts = st.builds(
        StoredPost,
        channel=channels,
        ts=stamps,
        user=people.map(lambda person: person.id),
        text=texts,
        blocks=blocks,
        thread_ts=st.none() | stamps,
        by_bot=st.booleans(),
        username=st.none() | texts,
        icons=st.none() | st.just({"emoji": ":mag:"}),
        metadata=st.none() | st.just({"event_type": "x", "event_payload": {"id": 1}}),
        files=st.just([]) | st.just([{"id": "F1", "name": "a.md"}]),
        edited_ts=st.none() | stamps,
        deleted=st.booleans(),
        reactions=st.dictionaries(st.sampled_from(["+1", "eyes"]), st.just(["U0PM00001"])),
        client_msg_id=st.none() | texts,
    )
    ephemerals = st.builds(
        StoredEphemeral,
        channel=channels,
        ts=stamps,
        to=people,
        text=texts,
        blocks=blocks,
        author=texts,
    )
    files = st.builds(
        WorkspaceFile,
        id=st.from_regex(r"F0[0-9]{6}", fullmatch=True),
        name=texts,
        title=texts,
        content=st.binary(max_size=50),
        channel=st.none() | st.just("general"),
        thread_ts=st.none() | stamps,
    )
    homes = st.dictionaries(st.just("U0PM00001"), st.just({"id": "V1", "blocks": []}))

    def filled(
        posted: Any, ephemerals: Any, pinged: Any, shared: Any, shown: Any
    ) -> WorkspaceState:
        made = world()
        for post in posted:
            made.posts[post.channel.id, post.ts] = post
        made.ephemerals, made.pings, made.files, made.homes = ephemerals, pinged, shared, shown
        return made

    return st.builds(
        filled,
        st.lists(posts, max_size=4),
        st.lists(ephemerals, max_size=2),
        st.lists(st.builds(Ping, author=texts, what=texts), max_size=2),
        st.lists(files, max_size=2, unique_by=lambda file: file.id),
        homes,
    )


def all_of(one: WorkspaceState) -> tuple[object, ...]:
    return (one.people, one.channels, list(one.posts.items()), one.ephemerals, one.pings, one.files,
            one.homes, one.last_us, one.serial)  # fmt: skip


@given(worlds())
def test_what_is_kept_is_what_was_there(tmp_path_factory: Any, before: WorkspaceState) -> None:
    folder = tmp_path_factory.mktemp("kept")
    Keeper(before, folder).save()
    after = WorkspaceState(["Somebody else"], ["elsewhere"], None, [])
    after.serial = 0  # its own would be later
    Keeper(after, folder)
    assert all_of(after) == all_of(before)


@given(st.data())
def test_one_changed_byte_is_found_anywhere(tmp_path_factory: Any, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    before = world()
    before.files = [WorkspaceFile("F1", "a", "a", b"12345", "general", None)]
    Keeper(before, folder).save()
    path = data.draw(st.sampled_from([folder / STATE, folder / "files" / "F1"]))
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    with pytest.raises(DamagedError):
        Keeper(world(), folder)


@pytest.mark.parametrize("content", [b"", b"{}", b"local-workspace 1 ", b"\x00" * 4096])
def test_a_damaged_state_is_named_with_its_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STATE).write_bytes(content)
    with pytest.raises(DamagedError, match=STATE):
        LocalWorkspace(people=PEOPLE, keep_in=tmp_path)


def test_a_lost_file_is_named(tmp_path: Path) -> None:
    before = world()
    before.files = [WorkspaceFile("F7", "a", "a", b"12345", "general", None)]
    Keeper(before, tmp_path).save()
    (tmp_path / "files" / "F7").unlink()
    with pytest.raises(DamagedError, match="F7"):
        Keeper(world(), tmp_path)


def kept(folder: Path) -> LocalWorkspace:
    return LocalWorkspace(people=PEOPLE, channels=CHANNELS, keep_in=folder)


def upload(slack: LocalWorkspace, client: WebClient, content: bytes) -> None:
    asked = client.files_getUploadURLExternal(filename="a.zip", length=len(content))
    request = urllib.request.Request(asked["upload_url"], content, method="POST")
    urllib.request.urlopen(request).close()
    channel = slack.channel_id("general")
    client.files_completeUploadExternal(files=[{"id": asked["file_id"]}], channel_id=channel)


def test_people_and_the_bot_find_everything_again(tmp_path: Path) -> None:
    view = {"type": "home", "blocks": [{"type": "divider"}]}
    with kept(tmp_path) as slack:
        client = WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[])
        root = slack.say("Ada", "general", "Hello <world> & all")
        reply = slack.say("Ben", "general", "A reply", thread_ts=root)
        slack.edit("Ben", "general", reply, "A better reply")
        slack.delete("Ben", "general", slack.say("Ben", "general", "Never mind"))
        channel = slack.channel_id("general")
        client.chat_postMessage(channel=channel, text="Hi <@U0PM00002>", username="Maya Chen")
        client.reactions_add(channel=channel, timestamp=root, name="white_check_mark")
        client.chat_postEphemeral(channel=channel, user=slack.user_id("Ada"), text="For you")
        client.views_publish(user_id=slack.user_id("Ada"), view=view)
        upload(slack, client, b"\x00\x01 bytes")
        said, ephemerals, shared = slack.messages("general"), slack.ephemerals, slack.files
        pinged, home = slack.pings, slack.home("Ada")
    with kept(tmp_path) as slack:
        assert slack.messages("general") == said
        assert slack.ephemerals == ephemerals
        assert slack.files == shared
        assert shared[0].content == b"\x00\x01 bytes"
        assert slack.pings == pinged
        assert slack.home("Ada") == home
        later = slack.say("Ada", "general", "Goes on", thread_ts=root)
        assert later > max(message.ts for message in said)


def test_links_lead_to_where_the_workspace_listens_now(tmp_path: Path) -> None:
    with kept(tmp_path) as slack:
        client = WebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[])
        channel, before = slack.channel_id("general"), slack.workspace_url
        text = f"<{before}archives/{channel}/p1|there>"
        block = {"type": "section", "text": {"type": "mrkdwn", "text": text}}
        client.chat_postMessage(channel=channel, text=text, blocks=[block])
    with kept(tmp_path) as slack:
        assert slack.workspace_url != before
        (message,) = slack.messages("general")
        shown = message.blocks[0]["text"]["text"]
        assert {message.text, shown} == {text.replace(before, slack.workspace_url)}


def test_a_change_is_written_while_the_workspace_runs(tmp_path: Path) -> None:
    with kept(tmp_path) as slack:
        slack.say("Ada", "general", "Written without an end")
        path = tmp_path / STATE
        wait_until(lambda: path.exists() and b"without an end" in path.read_bytes())
        body = json.loads(path.read_bytes().partition(b"\n")[2])
        assert [post["text"] for post in body["posts"]] == ["Written without an end"]


def test_ids_never_come_twice(tmp_path: Path) -> None:
    before = world()
    before.serial += 10**9
    last = before.next_id("Ev")
    Keeper(before, tmp_path).save()
    after = world()
    Keeper(after, tmp_path)
    assert after.next_id("Ev") > last
