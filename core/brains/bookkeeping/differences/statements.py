"""What one line says, as far as another one may say otherwise: its words, denials and numbers.

It reads the line alone and knows nothing of who said it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Final

from core import patterns
from core.brains.bookkeeping.differences import lexis, turns
from core.brains.bookkeeping.differences.lexis import WORD, content
from core.brains.bookkeeping.differences.precedence import Precedence, precedences_in

CHARS_READ_MAX: Final = 300
LINES_CACHED_MAX: Final = 2_048
DENIED_WORDS_MAX: Final = 6
ABSENT_WORDS_MAX: Final = 3
RESTRICTION_WORDS: Final = 2

_CLAUSE_END: Final = patterns.compile(
    r"[.,](?:\s|$)|[;:!?()|\n]+|->|→|\s[-–—]\s|\b(?:but|aber|pero)\b", patterns.IGNORECASE
)
_NUMBER: Final = patterns.compile(
    r"(?<![\w.,:/#-])([€$£]|eur|usd|gbp|chf|kr)?\s?([0-9]+(?:[.,][0-9]+)*)(?:\s?(%|€|\$|£|[^\W\d_]+))?",
    unless=lambda match: match.after[:2].strip()[:1] in ("-", "–", ")") and match[3] is None,
)
_ECHO: Final = patterns.compile(r"\W{0,3}([0-9]+(?:[.,][0-9]+)*)(?:\s[^\W\d_]+)?\s?\?+\s*\S*")
_SETTLED: Final = patterns.compile(
    r"\s*(?:then|it is|please|instead|rather|dann)?\s*(?:[.,;!?)]|$)", patterns.IGNORECASE
)
_LISTED: Final = patterns.compile(r"[,;:/.\n]|\b(?:and|or|und|oder|y|o)\b", patterns.IGNORECASE)
_HUMP: Final = patterns.compile(r"([a-z]{2})([A-Z])")  # of "AttemptLedger", which is two words
_SHORTENED: Final = patterns.compile(r"['’](?:s|ll|d|ve|re|m)$", patterns.IGNORECASE)
# "+1, the alert goes to ops": agreement, and no number
_AGREES: Final = patterns.compile(
    r"^\W*\+1(?=\s*(?:$|[,.!;:)]|(?:to|on|for|from|here|me|a)\b))", patterns.IGNORECASE
)
_GIVEN_UP_NUMBERS: Final = ("not-the-number", "wrong-number")
_ONLY: Final = ("only", "just", "nur", "solo")
_THOUSANDS: Final = patterns.compile(r"[0-9]{1,3}(?:[.,][0-9]{3})+")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a line that says one thing; `denied`: the words of what it says is not so."""

    words: frozenset[str]
    denied: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()  # what stands before the denial
    tokens: tuple[str, ...] = ()
    holds: bool = True  # False: a condition, or how it is today


@dataclass(frozen=True, slots=True)
class Number:
    value: float  # of time in seconds
    unit: str  # a dimension or the stem of what is counted; empty: none is named
    role: str = ""
    is_alone: bool = False  # its clause says nothing else
    ends: bool = False  # it ends a clause, but for "then" and the like


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    words: frozenset[str]
    tokens: frozenset[str]
    clauses: tuple[Clause, ...]
    numbers: tuple[Number, ...]
    echoed: float | None = None  # "25? more like 40": the number that it doubts
    too_much: tuple[tuple[float, str], ...] = ()  # "10 is too long": the number, and what it is
    written: frozenset[float] = frozenset()  # its numbers as they stand there
    left_out: tuple[frozenset[str], ...] = ()  # the things that it puts out of scope
    has_cue: bool = False
    corrects: bool = False  # "no wait, …": what stands right before it is not so
    concedes: bool = False  # "fair, two then": it takes up what somebody else said
    says_no: bool = False
    given_up: tuple[frozenset[str], ...] = ()  # the things that it turns down
    comments: frozenset[float] = frozenset()  # numbers that it only passes judgement on
    given_up_numbers: frozenset[float] = frozenset()  # "15 min, not 10": those that hold no more
    precedences: tuple[Precedence, ...] = ()  # what wins or comes first

    @property
    def asks(self) -> bool:
        is_why = lexis.pattern("asks-why").search(self.text) is not None
        return is_why or self.text.rstrip("\"'”’) ").endswith(("?", "？"))

    @property
    def takes_up(self) -> bool:
        """True if it has words for what was said before: it takes back, gives in, turns down."""
        return self.has_cue or self.concedes or bool(self.given_up)

    @property
    def objects(self) -> bool:
        """True if it says no to something."""
        denies = any(clause.denied for clause in self.clauses)
        return denies or self.says_no or bool(self.given_up or self.comments)

    @property
    def measures(self) -> frozenset[str]:
        """What its numbers count; empty words stand for a bare number."""
        return frozenset(number.unit for number in self.numbers)

    @property
    def asserted(self) -> frozenset[str]:
        """The words of what it says is so."""
        parts = (clause.words - clause.denied for clause in self.clauses if clause.holds)
        return frozenset().union(*parts)


@lru_cache(maxsize=LINES_CACHED_MAX)
def statement(line: str) -> Statement:
    """What a line says. Of a long one its beginning is read."""
    # what follows "so that" is a purpose, and claims as little as a reason does
    lowered = _HUMP.sub(lambda match: f"{match[1]} {match[2]}", line[:CHARS_READ_MAX]).casefold()
    text = lexis.numeral().sub(lambda match: lexis.numerals()[match[0]], lowered)
    text = _AGREES.sub("", text.replace("so that ", "because "))
    text = lexis.pattern("one-of-a-unit").sub(
        lambda match: f"{match['before']}1 {match['unit']}", text
    )
    parts = list(_parts(text))
    clauses = tuple(_clause(tokens) for tokens in parts)
    echo = _ECHO.match(text)
    return Statement(
        text=text,
        words=frozenset().union(*(clause.words for clause in clauses)),
        tokens=frozenset(token for tokens in parts for token in tokens),
        clauses=clauses,
        numbers=tuple(_numbers(_without_given_up_numbers(text))),
        echoed=_value(echo[1]) if echo else None,
        too_much=tuple(_too_much(text)),
        written=frozenset(_value(match[2]) for match in _NUMBER.finditer(text)),
        left_out=tuple(_left_out(text)),
        has_cue=_has_cue(text),
        corrects=lexis.pattern("corrects", r"\W{0,3}", r"\b").match(text) is not None,
        concedes=turns.concedes(text),
        says_no=lexis.pattern("says-no", r"\W{0,3}(?:\w\)\s+)?", r"\b").match(text) is not None,
        given_up=tuple(turns.given_up(text)),
        comments=frozenset(_value(match[1]) for match in turns.commented(text)),
        given_up_numbers=frozenset(
            _value(match["number"])
            for form in _GIVEN_UP_NUMBERS
            for match in lexis.pattern(form).finditer(text)
        ),
        precedences=tuple(precedences_in(text)),
    )


def _without_given_up_numbers(text: str) -> str:
    for form in _GIVEN_UP_NUMBERS:
        text = lexis.pattern(form).sub(".", text)
    return text


def _parts(text: str) -> Iterator[tuple[str, ...]]:
    """The clauses of a text as words; a condition inside a clause is one of its own."""
    conditions = lexis.words("condition")
    for part in _CLAUSE_END.split(text):
        tokens: list[str] = []
        for word in WORD.findall(part):
            token = _SHORTENED.sub("", word)
            if token in conditions and tokens:
                yield tuple(tokens)
                tokens = []
            tokens.append(token)
        if tokens:
            yield tuple(tokens)


def _clause(tokens: tuple[str, ...]) -> Clause:
    words = frozenset(content(tokens))
    is_condition = tokens[0] in lexis.words("condition")
    denies, absent = lexis.words("denies"), lexis.words("absent")
    at = next((n for n, token in enumerate(tokens) if token in denies or token in absent), None)
    if at is None:
        is_off = not lexis.words("switches-off").isdisjoint(tokens)
        return Clause(words, tokens=tokens, holds=not is_condition and not is_off)
    after = tokens[at + 1 :]
    # "must not lose": it is to stay; "a call that has no key is refused" says which call
    lifts_denial = lexis.words("loses").union(_ONLY)
    if not lifts_denial.isdisjoint(after[:1]) or tokens[at] in restriction(tokens):
        return Clause(words, tokens=tokens, holds=not is_condition)
    subject = frozenset(content(tokens[:at]))
    is_thing = tokens[at] in absent and not _is_verb_ahead(tokens, at)
    denied = frozenset(_thing(after) if is_thing else content(after)[:DENIED_WORDS_MAX]) - subject
    is_today = bool(lexis.words("today") & set(tokens))
    return Clause(words, denied or subject, subject, tokens, not is_condition and not is_today)


def restriction(tokens: Sequence[str]) -> list[str]:
    """The words that say which thing is meant: "says nothing" of "a call that says nothing …"."""
    articles = lexis.words("articles")
    for at, word in enumerate(tokens):
        is_of_thing = at > 1 and tokens[at - 2] in articles
        if at and (word in lexis.words("which") or (word == "that" and is_of_thing)):
            following = (token for token in tokens[at + 1 :] if token not in articles)
            return [*islice(following, RESTRICTION_WORDS)]
    return []


def _is_verb_ahead(tokens: Sequence[str], at: int) -> bool:
    """In Spanish "no" stands before a verb, and denies all that follows."""
    return tokens[at] == "no" and tokens[at + 1 : at + 2] in (("puede",), ("pueden",), ("se",))


def _thing(tokens: Sequence[str]) -> list[str]:
    ends = lexis.words("ends-a-thing")
    thing: list[str] = []
    for token in tokens:
        if token in ends and thing:
            if token in lexis.words("goes-on"):
                return content(tokens)[:DENIED_WORDS_MAX]
            break
        thing.append(token)
    return content(thing)[:ABSENT_WORDS_MAX]


def without(line: Statement, words: frozenset[str]) -> Statement:
    """The statement as if some words named nothing."""
    clauses = (
        replace(
            clause,
            words=clause.words - words,
            denied=clause.denied - words,
            subject=clause.subject - words,
        )
        for clause in line.clauses
    )
    return replace(
        line,
        words=line.words - words,
        clauses=tuple(clauses),
        left_out=tuple(filter(None, (thing - words for thing in line.left_out))),
        given_up=tuple(filter(None, (thing - words for thing in line.given_up))),
    )


# ── numbers ────────────────────────────────────────────────────────────────────────────────────


def _numbers(text: str) -> Iterator[Number]:
    light = lexis.words("light") | lexis.words("condition")  # "4,800 since May" has no unit
    units = lexis.units()
    for match in _NUMBER.finditer(text):
        word = match[1] or match[3] or ""
        unit, times = units.get(word, ("", 1.0))
        if not unit and word and word not in light and word not in lexis.roles():
            unit = lexis.stem(word)
        clause = next((part for part in _around(text, match.span(2))), "")
        beside = set(content(WORD.findall(clause))) - {lexis.stem(word)}
        ends = _SETTLED.match(text, match.end(2)) is not None
        yield Number(_value(match[2]) * times, unit, _role(match), not beside, ends)


def _around(text: str, span: patterns.Span) -> Iterator[str]:
    """The clause in which a piece of a text stands."""
    at = 0
    for end in _CLAUSE_END.finditer(text):
        if at <= span[0] and span[1] <= end.start():
            yield text[at : end.start()]
        at = end.end()
    yield text[at:]


def _role(match: patterns.Match) -> str:
    before = WORD.findall(match.before)[-3:]
    roles = lexis.roles()
    if before[-1:] == ["than"]:
        return (
            "lower" if before[-2:-1] in (["more"], ["longer"]) and "no" not in before else "upper"
        )
    role = next((roles[word] for word in reversed(before[-2:]) if word in roles), "")
    following = WORD.findall(match.after)[:1]
    return role or next((roles[word] for word in following if word in roles), "")


def _too_much(text: str) -> Iterator[tuple[float, str]]:
    number = r"(?<![\w.,:/#-])([0-9]+(?:[.,][0-9]+)*)(?:\s?[^\W\d_]+)?(?: (?:per|a) [^\W\d_]+)?\s+("
    for match in lexis.pattern("too", number, ")").finditer(text):
        yield _value(match[1]), match[2].split()[-1]


def _value(written: str) -> float:
    if _THOUSANDS.fullmatch(written):
        return float("".join(sign for sign in written if sign.isdigit()))
    whole, _, fraction = written.replace(",", ".").partition(".")
    digits = "".join(sign for sign in fraction if sign.isdigit())
    return float(f"{whole}.{digits or 0}")


# ── out of scope ───────────────────────────────────────────────────────────────────────────────


def _left_out(text: str) -> Iterator[frozenset[str]]:
    """The things that a line puts out of scope: those that it lists, each with its words."""
    sign = lexis.pattern("stays-out")
    if not sign.search(text):
        return
    is_list = lexis.pattern("lists-out").search(text) is not None
    for part in _LISTED.split(sign.sub(" , ", text)):
        words = frozenset(content(WORD.findall(part)))
        if len(words) > 1 or (words and is_list):
            yield words


# ── taking back ────────────────────────────────────────────────────────────────────────────────


def _has_cue(text: str) -> bool:
    lead = str(lexis.row("cue-lead"))
    text = text.replace("as it is", "so")  # "stays as it is" settles nothing
    return bool(
        lexis.pattern("cues", r"\b", r"\b").search(text)
        or lexis.pattern("cues-first", rf"\W{{0,3}}{lead}", r"(?:\b|\s)").match(text)
        or lexis.pattern("cues-last", r"\b", r"\s*(?:[.,;!)]|$)").search(text)
    )
