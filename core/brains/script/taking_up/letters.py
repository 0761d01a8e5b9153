"""Which of the options with letters a line takes: "yep. A", "well that's that, C."."""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import choices, choosing, verbs
from core.brains.script.taking_up.forms import Choice, LineContext, objects
from core.brains.script.taking_up.options import called

OPTIONS_MIN: Final = 2
_ROWS: Final = lexicon.table("evidence")["letters"]
_SO: Final = lexicon.compiled(_ROWS["so"])
_BACK: Final = lexicon.compiled(_ROWS["back"])
_ALONE, _OPENS = (lexicon.compiled(f"^{_ROWS['lead']}{_ROWS[row]}") for row in ("alone", "opens"))


def lettered(line: str, context: LineContext) -> Choice | None:
    """The one option that a line names by its letter alone, or behind "so" by words of its own.

    Its author chooses it, whoever put it; not with a question, and not where it is taken back.
    """
    options = [option for option in context.live if option.is_lettered]
    if len(options) < OPTIONS_MIN or line.rstrip().endswith("?"):
        return None
    back = _BACK.match(context.goes_on)
    if back and (not back["name"] or back["name"].isupper()):
        return None
    letter = letter_alone(line) or _without_other(line)
    names = (letter,) if letter else _things_in(line)
    taken_options = next(filter(None, (called(name, options) for name in names)), ())
    return (
        Choice(taken_options[0].name, choices.reason_in(line)) if len(taken_options) == 1 else None
    )


def letter_alone(line: str) -> str:
    """The letter that a line takes, and says nothing else: "ok, B wins"."""
    return _letter_in(_ALONE, line)


def letter_with_reason(line: str) -> str:
    """The letter that opens a line: "B. dry before cheap". It may also be what it speaks of."""
    return _letter_in(_OPENS, line) if choosing.is_plain(line, line) else ""


def _letter_in(form: patterns.Pattern, line: str) -> str:
    """The capital letter of an option; a small one may be a word."""
    match = form.match(line)
    return str(match["name"]) if match and match["name"].isupper() else ""


def _without_other(line: str) -> str:
    """ "C. B is too dear": the letter that opens a line, which goes on with what another one is."""
    letter = _letter_in(_OPENS, line)
    rest = line.partition(f"{letter}. ")[2] if letter else ""
    is_of_other = rest[1:2] == " " and rest[:1] in "BCDE" and rest[:1] != letter
    return letter if is_of_other and objects(rest) else ""


def _things_in(line: str) -> tuple[str, ...]:
    """What stands behind "so", also without the name of somebody at its end."""
    match = _SO.search(line)
    if not match or verbs.told_by(match["a"]) or choosing.is_unsure(line[: match.start()]):
        return ()
    thing, _, name = str(match["a"]).rpartition(" ")
    things = (match["a"], thing) if name[:1].isupper() else (match["a"],)
    return tuple(thing for thing in things if " " in thing)  # "so cheap" names none
