"""What an answer to a follow-up looks like that shares no word with the line it is about.

A scene and what is seen there for a check, a thing and why not that one for an alternative, a
number, a unit, a person, a rank. What is plainly something else has no such form: what demands or
decides something, a label's line, a reply to what somebody else said or asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.differences import lexis
from core.brains.text import weights
from core.brains.text.filler import is_filler
from core.brains.text.wording import words_of
from core.domain.answers import Answer, Claim, ClaimKind, Claims
from core.domain.follow_ups import FollowUp, FollowUpKind

SHARED_WORDS_MIN: Final = 2
UNIT_WORDS_MAX: Final = 3  # of a reply that is nothing but what is counted
MEASURE_WORDS_MAX: Final = 5  # of one with another number than the one that was asked about
DIRECT_WORDS_MAX: Final = 14  # of a reply that needs no word of what it answers
CHECK_CHANCE_MIN: Final = 0.005  # that a reply is a check, by its words alone
CHECK_CHANCE_MIN_SEEN: Final = 0.002  # … of one that says what is seen
HARM: Final = lexicon.pattern("tells-harm")
WAY_TO_SEE: Final = lexicon.pattern("way-to-see")
_JOINS: Final = lexicon.listed("joins-clauses")
_PARTS: Final = patterns.compile(
    r"(?:[,.;:!=—→]|->)+(?:\s+|$)|\s+(?:->|→|=|and|but|und|aber|y|pero)\s+"
)
_SCENE: Final = patterns.compile(r"(?:[,;:=—→]|->)+(?:\s+|$)|\s+(?:->|→|=|and|und|y)\s+")
_ELSE: Final = lexicon.pattern("speaks-of-something-else")
_DEMANDS: Final = lexicon.pattern("demands-something")
_NO_TRIAL: Final = lexicon.compiled(
    [
        "{tells-of-before}",
        "{of-whatever}",
        "{does-habitually}",
        "{goes-live}",
        "{fails-then}",
        "{words-alone}",
    ]
)
_VERBS: Final = tuple(lexicon.table("evidence")["verbs"].split())
_NUMBER: Final = patterns.compile(r"[0-9]+")
_ASKS_AMOUNT: Final = lexicon.compiled(
    r"(?:[0-9]|\b{number-words}\b|\bhow (?:many|much|long|often)\b)[^.!?\n]*\?"
)
_COUNTED: Final = patterns.compile(r"[0-9]+|[^\W\d_]+")
_NO_ACT: Final = lexicon.listed("no-act")
# "I'd go with …", "I'd put that under …" are wishes.
_WOULD_RATHER: Final = frozenset((*lexicon.table("evidence")["would-rather"].split(), "put"))
_ACTS_OR_THINGS: Final = lexicon.listed("acts-or-things")
_ACTED_ON: Final = lexicon.pattern("what-is-acted-on")

_PERSON: Final = lexicon.pattern("names-person")
_MEASURES: Final = lexicon.listed("measures")
_OF_SENTENCES: Final = frozenset({"is", "are", "was", "were", "then", "i", "we", "he", "she", "it"})
_ARTICLES: Final = frozenset({"the", "a", "an", "my", "our", "your", "his", "her", "their", "both"})
_TRIED: Final = tuple(verb for verb in _VERBS if verb not in _NO_ACT)


def _is_no_act(match: patterns.Match) -> bool:
    """True for who is, has or did something, and for a thing called like an act: "mail is late"."""
    if act := (match["act"] or "").casefold():
        is_thing = act in _ACTS_OR_THINGS and not _ACTED_ON.match(match.after)
        return is_thing or act in _NO_ACT
    verb = (match["verb"] or "").casefold()
    if match["would"] and verb in _WOULD_RATHER:
        return True
    is_past = verb.endswith("ed") and verb not in _VERBS
    is_denied = verb.replace("’", "'").endswith("n't")
    return (
        is_past
        or is_denied
        or verb in _NO_ACT
        or verb.removesuffix("s").removesuffix("e") in _NO_ACT
    )


def _acts(*acts: str) -> str:
    """A pattern of somebody who does something, and of one of some acts."""
    return rf"(?:then |first |so )?(?:{{somebody-acts}}|(?P<act>{'|'.join(acts)})(?![^\s,.;:!]))"


_ACTS: Final = lexicon.compiled(_acts("{acts}", *_VERBS), unless=_is_no_act)
_NO_SUBJECT: Final = (
    "the",
    "it",
    "this",
    "that",
    "there",
    "our",
    "when",
    "if",
    "then",
    "so",
    "but",
)
# Something else does something: "the slot spits", but not "fetch the rolls".
_TELLS: Final = patterns.compile(
    rf"(?:{patterns.other_word(*_NO_SUBJECT)} )"
    rf"(?:[\w’'-]+ ){{0,2}}?(?:{'|'.join(_TRIED)})e?s \S",
    patterns.IGNORECASE,
    unless=lambda match: match[0].casefold().split()[-3] in _ARTICLES,
)
# One of the parts of a scene: what is done, what comes of it, or in which time.
_IN_SCENE: Final = lexicon.compiled(
    [
        lexicon.table("evidence")["verdict"],
        "{in-a-time}",
        "{becomes-of-several}",
        "{found-then}",
        rf"^(?:(?:if|when|once|wenn) )?{_acts('{acts}')}",
    ],
    unless=_is_no_act,
)
_KINDS_ELSE: Final[frozenset[ClaimKind]] = frozenset(
    {"decision", "exclusion", "priority", "scope", "question", "option", "story"}
)


@dataclass(frozen=True, slots=True)
class _Form:
    """Some parts, the first one short; or what `says` finds in it, or `opens` at its head.

    `between`: what parts them. `in_scene`: what one of the parts has to tell.
    """

    words_max: int
    first_words_max: int = 0
    parts_min: int = 1
    says: patterns.Pattern | None = None
    opens: patterns.Pattern | None = None
    no: patterns.Pattern | None = _DEMANDS  # what it never says, whatever words it shares
    kinds: frozenset[ClaimKind] = frozenset()  # as which it may be read
    between: patterns.Pattern = _PARTS
    tells: patterns.Pattern | None = None  # at the head of two parts or more
    in_scene: patterns.Pattern | None = None

    def has(self, text: str) -> bool:
        """True if a reply has this form. The first of these that is there decides.

        More words than `words_max`: no. `says` anywhere: yes. With `opens`, a demand in the first
        part: no; what it opens with: yes. `tells` at the head of several parts: yes. Else as many
        parts as it needs, the first one short, and `in_scene` in one of them.
        """
        parts = [part for part in self.between.split(text) if part.strip()]
        if not parts or len(text.split()) > self.words_max:
            return False
        if self.says is not None and self.says.search(text):
            return True
        if self.opens is not None and (_DEMANDS.search(parts[0]) or self.opens.match(text)):
            return not _DEMANDS.search(parts[0])
        if self.tells is not None and len(parts) > 1 and self.tells.match(parts[0]):
            return True
        is_short = len(parts[0].split()) <= self.first_words_max and len(parts) >= self.parts_min
        return is_short and (not self.in_scene or any(map(self.in_scene.search, parts)))


_FORMS: Final[Mapping[FollowUpKind, _Form]] = {
    "check": _Form(
        30,
        12,
        3,
        lexicon.pattern("sees-it"),
        _ACTS,
        _NO_TRIAL,
        between=_SCENE,
        tells=_TELLS,
        in_scene=_IN_SCENE,
    ),
    "unit": _Form(14, 3, says=lexicon.pattern("counts-in-a-unit")),
    "number": _Form(25, says=lexicon.pattern("has-number"), no=None),
    "person": _Form(14, 8, no=lexicon.pattern("says-must"), kinds=frozenset({"story"})),
    "alternative": _Form(
        20,
        5,
        2,
        lexicon.pattern("weighs-another"),
        no=None,
        kinds=frozenset({"option", "decision"}),
        in_scene=lexicon.pattern("why-not-that"),
    ),
    "priority": _Form(
        40, says=lexicon.pattern("ranking-words"), no=None, kinds=frozenset({"priority"})
    ),
}


def may_answer(kind: FollowUpKind, answer: Answer) -> bool:
    """True if a reply has the form of an answer to a follow-up of that kind."""
    return kind in _FORMS and _FORMS[kind].has(answer.text.strip())


def looks_like_check(text: str) -> bool:
    """False for words that hardly ever stand in a check; the bound is lower where they say what
    is seen."""
    least = CHECK_CHANCE_MIN_SEEN if tells_way_to_see(text) else CHECK_CHANCE_MIN
    return weights.check_chance(text) >= least


def tells_way_to_see(text: str) -> bool:
    """True for a word of seeing something; "if" and "then" alone stand in any sentence."""
    return any(match[0].casefold() not in _JOINS for match in WAY_TO_SEE.finditer(text))


def tells_unit(text: str, follow_up: FollowUp) -> bool:
    """True for what may say which unit a number has: with that number, or shortly with a unit."""
    asked = follow_up.number_asked_about
    quote = follow_up.line.quote if follow_up.line else ""
    line_numbers = {asked} if asked else set(_NUMBER.findall(quote))
    numbers = set(_NUMBER.findall(text))
    if numbers & line_numbers:
        return True
    words = [word.casefold() for word in lexis.WORD.findall(text)]
    if not names_measure(text):
        is_noun = len(words) <= UNIT_WORDS_MAX and _OF_SENTENCES.isdisjoint(words)
        return is_noun and not numbers
    return len(words) <= (MEASURE_WORDS_MAX if numbers else DIRECT_WORDS_MAX)


def counts_what_was_asked(text: str, follow_up: FollowUp) -> bool:
    """True for few words that open with the number that was asked about and with what it counts."""
    number, *what = [word.casefold() for word in _COUNTED.findall(text)] or [""]
    is_it = bool(number) and number == follow_up.number_asked_about
    return is_it and 0 < len(what) <= UNIT_WORDS_MAX and what[0] not in _OF_SENTENCES


def names_measure(text: str) -> bool:
    """True for a word of time, money or another measure: "hours!", "cubic metres"."""
    words = {word.casefold() for word in lexis.WORD.findall(text)}
    return not (lexis.units().keys() | _MEASURES).isdisjoint(words)


def names_person(text: str, names: Iterable[str]) -> bool:
    """True for words that open with who it is, of one of these names or without: "me, on Mondays",
    "Ewa. and Tom if he is in"."""
    first = next(iter(lexis.WORD.findall(text)), "").casefold()
    return bool(_PERSON.match(text)) or first in {name.casefold() for name in names}


def is_option_by_place(claim: Claim) -> bool:
    """True for an option with no letter, number or choice: it only stands where options are put."""
    return claim.kind == "option" and not claim.data


def is_something_else(
    follow_up: FollowUp, answer: Answer, claims: Claims, previous: Answer | None
) -> bool:
    """True for what answers no follow-up of that kind, whatever words it shares with its line.

    `claims`: those of the step, as far as they are read. `previous`: what was said right before the
    answer, if that was after the follow-up.
    """
    form = _FORMS.get(follow_up.kind)
    own = [claim for claim in claims if answer.id in claim.sources]
    kinds = {claim.kind for claim in own if not is_option_by_place(claim)}
    if form is None or kinds == {follow_up.kind}:
        return False
    text = answer.text.strip()
    if follow_up.kind == "check" and previous is None and is_about_line(text, follow_up):
        opening = next((claim.kind for claim in own if text.startswith(claim.text)), None)
        tells_scene = tells_way_to_see(text) or len(_SCENE.split(text)) > 1
        asks_for_it = opening in ("requirement", "quality") and not tells_scene
        return asks_for_it or opening in _KINDS_ELSE
    asks = previous and previous.by != answer.by and _asks(previous.text, follow_up.kind)
    if previous and asks and not _is_nearer(text, follow_up, previous.text):
        return True  # it answers somebody else's question
    if follow_up.kind == "unit" and not tells_unit(text, follow_up):
        return True
    if follow_up.kind == "check" and not looks_like_check(text):
        return True
    if follow_up.kind == "check" and _only_harms([claim.text for claim in own] or [text]):
        return True
    if follow_up.kind == "check" and _asks_first(own, text):
        return True
    says_never = form.no is not None and form.no.search(text)
    return bool(_ELSE.match(text) or "?" in text or says_never or kinds & _KINDS_ELSE - form.kinds)


def _asks(text: str, kind: FollowUpKind) -> bool:
    """True for what ends in a question, and for one on how much of something where that is asked,
    too: "Two days? Then we start on the 15th"."""
    is_of_amounts = kind in ("unit", "number") and _ASKS_AMOUNT.search(text) is not None
    return text.rstrip().endswith("?") or is_of_amounts


def is_about_line(text: str, follow_up: FollowUp) -> bool:
    """True for two words and more of the line that was asked about, in what neither asks, demands
    nor turns to something else: right behind the question that is an answer in whatever form."""
    if follow_up.line is None or "?" in text or not looks_like_check(text):
        return False
    if any(form.search(text) for form in (_DEMANDS, _NO_TRIAL, HARM)) or _ELSE.match(text):
        return False
    return len(words_of(text) & words_of(follow_up.line.quote)) >= SHARED_WORDS_MIN


def _only_harms(lines: Sequence[str]) -> bool:
    """True for "mail still goes out so not a disaster": how bad it is, and nothing that is seen."""
    telling = [line for line in lines if not is_filler(line)]
    return bool(telling) and all(map(HARM.search, telling))


def _asks_first(own: Sequence[Claim], text: str) -> bool:
    """True for what opens with a requirement and says more of it: "support can lift it. two clicks
    and a reason"."""
    first = next((claim for claim in own if text.startswith(claim.text)), None)
    is_asked = first is not None and first.kind in ("requirement", "quality", "story")
    return is_asked and len(own) > 1 and not _ACTS.match(text)


def _is_nearer(text: str, follow_up: FollowUp, question: str) -> bool:
    """True if it shares two words or more with the line asked about, and more than with a
    question."""
    if follow_up.line is None:
        return False
    words = words_of(text)
    shared = len(words & words_of(follow_up.line.quote))
    return shared >= SHARED_WORDS_MIN and shared > len(words & words_of(question))
