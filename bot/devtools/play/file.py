"""A play file, read. Every fault of it is found at once and said in plain words; nothing starts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import yaml
from pydantic_core import ErrorDetails

from bot.devtools.play.script import ACTS, MISHAPS, TOP_KEYS, Commands, Script, keys_of, kind_of
from bot.devtools.play.terms import is_count, shown
from core.content.models.validation import Flaw, in_file_order, validated
from core.content.models.validation import Path as Keys

BYTES_MAX: Final = 5_000_000
PEOPLE_MAX: Final = 50
NAME_CHARS_MAX: Final = 80
TAKEN_NAMES: Final = frozenset({"roundtable", "here", "channel", "everyone", "slackbot"})
START_NEEDED: Final = 'who starts, and how, is needed: {by: pm, command: "/roundtable analyze …"}'
MISSING: Final = {"start": START_NEEDED, "by": "who does it is missing"}


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


def _loaded(text: str) -> tuple[list[str], object]:
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return [], None
        faults = [
            _sentence(fault) for part in _nodes(node, set(), set()) for fault in _node_faults(part)
        ]
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
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                key.tag = "tag:yaml.org,2002:str"  # `5: x` and `yes: x` name nothing either


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


def _script(data: object) -> Script | list[Flaw]:
    """The script, or everything that is wrong with it in the order of the file."""
    if not isinstance(data, Mapping):
        what = "it is empty" if data is None else "it is not a mapping"
        return [Flaw((), data, f"a play has people, start and steps; {what}")]
    people, flaws = _people(data.get("people"))
    checked = validated(
        Script,
        {**data, "people": people},
        context={"people": people},
        words=lambda fault: _words(data, fault),
    )
    flaws += checked if isinstance(checked, tuple) else ()
    flaws += _number_flaws(data)
    if isinstance(checked, tuple) or flaws:
        return sorted(flaws, key=lambda flaw: in_file_order(data, flaw.path))
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
            known = ", ".join(_known_keys(data, path))
            return f"nothing of that name belongs here; known are {known}"
        case _:
            return None


def _known_keys(data: object, path: Keys) -> Sequence[str]:
    if len(path) == 1:
        return TOP_KEYS
    if path[0] == "start":
        return keys_of(Commands)
    for key in path[:-1]:
        data = data[key]  # type: ignore[index] # pydantic went the same way
    kinds = MISHAPS if path[0] == "before" else ACTS
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


def _people(value: object) -> tuple[tuple[str, ...], list[Flaw]]:
    if not isinstance(value, list) or not value:
        hint = "a list of at least one name is needed, like [pm, dev]"
        return (), [Flaw(("people",), value, hint)]
    flaws = []
    if len(value) > PEOPLE_MAX:
        flaws.append(Flaw(("people",), value, f"at most {PEOPLE_MAX} people take part"))
    names: list[str] = []
    for number, name in enumerate(value):
        if fault := _name_fault(name, names):
            flaws.append(Flaw(("people", number), name, fault))
        else:
            names.append(name)
    return tuple(names), flaws


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


def _number_flaws(data: Mapping[str, object]) -> Iterator[Flaw]:
    """An edit or a deletion speaks of a reply that came before it in the same list."""
    steps = data.get("steps")
    lists: list[tuple[Keys, object]] = [(("otherwise",), data.get("otherwise"))]
    if isinstance(steps, Mapping):
        lists += [(("steps", step), acts) for step, acts in steps.items()]
    for path, acts in lists:
        replies: dict[object, list[bool]] = {}  # by person: whether each reply still stands
        for number, act in enumerate(acts if isinstance(acts, list) else ()):
            if isinstance(act, Mapping) and isinstance(by := act.get("by"), str):
                yield from _number_flaw((*path, number), act, by, replies.setdefault(by, []))


def _number_flaw(
    path: Keys, act: Mapping[str, object], by: str, replies: list[bool]
) -> Iterator[Flaw]:
    verb = kind_of(act, ACTS) or ""
    reply = act.get(verb)
    if verb == "reply":
        replies.append(True)
    if verb not in ("edit", "delete") or not isinstance(reply, int) or not is_count(reply):
        return
    if reply > len(replies):
        yield Flaw((*path, verb), reply, f"{by} has no reply number {reply} before this")
    elif not replies[reply - 1]:
        yield Flaw((*path, verb), reply, f"{by}'s reply number {reply} is deleted before this")
    elif verb == "delete":
        replies[reply - 1] = False
