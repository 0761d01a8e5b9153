"""What of a session leaves in a request, and what its ids stand for.

People are P1…, answers A1…, criteria V1…. Ids, channels, permalinks and times of Slack are never
put into a request; a mention of a person becomes "@" and a P-number; credentials are taken out once
more. What people typed stays as they typed it. A number that stands in anybody's text ("a P1 in
production") is nobody's, so that a reply's P-numbers are people and nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core import patterns
from core.domain.ids import AnswerId, UserId
from core.domain.mentions import SOMEONE, users_in, with_names
from core.secrets import redact

_NUMBER: Final = patterns.compile(r"(?<!\w)P[0-9]+(?!\w)")


@dataclass(frozen=True, slots=True)
class Person:
    """A place for a person's number, until the numbers are known."""

    id: UserId


@dataclass(frozen=True, slots=True)
class RequestIds:
    """What the ids of one request stand for. In a reply, any other id is made up."""

    answers: Mapping[str, AnswerId] = field(default_factory=dict)  # those that were sent
    people: Mapping[str, UserId] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # a P-number → the person's name


@dataclass(frozen=True, slots=True)
class SentData:
    """The data of a request as it leaves, and whose numbers stand in it."""

    content: dict[str, Any]
    people: Mapping[str, UserId]
    names: Mapping[str, str]


def sent(content: Mapping[str, Any], names: Mapping[UserId, str]) -> SentData:
    """The data with numbers in the place of people and mentions, and without credentials.

    `names`: of everybody who may be mentioned. Numbers are given in the order of the data.
    """
    texts = (text for text in _texts(content) if "P" in text)
    used_numbers = {match[0] for text in texts for match in _NUMBER.finditer(text)}
    numbering = _Numbering(
        used_numbers, {user: " ".join(name.split()) for user, name in names.items()}
    )
    data = {key: numbering.sent(value) for key, value in content.items()}
    people = {number: user for user, number in numbering.numbers.items()}
    called = {number: numbering.names.get(user) or SOMEONE for number, user in people.items()}
    return SentData(data, people, called)


@dataclass(slots=True)
class _Numbering:
    used_numbers: set[str]
    names: Mapping[UserId, str]
    numbers: dict[UserId, str] = field(default_factory=dict)
    last: int = 0

    def sent(self, value: object) -> Any:
        match value:
            case str():
                return redact(self._without_mentions(value))
            case Person():
                return self._number(value.id)
            case Mapping():
                return {key: self.sent(item) for key, item in value.items()}
            case list() | tuple():
                return [self.sent(item) for item in value]
            case _:
                return value

    def _number(self, user: UserId) -> str:
        while user not in self.numbers:
            self.last += 1
            if f"P{self.last}" not in self.used_numbers:
                self.numbers[user] = f"P{self.last}"
        return self.numbers[user]

    def _without_mentions(self, text: str) -> str:
        if "@" not in text:
            return text
        for user, name in sorted(self.names.items(), key=lambda pair: -len(pair[1])):
            if name and f"@{name}" in text:
                text = _replace_mention(text, f"@{name}", f"@{self._number(user)}")
        mentioned = (user for user in users_in(text) if user in self.names)
        return with_names(text, {user: self._number(user) for user in mentioned})


def _replace_mention(text: str, mention: str, number: str) -> str:
    """With the number for each mention that no letter or digit goes on from."""
    first, *pieces = text.split(mention)
    parts = [first]
    for piece in pieces:
        parts += [mention if piece[:1].isalnum() else number, piece]
    return "".join(parts)


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            yield from _texts_of_values(value.values())
        case list() | tuple():
            yield from _texts_of_values(value)


def _texts_of_values(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from _texts(value)
