"""Each example reads alike, whether its workspace takes Slack's newer blocks or not."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.devtools.play.controls import Controls, Transport
from bot.devtools.play.places import tree_of
from bot.devtools.play.play import performed
from bot.devtools.play.player import Player
from bot.devtools.play.process import BotProcess
from bot.devtools.play.script.file import read
from bot.devtools.play.summary import PlaySummary
from bot.devtools.play.world import PlayWorkspace, World
from bot.devtools.workspace import NEWER_BLOCKS, LocalWorkspace
from bot.devtools.workspace.blocks.limits import blocks_size
from bot.devtools.workspace.blocks.table import every_block
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Call, Json, Names
from bot.views.thread.phase import LINES_IN_SIGHT_MAX
from tests.support.bot_in_process import BotInProcess
from tests.support.forked_bot import ForkedBot
from tests.support.plays import kills, lines
from tests.support.serving import address_in

EXAMPLES: Final = Path("docs/examples")
PLAYS: Final = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))
STEPS: Final = {"security-review": EXAMPLES / "security-review" / "steps"}
FALLBACK_CHARS_MAX: Final = 300
SHORT: Final = "security-review"
OF_ALL: Final = re.compile(r"of \d+\)")
JSON_CHARS_MAX: Final = 8_000
CARD_LINES_MAX: Final = 9  # with its row of buttons
STAMP: Final = re.compile(r"\d{8}T\d{6}Z")


@dataclass(frozen=True, slots=True)
class Reading:
    """What people read of a play, and how it was shown."""

    summary: PlaySummary
    threads: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    ephemerals: Sequence[tuple[str, str]]
    newer: Sequence[str]  # the types of newer blocks that were sent
    refusals: int
    longest_text: int
    messages: Sequence[Json]  # what was sent, as it was sent

    @property
    def read(self) -> object:
        return self.threads, self.ephemerals, self.summary["pings"]


def played(
    folder: Path, name: str, *, blocks: str = "auto", unknown: Collection[str] = ()
) -> Reading:
    """Perform an example with that setting, in a workspace that does not know those blocks."""
    script = read(EXAMPLES / f"{name}.yaml")
    factory = ForkedBot if kills(script) else BotInProcess

    def bot(
        controls: Controls,
        transport: Transport,
        workspace: LocalWorkspace,
        environment: dict[str, str],
        place: Path,
    ) -> BotProcess:
        environment = {**environment, "ROUNDTABLE_BLOCKS": blocks}
        return factory(controls, transport, workspace, environment, place)

    folder.mkdir()
    setting = PlayWorkspace(
        address_in(folder), folder / "artifacts", tree_of(STEPS.get(name)),
        bot=bot, unknown_blocks=unknown,
    )  # fmt: skip
    with World(script, setting) as world:
        result = performed(Player(script, world, lambda _: None), world)
        assert (result.stopped, result.exit_code) == (None, 0)
        return reading_of(result.summary, world.workspace)


def reading_of(summary: PlaySummary, slack: LocalWorkspace) -> Reading:
    threads = [
        (thread["persona"], [(author, settled(text)) for author, text in lines(thread)])
        for thread in summary["threads"]
    ]
    ephemerals = [
        (each.to, settled(plain(list(each.blocks), each.text, Names({}, {}))))
        for each in slack.ephemerals
    ]
    newer = [kind for call in slack.calls for kind in newer_in(call)]
    refusals = sum(call.error == "invalid_blocks" for call in slack.calls)
    shown = [call.args for call in slack.calls if call.method.startswith("chat.")]
    longest_text = max(len(args["text"]) for args in shown)
    messages = [call.args for call in slack.calls if call.method.startswith("chat.p")]
    messages += [call.args for call in slack.calls if call.method == "chat.update"]
    return Reading(summary, threads, ephemerals, newer, refusals, longest_text, messages)


def settled(text: str) -> str:
    """Without what differs from run to run: the time in a file's name, and of how many steps a
    prompt is one, where a mishap takes files away while the prompt is on its way."""
    return OF_ALL.sub("of ALL)", STAMP.sub("TIME", text))


def newer_in(call: Call) -> list[str]:
    shown = call.args.get("view", call.args)
    blocks = shown.get("blocks") if isinstance(shown, dict) else None
    types = [block["type"] for block in every_block(blocks)] if isinstance(blocks, list) else []
    return [kind for kind in types if kind in NEWER_BLOCKS]


def oversized(reading: Reading) -> list[str]:
    """What is longer than a message of ours may be."""
    return [
        f"{blocks_size(message['blocks'])} {message['text']}"
        for message in reading.messages
        if blocks_size(message["blocks"]) > JSON_CHARS_MAX
        or len(message["text"]) >= FALLBACK_CHARS_MAX
    ]


def in_sight(message: Json) -> list[str]:
    """Its lines before anything is unfolded, without the rows of buttons; a plan counts in full."""
    blocks = [block for block in message["blocks"] if block["type"] != "actions"]
    blocks = [{**block, "child_blocks": []} for block in blocks]
    return plain(blocks, message["text"], Names({}, {})).splitlines()


def overlong(reading: Reading) -> list[list[str]]:
    """Cards and summaries that show more lines than they may."""
    cards = [each for each in reading.messages if is_card(each)]
    assert cards
    long = [lines for each in cards if len(lines := in_sight(each)) >= CARD_LINES_MAX]
    for message in reading.messages:
        shown = in_sight(message)
        first = next((n for n, line in enumerate(shown) if line.endswith(" in short")), None)
        if first is not None and len(of_summary(shown[first:])) > LINES_IN_SIGHT_MAX:
            long.append(shown)
    return long


def is_card(message: Json) -> bool:
    return any(block["type"] == "plan" for block in message["blocks"]) and "channel" in message


def of_summary(lines: list[str]) -> list[str]:
    """A summary's lines, without the assumptions that have buttons and what stands under them."""
    ends = [n for n, line in enumerate(lines) if line.startswith(("Assumptions", "No assumptions"))]
    return lines[: ends[0] + 1] if ends else lines


@pytest.mark.whole
@pytest.mark.parametrize("name", PLAYS)
def test_an_example_reads_alike_with_newer_blocks_and_with_plain_ones(
    tmp_path: Path, name: str
) -> None:
    newer = played(tmp_path / "newer", name)
    old = played(tmp_path / "old", name, blocks="plain")
    assert newer.newer
    assert newer.refusals == 0
    assert (old.newer, old.refusals) == ([], 0)
    assert old.read == newer.read
    for reading in (newer, old):
        assert reading.longest_text < FALLBACK_CHARS_MAX
    assert oversized(newer) == oversized(old) == []
    assert overlong(newer) == []


def test_an_example_reads_alike_where_slack_refuses_every_newer_block(tmp_path: Path) -> None:
    """Each kind is refused at its first message, which is then sent plainly: nothing is doubled."""
    newer = played(tmp_path / "newer", SHORT)
    refused = played(tmp_path / "refused", SHORT, unknown=NEWER_BLOCKS)
    assert newer.newer
    assert 1 <= refused.refusals <= 5
    assert len(refused.newer) < len(newer.newer)
    assert refused.read == newer.read
