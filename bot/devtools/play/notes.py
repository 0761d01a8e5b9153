"""Collecting the faults of a play file: where they stand and what is wrong, in plain words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.content.models.values import value_shown


def shown(value: object) -> str:
    """A value of the file in one short line."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value_shown(value)
    return f'"{text}"' if isinstance(value, str) else text


def as_word(value: object) -> str:
    return value_shown(value)


@dataclass(slots=True)
class Notes:
    faults: list[str] = field(default_factory=list)

    def add(self, path: str, fault: str) -> None:
        self.faults.append(f"{path}: {fault}." if path else f"{fault[:1].upper()}{fault[1:]}.")

    def unknown(self, path: str, value: Mapping[Any, Any], known: Sequence[str]) -> None:
        for key in value:
            if key not in known:
                where = f"{path}.{as_word(key)}" if path else as_word(key)
                self.add(where, f"nothing of that name belongs here; known are {', '.join(known)}")

    def items(self, path: str, value: object) -> Iterator[tuple[str, object]]:
        """Each item of a list with its path; nothing at all is an empty list."""
        if value is None:
            return
        if not isinstance(value, list):
            self.add(path, "a list is needed, each item on a line with a dash")
            return
        for number, item in enumerate(value, start=1):
            yield f"{path}[{number}]", item

    def person(self, path: str, value: Mapping[Any, Any], people: Sequence[str]) -> str:
        by = value.get("by")
        if "by" not in value:
            self.add(f"{path}.by", "who does it is missing")
        elif not isinstance(by, str) or by not in people:
            known = f"people are {', '.join(people)}" if people else "there are no people"
            self.add(f"{path}.by", f"{shown(by)} is nobody; {known}")
        return str(by)

    def text(self, path: str, value: Mapping[Any, Any], key: str) -> str | None:
        text = value.get(key)
        if isinstance(text, str):
            return text
        missing = "it is missing" if key not in value else f"{shown(text)} is no text"
        hint = "" if key not in value or text is None else "; put it in quotes"
        self.add(f"{path}.{key}", f"{missing}{hint}")
        return None

    def count(
        self, path: str, value: Mapping[Any, Any], key: str, default: int | None = None
    ) -> int | None:
        number = value.get(key, default)
        if isinstance(number, int) and not isinstance(number, bool) and number >= 1:
            return number
        self.add(f"{path}.{key}", f"{shown(number)} is no number from 1 on")
        return None
