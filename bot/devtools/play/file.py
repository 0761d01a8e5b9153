"""A play file, read. Every fault of it is found at once and said in plain words; nothing starts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from bot.devtools.play import mishaps
from bot.devtools.play.notes import Notes, as_word, shown
from bot.devtools.play.script import (
    CHOICES,
    STEP_ID,
    STEP_VERBS,
    Act,
    Clicks,
    Commands,
    Deletes,
    Edits,
    Mishap,
    Replies,
    Script,
)
from core import patterns

BYTES_MAX: Final = 5_000_000
PEOPLE_MAX: Final = 50
NAME_CHARS_MAX: Final = 80
MENTION: Final = "@Roundtable"
TAKEN_NAMES: Final = frozenset({"roundtable", "here", "channel", "everyone", "slackbot"})
TOP_KEYS: Final = ("people", "start", "steps", "otherwise", "menus", "before")
_CODE: Final = patterns.compile(r"(?:ERR-[A-Z]+|E)-[0-9]{3}")
_PHASE: Final = patterns.compile(r"[0-9]{2}-[a-z0-9][a-z0-9-]*")
_OF_A_STEP: Final = patterns.compile(rf"(?:{'|'.join(STEP_VERBS)}):\d\d-\d\d")


class FaultyPlayError(Exception):
    """The file cannot be played. `faults` are all of them, one line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


def read(path: Path) -> Script:
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
    notes = Notes()
    try:
        faults, data = _loaded(text)
    except yaml.MarkedYAMLError as cause:
        where = f"line {cause.problem_mark.line + 1}: " if cause.problem_mark else ""
        raise FaultyPlayError([f"It is not valid YAML. {where}{cause.problem}"]) from None
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        raise FaultyPlayError(["It is not valid YAML."]) from None
    for fault in faults:
        notes.add("", fault)
    script = _script(data, notes)
    if script is None or notes.faults:
        raise FaultyPlayError(notes.faults)
    return script


def _loaded(text: str) -> tuple[list[str], object]:
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return [], None
        faults = [fault for part in _nodes(node, set(), set()) for fault in _node_faults(part)]
        return faults, loader.construct_document(node)
    finally:
        loader.dispose()


def _nodes(node: yaml.Node, around: set[int], done: set[int]) -> Iterator[yaml.Node]:
    """Every node once, however often an alias repeats it. One inside itself is a ValueError."""
    if id(node) in around:
        raise ValueError("a list or mapping contains itself")
    if id(node) in done:
        return
    yield node
    around.add(id(node))
    for part in node.value if isinstance(node, yaml.CollectionNode) else ():
        for inner in part if isinstance(part, tuple) else (part,):
            yield from _nodes(inner, around, done)
    around.remove(id(node))
    done.add(id(node))


def _node_faults(node: yaml.Node) -> Iterator[str]:
    if isinstance(node, yaml.ScalarNode):
        yield from _join_surrogates(node)
    if isinstance(node, yaml.MappingNode):
        yield from _repeated_keys(node)


def _repeated_keys(node: yaml.MappingNode) -> Iterator[str]:
    """A key that stands twice: YAML readers keep the last one silently."""
    seen: set[str] = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode):
            if key.value in seen:
                line = key.start_mark.line + 1
                yield f"line {line}: {shown(key.value)} stands twice in the same place"
            seen.add(key.value)


def _join_surrogates(node: yaml.ScalarNode) -> Iterator[str]:
    """Make one character of each escaped pair of surrogates; half of a pair is a fault."""
    try:
        node.value = node.value.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        line = node.start_mark.line + 1
        yield f"line {line}: half of a character (a lone surrogate) stands in the text"


# ── the parts ──────────────────────────────────────────────────────────────────────────────────


def _script(data: object, notes: Notes) -> Script | None:
    if not isinstance(data, Mapping):
        what = "it is empty" if data is None else "it is not a mapping"
        notes.add("", f"a play has people, start and steps; {what}")
        return None
    notes.unknown("", data, TOP_KEYS)
    people = _people(data.get("people"), notes)
    start = _start(data.get("start"), people, notes)
    steps = {
        step: _acts(path, acts, people, notes)
        for step, path, acts in _by_step("steps", data.get("steps"), notes)
    }
    otherwise = _acts("otherwise", data.get("otherwise"), people, notes)
    menus = _menus(data.get("menus"), notes)
    before = {
        step: _mishaps(path, acts, notes)
        for step, path, acts in _by_step("before", data.get("before"), notes)
    }
    return Script(people, start, steps, otherwise, menus, before) if start else None


def _people(value: object, notes: Notes) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        notes.add("people", "a list of at least one name is needed, like [pm, dev]")
        return ()
    if len(value) > PEOPLE_MAX:
        notes.add("people", f"at most {PEOPLE_MAX} people take part")
    found: list[str] = []
    for number, name in enumerate(value, start=1):
        fault = _name_fault(name, found)
        if fault:
            notes.add(f"people[{number}]", fault)
        else:
            found.append(name)
    return tuple(found)


def _name_fault(name: object, before: Sequence[str]) -> str | None:
    if not isinstance(name, str):
        return f"{shown(name)} is no name; put it in quotes if it is meant as one"
    if not name.strip() or name != name.strip() or not name.isprintable():
        return "a name is one line that neither begins nor ends with a blank"
    if len(name) > NAME_CHARS_MAX:
        return f"a name has at most {NAME_CHARS_MAX} characters"
    if name.casefold() in TAKEN_NAMES:
        return f"nobody can be called {shown(name)}: the name is taken"
    return f"{shown(name)} stands here twice" if name in before else None


def _start(value: object, people: Sequence[str], notes: Notes) -> Commands | None:
    if not isinstance(value, Mapping):
        example = '{by: pm, command: "/roundtable analyze …"}'
        notes.add("start", f"who starts, and how, is needed: {example}")
        return None
    notes.unknown("start", value, ("by", "command"))
    by = notes.person("start", value, people)
    line = _line("start", value, notes)
    return Commands(by, line) if line is not None else None


def _line(path: str, value: Mapping[Any, Any], notes: Notes) -> str | None:
    line = notes.text(path, value, "command")
    if line is None:
        return None
    if not line.startswith(("/roundtable", MENTION)):
        notes.add(f"{path}.command", f"it begins with /roundtable or with {MENTION}")
        return None
    return line


def _by_step(name: str, value: object, notes: Notes) -> Iterator[tuple[str, str, object]]:
    if value is None:
        return
    if not isinstance(value, Mapping):
        notes.add(name, 'a mapping from step ids to lists is needed, like "00-01": [...]')
        return
    for step, acts in value.items():
        if not isinstance(step, str) or not (STEP_ID.fullmatch(step) or _PHASE.fullmatch(step)):
            what = 'is no step id and no phase; they look like "01-02" and "01-vision"'
            notes.add(name, f"{shown(step)} {what}, in quotes")
            continue
        yield step, f'{name}."{step}"', acts


def _acts(path: str, value: object, people: Sequence[str], notes: Notes) -> tuple[Act, ...]:
    said: dict[str, list[bool]] = {}  # by person: whether each reply still stands
    found: list[Act] = []
    for where, item in notes.items(path, value):
        act = _act(where, item, people, notes)
        if act is None:
            continue
        _check_number(where, act, said, notes)
        found.append(act)
    return tuple(found)


def _act(path: str, value: object, people: Sequence[str], notes: Notes) -> Act | None:
    if not isinstance(value, Mapping):
        notes.add(path, "an act is a mapping like {by: pm, reply: …}")
        return None
    kinds = [kind for kind in _ACTS if kind in value]
    if len(kinds) != 1:
        which = f"{' and '.join(kinds)} stand together" if kinds else "none of them is here"
        notes.unknown(path, value, ("by", "text", *_ACTS))
        notes.add(path, f"an act is one of {', '.join(_ACTS)}; {which}")
        return None
    allowed, make = _ACTS[kinds[0]]
    notes.unknown(path, value, ("by", kinds[0], *allowed))
    by = notes.person(path, value, people)
    return make(path, by, value, notes)


def _replies(path: str, by: str, value: Mapping[Any, Any], notes: Notes) -> Act | None:
    text = notes.text(path, value, "reply")
    return None if text is None else Replies(by, typed(text))


def _edits(path: str, by: str, value: Mapping[Any, Any], notes: Notes) -> Act | None:
    number = notes.count(path, value, "edit")
    text = notes.text(path, value, "text")
    return None if number is None or text is None else Edits(by, number, typed(text))


def typed(text: str) -> str:
    """What arrives of a text: the line end that YAML's | leaves is not sent."""
    return text.rstrip("\n")


def _deletes(path: str, by: str, value: Mapping[Any, Any], notes: Notes) -> Act | None:
    number = notes.count(path, value, "delete")
    return None if number is None else Deletes(by, number)


def _clicks(path: str, by: str, value: Mapping[Any, Any], notes: Notes) -> Act | None:
    choice = value["click"]
    if isinstance(choice, str) and (choice in CHOICES or _OF_A_STEP.fullmatch(choice)):
        return Clicks(by, choice)
    notes.add(f"{path}.click", f"{shown(choice)} is no choice; it is one of {', '.join(CHOICES)}")
    return None


def _commands(path: str, by: str, value: Mapping[Any, Any], notes: Notes) -> Act | None:
    line = _line(path, value, notes)
    return None if line is None else Commands(by, line)


_Maker = Callable[[str, str, Mapping[Any, Any], Notes], Act | None]
_ACTS: Final[Mapping[str, tuple[tuple[str, ...], _Maker]]] = {
    "reply": ((), _replies),
    "edit": (("text",), _edits),
    "delete": ((), _deletes),
    "click": ((), _clicks),
    "command": ((), _commands),
}


def _check_number(path: str, act: Act, said: dict[str, list[bool]], notes: Notes) -> None:
    """An edit or a deletion speaks of a reply that came before it in the same list."""
    if isinstance(act, Replies):
        said.setdefault(act.by, []).append(True)
    if not isinstance(act, Edits | Deletes):
        return
    verb = "edit" if isinstance(act, Edits) else "delete"
    mine = said.get(act.by, [])
    if act.number > len(mine):
        notes.add(f"{path}.{verb}", f"{act.by} has no reply number {act.number} before this")
    elif not mine[act.number - 1]:
        notes.add(f"{path}.{verb}", f"{act.by}'s reply number {act.number} is deleted before this")
    elif isinstance(act, Deletes):
        mine[act.number - 1] = False


def _menus(value: object, notes: Notes) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        notes.add("menus", "a mapping from codes to choices is needed, like {E-005: retry}")
        return {}
    found = {}
    for code, choice in value.items():
        path = f"menus.{as_word(code)}"
        known = code == "default" or _CODE.fullmatch(str(code))
        if not known:
            notes.add(path, "a code like E-005 or ERR-INT-001, or default, is meant to stand here")
        elif not isinstance(choice, str) or not choice.strip():
            notes.add(path, f"{shown(choice)} is no choice")
        else:
            found[str(code)] = choice
    return found


def _mishaps(path: str, value: object, notes: Notes) -> tuple[Mishap, ...]:
    found = (mishaps.read(where, item, notes) for where, item in notes.items(path, value))
    return tuple(mishap for mishap in found if mishap is not None)
