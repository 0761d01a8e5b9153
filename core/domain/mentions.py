"""People who are mentioned in an answer: kept as "@" and an id, read as "@" and a name. Pure."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from core.domain.ids import UserId

ID_CHARS_MIN: Final = 7  # Slack's own have nine to eleven
ID_CHARS_MAX: Final = 21
SOMEONE: Final = "someone"  # instead of an id whose name nobody knows
_FIRST: Final = frozenset("UW")
_SIGNS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def users_in(text: str) -> tuple[UserId, ...]:
    """Everybody who is mentioned by id, once, in the order of the text."""
    return tuple(dict.fromkeys(user for _, user in _found(text)))


def with_names(text: str, names: Mapping[UserId, str]) -> str:
    """The text with names in the place of ids."""
    parts: list[str] = []
    end = 0
    for at, user in _found(text):
        name = " ".join(names.get(user, "").split())
        parts += [text[end:at], name or SOMEONE]
        end = at + len(user)
    return "".join((*parts, text[end:])) if parts else text


def _found(text: str) -> Iterator[tuple[int, UserId]]:
    """Where each id begins, behind its "@"; an address of mail holds none."""
    if "@" not in text:
        return
    signs = [place for place, sign in enumerate(text) if sign == "@"]
    after_id = 0  # an id may follow another one without a blank
    for at, following in pairwise((*signs, len(text))):
        if text[at + 1 : at + 2] not in _FIRST:
            continue
        follows = at in (0, after_id) or not text[at - 1].isalnum()
        end = at + 1
        last = min(following, at + 2 + ID_CHARS_MAX)
        while end < last and text[end] in _SIGNS:
            end += 1
        user = text[at + 1 : end]
        ends_word = end == len(text) or not (text[end].isalnum() or text[end] == "_")
        if ends_word and follows and _is_id(user):
            after_id = end
            yield at + 1, UserId(user)


def _is_id(word: str) -> bool:
    """No word that is shouted: an id has a digit."""
    long = ID_CHARS_MIN <= len(word) <= ID_CHARS_MAX
    return long and word[0] in _FIRST and any(sign.isdigit() for sign in word)
