"""Row 19: what the Home tab asks of the database, however many sessions somebody has."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bot.interactions.home import Homes
from bot.views.home import PAGE_SESSIONS
from bot.web_api.channels import Channels
from bot.web_api.client import SlackClient
from tests.bench.arena import Arena
from tests.bench.crowding import crowded
from tests.bench.figures import Figure, Subject
from tests.bench.sessions import OWNER, harness_in, opened
from tests.bench.size import Size
from tests.bench.storing import PHASE
from tests.support.fakes import NoNames
from tests.support.rows import traced

HOME: Final = Subject(19, "App Home with 300 sessions", "queries", "≤", 3, 3)


def home_opened(arena: Arena, size: Size) -> Figure:
    """The most that a page of it takes. It holds only if the pages show every session."""
    with harness_in(arena.folder / "home", arena.harness.cast.team) as harness:
        (asked,) = opened(harness, 1, PHASE)
        crowded(harness.runtime.database, asked, size.own_sessions - 1)
        reader = harness.runtime.reader
        slack = SlackClient("")  # nothing is published, and nothing asked
        inside = {reader.load(asked).channel: "general"}
        homes = Homes(
            reader,
            slack,
            NoNames(),  # type: ignore[arg-type]
            Channels(slack),
            arena.table.workspace,
            ThreadPoolExecutor(1),
            harness.runtime.clock.now,
        )
        asked_for: list[int] = []
        shown = 0
        for page in range(-(-size.own_sessions // PAGE_SESSIONS)):
            with traced(harness.runtime.database) as queries:
                found, _ = homes.page(OWNER, page, inside)
            asked_for.append(sum(query.startswith("SELECT") for query in queries))
            shown += len(found.lines)
        homes.stop()
        return HOME.measured(max(asked_for), sound=shown == size.own_sessions)
