"""What people do in Slack's client: whatever is shown can be pressed, and every form filled in.

It goes the bot's whole way, through its listeners. Slack delivers an event until it is
acknowledged, twice now and then, late, and in any order; a click, a command and a form come once.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bot.devtools.workspace.blocks import table
from bot.devtools.workspace.delivery.queue import Parcel
from bot.devtools.workspace.people.forms import FormValue, UnfilledError, control_name
from bot.devtools.workspace.state import OpenModal, StoredEphemeral
from bot.devtools.workspace.state import StoredPost as Message
from bot.devtools.workspace.values import Json
from tests.chaos.acts import ANSWERS, WORDS, note_answer, note_change, someone, where
from tests.chaos.looking import BrokenError
from tests.chaos.slack import NOBODY, PEOPLE
from tests.support.fakes import CHANNEL, ELSEWHERE, OWNER
from tests.support.rows import run_query

if TYPE_CHECKING:
    from tests.chaos.simulation import Simulation

SESSIONS_MAX: Final = 3
LATE: Final = 0.1  # of the events
LATELY: Final = 12  # messages that people look at most
COMMANDS: Final = (
    "status", "status --errors", "catchup", "why FR-001", "why", "list", "export",
    "export markdown", "export all", "depth deep", "depth brief", "help", "resume",
    "resume export-dashboard-as-pdf", "analyze", "analyze Export dashboard as PDF", "nonsense",
    "cancel no-such-thing",
)  # fmt: skip
TITLES: Final = ("Retry failed card payments", "Export dashboard as PDF", "🚀", "<!here> & `x`")
SENTENCES: Final = (
    "The bank decides that.", "<!channel> ```never```", "x" * 400, "", "Because of the audit.",
)  # fmt: skip
Shown = tuple[
    Message | StoredEphemeral, str, Json
]  # a message, and a control of it with its block's id


class Post:
    """Brings what people did to the bot's door."""

    def __init__(self, sim: "Simulation") -> None:
        self._sim = sim
        self.late: list[Parcel] = []

    def bring(self) -> None:
        """What was just done; an event may be late."""
        sim, parcels = self._sim, self._sim.people.office.parcels
        while parcels:
            parcel = parcels.popleft()
            if not parcel.is_event:
                sim.survive(lambda: self._given(parcel))  # noqa: B023 - it is called at once
            elif sim.random.random() < LATE and not sim.storm.over:
                self.late.append(parcel)
            else:
                for _ in range(sim.random.choice((1, 1, 1, 2))):
                    sim.insist(lambda: self._given(parcel))  # noqa: B023
        sim.survive(self._afterwards)

    def bring_late(self) -> None:
        """One of those that were on their way for long, in any order."""
        if self.late:
            parcel = self.late.pop(self._sim.random.randrange(len(self.late)))
            self._sim.insist(lambda: self._given(parcel))

    def bring_the_rest(self) -> None:
        while self.late:
            self._given(self.late[0])
            del self.late[0]

    def _given(self, parcel: Parcel) -> None:
        from tests.chaos.simulation import NotAcknowledgedError

        outcome = self._sim.door.deliver(parcel)
        if not outcome.acked:
            if not parcel.is_event:
                raise BrokenError(f"a {parcel.type} was not acknowledged")
            if not self._sim.disk.felt():
                raise BrokenError(f"an event was refused: {parcel.type}")
            self._sim.tell("  not acknowledged")
            raise NotAcknowledgedError
        self._sim.table.settle()
        if parcel.is_event:
            self._note(parcel.payload["event"])

    def _note(self, event: Json) -> None:
        """Whatever an event did to an answer, what stands now is what has to stay."""
        said = event.get("message") or event.get("previous_message") or event
        if "ts" in said:
            note_answer(self._sim, f"{CHANNEL}:{said['ts']}", "")

    def _afterwards(self) -> None:
        self._sim.door.soon.run()
        self._sim.table.settle()


# ── what is shown ──────────────────────────────────────────────────────────────────────────────


def press(sim: "Simulation", *wanted: str) -> None:
    """Any control of any message, or one of those: it has its consequence, or gets a kind word."""
    found = [each for each in _shown(sim) if each[2]["action_id"].startswith(wanted or ("",))]
    if not found:
        return
    kind = sim.random.choice(sorted({_kind(each) for each in found}))
    shown, block, element = sim.random.choice([each for each in found if _kind(each) == kind])
    value = _picked(sim, element)
    by = shown.to.id if isinstance(shown, StoredEphemeral) else _presser(sim)
    what = f"{element['action_id']} {value or ''}"[:60]
    if "cancel" in what and sim.random.random() < 0.8:
        return
    if "delete" in what or (sim.mode and "classic" in what and sim.random.random() < 0.7):
        return
    sim.tell(f"  presses {what}")
    before = _consequences(sim)
    where = shown.channel.id  # a start in another channel is answered there
    sim.people.click(by, where, shown.ts, element["action_id"], value=value, block_id=block)
    sim.post.bring()
    if before == _consequences(sim) and not sim.disk.fails:
        raise BrokenError(f"a dead button: {what}")


def _kind(shown: Shown) -> str:
    return str(shown[2]["action_id"]).partition(":")[2].partition(":")[0]


def opine(sim: "Simulation") -> None:
    """Differ from an answer, settle a difference, or name who does."""
    press(sim, "differ:")
    fill_in(sim)


def sort_lines(sim: "Simulation") -> None:
    """Say what lines are: open the form, turn its pages, send it."""
    press(sim, "sort:")
    fill_in(sim)


def doubt(sim: "Simulation") -> None:
    """Say of an assumption that it is right, or wrong."""
    press(sim, "menu:right:", "menu:wrong:")


def talk(sim: "Simulation") -> None:
    press(sim, "menu:elaborate", "menu:done")


def _presser(sim: "Simulation") -> str:
    return OWNER if sim.random.random() < 0.7 else someone(sim)


def _consequences(sim: "Simulation") -> object:
    """What can be seen to come of a click; a process that died is one as well."""
    (rows,) = run_query(sim.table.runtime.database, "SELECT count(*) FROM journal").fetchone()
    return rows, sim.door.soon.taken, id(sim.door)


def _shown(sim: "Simulation") -> Iterator[Shown]:
    """Controls of the messages that came last, and sometimes of any."""
    world = sim.world.slack.workspace
    posts = [post for post in world.posts.values() if post.by_bot and post.channel.id == CHANNEL]
    mine: list[Message | StoredEphemeral] = [*posts, *world.ephemerals]
    for message in mine if sim.random.random() < 0.5 else mine[-LATELY:]:
        if not isinstance(message, Message) or not message.deleted:
            for block, element in table.controls(message.blocks):
                if "url" not in element:
                    yield message, block, element


def _picked(sim: "Simulation", element: Json) -> str | None:
    options = table.options_of(element)
    return sim.random.choice(options)["value"] if options else element.get("value")


# ── forms ──────────────────────────────────────────────────────────────────────────────────────


def fill_in(sim: "Simulation") -> None:
    """Send a form that is open, or close it. Slack's client asks for what is missing first."""
    modal = _open_form(sim)
    if modal is None:
        return
    view = modal.view["id"]
    if "submit" not in modal.view or sim.random.random() < 0.1:
        sim.people.close_view(modal.person.id, view)
    else:
        sim.tell(f"  form: {modal.view['callback_id']}")
        with suppress(UnfilledError):
            sim.people.submit(modal.person.id, view, dict(_filling(sim, modal)))
    sim.post.bring()


def _open_form(sim: "Simulation") -> OpenModal | None:
    forms = list(sim.world.slack.workspace.modals.values())
    return sim.random.choice(forms) if forms else None


def _filling(sim: "Simulation", modal: OpenModal) -> Iterator[tuple[str, FormValue]]:
    for block, element in table.controls(modal.view["blocks"]):
        options = table.options_of(element)
        if sim.random.random() < 0.2:
            continue  # as it is
        match element["type"]:
            case "plain_text_input":
                given = sim.random.choice((*TITLES, *SENTENCES, ANSWERS[3]))
            case "users_select":
                given = sim.random.choice((*PEOPLE, NOBODY))
            case "conversations_select" | "channels_select":
                given = sim.random.choice((CHANNEL, CHANNEL, ELSEWHERE))
            case _ if options:
                given = sim.random.choice(options)["value"]
            case _:
                continue
        yield control_name(block, element), given


# ── other ways in ──────────────────────────────────────────────────────────────────────────────


def shortcut(sim: "Simulation") -> None:
    """One on a message of people's, mostly, or the global one."""
    world, by = sim.world.slack.workspace, someone(sim)
    posts = [post for post in world.posts.values() if not post.deleted]
    if not posts:
        return
    about = sim.random.choice([post for post in posts if not post.by_bot] or posts)
    name = sim.random.choice(("start", "take_this", "not_an_answer", "not_an_answer"))
    if name != "not_an_answer" and len(sim.sessions()) >= SESSIONS_MAX:
        return
    sim.tell(f"  shortcut: {name}")
    if name == "start":
        sim.people.shortcut(by, name, channel=CHANNEL)
    else:
        sim.people.shortcut(by, name, channel=CHANNEL, ts=about.ts)
    sim.post.bring()
    note_change(sim, about.ts)


def home(sim: "Simulation") -> None:
    """Open the tab, or use something that it shows."""
    world, by = sim.world.slack.workspace, someone(sim)
    view = world.homes.get(by)
    controls = (
        [each for each in table.controls(view["blocks"]) if "url" not in each[1]] if view else []
    )
    if not controls or sim.random.random() < 0.5:
        sim.people.open_home(by)
    else:
        assert view is not None
        block, element = sim.random.choice(controls)
        value = _picked(sim, element)
        sim.people.click_view(by, view["id"], element["action_id"], value=value, block_id=block)
    sim.post.bring()


def command(sim: "Simulation") -> None:
    line = sim.random.choice(COMMANDS)
    if line.startswith("analyze ") and len(sim.sessions()) >= SESSIONS_MAX:
        return
    sim.tell(f"  /roundtable {line}")
    if sim.random.random() < 0.7 or sim.world.slack.is_closed:
        sim.people.command(someone(sim), CHANNEL, f"/roundtable {line}")
    else:
        sim.people.say(someone(sim), CHANNEL, f"@Roundtable {line}")
    sim.post.bring()


# ── messages ───────────────────────────────────────────────────────────────────────────────────


def say(sim: "Simulation") -> None:
    thread = where(sim)
    if thread is None:
        return
    text = sim.random.choice((*ANSWERS, *WORDS[:6]))
    literal = sim.random.random() < 0.8
    sim.people.say(someone(sim), CHANNEL, text, thread_ts=thread, literal=literal)
    sim.post.bring()


def change(sim: "Simulation") -> None:
    """Edit, delete, or react to a message of people's."""
    world = sim.world.slack.workspace
    posts = [each for each in world.posts.values() if not (each.by_bot or each.deleted)]
    if not posts or sim.world.slack.is_closed:
        return
    post, how = sim.random.choice(posts), sim.random.choice(("edit", "delete", "react", "react"))
    sim.tell(f"  {how}")
    if how == "edit":
        sim.people.edit(post.user, CHANNEL, post.ts, sim.random.choice((*ANSWERS, *WORDS[5:7])))
    elif how == "delete":
        sim.people.delete(post.user, CHANNEL, post.ts)
    else:
        by, name = someone(sim), sim.random.choice(("+1", "-1", "thumbsup::skin-tone-3", "eyes"))
        there = by in post.reactions.get(name, [])
        sim.people.react(by, CHANNEL, post.ts, name, remove=there)
    sim.post.bring()


# ── the channel ────────────────────────────────────────────────────────────────────────────────


def close_or_open(sim: "Simulation") -> None:
    if sim.world.slack.is_closed:
        open_again(sim)
    elif sim.random.random() < 0.5:
        sim.tell("  the channel is archived")
        sim.people.archive(CHANNEL)
    else:
        sim.tell("  the bot is put out")
        sim.people.set_bot_in(CHANNEL, is_in=False)


def open_again(sim: "Simulation") -> None:
    if sim.world.slack.is_closed:
        sim.tell("  the channel is open again")
        sim.people.archive(CHANNEL, archived=False)
        sim.people.set_bot_in(CHANNEL, is_in=True)


Act = tuple[int, "Callable[[Simulation], object]"]
ACTS: Final[dict[str, Act]] = {
    "presses what is shown": (16, press),
    "differs or settles": (10, opine),
    "sorts lines": (8, sort_lines),
    "says what holds": (8, doubt),
    "elaborates": (5, talk),
    "fills in a form": (10, fill_in),
    "uses a shortcut": (6, shortcut),
    "looks at the Home tab": (3, home),
    "types a command": (5, command),
    "speaks in the client": (8, say),
    "changes a message": (8, change),
    "a delivery comes late": (4, lambda sim: sim.post.bring_late()),
    "the channel closes or opens": (2, close_or_open),
}
