"""What a sentence takes, for what, why, and instead of what, in its own words.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts.phrases import Parts, is_short, on_one_line, trimmed
from core.brains.script.parts.things import named_in
from core.brains.script.parts.weighing import choices_in

_AREA: Final = lexicon.pattern("area")
_TAKES: Final = lexicon.pattern("takes-option", flags=patterns.IGNORECASE | patterns.DOTALL)
_IS: Final = lexicon.pattern("area-is", flags=patterns.IGNORECASE | patterns.DOTALL)
# "Postgres: we run it already" names no area.


def reason_in(text: str) -> str:
    """What stands after "because" and the like."""
    match = lexicon.pattern("why").search(on_one_line(text)) if is_short(text) else None
    return trimmed(match["reason"]) if match else ""


def chooses(text: str) -> bool:
    """True if a sentence says what is taken or turned down."""
    if not is_short(text):
        return False
    line = on_one_line(text)
    return bool(named_in(line) or _TAKES.search(line) or _IS.match(line) or choices_in(line))


def stack_in(text: str, choice: str = "chosen") -> list[Parts]:
    """The choice of a line with its area and reason, and what it was taken instead of."""
    if not is_short(text):
        return [{"choice": choice}]
    line = on_one_line(text)
    turned_down = [option for option in choices_in(line) if option["choice"] == "rejected"]
    takes = _TAKES.search(line)
    if takes and lexicon.pattern("takes-not").search(line[: takes.start()]):
        takes = None
    if turned_down and not takes:
        return [_with_area(option, line) for option in turned_down]
    area, option, why = _option(line, takes)
    named = {"area": area} if area else {}
    chosen = {"choice": choice, "option": gist(option)} | named | ({"reason": why} if why else {})
    others = lexicon.pattern("instead-of-it").search(option)
    pair = [chosen]
    if others and choice == "chosen":
        pair.append({"choice": "rejected", "option": trimmed(others["other"])} | named)
        if not option[: others.start()].strip():  # "Not AWS, …" takes nothing
            pair = pair[1:]
    return pair if area else [_with_area(parts, line) for parts in pair]


def _option(line: str, takes: patterns.Match | None) -> tuple[str, str, str]:
    """The area that a line names, what it says of it, and why."""
    if "|" in line and (name_and_text := named_in(line)):
        option, _, why = name_and_text[1].partition(" | ")
        return name_and_text[0], option, trimmed(why.replace("|", " "))
    if name_and_text := named_in(line):
        name, text = name_and_text
        speaks = lexicon.pattern("speaks-of-it").match(text)
        if speaks and not _AREA.search(name):
            return "", name, reason_in(text)
        return name, takes["option"] if speaks and takes else text, reason_in(line)
    if match := _IS.match(line):
        return match["area"], match["option"], reason_in(line)
    return "", takes["option"] if takes else line, reason_in(line)


def _with_area(parts: Parts, line: str) -> Parts:
    """The area that the line names beside the option itself."""
    match = _AREA.search(line.replace(parts["option"], " ", 1))
    return {**parts, "area": match[0]} if match else parts


def gist(text: str) -> str:
    """A choice without its reason, its rivals and what it is for."""
    return trimmed(lexicon.pattern("cut").sub("", text)) or trimmed(text)
