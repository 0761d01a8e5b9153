"""What each person has read and put away. It is kept while the workspace runs, not longer.

Guarded by the workspace's lock. What was there before the page is taken for read.
"""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Marks:
    """`since`: the ts of the page's beginning; messages before it are old to everybody."""

    since: str
    read: dict[tuple[str, str, str], str] = field(default_factory=dict)
    dismissed: set[tuple[str, str]] = field(default_factory=set)

    def read_up_to(self, person: str, channel: str, root: str = "") -> str:
        """The ts of the last message read in a channel, or in the thread of `root`."""
        return self.read.get((person, channel, root), self.since)

    def mark(self, person: str, channel: str, root: str, ts: str) -> bool:
        """Whether that is news."""
        if ts <= self.read_up_to(person, channel, root):
            return False
        self.read[person, channel, root] = ts
        return True
