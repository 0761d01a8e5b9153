"""Cases of what is fatal: the session is halted, and its owner chooses how it goes on."""

from collections.abc import Iterator
from typing import Final

from bot.devtools.workspace.state import TEAM_ID
from core.artifacts.files.folder import FORENSICS
from core.taxonomy.catalogue import CATALOGUE
from tests.e2e.lived_case import IN_CARD, TOLD, Case
from tests.e2e.lived_scene import FIRST, SECOND, Scene, Words
from tests.support.rows import snapshot, write
from tests.support.served_bot import controls

# Looks like one, opens nothing.
SECRET: Final = "_".join(("ghp", "16C7e42F292c6912E7710c838347Ae178B4a"))
SPEC: Final = "requirements-spec.md"
BANK: Final = "Because of the bank."
AUDITORS: Final = "Because of the auditors."
REDACTED: Final = "redacted: GitHub token"
IN_HERS: Final = "Roundtable, in Maya Chen's thread"
REDACT: Final = "pm chose “Redact and resume”. A new run goes on from the last clean point."
CHECK: Final = (
    "pm chose “Check and resume”. I look again. If all is well, a new run goes on from the last "
    "clean point."
)
CANCEL: Final = "pm chose “Cancel”. It ended here. What was written is kept."
OFFERED: Final = "pm is offered **{}** and **Cancel**"
FORENSIC: Final = "`_forensics/…/fatal-001` holds `environment.json`, `receipt.json`, `state.json`"
NOT_TAKEN: Final = (
    "I did not take that in: something is wrong with this analysis, and it is halted. Whoever "
    "started it chooses in its thread how it goes on; please say it again then."
)

LOST_PHASE: Final = (
    "UPDATE sessions SET doc = json_set(doc, '$.course.phase', '99-none') WHERE slug = ?"
)


def _secret(scene: Scene) -> Iterator[str]:
    _two_steps(scene)
    told = scene.command(f"/roundtable analyze Rotate {SECRET}")
    yield f"a title with a token: {len(scene.known)} sessions are there"
    scene.start()
    before = len(scene.bot.slack.pings)
    ts, more = _said(scene, f"The token is {SECRET}.")
    scene.also_told += [Words(text, TOLD) for text in (*told, *more)]
    yield scene.stands()
    called = {ping.what for ping in scene.bot.slack.pings[before:] if ping.channel == scene.channel}
    yield f"{', '.join(sorted(called)) or 'nobody'} is notified"
    yield _offered(scene)
    yield _kept(scene)
    scene.bot.slack.delete("pm", scene.channel, ts)
    scene.bot.settle()
    yield from _chosen(scene, "redact")
    yield scene.holds(SPEC, REDACTED)
    yield f"the token stands in {len(_leaks(scene))} messages, rows, files and log lines"


def _link(scene: Scene) -> Iterator[str]:
    _two_steps(scene)
    scene.start()
    scene.answer(BANK)
    kept = scene.folder.rename(scene.bot.artifacts / f"kept-{scene.channel}")
    elsewhere = scene.bot.artifacts / f"elsewhere-{scene.channel}"
    elsewhere.mkdir()
    scene.folder.symlink_to(elsewhere.name)
    scene.say(AUDITORS)
    yield scene.stands()
    yield f"where the link leads, {len(list(elsewhere.iterdir()))} files are written"
    yield _offered(scene)
    _choose(scene, "check")
    yield f"with the link still there, {scene.stands()}"
    scene.folder.unlink()
    kept.rename(scene.folder)
    yield from _chosen(scene, "check")
    yield scene.holds(SPEC, BANK, AUDITORS)


def _damaged(scene: Scene) -> Iterator[str]:
    _two_steps(scene)
    scene.start()
    scene.answer(BANK)
    _change(scene, "UPDATE sessions SET doc = '{broken' WHERE slug = ?")
    _, told = _said(scene, AUDITORS)
    scene.also_told += [Words(text, TOLD) for text in told]
    yield scene.stands()
    yield _offered(scene)
    yield _kept(scene)
    yield from _chosen(scene, "check")
    yield scene.listed()
    scene.answer(AUDITORS)
    yield scene.stands()
    yield scene.holds(SPEC, BANK, AUDITORS)


def _broken_rule(scene: Scene) -> Iterator[str]:
    _two_steps(scene)
    scene.start()
    _change(scene, LOST_PHASE)
    _, told = _said(scene, BANK)
    scene.also_told += [Words(text, TOLD) for text in told]
    yield scene.stands()
    yield from _chosen(scene, "check")
    _change(scene, LOST_PHASE)
    scene.say(BANK)
    yield f"once more, {scene.stands()}"
    yield from _chosen(scene, "cancel")


# ── acts ───────────────────────────────────────────────────────────────────────────────────────


def _two_steps(scene: Scene) -> None:
    scene.tree.step(FIRST)
    scene.tree.step(SECOND, title="Second")


def _said(scene: Scene, text: str) -> tuple[str, list[str]]:
    """pm answers; its ts, and what pm alone is told."""
    before = len(scene.bot.slack.ephemerals)
    ts = scene.say(text)
    return ts, [each.text for each in scene.bot.slack.ephemerals[before:] if each.to == "pm"]


def _change(scene: Scene, statement: str) -> None:
    """A careless person at the database."""
    assert write(scene.bot.database, statement, (scene.known[0].slug,)) == 1


def _choose(scene: Scene, choice: str) -> str:
    """Press that button of the recovery menu; the ts of its message."""
    for message in reversed(scene.messages):
        if any(each.get("action_id") == f"menu:{choice}" for each in controls(message)):
            scene.bot.slack.click("pm", scene.channel, message.ts, f"menu:{choice}")
            scene.bot.settle()
            return message.ts
    raise AssertionError(f"no message offers {choice}")


# ── sentences ──────────────────────────────────────────────────────────────────────────────────


def _chosen(scene: Scene, choice: str) -> Iterator[str]:
    """What the menu says of it afterwards, and where the session stands then."""
    ts = _choose(scene, choice)
    (after,) = (each for each in scene.messages if each.ts == ts)
    yield f"{after.plain.splitlines()[-1]}"
    yield scene.stands()


def _offered(scene: Scene) -> str:
    menus = [each for each in scene.messages if "menu:cancel" in str(each.blocks)]
    labels = [str(each["text"]["text"]) for each in controls(menus[-1]) if "text" in each]  # type: ignore[index]
    return f"pm is offered {' and '.join(f'**{label}**' for label in labels)}"


def _kept(scene: Scene) -> str:
    folder = scene.bot.artifacts / FORENSICS / TEAM_ID / scene.session.slug / "fatal-001"
    names = ", ".join(f"`{each.name}`" for each in sorted(folder.iterdir()))
    return f"`{FORENSICS}/…/fatal-001` holds {names}"


def _leaks(scene: Scene) -> list[str]:
    """Where the token is, apart from what pm wrote, which pm deleted."""
    bot = scene.bot
    places = [path for root in (bot.store, bot.artifacts) for path in root.rglob("*")]
    files = [*places, bot.place / "bot.log"]
    found = [str(path) for path in files if path.is_file() and SECRET.encode() in path.read_bytes()]
    told = (*snapshot(bot.database), *scene.everything)
    return [*found, *(text for text in told if SECRET in text)]


def _words(code: str) -> str:
    return CATALOGUE[code].message or ""


CASES: Final = (
    Case(
        code="ERR-SEC-001",
        cause="a title, then an answer that holds a token",
        live=_secret,
        words=(
            Words(_words("ERR-SEC-001"), IN_HERS),
            Words(
                "That looks like a password, key or token, so I started nothing and kept nothing "
                "of it. Please choose a title without it, and rotate the credential.",
                TOLD,
            ),
            Words(
                "I did not take that in: it holds a GitHub token, and I keep nothing of that. "
                "Please delete the message and rotate the credential.",
                TOLD,
            ),
        ),
        steps=("01-01",),
        then=(
            "a title with a token: 0 sessions are there",
            "the session is halted",
            "@pm is notified",
            OFFERED.format("Redact and resume"),
            FORENSIC,
            REDACT,
            "Maya Chen offers the menu of `01-01`",
            f"`{SPEC}` has `{REDACTED}`",
            "the token stands in 0 messages, rows, files and log lines",
        ),
    ),
    Case(
        code="ERR-SEC-002",
        cause="a link stands in the place of the session's folder",
        live=_link,
        words=(Words(_words("ERR-SEC-002"), IN_HERS),),
        steps=("01-02",),
        then=(
            "the session is halted",
            "where the link leads, 0 files are written",
            OFFERED.format("Check and resume"),
            "with the link still there, the session is halted",
            CHECK,
            "Maya Chen offers the menu of `01-02`",
            f"`{SPEC}` has `{BANK}`, `{AUDITORS}`",
        ),
    ),
    Case(
        code="ERR-DATA-001",
        cause="the session's row in the database is damaged by hand",
        live=_damaged,
        words=(
            Words(_words("ERR-DATA-001"), IN_CARD),
            Words(NOT_TAKEN, TOLD),
        ),
        then=(
            "the session is halted",
            OFFERED.format("Check and resume"),
            FORENSIC,
            CHECK,
            "Maya Chen asks `01-02`",
            "`steps_completed` is `01-01`",
            "the session is completed",
            f"`{SPEC}` has `{BANK}`, `{AUDITORS}`",
        ),
    ),
    Case(
        code="ERR-DATA-002",
        cause="the stored session stands in a phase that is none of its own",
        live=_broken_rule,
        words=(
            Words(_words("ERR-DATA-002"), IN_CARD),
            Words(NOT_TAKEN, TOLD),
        ),
        then=(
            "the session is halted",
            CHECK,
            "Maya Chen asks `01-01`",
            "once more, the session is halted",
            CANCEL,
            "the session is cancelled",
        ),
    ),
)
