"""Who gets into the page of the local workspace, and what it lets nobody do. Over real HTTP."""

import json
from collections.abc import Iterator

import httpx
import pytest

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import client, workspace

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture
def slack() -> Iterator[LocalWorkspace]:
    with workspace(page_token=TOKEN) as local:
        yield local


@pytest.fixture
def web(slack: LocalWorkspace) -> Iterator[httpx.Client]:
    # To read the certificates of the machine takes longer than the test.
    with httpx.Client(base_url=slack.page_url, verify=False) as client:
        yield client


def act(web: httpx.Client, name: str, /, **fields: object) -> httpx.Response:
    given = {"as": "U0PM00001", "channel": "C0CH00001", **fields}
    headers = {"Content-Type": "application/json"}
    return web.post(f"act/{name}", content=json.dumps(given), headers=headers)


def test_the_page_says_that_it_is_not_slack(web: httpx.Client) -> None:
    page = web.get("")
    assert page.status_code == 200
    assert "A local workspace for trying Roundtable. <b>Not Slack.</b>" in page.text


def test_without_its_token_there_is_no_page(slack: LocalWorkspace) -> None:
    for path in ("", "wrong/", f"{TOKEN[:-1]}/", f"{TOKEN}x/state"):
        assert httpx.get(f"{slack.workspace_url}{path}").status_code == 404


def test_a_workspace_without_a_token_has_no_page() -> None:
    with workspace() as local, pytest.raises(RuntimeError, match="page_token"):
        _ = local.page_url


@pytest.mark.parametrize(
    "token", ["short", "with a space in it somewhere", "a/slash/in/the/middle"]
)
def test_a_token_that_could_be_guessed_or_misread_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="letters, digits"):
        workspace(page_token=token)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "[::1]:{port}"]
)
@pytest.mark.parametrize("path", ["", "state", "../api/auth.test"])
def test_another_name_for_this_machine_is_refused(
    slack: LocalWorkspace, web: httpx.Client, host: str, path: str
) -> None:
    answer = web.get(path, headers={"Host": host.format(port=slack.port)})
    assert answer.status_code == 421
    assert answer.text.count("\n") == 1


def test_localhost_is_as_good_as_the_number(slack: LocalWorkspace, web: httpx.Client) -> None:
    assert web.get("", headers={"Host": f"localhost:{slack.port}"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_site_cannot_act(
    slack: LocalWorkspace, web: httpx.Client, headers: dict[str, str]
) -> None:
    fields = {"as": "U0PM00001", "channel": "C0CH00001", "text": "I was never here"}
    answer = web.post("act/say", json=fields, headers=headers)
    assert answer.status_code == 403
    assert slack.messages("general") == []


def test_a_form_of_another_page_cannot_act(slack: LocalWorkspace, web: httpx.Client) -> None:
    answer = web.post("act/say", data={"as": "U0PM00001", "channel": "C0CH00001", "text": "hi"})
    assert answer.status_code == 415
    assert slack.messages("general") == []


def test_another_site_cannot_call_slacks_methods_with_the_known_token(
    slack: LocalWorkspace, web: httpx.Client
) -> None:
    crossing = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    query = {"token": slack.bot_token, "channel": "C0CH00001", "text": "hi"}
    answer = web.get("../api/chat.postMessage", params=query, headers=crossing)
    assert answer.status_code == 403
    assert slack.messages("general") == []


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", ""])
@pytest.mark.parametrize("path", ["api/chat.postMessage", "response/x", "upload/v1/F1"])
def test_slacks_addresses_refuse_another_site_whatever_else_is_missing(
    slack: LocalWorkspace, origin: str, path: str
) -> None:
    fields = {"token": slack.bot_token, "channel": "C0CH00001", "text": "hi"}
    for method in ("GET", "POST"):
        answer = httpx.request(
            method, f"{slack.workspace_url}{path}", data=fields, headers={"Origin": origin}
        )
        assert answer.status_code == 403
    assert slack.messages("general") == []


def test_a_workspace_without_a_page_refuses_another_site_as_well() -> None:
    with LocalWorkspace(people=["Ada"]) as bare:
        headers = {"Authorization": f"Bearer {bare.bot_token}", "Origin": "https://evil.example"}
        assert httpx.post(f"{bare.api_url}auth.test", headers=headers).status_code == 403


def test_tokens_and_signing_secret_are_different_in_every_workspace() -> None:
    one, other = LocalWorkspace(people=["Ada"]), LocalWorkspace(people=["Ada"])
    for name in ("bot_token", "app_token", "signing_secret"):
        assert getattr(one, name) != getattr(other, name)
        assert len(getattr(one, name)) >= 32


def test_nothing_of_the_page_runs_leaks_or_is_framed(web: httpx.Client) -> None:
    headers = web.get("").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"


def test_the_page_has_no_script_or_style_of_its_own_inside(web: httpx.Client) -> None:
    page = web.get("").text
    assert page.count("<script") == 1
    assert 'src="static/page.js' in page
    assert "<style" not in page
    assert "style=" not in page


def test_a_person_stays_who_they_were_until_they_say_otherwise(web: httpx.Client) -> None:
    assert 'data-name="Ada"' in web.get("").text
    assert 'data-name="Bob Lee"' in web.get("", params={"as": "U0PM00002"}).text
    assert 'data-name="Bob Lee"' in web.get("c/C0CH00001").text
    assert web.get("", params={"as": "U0NOBODY"}).status_code == 404


# links


def permalink(slack: LocalWorkspace, ts: str, root: str = "") -> str:
    query = f"?thread_ts={root}" if root else ""
    return f"{slack.workspace_url}archives/C0CH00001/p{ts.replace('.', '')}{query}"


def test_a_permalink_leads_to_its_message_and_opens_the_thread(
    slack: LocalWorkspace, web: httpx.Client
) -> None:
    root = slack.say("Ada", "general", "the question")
    reply = slack.say("Bob Lee", "general", "the answer", thread_ts=root)
    web.get("")
    page = web.get(permalink(slack, reply, root), follow_redirects=True)
    assert str(page.url).startswith(slack.page_url)
    assert f'data-at="{reply}"' in page.text
    assert f'data-thread="{root}"' in page.text
    assert "the answer" in page.text
    assert f'data-thread="{root}"' in web.get(permalink(slack, reply), follow_redirects=True).text


def test_a_thread_says_who_is_at_what(slack: LocalWorkspace, web: httpx.Client) -> None:
    root = slack.say("Ada", "general", "the question")
    client(slack).assistant_threads_setStatus(
        channel_id=slack.channel_id("general"),
        thread_ts=root,
        status="is reading <3> answers",
        username="Maya Chen",
    )
    said = "<b>Maya Chen</b> is reading &lt;3&gt; answers…"
    assert said in web.get("c/C0CH00001", params={"thread": root}).text
    client(slack).chat_postMessage(channel="C0CH00001", thread_ts=root, text="This is what I read.")
    assert said not in web.get("c/C0CH00001", params={"thread": root}).text


def test_a_permalink_tells_the_token_to_nobody_who_does_not_know_it(slack: LocalWorkspace) -> None:
    ts = slack.say("Ada", "general", "hello")
    answer = httpx.get(permalink(slack, ts))
    assert answer.status_code == 403
    assert "Open the address that the demo printed" in answer.text
    assert TOKEN not in answer.text + str(answer.headers)


def test_a_permalink_to_a_message_that_is_gone_says_so(
    slack: LocalWorkspace, web: httpx.Client
) -> None:
    ts = slack.say("Ada", "general", "hello")
    slack.delete("Ada", "general", ts)
    web.get("")
    answer = web.get(permalink(slack, ts), follow_redirects=True)
    assert (answer.status_code, answer.text) == (404, "That message is not there any more.\n")


# what is sent


GONE = "That message is not there any more."
CLOSED = "This window is closed already, or it is not yours."
LONG = "A message holds 40,000 characters; this one has 40,001."
RELOAD = "Please reload it."
NO_THREAD = "The thread you answer to is not there any more."


@pytest.mark.parametrize(
    ("name", "fields", "status", "line"),
    [
        ("say", {"channel": "C0NOWHERE", "text": "hi"}, 404, "There is no such channel."),
        ("say", {"as": "U0NOBODY", "text": "hi"}, 404, "Nobody here has that name."),
        ("say", {"text": " \n "}, 422, "There is nothing to send yet."),
        ("say", {"text": "x" * 40_001}, 413, LONG),
        ("say", {"text": 7}, 400, f"The page sent no text. {RELOAD}"),
        ("say", {}, 400, f"The page sent no text. {RELOAD}"),
        ("say", {"text": "half a \ud83d"}, 422, "This text has characters that cannot be sent."),
        ("say", {"text": "x", "thread": "1.2"}, 404, NO_THREAD),
        ("say", {"text": "/nothing"}, 422, "/nothing is no command here. There is /roundtable."),
        ("edit", {"ts": "1.2", "text": "x"}, 404, GONE),
        ("react", {"ts": "1.2", "name": "<b>"}, 422, "There is no such reaction."),
        ("click", {"ts": "1.2", "action_id": "a"}, 404, "That control is not there any more."),
        ("click", {"view_id": "V9", "action_id": "a"}, 404, "That control is not there any more."),
        ("submit", {"view_id": "V9", "values": {}}, 404, CLOSED),
        ("submit", {"view_id": "V9", "values": [1]}, 400, f"The page sent no values. {RELOAD}"),
        ("close_view", {"view_id": "V9"}, 404, CLOSED),
        ("shortcut", {"callback_id": "forged"}, 404, "There is no such shortcut."),
        ("inject", {"kind": "meteor"}, 422, "There is no such trouble."),
        ("inject", {"kind": "429", "seconds": -1}, 422, "Choose seconds from 1 to 600."),
        ("inject", {"kind": "429", "times": True}, 422, "Choose times from 1 to 100."),
        ("explode", {}, 404, "The page knows no such act. Please reload it."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_plain_line(
    web: httpx.Client, name: str, fields: dict[str, object], status: int, line: str
) -> None:
    answer = act(web, name, **fields)
    assert (answer.status_code, answer.text) == (status, f"{line}\n")


@pytest.mark.parametrize("body", [b"", b"no json", b"[1]", b"\xff", b'"text"'])
def test_an_odd_body_is_refused(web: httpx.Client, body: bytes) -> None:
    answer = web.post("act/say", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


def test_a_huge_body_is_refused(web: httpx.Client) -> None:
    assert act(web, "say", text="x" * 2_100_000).status_code == 413


def test_only_its_author_changes_a_message(slack: LocalWorkspace, web: httpx.Client) -> None:
    ts = slack.say("Bob Lee", "general", "mine")
    for name in ("edit", "delete"):
        answer = act(web, name, ts=ts, text="yours")
        assert (answer.status_code, answer.text) == (
            403,
            "Only its author can change this message.\n",
        )
    assert [message.text for message in slack.messages("general")] == ["mine"]


def test_a_command_does_not_work_in_a_thread(slack: LocalWorkspace, web: httpx.Client) -> None:
    root = slack.say("Ada", "general", "root")
    answer = act(web, "say", text="/roundtable status", thread=root)
    assert (answer.status_code, answer.text) == (
        422,
        "/roundtable does not work in a thread. Type it in the channel.\n",
    )
