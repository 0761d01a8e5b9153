"""What a value in a file may be, whichever file it stands in; and how a wrong one is shown."""

import reprlib
from pathlib import PurePosixPath
from typing import Final

from core import patterns
from core.domain.brief import QUESTION_ENDS
from core.domain.ids import PhaseKey, StepId
from core.domain.steps.playbook import StepFault
from core.taxonomy.catalogue import Code, shown

TITLE_CHARS_MAX: Final = 60
OUTPUT_CHARS_MAX: Final = 100
OUTPUT_BYTES_MAX: Final = 200  # file systems allow 255, and a temporary name is longer
STEP_ID_CHARS: Final = len("01-02")
SHORT_CHARS_MAX: Final = 200
VALUE_CHARS_MAX: Final = 80
RESERVED_NAMES: Final = frozenset({"meta.json", "state.json", "reports"})  # ours, in every folder

_PHASE_KEY: Final = patterns.compile(r"[0-9]{2}-[^/\\]+")
_PERSONA_KEY: Final = patterns.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_UNSAFE_IN_A_NAME: Final = ("/", "\\", ":")
_UNSAFE_AT_AN_END: Final = (".", " ")
_NUMBER: Final = patterns.compile(r"[0-9]{2}(?=-|$)")
_BREAKS_A_LINE: Final = (
    ("\x00", "\x1f"),
    ("\x7f", "\x9f"),
    ("\u2028", "\u2029"),
    ("\ud800", "\udfff"),
)


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_list(value: object) -> bool:
    return isinstance(value, list)


def is_step_id(value: object) -> bool:
    """True for two digits, a hyphen and two digits."""
    if not isinstance(value, str) or len(value) != STEP_ID_CHARS or not value.isascii():
        return False
    return value[2] == "-" and value[:2].isdigit() and value[3:].isdigit()


def is_phase_key(value: object) -> bool:
    """True if `value` can be a phase: `NN-name`, a directory's name that can be shown."""
    return (
        isinstance(value, str)
        and len(value) <= OUTPUT_CHARS_MAX
        and value.isprintable()
        and _PHASE_KEY.fullmatch(value) is not None
    )


def is_line(value: object, chars_max: int) -> bool:
    """True if `value` is text that can stand in one line."""
    if not isinstance(value, str):
        return False
    text = value.strip()
    breaks = not text.isprintable() and any(map(_breaks_a_line, text))
    return 1 <= len(text) <= chars_max and not breaks


def is_output_name(value: object) -> bool:
    """True if `value` is a plain file name that stays in its folder on every system."""
    return (
        isinstance(value, str)
        and 1 <= len(value) <= OUTPUT_CHARS_MAX
        and value.isprintable()
        and len(value.encode()) <= OUTPUT_BYTES_MAX
        and not any(sign in value for sign in _UNSAFE_IN_A_NAME)
        and not value.startswith(_UNSAFE_AT_AN_END)
        and not value.endswith(_UNSAFE_AT_AN_END)
        and value.casefold() not in RESERVED_NAMES
    )


def is_plain_file(value: object) -> bool:
    """True if `value` is the name of one file: no `*`, which outputs of steps may have."""
    return is_output_name(value) and "*" not in str(value)


def is_question(value: object) -> bool:
    """True if `value` is one line that ends in a question mark."""
    return is_line(value, SHORT_CHARS_MAX) and str(value).rstrip().endswith(QUESTION_ENDS)


def is_key(value: object) -> bool:
    """True if `value` can be the key of a persona: small letters, digits, hyphens, at most 40."""
    return isinstance(value, str) and _PERSONA_KEY.fullmatch(value) is not None


def step_id_of_place(phase: PhaseKey, file: str) -> StepId:
    """The id that a file's place asks for: "01-03" for 01-*/03-*.md. Else the file's stem."""
    stem = PurePosixPath(file).stem
    pair = [number[0] for part in (phase, stem) if (number := _NUMBER.match(part))]
    return StepId("-".join(pair) if len(pair) == 2 else stem)


def label_of(phase: str) -> str:
    """A label made from a directory's name: `05-data-model` is Data Model."""
    number = _NUMBER.match(phase)
    name = phase[3:] if number and phase[2:3] else phase
    words = name.replace("_", "-").split("-")
    return " ".join(word[:1].upper() + word[1:] for word in words if word) or phase


# ── values as they are shown ───────────────────────────────────────────────────────────────────


def missing_field(file: str, name: str) -> StepFault:
    message = shown("ERR-STEP-005", filename=file, field_name=name)
    return StepFault("ERR-STEP-005", file, message, field=name)


def invalid_value(file: str, name: str, value: object, *, hint: str | None = None) -> StepFault:
    written = value_shown(value)
    message = shown("ERR-STEP-006", filename=file, field_name=name, value=written)
    return StepFault("ERR-STEP-006", file, message, field=name, value=written, hint=hint)


def file_fault(code: Code, file: str, hint: str | None = None) -> StepFault:
    """A fault of a file as a whole: it cannot be read, or has no front matter to speak of."""
    return StepFault(code, file, shown(code, filename=file), hint=hint)


def value_shown(value: object) -> str:
    """`value` in one short line, whatever it is and however large."""
    text = value if isinstance(value, str) else written(value)
    if len(text) > VALUE_CHARS_MAX:
        text = text[: VALUE_CHARS_MAX - 1] + "…"
    if text.isprintable():  # nearly every value, and none of the signs below
        return text
    return "".join(" " if _breaks_a_line(sign) else sign for sign in text)


def _breaks_a_line(sign: str) -> bool:
    return any(first <= sign <= last for first, last in _BREAKS_A_LINE)


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxdict, self.maxset = 3, 6, 6, 6
        self.maxstring = self.maxother = OUTPUT_CHARS_MAX


_SHORT: Final = _Short()


def written(value: object) -> str:
    """`value` as Python writes it; of what is nested the first few."""
    try:
        nested = isinstance(value, list | dict | tuple | set | bytes)
        return _SHORT.repr(value) if nested else str(value)
    except ValueError:  # an integer of thousands of digits has no decimal form
        return "a very large number"
