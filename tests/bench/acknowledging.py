"""Rows 4 and 5: from a payload to its acknowledgement, with the commit, beside Bolt alone."""

from dataclasses import replace
from typing import Final

from slack_bolt import App, BoltRequest

from core.domain.ids import SessionId
from tests.bench.anchors import PlainStore, bare_bolt
from tests.bench.arena import Arena
from tests.bench.asking import hanging
from tests.bench.figures import Figure, Subject
from tests.bench.pairs import mean_s, median_s, medians_ratio
from tests.bench.payloads import Body, button_click, message_event
from tests.bench.posting import send, served, signed
from tests.bench.sessions import CHANNEL, OWNER, answer, go_on, menu, opened, to_menu
from tests.bench.size import Size
from tests.bench.storing import PHASE
from tests.support.harness import Harness

EVENT: Final = Subject(
    4,
    "signed HTTP event through Bolt to ack, with the commit ÷ bare Bolt (rate)",
    "×",
    "≥",
    0.25,
    0.33,
)
CLICK: Final = Subject(
    5, "click to ack ÷ bare Bolt with one plain durable commit (p50)", "×", "≤", 4.0, 2.0
)

READINGS: Final = 50
CLICK_BESIDE_READINGS: Final = replace(CLICK, name="the same while 50 readings hang at a provider")


def event(arena: Arena, size: Size) -> Figure:
    """Both are served in the same way, by the same server; what differs is behind it."""
    harness, env, secret = arena.harness, arena.environment, arena.signing_secret
    sessions = opened(harness, size.sessions, PHASE)
    log = arena.folder
    with served("ours", env, log / "ours.log") as us, served("bare", env, log / "bare.log") as bare:

        def requests() -> list[tuple[bytes, dict[str, str]]]:
            return [signed(secret, _posted(harness, session)) for session in sessions]

        def ours() -> float:
            return mean_s(lambda request: send(us, request), requests())

        def anchor() -> float:
            return mean_s(lambda request: send(bare, request), requests())

        return EVENT.measured(medians_ratio(anchor, ours, size.pairs))


def click(arena: Arena, size: Size, plain_name: str = "plain-5.db") -> Figure:
    harness = arena.harness
    plain = PlainStore(arena.folder / plain_name)
    bare = bare_bolt(plain.commit)
    clickers = Clickers(harness, size.clickers)

    def ours() -> float:
        seconds = median_s(lambda request: _dispatch(arena.table.bolt, request), clickers.clicks())
        clickers.settle()
        return seconds

    def anchor() -> float:
        # The same payloads; bare Bolt consumes no menu.
        return median_s(lambda request: _dispatch(bare, request), clickers.clicks())

    ratio = medians_ratio(ours, anchor, size.clicks)
    plain.close()
    return CLICK.measured(ratio)


def click_beside_readings(arena: Arena, size: Size) -> Figure:
    with hanging(READINGS):
        return replace(click(arena, size, "plain-5-beside.db"), subject=CLICK_BESIDE_READINGS)


class Clickers:
    """Sessions that go on together, each with an open Continue; finished ones are replaced."""

    def __init__(self, harness: Harness, many: int) -> None:
        self._harness = harness
        self._many = many
        self._sessions: list[SessionId] = []

    def clicks(self) -> list[BoltRequest]:
        """One click on each session's open Continue."""
        while not self._all_may_continue():
            self._go_on()
        return [self._click(session) for session in self._sessions]

    def settle(self) -> None:
        self._harness.settle()

    def _all_may_continue(self) -> bool:
        sessions = (self._harness.runtime.reader.load(each) for each in self._sessions)
        return bool(self._sessions) and all(
            session.menus.current is not None and menu(self._harness, session.id)[1] == "continue"
            for session in sessions
        )

    def _go_on(self) -> None:
        """To the next Continue, past an Accept."""
        reader = self._harness.runtime.reader
        if not self._sessions or reader.load(self._sessions[0]).status == "completed":
            self._sessions = opened(self._harness, self._many, PHASE)
        for session in self._sessions:
            if reader.load(session).menus.current is not None:
                go_on(self._harness, session)
            else:
                to_menu(self._harness, session)

    def _click(self, session: SessionId) -> BoltRequest:
        open_menu, _ = menu(self._harness, session)
        return button_click(
            self._harness.cast.team, CHANNEL, OWNER, self._harness.stage.next_ts(), open_menu
        )


def _posted(harness: Harness, session: SessionId) -> Body:
    message = answer(harness, session)
    return message_event(
        harness.cast.team, CHANNEL, OWNER, message.ts, message.thread_ts, message.text
    )


def _dispatch(app: App, request: BoltRequest) -> None:
    response = app.dispatch(request)
    assert response.status == 200, response.status
