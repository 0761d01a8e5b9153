"""A model's text as data: nobody is mentioned by it, nothing is marked up, no credential stands.

What people see of it goes the way of their own text, which may hold anything; here goes what only a
model could bring in.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from core import patterns
from core.characters import readable
from core.domain.ids import AnswerId, UserId
from core.domain.mentions import SOMEONE, users_in
from core.secrets import redact

LINE_CHARS_MAX: Final = 500
_PERSON: Final = patterns.compile(r"(?<!\w)@?P[0-9]{1,4}(?!\w)")
_SHOUTS: Final = patterns.compile(r"<[!@#][^>]*>|@(?:here|channel|everyone)\b", patterns.IGNORECASE)


class Ids(Protocol):
    """What the ids of a request stand for: A1 an answer, P1 a person and their name."""

    @property
    def answers(self) -> Mapping[str, AnswerId]: ...
    @property
    def people(self) -> Mapping[str, UserId]: ...
    @property
    def names(self) -> Mapping[str, str]: ...


def harmless(text: str, ids: Ids, chars_max: int = LINE_CHARS_MAX) -> str:
    """One line of it, cut at a word, with the people of the request by their names."""
    line = " ".join(_SHOUTS.sub(" ", redact(readable(text))).split())
    for user in users_in(line):
        line = line.replace(f"@{user}", SOMEONE)
    line = _PERSON.sub(lambda match: _person(match[0], ids), line)
    if len(line) <= chars_max:
        return line
    return f"{line[: chars_max - 1].rpartition(' ')[0] or line[: chars_max - 1]}…"


def spellings(text: str, ids: Ids) -> Iterator[str]:
    """How a text with numbers of people may stand in an answer: with their ids, or their names."""
    if _PERSON.search(text):
        yield _PERSON.sub(lambda match: _person(match[0], ids), text)
        yield _PERSON.sub(lambda match: match[0][:1].strip("P") + _name(match[0], ids), text)
    yield text


def _person(word: str, ids: Ids) -> str:
    """ "@P2" as "@U…", which is read as a name; what is nobody's number stays."""
    user = ids.people.get(word[1:]) if word.startswith("@") else None
    return f"@{user}" if user else _name(word, ids)


def _name(word: str, ids: Ids) -> str:
    return ids.names.get(word.removeprefix("@")) or word.removeprefix("@")
