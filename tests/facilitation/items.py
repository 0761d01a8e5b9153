"""Items: a play `NAME.yaml` with its facts `NAME.facts.yaml`, read. All faults are said at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import yaml

from bot.devtools.play.script.entries import Edits, PlayReplies
from bot.devtools.play.script.file import read
from bot.devtools.play.script.script import Script
from bot.devtools.play.script.when_asked import RepliesWhenAsked
from bot.devtools.yaml_file import FaultyFileError
from tests.facilitation.facts import LISTS, Facts, Quote, facts_of
from tests.facilitation.matching import contains, tokens

FACTS: Final = ".facts.yaml"


class FaultyItemsError(Exception):
    """A folder that cannot be measured. `faults`: one line each, with file and place."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    script: Script
    facts: Facts

    def not_said(self) -> Iterator[tuple[str, Quote]]:
        """Lists and quotes of facts whose words nobody says where the fact has it."""
        for name in LISTS:
            for quote in self.facts.quotes(name):
                if not any(contains(quote.text, text) for text in self._said(quote)):
                    yield name, quote

    def _said(self, quote: Quote) -> Iterator[str]:
        yield from self._said_at_steps(quote)
        if not quote.step:
            yield from self._replies_when_asked(quote.by)

    def _replies_when_asked(self, by: str) -> Iterator[str]:
        for entry in self.script.when_asked:
            if isinstance(entry, RepliesWhenAsked) and by in ("", entry.by):
                yield entry.text

    def _said_at_steps(self, quote: Quote) -> Iterator[str]:
        for step in self.script.steps:
            for act in self.script.acts(step) if quote.step in ("", step) else ():
                if isinstance(act, PlayReplies | Edits) and quote.by in ("", act.by):
                    yield act.text

    def asked_for(self) -> "Item":
        """With facts of what people say to follow-ups resting on their words wherever they fall.

        Nobody can foresee at which step a follow-up is asked.
        """
        lists = {
            name: tuple(
                replace(
                    fact,
                    quote=self._anywhere(fact.quote),
                    other=self._anywhere(fact.other) if fact.other else None,
                )
                for fact in facts
            )
            for name, facts in self.facts.lists.items()
        }
        return replace(self, facts=Facts(lists))

    def _anywhere(self, quote: Quote) -> Quote:
        replies = self._replies_when_asked(quote.by)
        is_reply = any(contains(quote.text, text) for text in replies)
        is_said = any(contains(quote.text, text) for text in self._said_at_steps(quote))
        return replace(quote, step="") if is_reply and not is_said else quote

    def is_answer_when_asked(self, by: str, text: str) -> bool:
        """True if somebody says so to a follow-up, and no fact can know of it."""
        return any(tokens(reply) == tokens(text) for reply in self._replies_when_asked(by))


def read_items(folder: Path, only: Sequence[str] = ()) -> tuple[Item, ...]:
    """The items of a folder, by name; `only` those. Raises `FaultyItemsError`."""
    if not folder.is_dir():
        raise FaultyItemsError([f"There is no folder {folder}."])
    plays = {path.stem: path for path in sorted(folder.glob("*.yaml")) if not _is_facts(path)}
    faults = [f"{folder}/{name}.yaml: there is no such item." for name in only if name not in plays]
    faults += [
        f"{path}: there is no play {path.name.removesuffix(FACTS)}.yaml beside it."
        for path in sorted(folder.glob(f"*{FACTS}"))
        if path.name.removesuffix(FACTS) not in plays
    ]
    if not plays:
        faults.append(f"{folder} holds no item: NAME.yaml with NAME{FACTS}.")
    items = []
    for name in only or plays:
        item, more = _read(plays[name]) if name in plays else (None, [])
        faults += more
        items += [item] if item else []
    if faults:
        raise FaultyItemsError(faults)
    return tuple(items)


def _is_facts(path: Path) -> bool:
    return path.name.endswith(FACTS)


def _read(path: Path) -> tuple[Item | None, list[str]]:
    script, faults = _read_play(path)
    beside = path.with_name(f"{path.stem}{FACTS}")
    if not beside.is_file():
        return None, [*faults, f"{beside}: the facts of {path.name} are missing."]
    try:
        # Nothing but text: a quote may be "2027", or "yes".
        data = yaml.load(beside.read_text(encoding="utf-8-sig"), yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as cause:
        return None, [*faults, f"{beside}: it is not valid YAML. {_place(cause)}".rstrip()]
    facts, wrong = facts_of(data, script.people if script else ())
    if script is None:
        wrong = [fault for fault in wrong if " is nobody; " not in fault]
    faults += [f"{beside}: {fault}." for fault in wrong]
    if faults or script is None:
        return None, faults
    return Item(path.stem, script, facts).asked_for(), []


def _read_play(path: Path) -> tuple[Script | None, list[str]]:
    try:
        return read(path), []
    except FaultyFileError as error:
        return None, [f"{path}: {fault}" for fault in error.faults]


def _place(cause: Exception) -> str:
    mark = getattr(cause, "problem_mark", None)
    return f"Line {mark.line + 1}: {getattr(cause, 'problem', '')}." if mark else ""
