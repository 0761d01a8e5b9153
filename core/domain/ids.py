"""Names of things. Strings that mean something get a type, so that they cannot be mixed up."""

import hashlib
import unicodedata
from typing import Final, Literal, NewType

TeamId = NewType("TeamId", str)
ChannelId = NewType("ChannelId", str)
UserId = NewType("UserId", str)
Ts = NewType("Ts", str)  # a Slack timestamp: unique only within its channel

SessionId = NewType("SessionId", str)
RunId = NewType("RunId", str)
Slug = NewType("Slug", str)
PhaseKey = NewType("PhaseKey", str)
StepId = NewType("StepId", str)
PersonaKey = NewType("PersonaKey", str)
MenuId = NewType("MenuId", str)
AnswerId = NewType("AnswerId", str)
TaskId = NewType("TaskId", str)
FaultId = NewType("FaultId", str)
Digest = NewType("Digest", str)  # sha256 of a file's bytes: the address of its parsed content

Depth = Literal["brief", "standard", "deep"]
DEPTHS: Final[tuple[Depth, ...]] = ("brief", "standard", "deep")
Export = Literal["zip", "markdown", "html", "all"]
EXPORTS: Final[tuple[Export, ...]] = ("zip", "markdown", "html")  # "all": each of them

SLUG_CHARS_MAX: Final = 60


ACT: Final = "act:"


def order_of(ts: str) -> tuple[int, ...]:
    """By which times of messages are compared: as numbers, not as text."""
    return tuple(int(part) for part in ts.split(".") if part.isdecimal())


def act_key(team: TeamId, user: UserId, ident: str) -> str:
    """The delivery key of one click, shortcut, form or command; `ident`: its trigger id.

    Unlike a message's key it is kept whatever came of the act: a signed request that is sent again
    must not do later what it could not do the first time.
    """
    return f"{ACT}{team}:{user}:{ident}"


SESSION_ID_CHARS: Final = 16  # it stands in every row of a session


def session_id(new_id: str) -> SessionId:
    return SessionId(new_id[:SESSION_ID_CHARS])


def slug_of(title: str) -> Slug:
    """Kebab case of the title; `item-` and 8 hex digits of its hash when nothing is left of it."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = "".join(sign if sign.isalnum() else " " for sign in plain.lower()).split()
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:SLUG_CHARS_MAX]
        if len(longer) > SLUG_CHARS_MAX:
            break
        slug = longer
    return Slug(slug or f"item-{hashlib.sha256(title.encode()).hexdigest()[:8]}")


def numbered(slug: Slug, taken_slugs: frozenset[Slug]) -> Slug:
    """The slug itself, or the first of `slug-2`, `slug-3`, … that is not taken."""
    number, candidate = 2, slug
    while candidate in taken_slugs:
        candidate, number = Slug(f"{slug}-{number}"), number + 1
    return candidate
