"""The search for a message of ours whose post may or may not have been accepted.

Pages of the channel or thread from the time of the attempt on. Slack lets some apps read one page a
minute: there a search is one page, and goes on with the next call for the same attempt.
docs: reference/methods/conversations.history, reference/methods/conversations.replies
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from bot.web_api.api_errors import Failure
from bot.web_api.calls import Answer, Calls
from core.domain.ids import ChannelId, Ts
from core.ports import Later, Unclear

PAGES_MAX: Final = 5
PAGE_MESSAGES: Final = 100
PAGE_MESSAGES_SCARCE: Final = 15  # where one page a minute is all that Slack gives
SCARCE_WITHIN_S: Final = 300.0  # of an attempt, its message is looked for
CURSORS_MAX: Final = 1_000  # searches that are to go on


class MessageSearch:
    """Pages are read with `calls`. `scarce_s`: seconds between pages where Slack gives so few."""

    def __init__(self, calls: Calls, scarce_s: float | None) -> None:
        self._calls = calls
        self._scarce_s = scarce_s
        self._cursors: OrderedDict[tuple[str | None, ...], str] = OrderedDict()

    def first(
        self,
        wanted: Callable[[Answer], bool],
        channel: ChannelId,
        *,
        oldest: float,
        thread_ts: Ts | None = None,
    ) -> Ts | Failure | None:
        """The first message since `oldest` that is wanted, in the channel or in one thread."""
        method = "conversations.replies" if thread_ts else "conversations.history"
        query: dict[str, Any] = {
            "channel": channel,
            "oldest": f"{max(oldest, 0):.6f}",
            "limit": PAGE_MESSAGES,
            "include_all_metadata": True,
            "ts": thread_ts,
        }
        if self._scarce_s is not None:
            latest = f"{oldest + SCARCE_WITHIN_S:.6f}"
            query |= {"limit": PAGE_MESSAGES_SCARCE, "latest": latest}
            return self._next_page(wanted, method, query, self._scarce_s)
        for _ in range(PAGES_MAX):
            answer = self._page(wanted, method, query)
            if answer is not None or not query["cursor"]:
                return answer
        return None

    def _next_page(
        self, wanted: Callable[[Answer], bool], method: str, query: dict[str, Any], later_s: float
    ) -> Ts | Failure | None:
        """One page. The next one is for the next call, which is to come `later_s` later."""
        search = (query["channel"], query["ts"], query["oldest"])
        query["cursor"] = self._cursors.pop(search, None)
        answer = self._page(wanted, method, query)
        if query["cursor"] and (answer is None or isinstance(answer, Later | Unclear)):
            self._cursors[search] = query["cursor"]
            if len(self._cursors) > CURSORS_MAX:
                self._cursors.popitem(last=False)  # its search begins anew, if it comes at all
            return answer or Later("there is more", later_s)
        return answer

    def _page(
        self, wanted: Callable[[Answer], bool], method: str, query: dict[str, Any]
    ) -> Ts | Failure | None:
        """The first message of a page that is wanted; `query` has the cursor of the next one."""
        answer = self._calls.call("repeat", method, query, form=True)
        if isinstance(answer, Failure):
            return answer
        query["cursor"] = (answer.get("response_metadata") or {}).get("next_cursor")
        messages = (message for message in answer.get("messages", ()) if wanted(message))
        return next((Ts(str(message["ts"])) for message in messages), None)
