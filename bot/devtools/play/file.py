"""A play file, read. Every fault of it is found at once and said in plain words; nothing starts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic_core import ErrorDetails

from bot.devtools.play.entries import ACTS, MISHAPS, Commands, keys_of, kind_of
from bot.devtools.play.script import TOP_KEYS, Script
from bot.devtools.play.terms import PEOPLE_NEEDED, shown
from bot.devtools.play.when_asked import WHEN_ASKED
from core.content.models.validation import Flaw, in_file_order, validated
from core.content.models.validation import Path as Keys

BYTES_MAX: Final = 5_000_000
START_NEEDED: Final = 'who starts, and how, is needed: {by: pm, command: "/roundtable analyze …"}'
KINDS_OF_ENTRIES: Final = {"before": MISHAPS, "when_asked": WHEN_ASKED}  # elsewhere: ACTS
MISSING: Final = {"people": PEOPLE_NEEDED, "start": START_NEEDED, "by": "who does it is missing"}


class FaultyPlayError(Exception):
    """The file cannot be played. `faults` are all of them, one line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


def read(path: Path) -> Script:
    """The script of a file. Raises `FaultyPlayError`."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise FaultyPlayError([f"There is no file {path}."]) from None
    except IsADirectoryError:
        raise FaultyPlayError([f"{path} is a folder, not a file."]) from None
    except (OSError, UnicodeDecodeError) as cause:
        reason = getattr(cause, "strerror", None) or "it is not UTF-8 text"
        raise FaultyPlayError([f"{path} cannot be read: {reason}."]) from None
    if len(data) > BYTES_MAX:
        raise FaultyPlayError([f"{path} is larger than {BYTES_MAX // 1_000_000} MB."])
    return parse(text)


def parse(text: str) -> Script:
    """The play that `text` describes, or `FaultyPlayError` with everything that is wrong."""
    try:
        faults, data = _loaded(text)
    except yaml.MarkedYAMLError as cause:
        where = f"line {cause.problem_mark.line + 1}: " if cause.problem_mark else ""
        raise FaultyPlayError([f"It is not valid YAML. {where}{cause.problem}"]) from None
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        raise FaultyPlayError(["It is not valid YAML."]) from None
    script = _script(data)
    faults += map(_told, script) if isinstance(script, list) else ()
    if isinstance(script, list) or faults:
        raise FaultyPlayError(faults)
    return script


class _Loader(yaml.SafeLoader):
    """Plain YAML that finds what its readers pass over silently; `faults` are said in words."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.deep_construct = True
        self.faults: list[str] = []

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        if node in self.recursive_objects:
            raise ValueError("a list or mapping contains itself")
        return super().construct_object(node, deep)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for place, key in enumerate(keys):
            key.tag = "tag:yaml.org,2002:str"  # `5: x` and `yes: x` name nothing either
            if key.value in [before.value for before in keys[:place]]:
                self._fault(key, f"{shown(key.value)} stands twice in the same place")
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:
        """One character for each escaped pair of surrogates; half of a pair is a fault."""
        try:
            if isinstance(node, yaml.ScalarNode):
                node.value = node.value.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            self._fault(node, "half of a character (a lone surrogate) stands in the text")
        return super().construct_scalar(node)

    def _fault(self, node: yaml.Node, fault: str) -> None:
        self.faults.append(f"Line {node.start_mark.line + 1}: {fault}.")


def _loaded(text: str) -> tuple[list[str], object]:
    loader = _Loader(text)
    try:
        return loader.faults, loader.get_single_data()
    finally:
        loader.dispose()


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
            return START_NEEDED
        case "unexpected_keyword_argument":
            keys = ", ".join(_known_keys(data, path))
            return f"nothing of that name belongs here; known are {keys}"
        case _:
            return None


def _known_keys(data: object, path: Keys) -> Sequence[str]:
    if len(path) == 1:
        return TOP_KEYS
    if path[0] == "start":
        return keys_of(Commands)
    for key in path[:-1]:
        data = data[key]  # type: ignore[index] # pydantic went the same way
    kinds = KINDS_OF_ENTRIES.get(str(path[0]), ACTS)
    return keys_of(kinds[kind_of(data, kinds) or ""])


def _sentence(fault: str) -> str:
    return f"{fault[:1].upper()}{fault[1:]}."


def _told(flaw: Flaw) -> str:
    """One line: where, and what. Ids of steps stand in quotes, as in the file."""
    path = flaw.path
    if path[-1:] == ("[key]",):
        path = path[:-1] if path[0] == "menus" else path[:1]
    if path[:1] in (("steps",), ("before",)) and len(path) > 1:
        path = (path[0], f'"{path[1]}"', *path[2:])
    place = Flaw(path, None, "").place()
    return f"{place}: {flaw.hint}." if place else _sentence(flaw.hint)
