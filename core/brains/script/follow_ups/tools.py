"""Tools that a line names, and little else: "Go, Nakama, Postgres 16", "seven.io for the texts"."""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import choices, choosing, verbs

NAME_WORDS_MAX: Final = 2  # of a name and little else: "Ruby 3.3", "backend fastapi"
TOOL_WORDS_MAX: Final = 4  # of a tool without what it is for: "Postgres 16", "the Yubico library"
_ROWS: Final = lexicon.table("evidence")["tools"]
_CAPITAL: Final = patterns.compile(lexicon.expression(_ROWS["capital"]))
_SURE: Final = patterns.compile(lexicon.expression(_ROWS["sure"]))
_KNOWN: Final = lexicon.apart(
    [name for area in lexicon.table("council")["areas"].values() for name in area["known"]]
)
_NO_LIST, _BRACKETS, _REASON, _APART, _PURPOSE, _THING, _AS_NOW, _BESIDE, _NO_NAME = (
    lexicon.compiled(_ROWS[row])
    for row in (
        "no-list",
        "brackets",
        "reason",
        "apart",
        "purpose",
        "thing",
        "as-now",
        "beside",
        "no-name",
    )
)


def tools_in(line: str) -> str:
    """Two tools or more, or one with what it is for; nothing where more is said than that."""
    plain = _REASON.sub("", _BRACKETS.sub("", line))
    if _NO_LIST.search(plain):
        return ""
    parts = [part.strip().rstrip(".! ") for part in _APART.split(plain)]
    tools = [part for part in parts if _is_tool(part)]
    beside = [part for part in parts if part not in tools and _BESIDE.match(part)]
    is_enough = len(tools) > 1 or any(_says_more(tool) for tool in tools) or (tools and beside)
    if not is_enough or 2 * len(tools) <= len(parts) - len(beside):
        return ""
    stated = [part for part in parts if part not in beside]
    is_sure = any(_SURE.search(tool) or _KNOWN.search(tool) for tool in tools)
    if not is_sure or any(verbs.told_by(part) for part in stated):
        return ""
    if not all(choosing.is_plain(part, part) for part in stated):
        return ""
    return (tools[0] if len(tools) == 1 else choices.gist(plain)).strip().rstrip(".! ")


def names_in(line: str) -> str:
    """Names and nothing else, a known one among them: "kotlin, room, workmanager"."""
    parts = [part for part in _APART.split(line.rstrip(".! ")) if part.strip()]
    is_list = all(len(part.split()) <= NAME_WORDS_MAX for part in parts)
    is_open = _NO_LIST.search(line) or _NO_NAME.match(line) or verbs.told_by(line)
    is_sure = "`" in line or _KNOWN.search(line)
    return line.strip().rstrip(".! ") if is_list and is_sure and not is_open else ""


def _is_tool(part: str) -> bool:
    """True for a name, with a few words of its own and what it is for or through what."""
    thing = _THING.match(part)
    name = part[thing.end() :] if thing else part
    purpose = _PURPOSE.search(name)
    plain = _AS_NOW.sub("", name[: purpose.start()] if purpose else name)
    known_tool = _KNOWN.search(plain)
    is_named = bool(_CAPITAL.match(plain)) or bool(known_tool and not known_tool.start())
    return is_named and len(plain.split()) <= TOOL_WORDS_MAX


def _says_more(part: str) -> bool:
    return bool(_PURPOSE.search(part) or _THING.match(part) or _AS_NOW.search(part))
