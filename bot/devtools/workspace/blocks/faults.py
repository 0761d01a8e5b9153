"""A fault as Slack words it, with its JSON pointer, and what faults are about."""

from collections.abc import Iterable, Iterator
from typing import Any

Faults = Iterator[str]


def fault(message: str, pointer: str) -> str:
    return f"[ERROR] {message} [json-pointer:{pointer}]"


def fault_parts(fault: str) -> tuple[str, str]:
    """The message and the pointer of a fault."""
    message, _, pointer = fault.removeprefix("[ERROR] ").rpartition(" [json-pointer:")
    return message, pointer.removesuffix("]")


def kind_of(item: Any) -> str:
    """The item's type, for messages too: "None" when it has none."""
    return str(item.get("type")) if isinstance(item, dict) else "None"


def repeated(ids: Iterable[Any]) -> Iterator[str]:
    """The ids that stood before, each as often as it stands again."""
    before: set[str] = set()
    for name in ids:
        if isinstance(name, str) and name in before:
            yield name
        elif isinstance(name, str):
            before.add(name)
