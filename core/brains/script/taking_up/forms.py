"""What a line chooses, given what was said before it at its step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import choices, choosing, verbs
from core.brains.script.parts.phrases import on_one_line, trimmed
from core.brains.script.taking_up.options import PutOption, named_in
from core.brains.script.taking_up.options import called as options_called
from core.brains.text.wording import words_of
from core.domain.answers import Answer, Claim, LineRef
from core.domain.ids import AnswerId

OPTION_WORDS_MAX: Final = 10  # of the thing that a line takes; a longer one tells something
OWN_WORDS_MAX: Final = 20  # of a line that is given up
_OBJECTS: Final = lexicon.compiled(lexicon.table("evidence")["giving-in"]["objects"])
_ROWS: Final = lexicon.table("evidence")["taking-up"]
_FORMS: Final = {name: lexicon.compiled(row) for name, row in _ROWS.items() if name != "ordinals"}
_ARTICLES: Final = frozenset({"the", "a", "an", "der", "die", "das", "el", "la"})
_TOKEN: Final = patterns.compile(r"[0-9]+|[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class Choice:
    option: str
    reason: str = ""
    choice: str = "chosen"
    supersedes: tuple[LineRef, ...] = ()


@dataclass(frozen=True, slots=True)
class LineContext:
    """What a line comes after: the answers of others, and the lines that were read so far."""

    others: Sequence[Answer]  # the newest last, those that it may take up
    own: Sequence[Claim]  # of its author
    question: str  # right before it; empty where something else is
    options: Sequence[PutOption]
    put_them: bool  # its author the options, at this step
    lead: str  # what its answer says before it, if that is short
    answer: AnswerId
    live: Sequence[PutOption] = ()  # put at its step, or at an earlier one that asks for options
    goes_on: str = ""  # what its answer says behind it
    weighed: Sequence[str] = ()  # lines of which was asked before what else they could have been
    is_reply: bool = False  # of the answer right behind such a question


Form = Callable[[str, LineContext], Choice | None]


def used(line: str, context: LineContext) -> Choice | None:
    """ "We use Redis", where Redis was put as an option beside another."""
    match = _FORMS["uses"].match(line)
    option = choices.gist(match["a"]) if match else ""
    if not choosing.is_plain(line, option) or not named_in(option, context.options):
        return None
    return Choice(option, choices.reason_in(line))


def called(line: str, context: LineContext) -> Choice | None:
    """ "Agreed to 1, if …"; "my vote is the second"; "A + C." of somebody who put the options."""
    forms = (
        "agreed-to",
        "votes",
        "names-then",
        "names-it",
        *(("names-alone",) if context.put_them else ()),
    )
    matches = (_FORMS[form].match(line) for form in forms)
    option_groups = (options_called(match["names"], context.options) for match in matches if match)
    options = next(filter(None, option_groups), ())
    if not options or line.rstrip().endswith("?") or len(context.options) == len(options):
        return None
    return Choice(" + ".join(option.name for option in options), choices.reason_in(line))


def assented(line: str, context: LineContext) -> Choice | None:
    """ "Deal. EU plugs", "no: a table of its own", "good one, yes: only for guests"."""
    option, turns = _assented_option(line, context)
    if not _is_thing(option):
        return None
    own = next((claim for claim in reversed(context.own) if share(claim.text, option)), None)
    spoken = any(share(answer.text, option) for answer in context.others)
    if not spoken and not (turns and own):
        return None
    is_other = turns and own and on_one_line(own.text) not in line
    return Choice(
        option, supersedes=(LineRef(own.sources[0], own.text),) if own and is_other else ()
    )


def _assented_option(line: str, context: LineContext) -> tuple[str, bool]:
    """What a line takes, and whether it turns from something of its author's own."""
    for name in ("then", "names", "corrects"):
        if match := _FORMS[name].match(line):
            return _plain_option(line, match), bool(match["no"])
    match = _FORMS["agrees"].match(line)
    if match and context.others and _is_proposed(context.others[-1].text):
        return _plain_option(line, match), False
    return "", False


def _plain_option(line: str, match: patterns.Match) -> str:
    count = match.groupdict().get("count")
    option = trimmed(match["a"] or count or "")
    if count and (verbs.told_by(line) or _FORMS["no-count"].search(option)):
        return ""
    return option if choosing.is_plain(line, line) else ""


def _is_proposed(text: str) -> bool:
    """True for "only for beginners?", which proposes; not for "is it for beginners?"."""
    question = text.strip()
    return question.endswith("?") and not _FORMS["asks-what-is"].match(evidence.meant(question))


def answered(line: str, context: LineContext) -> Choice | None:
    """One of the two things that the question right before it asks about."""
    sides = _FORMS["asks-which"].search(context.question)
    option = trimmed(line.partition(",")[0])
    if not sides or not _is_side(option) or not choosing.is_plain(option, option):
        return None
    if asks_how_it_is(context.question):
        return None
    one, other = sides["one"], sides["other"]
    is_one, is_other = _opens_with(option, one), _opens_with(option, other)
    names_both = tokens_of(option) >= tokens_of(other if is_one else one)
    return Choice(option) if is_one != is_other and not names_both else None


def _opens_with(option: str, side: str) -> bool:
    """True if the option begins as one side ends: "… the pump or the lift?"."""
    words, name = option.casefold().split(), side.casefold().split()
    while words and words[0] in _ARTICLES:
        words.pop(0)
    while name and name[0] in _ARTICLES:
        name.pop(0)
    for end in (name[at:] for at in range(len(name))):
        goes_on = " ".join(words[len(end) :])
        if words[: len(end)] == end and (not goes_on or _FORMS["goes-on-as-thing"].match(goes_on)):
            return True
    return False


def in_order(line: str, context: LineContext) -> Choice | None:
    """ "First the north, then the south"; "the north first", where it was spoken of."""
    if not choosing.is_plain(line, line):
        return None
    is_staged = _FORMS["in-stages"].search(line)
    supersedes = given_up(contested_lines(context))
    if is_staged or any(_FORMS[name].match(line) for name in ("in-order", "in-turn", "starts")):
        return Choice(trimmed(line), supersedes=supersedes)
    match = _FORMS["is-first"].match(line)
    spoken = [answer.text for answer in context.others] + [claim.text for claim in context.own]
    if match and any(share(text, match["a"]) for text in spoken):
        return Choice(trimmed(match["a"]), supersedes=supersedes)
    return None


def objection_in(context: LineContext) -> str:
    """What somebody else has just said against something; empty where nobody has."""
    text = context.others[-1].text if context.others else ""
    return text if objects(text) else ""


def objects(text: str) -> bool:
    return bool(_OBJECTS.search(text))


def contested_lines(context: LineContext) -> list[Claim]:
    """The lines of its author's own of which the objection right before speaks."""
    objection = objection_in(context)
    return [line for line in own_lines(context) if objection and share(line.text, objection)]


def own_lines(context: LineContext) -> list[Claim]:
    """What its author has put in earlier answers and may give up."""
    return [
        line
        for line in context.own
        if line.kind not in ("note", "question", "check", "interface")
        and line.sources[:1] != (context.answer,)
        and len(line.text.split()) <= OWN_WORDS_MAX
    ]


def given_up(lines: Sequence[Claim]) -> tuple[LineRef, ...]:
    """The line that is given up; nothing where it may be one of several."""
    texts = dict.fromkeys((line.text, line.sources) for line in lines)
    return (LineRef(lines[0].sources[0], lines[0].text),) if len(texts) == 1 else ()


def prevailing(line: str) -> str:
    """What wins where two things differ: "the label wins"."""
    match = _FORMS["prevails"].match(line)
    return trimmed(match["a"]) if match and choosing.is_plain("", match["a"]) else ""


def names_winner(line: str) -> bool:
    """True if a line says anywhere that something wins: "if they differ, the label wins"."""
    return bool(_FORMS["names-winner"].search(line))


def rank_in(line: str) -> str:
    """A rank that a line gives to what was spoken of: "moved to must", "actually should, final"."""
    match = _FORMS["rank"].match(line)
    return str(match["rank"]).casefold().replace("’", "'") if match else ""


def is_lead(line: str) -> bool:
    """True for a sentence that only says yes or no: the next one goes on from it."""
    return bool(_FORMS["lead"].fullmatch(line))


def is_fragment(line: str) -> bool:
    """A few words without a verb, which say more of the choice before them."""
    return len(line.split()) <= FRAGMENT_WORDS_MAX and not verbs.told_by(line)


def limits(line: str) -> bool:
    """ "But only at night", "but sliced": how far the choice right before it holds."""
    return bool(_FORMS["limits-it"].match(line)) and not line.rstrip().endswith("?")


FRAGMENT_WORDS_MAX: Final = 4


def _is_side(option: str) -> bool:
    """True for a thing, and for a number: "40 or 60?" · "60"."""
    return _is_thing(option) or option.isdecimal()


def _is_thing(option: str) -> bool:
    if not option or len(option.split()) > OPTION_WORDS_MAX or evidence.is_aside(option):
        return False
    return verbs.told_by(option) == "" and not _FORMS["prevails"].match(option)


def share(text: str, option: str) -> bool:
    return bool(tokens_of(option) & tokens_of(text))


def tokens_of(text: str) -> frozenset[str]:
    """Its words, numbers and initials."""
    return words_of(text).union(_TOKEN.findall(text))


def asks_how_it_is(question: str) -> bool:
    """ "Is the barn dry or wet?": whoever answers tells, and chooses nothing."""
    return bool(_FORMS["asks-how-it-is"].match(question))
