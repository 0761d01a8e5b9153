"""A play file, read. Every fault of it is found at once and said in plain words; nothing starts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from pydantic_core import ErrorDetails

from bot.devtools.play.script.entries import ACTS, MISHAPS, Commands, keys_of, kind_of
from bot.devtools.play.script.script import TOP_KEYS, Script, WithModel
from bot.devtools.play.script.when_asked import WHEN_ASKED
from bot.devtools.play.terms import PEOPLE_NEEDED
from bot.devtools.provider.entries import line_of
from bot.devtools.yaml_file import FaultyFileError, loaded, text_of
from core.content.models.validation import Flaw, in_file_order, validated
from core.content.models.validation import Path as Keys

START_NEEDED: Final = 'who starts, and how, is needed: {by: pm, command: "/roundtable analyze …"}'
WITH_MODEL: Final = "with_model"
WITH_MODEL_NEEDED: Final = "what is otherwise with a model is needed, like {tokens: 60000}"
KINDS_OF_ENTRIES: Final = {"before": MISHAPS, "when_asked": WHEN_ASKED}  # elsewhere: ACTS
MISSING: Final = {"people": PEOPLE_NEEDED, "start": START_NEEDED, "by": "who does it is missing"}


def read(path: Path) -> Script:
    """The script of a file. Raises `FaultyFileError`."""
    return parse(text_of(path))


def parse(text: str) -> Script:
    """The play that `text` describes, or `FaultyFileError` with everything that is wrong."""
    faults, data = loaded(text)
    script = _script(data)
    faults += map(_told, script) if isinstance(script, list) else ()
    if isinstance(script, list) or faults:
        raise FaultyFileError(faults)
    return script


# ── the parts ──────────────────────────────────────────────────────────────────────────────────


def _script(data: object) -> Script | list[Flaw]:
    """The script, or everything that is wrong with it in the order of the file."""
    if not isinstance(data, Mapping):
        problem = "it is empty" if data is None else "it is not a mapping"
        return [Flaw((), data, f"a play has people, start and steps; {problem}")]
    checked = validated(Script, data, words=lambda fault: _words(data, fault))
    if isinstance(checked, tuple):
        return sorted(checked, key=lambda flaw: in_file_order(data, flaw.path))
    return checked


def _words(data: object, fault: ErrorDetails) -> str | None:
    """Ours for what pydantic finds by itself."""
    path = fault["loc"]
    match fault["type"]:
        case "missing":
            return MISSING.get(str(path[-1]), "it is missing")
        case "dataclass_type":
            return WITH_MODEL_NEEDED if path == (WITH_MODEL,) else START_NEEDED
        case "unexpected_keyword_argument":
            keys = ", ".join(_known_keys(data, path))
            return f"nothing of that name belongs here; known are {keys}"
        case _:
            return None


def _known_keys(data: object, path: Keys) -> Sequence[str]:
    if len(path) == 1:
        return TOP_KEYS
    if path[0] == WITH_MODEL and len(path) == 2:
        return keys_of(WithModel)
    if path[0] == "start":
        return keys_of(Commands)
    for key in path[:-1]:
        data = data[key]  # type: ignore[index] # pydantic went the same way
    kinds = KINDS_OF_ENTRIES.get(str(_inside(path)[0]), ACTS)
    return keys_of(kinds[kind_of(data, kinds) or ""])


def _told(flaw: Flaw) -> str:
    """One line: where, and what. Ids of steps stand in quotes, as in the file."""
    path = _inside(flaw.path)
    outer = flaw.path[: len(flaw.path) - len(path)]
    if path[-1:] == ("[key]",):
        path = path[:-1] if path[0] == "menus" else path[:1]
    elif path[:1] in (("steps",), ("before",)) and len(path) > 1:
        path = (path[0], f'"{path[1]}"', *path[2:])
    return line_of(replace(flaw, path=(*outer, *path)))


def _inside(path: Keys) -> Keys:
    """The path as it would be if the play had it for every brain."""
    return path[1:] if path[:1] == (WITH_MODEL,) else path
