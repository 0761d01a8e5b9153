"""Cases of what lies beyond the files: the brains, Slack, the database."""

from collections.abc import Iterator
from typing import Final

from slack_sdk import WebClient

from core.taxonomy.catalogue import CATALOGUE
from core.taxonomy.post_refusals import ACCESS_LOST, paused_words
from tests.e2e.lived_case import IN_CARD, IN_MAYA, TOLD, Case
from tests.e2e.lived_room import FULL
from tests.e2e.lived_scene import FIRST, LATER, SECOND, Scene, Words
from tests.support.step_trees import AGENT

FAILED: Final = '"event": "request.failed"'  # in the bot's log
LATE: Final = "Because of the auditors."


def _brains_crash(scene: Scene) -> Iterator[str]:
    scene.tree.agent(AGENT)
    _two_steps(scene)
    scene.tree.step(LATER, persona="solutions-architect", outputs="[impact.md]")
    scene.start()
    before = len(scene.bot.slack.pings)
    scene.crash_brain("business-analyst")
    scene.say()
    told = {ping.what for ping in scene.bot.slack.pings[before:] if ping.channel == scene.channel}
    yield f"{', '.join(sorted(told)) or 'nobody'} is notified"
    yield scene.stands()
    scene.forward()
    yield scene.stands()
    scene.answer()
    yield scene.stands()
    scene.crash_brain("solutions-architect", "facilitator")
    scene.say()
    yield f"with the facilitator's brain crashed too, {scene.stands()}"
    yield scene.phase("01-requirements")
    yield scene.phase("02-impact")
    scene.resume()
    yield f"resumed, {scene.stands()}"
    scene.forward()
    yield scene.phase("02-impact")


def _not_let_in(scene: Scene) -> Iterator[str]:
    _two_steps(scene)
    scene.bot.let_in(scene.channel, False)
    told = scene.command("/roundtable analyze Item")
    scene.also_told += [Words(text, TOLD) for text in told if "/invite" in text]
    yield f"{len(scene.known)} sessions are there"
    scene.bot.let_in(scene.channel, True)
    scene.start()
    yield f"invited, {scene.stands()}"
    scene.say()
    scene.bot.let_in(scene.channel, False)
    scene.forward()
    yield f"put out before the next step, {scene.stands()}"
    scene.bot.let_in(scene.channel, True)
    scene.resume()
    yield f"invited again and resumed, {scene.stands()}"


def _thread_gone(scene: Scene) -> Iterator[str]:
    _two_steps(scene)
    scene.start()
    old = scene.root
    client = WebClient(scene.bot.slack.bot_token, base_url=scene.bot.slack.api_url)
    client.chat_delete(channel=old.channel, ts=old.ts)
    scene.resume()
    yield scene.stands()
    scene.resume()
    yield f"resumed, {scene.stands()} in a {'new' if scene.root != old else 'dead'} thread"


def _token_revoked(scene: Scene) -> Iterator[str]:
    _two_steps(scene)
    scene.start()
    scene.bot.slack.inject("revoke")
    scene.say()
    yield scene.stands()
    scene.bot.slack.unrevoke()
    scene.resume()
    yield f"installed again and resumed, {scene.stands()}"
    yield f"the menu stands in {scene.times('[Continue]')} message"


def _store_full(scene: Scene) -> Iterator[str]:
    bot = scene.bot
    _two_steps(scene)
    scene.start()
    scene.say()
    scene.cause = f"the database on {bot.fill()}: a command, a click and a reply"
    before = len(bot.slack.ephemerals)
    scene.command("/roundtable analyze Item")
    scene.press()
    bot.wait_for(lambda: len(bot.slack.ephemerals) == before + 2)
    scene.also_told += [Words(each.text, TOLD) for each in bot.slack.ephemerals[before:]]
    yield f"{len(scene.known)} session is there"
    yield scene.stands()
    failed = bot.log.count(FAILED)
    scene.reply(LATE)
    bot.wait_for(lambda: bot.log.count(FAILED) > failed)
    bot.make_room()
    bot.settle()
    taken = [each for each in bot.reader.answers(scene.session.id) if each.text == LATE]
    yield f"with room again, Slack sends the reply again and it counts {len(taken)} time"
    scene.forward()
    yield scene.stands()


def _two_steps(scene: Scene) -> None:
    scene.tree.step(FIRST)
    scene.tree.step(SECOND, title="Second")


TROUBLE: Final = (
    "Analysis could not proceed: the roundtable agent encountered an error. "
    "Falling back to standard analysis."
)

CASES: Final = (
    Case(
        code="ERR-INT-001",
        cause="a brain that crashes; later the next one and the facilitator's as well",
        live=_brains_crash,
        words=(
            Words(TROUBLE, IN_MAYA),
            Words(TROUBLE, "Alex Rivera, in Alex Rivera's thread"),
            Words(
                "Skipping Impact Analysis: its analysis could not be run. "
                "Use /roundtable resume to try it again.",
                "Roundtable, in Alex Rivera's thread",
            ),
        ),
        steps=("01-01", "02-01"),
        then=(
            "@pm is notified",
            "Roundtable offers the menu of `01-01`",
            "Roundtable asks `01-02` in Maya Chen's thread",
            "Alex Rivera asks `02-01`",
            "with the facilitator's brain crashed too, the session is completed",
            "`01-requirements` is completed, in `phases_completed`",
            "`02-impact` is failed, not in `phases_completed`",
            "resumed, Alex Rivera offers the menu of `02-01`",
            "`02-impact` is completed, in `phases_completed`",
        ),
    ),
    Case(
        code="ERR-SLACK-001",
        cause="a channel without the bot, at the start; later it is put out before a step",
        live=_not_let_in,
        words=(
            Words(paused_words("not_invited"), IN_MAYA),
            Words(
                f"{CATALOGUE['ERR-SLACK-001'].message}\n[Try again in a form]",
                TOLD,
            ),
        ),
        steps=("01-02",),
        then=(
            "0 sessions are there",
            "invited, Maya Chen asks `01-01`",
            "put out before the next step, the session is paused",
            "invited again and resumed, Maya Chen asks `01-02`",
        ),
    ),
    Case(
        code="ERR-SLACK-002",
        cause="the message is deleted under which the persona's thread hangs",
        live=_thread_gone,
        words=(
            Words(
                "A thread of this session is gone. Use /roundtable resume to go on in a new one.",
                IN_CARD,
            ),
        ),
        steps=("01-01",),
        then=(
            "the session is paused",
            "resumed, Maya Chen asks `01-01` in a new thread",
        ),
    ),
    Case(
        code="ERR-SLACK-003",
        cause="the bot's token is revoked between a question and its answer",
        live=_token_revoked,
        words=(Words(ACCESS_LOST, IN_MAYA),),
        steps=("01-01",),
        then=(
            "the session is paused",
            "installed again and resumed, Maya Chen offers the menu of `01-01`",
            "the menu stands in 1 message",
        ),
    ),
    Case(
        code="ERR-STORE-001",
        cause=f"the database on {FULL}: a command, a click and a reply",
        cramped="store",
        live=_store_full,
        words=(Words(f"⚠️ {CATALOGUE['ERR-STORE-001'].message} ERR-STORE-001", TOLD),),
        recorded=False,
        then=(
            "1 session is there",
            "Maya Chen offers the menu of `01-01`",
            "with room again, Slack sends the reply again and it counts 1 time",
            "Maya Chen asks `01-02`",
        ),
    ),
)
