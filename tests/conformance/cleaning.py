"""Takes away what a run left in its channel: messages of its own, and files."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.conformance.cases.building import MARK
from tests.conformance.scene import Place, Scene
from tests.conformance.values import Call

GONE = frozenset({"message_not_found", "file_not_found", "file_deleted", "thread_not_found"})


class Cleaner:
    """`left`: what could not be taken away, and why."""

    def __init__(self, place: Place, bot_id: str) -> None:
        self._place = place
        self._bot_id = bot_id
        self.left: list[str] = []

    def tidy(self) -> None:
        """After a case: what it is known to have posted, replies before their roots."""
        for file in self._place.files:
            self._away("files.delete", file, {"file": file})
        for channel, ts in reversed(self._place.posted):
            self._away("chat.delete", ts, {"channel": channel, "ts": ts})
        self._place.files.clear()
        self._place.posted.clear()

    def sweep(self, since: str) -> None:
        """At the end: what came later than its answer did, such as a file's message."""
        channel = self._place.known["channel"]
        for ts in list(self._strays(channel, since)):
            self._away("chat.delete", ts, {"channel": channel, "ts": ts})

    def _strays(self, channel: str, since: str) -> Iterator[str]:
        for message in self._read("conversations.history", channel, oldest=since, inclusive=True):
            if message.get("reply_count") or message.get("thread_ts"):
                thread = str(message.get("thread_ts", message["ts"]))
                replies = self._read("conversations.replies", channel, ts=thread)
                yield from (str(each["ts"]) for each in replies if self._is_ours(each))
            if self._is_ours(message):
                yield str(message["ts"])

    def _read(self, method: str, channel: str, **args: Any) -> list[Mapping[str, Any]]:
        answer = self.ask(method, {"channel": channel, "limit": 200, **args})
        if answer.get("ok") is not True and answer.get("error") not in GONE:
            self.left.append(f"{method} answered {answer.get('error')}")
        return list(answer.get("messages", []))

    def _is_ours(self, message: Mapping[str, Any]) -> bool:
        """Not whatever else the same app may be saying in this channel at this time."""
        return message.get("bot_id") == self._bot_id and MARK in str(message.get("text"))

    def _away(self, method: str, what: str, args: Mapping[str, Any]) -> None:
        answer = self.ask(method, args)
        if answer.get("ok") is not True and answer.get("error") not in GONE:
            self.left.append(f"{what}: {answer.get('error')}")

    def ask(self, method: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        return Scene(self._place).ask(Call(method, args, sent="form")).body
