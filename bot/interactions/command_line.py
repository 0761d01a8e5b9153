"""The command line of `/roundtable` and of a mention, read: what a person meant. Pure."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias, get_args

from bot.views.kit.wording import WORDING
from bot.views.start import TITLE_CHARS_MAX
from core import patterns
from core.domain.ids import DEPTHS, EXPORTS, Depth, Export
from core.domain.session.course import Mode
from core.secrets import has_secret, redact
from core.taxonomy.catalogue import CATALOGUE, Code

MODES: Final[tuple[Mode, ...]] = ("party", "classic")
WORD_CHARS_MAX: Final = 40  # of a wrong word that is read back

Name = Literal[
    "analyze", "discover", "resume", "status", "catchup", "why", "list", "cancel", "delete",
    "depth", "export", "repository", "brain", "enrich", "help", "hello",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    name: Name
    slug: str | None = None
    title: str = ""
    text: str = ""
    depth: Depth | None = None
    mode: Mode = ""
    errors: bool = False
    yes: bool = False
    wanted: Export = "zip"
    ref: str = ""  # the name of a line: FR-001; of a repository
    script_only: bool = False


@dataclass(frozen=True, slots=True)
class BadCommand:
    """`fault` names it in one line. It quotes what was typed: show it as plain text only."""

    fault: str
    code: Code | None = None  # where the catalogue has the words


Parsed: TypeAlias = Command | BadCommand

SUBCOMMANDS: Final = frozenset(get_args(Name)) - {"hello"}
STARTS: Final[frozenset[Name]] = frozenset(("analyze", "discover"))
GREETINGS: Final = frozenset(("hi", "hello", "hey", "hiya", "howdy", "morning", "thanks", "thx"))
_QUOTES: Final = "\"'“”„‟‘’‚«»"
_FLAG: Final = patterns.compile(r"(?:--|[—–―])([A-Za-z][\w-]*)(?:=(\S*))?")
_VALUE: Final = r"(?P<value>[^\s—–―-]\S*|-(?:[^\s-]\S*)?)"  # no flag
_HEAD: Final = patterns.compile(rf"{_FLAG.pattern}(?:\s+{_VALUE}\s*|\s+|$)")
_TAIL: Final = patterns.compile(rf"(?:^|\s){_FLAG.pattern}(?:\s+{_VALUE})?\s*$")
_DEPTH_WORDS: Final = ", ".join(DEPTHS[:-1]) + f" or {DEPTHS[-1]}"


def parse(line: str) -> Parsed:
    """Phones turn `--` into a dash and quotes into curly ones: both are taken.

    A title with a credential is refused where it is to be stored; any other line that holds one is
    refused here, whole: its words are cut and read back, and half a credential is not recognised.
    """
    command = _parsed(line)
    starts = isinstance(command, Command) and command.name in STARTS
    return command if starts or not has_secret(line) else BadCommand(WORDING.credential_typed)


def _parsed(line: str) -> Parsed:
    word, arguments = (*line.split(maxsplit=1), "", "")[:2]
    if not word:
        return Command("help")
    if word.lower().strip("!.,:)") in GREETINGS:
        return Command("hello")
    parser = _PARSERS.get(word.lower())
    if parser is None:
        return BadCommand(f"There is no subcommand “{shortened(word)}”.")
    return parser(arguments.strip())


def _started(name: Name, modes: Collection[Mode], arguments: str) -> Parsed:
    text, flags = _peeled(arguments)
    chosen = [mode for mode in modes if mode in flags]
    if len(chosen) > 1:
        return BadCommand(CATALOGUE["E-009"].message or "", code="E-009")
    if fault := _flag_fault(flags, ("depth", "script", *modes)):
        return fault
    depth = _depth_named(flags["depth"]) if "depth" in flags else None
    if isinstance(depth, BadCommand):
        return depth
    text = _unquoted(text)
    if not text:
        return BadCommand("The title is missing.")
    mode = chosen[0] if chosen else ""
    title, is_script = title_of(text), "script" in flags
    return Command(name, title=title, text=text, depth=depth, mode=mode, script_only=is_script)


def _on_session(name: Name, *switches: str, words_max: int = 1) -> Callable[[str], Parsed]:
    """A parser for `name [slug]` with flags that are either there or not."""

    def parser(arguments: str) -> Parsed:
        words, flags = _words(arguments)
        slug = _slug(words)
        command = Command(name, slug=slug, errors="errors" in flags, yes="yes" in flags)
        return _flag_fault(flags, switches) or _too_many(words, words_max) or command

    return parser


def _depth(arguments: str) -> Parsed:
    words, flags = _words(arguments)
    if fault := _flag_fault(flags, ()) or _too_many(words, 1):
        return fault
    depth = _depth_named(words[0] if words else None)
    return depth if isinstance(depth, BadCommand) else Command("depth", depth=depth)


def _export(arguments: str) -> Parsed:
    text, flags = _peeled(arguments)
    words = text.split()
    wanted = _export_named(flags["format"]) if "format" in flags else "zip"
    if fault := _flag_fault(flags, ("format",)) or _too_many(words, 1):
        return fault
    if isinstance(wanted, BadCommand):
        return wanted
    return Command("export", slug=_slug(words), wanted=wanted)


def _why(arguments: str) -> Parsed:
    """`why FR-001`, `why fr 1`, `why FR-001 some-slug` and `why the export button` are taken."""
    words, flags = _words(arguments)
    if len(words) > 1 and words[0].isalpha() and words[1].isdecimal():
        words = [f"{words[0]}-{words[1]}", *words[2:]]
    is_name = bool(words) and any(sign.isdigit() for sign in words[0])
    if fault := _flag_fault(flags, ()) or (_too_many(words, 2) if is_name else None):
        return fault
    if words and not is_name:
        return Command("why", ref=_unquoted(" ".join(words)).rstrip(".?!,"))
    if not words:
        return BadCommand("The id is missing: FR-001, US-002, NFR-001 or ADR-001, as in a file.")
    return Command("why", slug=_slug(words[1:]), ref=_unquoted(words[0]).rstrip(".?!,"))


def _repository(arguments: str) -> Parsed:
    words, flags = _words(arguments)
    if fault := _flag_fault(flags, ()) or _too_many(words, 2):
        return fault
    if not words:
        return BadCommand("The repository's name is missing, or none.")
    return Command("repository", slug=_slug(words[1:]), ref=_unquoted(words[0]).lower())


_PARSERS: Final[Mapping[str, Callable[[str], Parsed]]] = {
    "analyze": partial(_started, "analyze", ()),
    "analyse": partial(_started, "analyze", ()),
    "discover": partial(_started, "discover", MODES),
    "resume": _on_session("resume"),
    "status": _on_session("status", "errors"),
    "catchup": _on_session("catchup"),
    "why": _why,
    "list": _on_session("list", words_max=0),
    "cancel": _on_session("cancel", "yes"),
    "delete": _on_session("delete", "yes"),
    "depth": _depth,
    "export": _export,
    "repository": _repository,
    "brain": _on_session("brain"),
    "enrich": _on_session("enrich"),
    "help": lambda _rest: Command("help"),
}


def title_of(text: str) -> str:
    """The first line, cut at a word where it is too long for a title."""
    first = next(line.strip() for line in text.splitlines() if line.strip())
    first = " ".join(first.split())
    if len(first) <= TITLE_CHARS_MAX:
        return first
    room = first[: TITLE_CHARS_MAX - 1]
    cut = room if first[len(room)] == " " or " " not in room else room[: room.rindex(" ")]
    return cut.rstrip() + "…"


Flags: TypeAlias = dict[str, str | None]


def _peeled(arguments: str) -> tuple[str, Flags]:
    """Flags before and after a free text. One in the midst of it belongs to the text."""
    flags: Flags = {}
    while match := _HEAD.match(arguments):
        flags[match[1].lower()], end = _flag_value(match)
        arguments = arguments[end:].lstrip()
    while match := _TAIL.search(arguments):
        value, end = _flag_value(match)
        if end < len(arguments.rstrip()):
            break  # a word follows that is no value of it
        flags.setdefault(match[1].lower(), value)
        arguments = arguments[: match.start()].rstrip()
    return arguments.strip(), flags


_WITH_VALUE: Final = frozenset({"depth", "format"})


def _flag_value(match: patterns.Match) -> tuple[str | None, int]:
    """The value of a flag, and where what belongs to it ends."""
    if match[2] is not None:
        return match[2], match.end(2)
    if match[1].lower() in _WITH_VALUE and match["value"] is not None:
        return match["value"], match.end("value")
    return None, match.end(1)


def _words(arguments: str) -> tuple[list[str], Flags]:
    words, flags = [], Flags()
    for word in arguments.split():
        match = _FLAG.fullmatch(word)
        if match is None:
            words.append(word)
        else:
            flags[match[1].lower()] = match[2]
    return words, flags


def _flag_fault(flags: Iterable[str], allowed: Collection[str]) -> BadCommand | None:
    unknown = next((flag for flag in flags if flag not in allowed), None)
    return None if unknown is None else BadCommand(f"There is no flag --{shortened(unknown)} here.")


def _too_many(words: list[str], most: int) -> BadCommand | None:
    if len(words) <= most:
        return None
    return BadCommand(f"“{shortened(words[most])}” is one word too many.")


def _slug(words: list[str]) -> str | None:
    return _unquoted(words[0]).lower() if words else None


def _depth_named(word: str | None) -> Depth | BadCommand:
    if not word:
        return BadCommand(f"The depth is missing: {_DEPTH_WORDS}.")
    wanted = _unquoted(word).lower()
    depth = next((depth for depth in DEPTHS if depth == wanted), None)
    return depth or BadCommand(f"“{shortened(word)}” is no depth: it is {_DEPTH_WORDS}.")


_EXPORT_WORDS: Final = f"{', '.join(EXPORTS)} or all"
_EXPORT_NAMES: Final[Mapping[str, Export]] = {
    **{wanted: wanted for wanted in EXPORTS}, "all": "all", "md": "markdown",
}  # fmt: skip


def _export_named(word: str | None) -> Export | BadCommand:
    if not word:
        return BadCommand(f"The format is missing: {_EXPORT_WORDS}.")
    export = _EXPORT_NAMES.get(_unquoted(word).lower())
    return export or BadCommand(f"“{shortened(word)}” is no format: it is {_EXPORT_WORDS}.")


def _unquoted(text: str) -> str:
    inner = text.strip()
    if len(inner) > 1 and inner[0] in _QUOTES and inner[-1] in _QUOTES:
        return inner[1:-1].strip()
    return inner


def shortened(word: str) -> str:
    """A word to read back: without a credential first, then cut."""
    word = redact(word)
    return word if len(word) <= WORD_CHARS_MAX else word[: WORD_CHARS_MAX - 1] + "…"
