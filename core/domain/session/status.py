"""Statuses, flows and modes of a session."""

from typing import Final, Literal

Flow = Literal["analysis", "inception"]
Mode = Literal["", "party", "classic"]  # of an inception; empty: not chosen yet
Status = Literal[
    "starting",  # the flow is being opened, the card is not posted yet
    "opening",  # a phase or a step is being read from its files
    "asking",  # a prompt stands in the thread, no menu yet
    "choosing",  # a menu is open
    "debating",  # a council is at work
    "paused",
    "completed",
    "cancelled",
    "halted",
    "refused",  # it never began: we may not post there
]
AWAITS_PEOPLE: Final[frozenset[Status]] = frozenset({"asking", "choosing"})
ENDED: Final[frozenset[Status]] = frozenset({"completed", "cancelled", "halted", "refused"})
