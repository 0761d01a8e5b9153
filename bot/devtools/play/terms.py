"""What a value of a play file may be, and in plain words what is wrong with another one."""

import math
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, ValidationInfo

from core import patterns
from core.content.models.validation import fits, wrong
from core.content.models.values import is_text, value_shown

STEPS: Final = "steps"  # of the paths of a play, those that lead into the step tree
MENTION: Final = "@Roundtable"
PEOPLE_NEEDED: Final = "a list of at least one name is needed, like [pm, dev]"
PEOPLE_MAX: Final = 50
NAME_CHARS_MAX: Final = 80
TAKEN_NAMES: Final = frozenset({"roundtable", "here", "channel", "everyone", "slackbot"})
RETRY_AFTER_S_MAX: Final = 600.0
CLOCK_S_MAX: Final = 366 * 86_400.0
TIMES_MAX: Final = 1000

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_SPAN: Final = patterns.compile(r"\+?((?:\d+(?:\.\d+)?[smhd])+)")
_PART: Final = patterns.compile(r"(\d+(?:\.\d+)?)([smhd])")
_DRIVE: Final = patterns.compile(r"[A-Za-z]:")


def shown(value: object) -> str:
    """A value of the file in one short line."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value_shown(value)
    return f'"{text}"' if isinstance(value, str) else text


def said_of(is_good: Callable[[Any], bool], fault: str) -> BeforeValidator:
    """A validator whose fault begins with the value: `"x" is no choice`."""
    return BeforeValidator(lambda value: value if is_good(value) else said(value, fault))


def word(words: Sequence[str], fault: str) -> BeforeValidator:
    """A validator of one of these words; a number counts as it is written."""
    return BeforeValidator(lambda value: str(value) if str(value) in words else said(value, fault))


def said(value: object, fault: str) -> Any:
    """Refuse a value. Raises `PydanticCustomError` with our words."""
    raise wrong(f"{shown(value)} {fault}")


def like(pattern: str, fault: str) -> BeforeValidator:
    compiled = patterns.compile(pattern)
    return BeforeValidator(
        lambda value: str(value) if compiled.fullmatch(str(value)) else said(value, fault)
    )


def context_of(info: ValidationInfo) -> dict[str, Any]:
    """What was read so far: the `people`, and the `replies` of a list."""
    context: dict[str, Any] | None = info.context
    assert context is not None
    return context


def _name(value: object, info: ValidationInfo) -> object:
    """A name of `people`; those that are good can be spoken of further down."""
    names: list[str] = context_of(info).setdefault("people", [])
    if fault := _name_fault(value, names):
        raise wrong(fault)
    names.append(str(value))
    return value


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


def _few_people(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) <= PEOPLE_MAX:
        return names
    raise wrong(f"at most {PEOPLE_MAX} people take part")


def _person(value: object, info: ValidationInfo) -> object:
    people = context_of(info).get("people", ())
    if isinstance(value, str) and value in people:
        return value
    everybody = f"people are {', '.join(people)}" if people else "there are no people"
    raise wrong(f"{shown(value)} is nobody; {everybody}")


def _text(value: object) -> object:
    if isinstance(value, str):
        return value
    raise wrong(f"{shown(value)} is no text{'' if value is None else '; put it in quotes'}")


def _begins_a_command(line: str) -> str:
    if line.startswith(("/roundtable", MENTION)):
        return line
    raise wrong(f"it begins with /roundtable or with {MENTION}")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _count_reply(text: object, info: ValidationInfo) -> object:
    _replies(info).append(True)
    return text


def _edited_reply(number: int, info: ValidationInfo) -> int:
    """A reply that came before it in the same list, and is still there."""
    by, replies = info.data.get("by"), _replies(info)
    if by is not None and number > len(replies):
        raise wrong(f"{by} has no reply number {number} before this")
    if by is not None and not replies[number - 1]:
        raise wrong(f"{by}'s reply number {number} is deleted before this")
    return number


def _deleted_reply(number: int, info: ValidationInfo) -> int:
    if "by" in info.data:
        _replies(info)[number - 1] = False
    return number


def _replies(info: ValidationInfo) -> list[bool]:
    """Of the person who acts: whether each reply so far still stands."""
    replies: list[bool] = context_of(info)["replies"].setdefault(info.data.get("by"), [])
    return replies


def _few(times: int) -> int:
    if times <= TIMES_MAX:
        return times
    raise wrong(f"{TIMES_MAX} times are enough")


def _is_wait(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(float(value)) and 0 <= value <= RETRY_AFTER_S_MAX  # type: ignore[operator, arg-type] # it is a number here


def _seconds(value: object) -> float:
    span = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
    seconds = sum(
        float(number) * _UNITS[unit] for number, unit in _PART.findall(span[1] if span else "")
    )
    if span is None or seconds > CLOCK_S_MAX:
        raise wrong(f"{shown(value)} is no span like +90s, +5m, +2h or +1d, a year at most")
    return seconds


def _inside(value: object) -> str:
    """A relative path that leads out of nowhere: into the step tree or the artifact folder."""
    fault = None
    if not isinstance(value, str) or not value.strip():
        fault = f"{shown(value)} is no path"
    elif "\\" in value or not value.isprintable():
        fault = "folders are parted by /, and nothing unprintable stands in it"
    elif PurePosixPath(value).is_absolute() or _DRIVE.match(value):
        fault = "the path is absolute; it must be relative to the artifact folder or to steps/"
    elif ".." in PurePosixPath(value).parts:
        fault = "the path leads out of its folder (..)"
    elif PurePosixPath(value).parts in ((), (STEPS,)):
        fault = "it names the whole folder; name something inside of it"
    if fault is not None:
        raise wrong(fault)
    return str(PurePosixPath(str(value)))


def _anything_inside(value: object) -> str:
    return "." if value == "." else _inside(value)  # the artifact folder itself


def _file(path: str) -> str:
    if len(PurePosixPath(path).parts) == 1:
        return path
    raise wrong(f"{shown(path)} is no file of the artifact folder")


Person = Annotated[str, BeforeValidator(_person)]
Text = Annotated[str, BeforeValidator(_text)]
# The line end that YAML's | leaves is not sent.
Sent = Annotated[Text, AfterValidator(lambda text: text.rstrip("\n"))]
Line = Annotated[Text, AfterValidator(_begins_a_command)]
People = Annotated[
    tuple[Annotated[str, BeforeValidator(_name)], ...],
    fits(
        lambda value: isinstance(value, list) and bool(value),
        PEOPLE_NEEDED,
    ),
    AfterValidator(_few_people),
]
Count = Annotated[int, said_of(_is_count, "is no number from 1 on")]
EditedReply = Annotated[Count, AfterValidator(_edited_reply)]
DeletedReply = Annotated[EditedReply, AfterValidator(_deleted_reply)]
counted_reply: Final = BeforeValidator(_count_reply)
Times = Annotated[Count, AfterValidator(_few)]
Wait = Annotated[float, fits(_is_wait, f"seconds from 0 to {RETRY_AFTER_S_MAX:g} are needed")]
Seconds = Annotated[float, BeforeValidator(_seconds)]
InsidePath = Annotated[str, BeforeValidator(_inside)]
RemovedPath = Annotated[str, BeforeValidator(_anything_inside)]
FileName = Annotated[InsidePath, AfterValidator(_file)]
Choice = Annotated[
    str, said_of(lambda value: is_text(value) and bool(value.strip()), "is no choice")
]
Refuse = Annotated[str, word(("refuse",), "is not refuse")]
Fail = Annotated[str, word(("fail",), "is not fail")]
Kill = Annotated[str, word(("kill",), "is not kill")]
