"""A trial: an attempt, then what is seen. "Renew it a third time, refused"; "I'd compare the two".

Its forms are rows of `steps/brains/evidence.yaml`. A clause that only could be an attempt is one
where a clause behind it tells a verdict.
"""

from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.reply_forms import acts_at_head
from core.brains.script import evidence
from core.brains.script.parts import signs, verbs
from core.brains.script.parts.phrases import is_short, on_one_line, story_in
from core.brains.text.labels import WORDS_OF_LABEL, label_of
from core.brains.text.questions import Fragment
from core.brains.text.tables import CELL_END

CLAUSES_OF_A_THING_MIN: Final = 3  # "prescription of day 1, slot on day 29, refused"
_ROWS: Final = lexicon.table("evidence")["trial"]
_BETWEEN: Final = lexicon.compiled(_ROWS["between"])
_BY_SOMEBODY: Final = lexicon.compiled(_ROWS["by-somebody"])
_VERDICT: Final = lexicon.compiled(_ROWS["verdict"])
_WAY_TO_SEE: Final = lexicon.compiled(
    _ROWS["way-to-see"], unless=lambda match: match.after.rstrip(".! ").endswith(" first")
)
_OPENS_WITH_NAME: Final = lexicon.compiled(_ROWS["opens-with-name"])
_NAME: Final = lexicon.compiled(_ROWS["name"])
_ASKS_HOW_SEEN: Final = lexicon.compiled(lexicon.table("evidence")["asks-how-seen"])
WOULD_RATHER: Final = frozenset(_ROWS["would-rather"].split())
_WOULD_TRY: Final = lexicon.compiled(
    _ROWS["would-try"], unless=lambda match: match["verb"].casefold() in WOULD_RATHER
)
_SEES: Final = lexicon.compiled(_ROWS["sees"])
_ATTEMPTS: Final = frozenset(_ROWS["attempts"].split())
_HAS_TO_BE: Final = lexicon.compiled(_ROWS["has-to-be"])
_TRIES: Final = lexicon.compiled(_ROWS["tries"])
_FOLLOWS: Final = lexicon.compiled(_ROWS["follows"])
_COMMAND: Final = lexicon.compiled(_ROWS["command"])
_FOR_A_LINE: Final = lexicon.compiled(
    _ROWS["for-a-line"], unless=lambda match: match["verb"].casefold() in WOULD_RATHER
)
_INSIDE: Final = patterns.compile(
    rf"(?:\s*(?:[(;,–—→]|->)|\s-)\s*(?P<check>(?:{WORDS_OF_LABEL['acceptance']})\s*:\s+[^\s)].*)",
    patterns.IGNORECASE,
)
_RUNS_ON: Final = lexicon.compiled(_ROWS["runs-on"])
_ENDS_IN_SEEING: Final = lexicon.compiled(_ROWS["ends-in-seeing"])
_RUNS_OFF: Final = lexicon.compiled(
    _ROWS["runs-off"], unless=lambda match: bool(_ENDS_IN_SEEING.search(match.before))
)
_LEADS_ON: Final = lexicon.compiled(_ROWS["leads-on"])
_OPENS: Final = lexicon.compiled(_ROWS["opens"])
_INSPECTS: Final = lexicon.compiled(_ROWS["inspects"])
_NO_ATTEMPT: Final = lexicon.compiled([_ROWS["no-attempt"], lexicon.table("evidence")["habit"]])
_BREAKS: Final = lexicon.compiled(_ROWS["breaks"])
_SET_UP: Final = lexicon.compiled(_ROWS["set-up"])
_GOES_LIVE: Final = lexicon.pattern("goes-live")
_APART: Final = lexicon.compiled(_ROWS["apart"])
_COMES_OF_IT: Final = lexicon.compiled(_ROWS["comes-of-it"])
_LABELLED: Final = lexicon.compiled(_ROWS["labelled"])
_NAME_ACTS: Final = patterns.compile(r"[A-Z][a-z]+ [a-z]+s ")
_HOLDS: Final = lexicon.compiled(["{says-must}", r"\balways\b"])
_REFUSES: Final = patterns.compile(r"(?:no|without)\b", patterns.IGNORECASE)


def is_trial(text: str) -> bool:
    """True for an attempt with a verdict: "buy, offer an hour later, refused"."""
    if not is_short(text):
        return False
    line = on_one_line(text)
    if of_line := _FOR_A_LINE.match(line):
        return _is_tried_for(of_line)
    name = _NAME.match(line)
    line = line[name.end() :] if name else line
    first, *later = _BETWEEN.split(line)
    if command := _COMMAND.match(line):
        return bool(command["shows"] or any(map(_FOLLOWS.match, tails(line))))
    if not any(_VERDICT.search(clause) for clause in later):
        return False
    if _BY_SOMEBODY.match(first):
        return verbs.told_by(first) != "did"
    if verbs.is_command(first) or first.casefold() in verbs.VERBS:
        return True
    is_thing = not (verbs.told_by(first) or _REFUSES.match(first) or _HOLDS.search(line))
    return is_thing and len(later) + 1 >= CLAUSES_OF_A_THING_MIN


def _is_tried_for(match: patterns.Match) -> bool:
    """ "For (b) I click, then look": the line is named; else it takes what is seen, too."""
    clauses = tails(match["try"])
    is_seen = bool(clauses) if match["label"] else any(map(_SEES.match, clauses))
    return is_seen and verbs.told_by(match["try"]) != "did"


def is_tried(text: str) -> bool:
    """True for what somebody would do and then see: "I'd push it and expect red"."""
    line = on_one_line(text)
    if not is_short(line) or _GOES_LIVE.search(line):
        return False
    would = _WOULD_TRY.match(line)
    ends = tails(line)
    if would and would["person"] and any(map(_SEES.match, ends)):
        return True
    if would and would["verb"].casefold() in _ATTEMPTS and any(map(_HAS_TO_BE.match, ends)):
        return True
    return bool(_TRIES.match(line)) and any(map(_FOLLOWS.match, ends))


def is_inspected(text: str, *, by_name: bool = False) -> bool:
    """True for an act, then a look at it: "I set it to 5 and look whether it says so".

    `by_name`: somebody called by name may do it: "Carol opens the CSV and looks for the one".
    """
    before, behind = _parted(text, _INSPECTS)
    if not behind:
        return False
    does = any(acts_at_head(act) or _WOULD_TRY.match(act) or _BREAKS.search(act) for act in before)
    return does or (by_name and bool(_NAME_ACTS.match(before[0])))


def is_broken(text: str) -> bool:
    """True for a disturbance and what comes of it: "kill the worker, must be on that list"."""
    before, behind = _parted(text, _COMES_OF_IT)
    return len(behind) == 1 and bool(_BREAKS.search(before[0]))


def is_chain(text: str) -> bool:
    """True for acts, or what they are tried on, in a row, and what comes of them: "start 5000, flip
    it, nothing moves"; "2 tenants, query without a filter, 0 foreign rows"."""
    before, behind = _parted(text, _COMES_OF_IT)
    is_row = len(behind) == 1 and len(before) + 1 >= CLAUSES_OF_A_THING_MIN
    return is_row and (acts_at_head(before[0]) or bool(_SET_UP.match(_behind_lead(text))))


def is_set_up(text: str) -> bool:
    """True for a chain that opens with what it is tried on: "2 tenants, …"."""
    return is_chain(text) and bool(_SET_UP.match(_behind_lead(text)))


def is_labelled(text: str) -> bool:
    """True for "easy to see: throttle it, and count the bytes"."""
    return is_short(text) and bool(_LABELLED.match(on_one_line(text)))


def _parted(text: str, ends: patterns.Pattern) -> tuple[list[str], list[str]]:
    """The clauses before the one that `ends` finds, and the others; nothing where none is tried."""
    if (
        not is_short(text)
        or _GOES_LIVE.search(text)
        or signs.is_question(text)
        or story_in(text) is not None
    ):
        return [], []
    clauses = [clause for clause in _APART.split(_behind_lead(text)) if clause]
    at = next((at for at, clause in enumerate(clauses) if at and ends.match(clause)), 0)
    before = clauses[:at]
    if any(map(_NO_ATTEMPT.search, before)) or verbs.told_by(" ".join(before[:1])) == "did":
        return [], []
    return before, clauses[at:] if at else []


def _behind_lead(text: str) -> str:
    """A line without what leads to its trial: "3 is easy, …", "for 3 …"."""
    return _OPENS.sub("", evidence.meant(text))


def tails(line: str) -> list[str]:
    """What stands behind each clause of a line."""
    return [line[match.end() :] for match in _BETWEEN.finditer(line)]


def is_way_to_see(text: str) -> bool:
    """True for what somebody would do to see it: "I'd compare it with the paper list"."""
    return is_short(text) and bool(_WAY_TO_SEE.match(on_one_line(text)))


def would_try(text: str) -> bool:
    """True for what somebody would do, where that can only be a trial: "I'd type it in twice"."""
    return is_short(text) and bool(_WOULD_TRY.match(on_one_line(text)))


def asks_how_seen(text: str) -> bool:
    """True for "how do we know?", which the next sentence answers."""
    return bool(_ASKS_HOW_SEEN.match(on_one_line(text)))


def check_apart(fragment: Fragment) -> list[Fragment]:
    """ "No third renewal (check: try it)": what is checked, then how; so in a row of a table."""
    if fragment.table == "row":
        return _cells_apart(fragment)
    if fragment.code or fragment.table:
        return [fragment]
    match = _INSIDE.search(fragment.text)
    if not match or not match.start():
        return [fragment]
    line, check = fragment.text[: match.start()], match["check"]
    closed = check[:-1] if check.endswith(")") and "(" not in check else check
    return [replace(fragment, text=line), replace(fragment, text=closed, opens=False)]


def _cells_apart(fragment: Fragment) -> list[Fragment]:
    """A row below "what | how we test it": what is asked for, and its check."""
    labels = [label_of(f"{name.strip()}: x")[0] for name in fragment.head.split("|")]
    cells = [cell.strip() for cell in fragment.text.split(CELL_END.strip())]
    if (
        labels not in (["", "acceptance"], ["requirement", "acceptance"])
        or len(cells) != len(labels)
        or not all(cells)
    ):
        return [fragment]
    line, check = (replace(fragment, text=cell, table="", head="") for cell in cells)
    return [replace(line, label="requirement"), replace(check, label="acceptance", opens=False)]


def tried_apart(fragment: Fragment) -> list[Fragment]:
    """ "No red in it and I'd show it to five and if one frowns it's wrong, but …" as three."""
    text = "" if fragment.code or fragment.table else fragment.text
    for match in _RUNS_ON.finditer(text):
        line, tail = text[: match.start()], text[match.end() :]
        is_story = story_in(line) is not None
        ends = [*(end.start() for end in _RUNS_OFF.finditer(tail)), len(tail)]
        check = next((tail[:end] for end in ends if _is_apart(tail[:end], is_story)), "")
        if check and (is_story or not _LEADS_ON.match(line)):
            text_behind = tail[len(check) :].strip(" ,")
            parts = (line, check, text_behind) if text_behind else (line, check)
            return [
                replace(fragment, text=part, opens=fragment.opens and not at)
                for at, part in enumerate(parts)
            ]
    return [fragment]


def _is_apart(check: str, is_story: bool) -> bool:
    return is_tried(check) or evidence.is_check(check) or (is_story and would_try(check))


def opens_with_name(text: str) -> bool:
    """True for a line that begins with what people call another one: "(c) …", "R5 - …"."""
    return bool(_OPENS_WITH_NAME.match(text))
