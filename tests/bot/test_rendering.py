"""Widgets are drawn where they are sent: newer blocks, or plain ones where Slack refuses those."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest
from structlog.testing import capture_logs

from bot.devtools.workspace import LocalWorkspace
from bot.server.configuration.settings import Settings
from bot.server.one_workspace import renderings
from bot.views.kit.blocks import Message, message
from bot.views.kit.identity import Author
from bot.views.kit.modals import View, drawn_view, notice_of
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.widget import WIDGET_KINDS, Widget, WidgetKind
from bot.views.widgets.table import FoldedTable, OpenTable, Rows
from bot.web_api.api_errors import BlocksRefused
from bot.web_api.client import SlackClient
from bot.web_api.rendering import (
    REMEMBERED_S,
    PlainRenderings,
    RememberedRenderings,
    Renderings,
    is_gov_slack,
)
from core.domain.ids import ChannelId, TeamId, Ts, UserId
from core.ports import Later, Refused
from core.store.documents import CorruptError
from tests.support.fakes import TEAM
from tests.support.harness import small_table

NOW: Final = 1_000_000.0


@dataclass(frozen=True)
class Hologram(Widget):
    """A widget whose newer block no workspace knows."""

    kind: ClassVar[WidgetKind] = "cards"
    text: str = "the words"

    def today(self) -> list[Block]:
        return [{"type": "hologram", "text": self.text}]

    def plain(self) -> list[Block]:
        return [paragraph(self.text)]


@dataclass(frozen=True)
class Caption(Widget):
    """A widget whose newer block every workspace knows."""

    kind: ClassVar[WidgetKind] = "fold"

    def today(self) -> list[Block]:
        return [{"type": "section", "text": {"type": "plain_text", "text": "a caption"}}]

    def plain(self) -> list[Block]:
        return [paragraph("a caption")]


@dataclass(frozen=True)
class TooMuch(Caption):
    """A widget that no workspace takes in either rendering."""

    kind: ClassVar[WidgetKind] = "table"

    def today(self) -> list[Block]:
        return [{"type": "hologram"}]

    def plain(self) -> list[Block]:
        return [{"type": "hologram"}]


@dataclass
class Memory:
    """The workspace's row, and the clock."""

    now: float = NOW
    stored: Mapping[str, float] = field(default_factory=dict)
    saves: int = 0

    def renderings(self) -> RememberedRenderings:
        return RememberedRenderings(lambda: self.stored, self._save, lambda: self.now)

    def _save(self, refused: Mapping[str, float]) -> None:
        self.stored, self.saves = refused, self.saves + 1


MIXED: Final = message(paragraph("first"), Caption(), Hologram())


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalWorkspace]:
    with LocalWorkspace(people=["Priya"]) as workspace:
        yield workspace


@pytest.fixture
def slack(shared: LocalWorkspace) -> Iterator[LocalWorkspace]:
    yield shared
    shared.clear_faults()


@pytest.fixture
def general(slack: LocalWorkspace) -> ChannelId:
    return ChannelId(slack.channel_id("general"))


@pytest.fixture
def memory() -> Memory:
    return Memory()


def client_of(slack: LocalWorkspace, renderings: Renderings | None = None) -> SlackClient:
    return SlackClient(slack.bot_token, base_url=slack.api_url, timeout_s=5, renderings=renderings)


def calls_of(slack: LocalWorkspace, method: str, since: int) -> list[tuple[str, list[str]]]:
    """What came of each call, and the types of its blocks."""
    return [
        (call.error, [block["type"] for block in call.args.get("view", call.args)["blocks"]])
        for call in slack.calls[since:]
        if call.method == method
    ]


# ── a refusal ──────────────────────────────────────────────────────────────────────────────────


def test_a_refused_message_goes_out_again_plainly_at_once_and_once(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    since, client = len(slack.calls), client_of(slack, memory.renderings())
    before = len(slack.messages("general"))
    assert isinstance(client.post(general, MIXED), str)
    assert calls_of(slack, "chat.postMessage", since) == [
        ("invalid_blocks", ["rich_text", "section", "hologram"]),
        ("", ["rich_text", "rich_text", "rich_text"]),
    ]
    assert len(slack.messages("general")) == before + 1


def test_only_the_kind_that_slack_names_is_remembered(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    client = client_of(slack, memory.renderings())
    client.post(general, MIXED)
    assert memory.stored == {"cards": NOW}
    since = len(slack.calls)
    client.post(general, MIXED)
    assert calls_of(slack, "chat.postMessage", since) == [
        ("", ["rich_text", "section", "rich_text"])
    ]


def test_the_fold_of_a_second_table_is_known_by_its_block_too(memory: Memory) -> None:
    rows = Rows(("Who", "What"), [("Priya", "a PDF")])
    two_tables = message(OpenTable(rows), FoldedTable("more", "More (1)", rows))
    with LocalWorkspace(people=["Priya"], unknown_blocks=["container"]) as slack:
        client_of(slack, memory.renderings()).post(
            ChannelId(slack.channel_id("general")), two_tables
        )
    assert memory.stored == {"fold": NOW}


def test_where_slack_names_no_block_every_kind_of_the_message_is_remembered(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    slack.refuse("chat.postMessage", "invalid_blocks")
    client_of(slack, memory.renderings()).post(general, message(Caption(), Caption()))
    assert memory.stored == {"fold": NOW}


@pytest.mark.parametrize("error", ["invalid_blocks", "invalid_blocks_format", "unsupported_block"])
def test_each_error_that_names_blocks_makes_it_plain(
    slack: LocalWorkspace, general: ChannelId, memory: Memory, error: str
) -> None:
    slack.refuse("chat.postMessage", error)
    assert isinstance(client_of(slack, memory.renderings()).post(general, MIXED), str)
    assert memory.stored == {"fold": NOW, "cards": NOW}


@pytest.mark.parametrize("error", ["channel_not_found", "is_archived", "msg_too_long"])
def test_any_other_refusal_is_what_it_was(
    slack: LocalWorkspace, general: ChannelId, memory: Memory, error: str
) -> None:
    slack.refuse("chat.postMessage", error)
    answer = client_of(slack, memory.renderings()).post(general, MIXED)
    assert isinstance(answer, Refused)
    assert (answer.error, memory.saves) == (error, 0)


def test_a_plain_message_that_is_refused_for_its_blocks_is_our_fault(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    since = len(slack.calls)
    plain = message({"type": "hologram"})
    answer = client_of(slack, memory.renderings()).post(general, plain)
    assert answer == BlocksRefused("invalid_blocks", "bad_blocks", (0,))
    assert len(calls_of(slack, "chat.postMessage", since)) == 1
    assert memory.saves == 0


def test_the_plain_rendering_is_sent_once(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    since = len(slack.calls)
    answer = client_of(slack, memory.renderings()).post(general, message(TooMuch()))
    assert isinstance(answer, Refused)
    assert answer.reason == "bad_blocks"
    assert len(calls_of(slack, "chat.postMessage", since)) == 2


def test_a_block_of_no_widget_that_is_refused_is_held_against_no_widget(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    since = len(slack.calls)
    answer = client_of(slack, memory.renderings()).post(
        general, message({"type": "hologram"}, Caption())
    )
    assert isinstance(answer, Refused)
    assert memory.saves == 0
    assert len(calls_of(slack, "chat.postMessage", since)) == 2


def test_it_is_remembered_before_it_is_sent_again(
    slack: LocalWorkspace, general: ChannelId
) -> None:
    sent: list[int] = []

    def save(_: Mapping[str, float]) -> None:
        sent.append(len(calls_of(slack, "chat.postMessage", since)))

    since = len(slack.calls)
    client_of(slack, RememberedRenderings(dict, save, lambda: NOW)).post(general, MIXED)
    assert sent == [1]


def test_a_second_call_that_comes_too_soon_is_made_later_and_plainly(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    client = client_of(slack, memory.renderings())
    slack.refuse("chat.postMessage", "invalid_blocks")
    slack.inject("429", method="chat.postMessage", retry_after=7)
    answer = client.post(general, MIXED)
    assert answer == Later("ratelimited", 7.0, 429)
    since = len(slack.calls)
    assert isinstance(client.post(general, MIXED), str)
    assert calls_of(slack, "chat.postMessage", since) == [
        ("", ["rich_text", "rich_text", "rich_text"])
    ]


def test_a_refusal_is_logged_with_its_kinds_and_counted(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    client = client_of(slack, memory.renderings())
    slack.refuse("chat.postMessage", "invalid_blocks")
    with capture_logs() as logs:
        client.post(general, message(Caption()))
        client.post(general, message(Hologram()))
        client.post(general, MIXED)
    assert [(each["event"], each["kinds"], each["refusals"]) for each in logs] == [
        ("blocks.refused", ["fold"], 1),
        ("blocks.refused", ["cards"], 2),
    ]


# ── everything that goes out ───────────────────────────────────────────────────────────────────


def view() -> View:
    return notice_of("A notice", [paragraph("first"), Hologram()])


def test_an_edit_falls_back(slack: LocalWorkspace, general: ChannelId, memory: Memory) -> None:
    client = client_of(slack, memory.renderings())
    ts = client.post(general, message(paragraph("first")))
    assert isinstance(ts, str)
    since = len(slack.calls)
    assert client.update(general, Ts(ts), MIXED) is None
    assert [error for error, _ in calls_of(slack, "chat.update", since)] == ["invalid_blocks", ""]


def test_words_for_one_person_fall_back(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    since, priya = len(slack.calls), UserId(slack.user_id("Priya"))
    assert client_of(slack, memory.renderings()).ephemeral(general, priya, MIXED) is None
    assert [error for error, _ in calls_of(slack, "chat.postEphemeral", since)] == [
        "invalid_blocks",
        "",
    ]


def test_a_post_under_a_name_that_slack_refuses_is_drawn_too(
    slack: LocalWorkspace, general: ChannelId, memory: Memory
) -> None:
    slack.refuse("chat.postMessage", "invalid_username", username="Maya")
    since, client = len(slack.calls), client_of(slack, memory.renderings())
    assert isinstance(client.post(general, message(Hologram()), author=Author("Maya")), str)
    assert calls_of(slack, "chat.postMessage", since)[1:] == [
        ("invalid_blocks", ["context", "hologram"]),
        ("", ["context", "rich_text"]),
    ]


def test_the_home_tab_falls_back(slack: LocalWorkspace, memory: Memory) -> None:
    since, priya = len(slack.calls), UserId(slack.user_id("Priya"))
    home = {"type": "home", "callback_id": "home", "blocks": [Hologram()]}
    assert client_of(slack, memory.renderings()).publish_home(priya, home) is None
    assert calls_of(slack, "views.publish", since) == [
        ("invalid_arguments", ["hologram"]),
        ("", ["rich_text"]),
    ]
    assert memory.stored == {"cards": NOW}


@pytest.mark.parametrize("method", ["views.open", "views.push", "views.update"])
def test_a_modal_is_drawn_again(slack: LocalWorkspace, memory: Memory, method: str) -> None:
    """None of them is there to be shown; it is the blocks that Slack looks at first."""
    client, since = client_of(slack, memory.renderings()), len(slack.calls)
    call = {
        "views.open": lambda: client.open_view("no trigger", view()),
        "views.push": lambda: client.push_view("no trigger", view()),
        "views.update": lambda: client.update_view("no view", view()),
    }[method]
    slack.refuse("views.update", "invalid_blocks")
    assert isinstance(call(), Refused)
    errors = [(error, types) for error, types in calls_of(slack, method, since)]
    assert [types for _, types in errors] == [["rich_text", "hologram"], ["rich_text", "rich_text"]]
    assert memory.stored == {"cards": NOW}


def test_a_view_of_other_faults_is_sent_once(slack: LocalWorkspace, memory: Memory) -> None:
    since = len(slack.calls)
    wrong = {**view(), "title": "no object", "blocks": [Caption()]}
    answer = client_of(slack, memory.renderings()).open_view("no trigger", wrong)
    assert isinstance(answer, Refused)
    assert (answer.error, type(answer)) == ("invalid_arguments", Refused)
    assert len(calls_of(slack, "views.open", since)) == 1


# ── which rendering ────────────────────────────────────────────────────────────────────────────


def test_a_refusal_is_forgotten_after_a_week_and_tried_again(memory: Memory) -> None:
    renderings = memory.renderings()
    assert renderings.plain_kinds() == frozenset()
    renderings.remember_refused({"table"})
    memory.now += REMEMBERED_S - 1
    renderings.remember_refused({"fold"})
    assert renderings.plain_kinds() == {"table", "fold"}
    memory.now += 1
    assert renderings.plain_kinds() == {"fold"}


def test_what_was_stored_is_known_after_a_start(memory: Memory) -> None:
    memory.renderings().remember_refused({"table"})
    assert memory.renderings().plain_kinds() == {"table"}


def test_it_stands_in_the_row_of_the_workspace_and_outlives_a_start(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    runtime, workspace = table.runtime, table.runtime.reader.workspace(TEAM)
    settings = Settings.model_validate({})
    renderings(settings, workspace, runtime).remember_refused({"table", "fold"})
    runtime.save_workspace(replace(workspace, bot_name="renamed"))
    assert runtime.reader.workspace(TEAM).bot_name == "renamed"
    assert renderings(settings, workspace, runtime).plain_kinds() == {"table", "fold"}
    now = runtime.clock.now()
    assert runtime.reader.refused_widgets(TEAM) == {"table": now, "fold": now}
    assert runtime.reader.refused_widgets(TeamId("T-OTHER")) == {}


def test_the_setting_and_govslack_make_everything_plain(tmp_path: Path) -> None:
    runtime = small_table(tmp_path).runtime
    workspace = runtime.reader.workspace(TEAM)
    agency = replace(workspace, url="https://agency.slack-gov.com/")
    plain = Settings.model_validate({"ROUNDTABLE_BLOCKS": "Plain"})
    for settings, where in ((plain, workspace), (Settings.model_validate({}), agency)):
        assert renderings(settings, where, runtime).plain_kinds() == WIDGET_KINDS


def test_a_memory_that_cannot_be_read_is_an_empty_one() -> None:
    def load() -> Mapping[str, float]:
        raise CorruptError(dict, "{")

    assert RememberedRenderings(load, lambda _: None, lambda: NOW).plain_kinds() == frozenset()


def test_plain_is_plain(slack: LocalWorkspace, general: ChannelId) -> None:
    since = len(slack.calls)
    assert PlainRenderings().plain_kinds() == WIDGET_KINDS
    client_of(slack, PlainRenderings()).post(general, MIXED)
    assert calls_of(slack, "chat.postMessage", since) == [
        ("", ["rich_text", "rich_text", "rich_text"])
    ]


def test_the_page_names_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "blocks.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == WIDGET_KINDS


def test_govslack_is_known_by_its_address() -> None:
    assert is_gov_slack("https://agency.slack-gov.com/")
    for url in ("https://acme.slack.com/", "https://slack-gov.com.acme.example/", "", "x"):
        assert not is_gov_slack(url)


def test_a_view_has_at_most_a_hundred_blocks_however_it_is_drawn() -> None:
    view: dict[str, Any] = notice_of("A notice", [Hologram(str(number)) for number in range(150)])
    for plain in (WIDGET_KINDS, frozenset[WidgetKind]()):
        assert len(drawn_view(view, plain)["blocks"]) == 100
    assert json.dumps(drawn_view(view))


def test_a_message_says_the_same_in_its_text_however_it_is_drawn() -> None:
    assert isinstance(MIXED, Message)
    assert MIXED.text == "first\na caption\nthe words"
