"""What the form of a line shows: ordered, positive evidence, before any word of its subject.

A line is what its form says, and nothing where its form says nothing. What speaks against a
requirement (a reaction, history, the speaker's own doings, a wish) is tried before what speaks for
one, except that a plain "must" outweighs how it is today. The forms are rows of
`steps/brains/evidence.yaml`.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import obligations, verbs
from core.brains.script.parts.exclusions import leaves_out
from core.brains.script.parts.phrases import is_short, on_one_line, stations_in
from core.brains.task_cache import cached
from core.brains.text.filler import is_filler

Form = Literal["aside", "check", "exclusion", "demand", "behaviour", "phrase", ""]
"""`demand`: must, may not, never …; `behaviour`: what somebody can do or what happens; `phrase`:
a thing to be done in words without a verb; `aside`: none of what is built, whatever it says."""

_ROWS: Final = lexicon.table("evidence")


def _compiled(rows: Mapping[str, Any]) -> Mapping[str, patterns.Pattern]:
    return {name: lexicon.compiled(row) for name, row in rows.items()}


def of_deeds(rows: list[str]) -> patterns.Pattern:
    """A pattern whose groups are verbs of what people and systems do: no "gets to know us"."""

    def has_another(match: patterns.Match) -> bool:
        return any(word and word.casefold() not in verbs.VERBS for word in match.groups())

    return lexicon.compiled(rows, unless=has_another)


def _any_of(rows: Mapping[str, Any], *names: str) -> patterns.Pattern:
    """One pattern of several rows: asked once of a line instead of once each."""
    return lexicon.compiled([lexicon.expression(rows[name]) for name in names])


_TELLS_WHEN: Final = frozenset(_ROWS["tells-when"].split())
_AGAINST: Final = _compiled(_ROWS["against"])
_FOR: Final = _compiled(_ROWS["for"])
_IS_TALK: Final = _any_of(
    _ROWS["against"], "speaker", "asks-talk", "work", "tomorrow", "supposes", "wishes"
)
_IS_NOW: Final = _any_of(_ROWS["against"], "before", "now")
_IS_DEMAND: Final = _any_of(_ROWS["for"], "must", "refused", "limit")
_PERMITS_ANYWHERE: Final = of_deeds(_ROWS["for"]["permits"])
_PERMITS: Final = of_deeds(_ROWS["passing"]["permits"])
_LEAD: Final = lexicon.compiled(_ROWS["lead"])
_CHECK: Final = lexicon.compiled(
    [f"(?:{row})" for row in _ROWS["check"]],
    unless=lambda match: (match["deed"] or "").casefold() in _TELLS_WHEN,  # "should show when …"
)
_RATING: Final = lexicon.compiled(_ROWS["rating"])
_RATING_ALONE: Final = lexicon.compiled(_ROWS["rating-alone"])
_MITIGATES: Final = lexicon.compiled(_ROWS["mitigates"])
_MEASURE: Final = lexicon.compiled(_ROWS["measure"])
_BOUND_ALONE: Final = lexicon.compiled(_ROWS["bound-alone"])
_IN_TIME: Final = lexicon.compiled(_ROWS["in-time"])
_RULES_OUT: Final = lexicon.compiled(_ROWS["rules-out"])
_PHRASE: Final = _compiled(_ROWS["phrase"])
_LINK: Final = patterns.compile(r"<?https?://\S+")
# Who must is said before it, and what after it: "8 is a must, …" and "agree must: …" rank or list.
_MUST: Final = patterns.compile(
    r"\b(?:must|shall|may (?:not|never|only)|muss|m\wssen|debe|deben)\b(?= ?[^\s,.:;!)])|\bmustn",
    patterns.IGNORECASE,
    unless=lambda match: match.before.endswith((" I ", " i ")),
)
_TALKERS: Final = patterns.compile(
    r"(?:i|you|they(?: are (?:not|never) to)?|he|she|who|we(?: \w+)? (?:must|shall) \w+|we have"
    r"|we need)\b",
    patterns.IGNORECASE,
    unless=lambda match: match[0].casefold().endswith((" not", " never", " to")),
)
_IS_A_THING: Final = patterns.compile(r"\b(?:is|are) (?:an?|the)\b", patterns.IGNORECASE)
_CLAUSE_END: Final = patterns.compile(
    r"\s*(?:[,;:.]|->|=>|→|⇒)\s+|\s+[–—-]\s+|\s+(?:and|but|so|und|aber|et|mais|y|pero)\s+",
    patterns.IGNORECASE,
)
_REASON: Final = patterns.compile(r"; |,? (?:because|since|though|although)\b", patterns.IGNORECASE)
_POLITE: Final = lexicon.compiled([f"(?:{row})" for row in _ROWS["passing"]["polite"]])
_TO_PEOPLE: Final = frozenset(_ROWS["passing"]["to-people"].split())
WORDS_BESIDE_LINK_MAX: Final = 3


def form_of(text: str, *, listed: bool = False) -> Form:
    """What a line shows by its form. `listed`: it is an item of a list of people's own."""
    if not is_short(text):
        return "behaviour"
    line = meant(text)
    if is_check(line):
        return "check"
    if is_excluded(text):
        return "exclusion"
    if is_aside(text) or _is_about_talk(line):
        return "aside"
    if _demands(line) or is_asked_for(text):
        return "demand"
    if verbs.is_command(line) and not _now(line):
        return "behaviour"
    return "aside" if _tells(line) else _behaviour(line, listed=listed)


@cached
def meant(text: str) -> str:
    """A line without the words that only lead to it: "ok, and also …"."""
    line = verbs.with_apostrophes(on_one_line(text))
    lead = _LEAD.match(line)
    return line[lead.end() :] if lead else line


@cached
def is_check(text: str) -> bool:
    if not is_short(text):
        return False
    line = on_one_line(text)
    return bool(_CHECK.match(line) or _CHECK.match(meant(line)))


@cached
def is_excluded(text: str) -> bool:
    return is_short(text) and leaves_out(verbs.behind_condition(meant(text)))


def is_bound(text: str) -> bool:
    """ "Under 1 min": how much, of what was said before it."""
    return bool(_BOUND_ALONE.match(on_one_line(text)))


@cached
def is_aside(text: str) -> bool:
    """True for a reaction, a link, a joke: nothing of it is about what is built."""
    line = meant(text)
    if not line or is_filler(text):
        return True
    if link := _LINK.search(line):
        beside = f"{line[: link.start()]} {line[link.end() :]}"
        return len(beside.split()) <= WORDS_BESIDE_LINK_MAX
    reacts = _AGAINST["reacts"].match(line) or _AGAINST["reacts"].match(on_one_line(text))
    is_demand = bool(_MUST.search(line) or _PERMITS_ANYWHERE.search(line))
    is_demand = is_demand or any(map(obligations.obliges, clauses_in(line)))
    return bool((reacts or _AGAINST["jokes"].search(line)) and not is_demand)


@cached
def is_firm(text: str) -> bool:
    """True for a demand that holds wherever it is said: "drivers must never see the number"."""
    line = meant(text)
    if not is_short(text) or is_aside(text) or _is_about_talk(line):
        return False
    if (_PERMITS_ANYWHERE.search(line) or _FOR["wants-only"].match(line)) and not _now(line):
        return True
    clauses = (line, *clauses_in(line))
    is_said_of_it = not (is_unsure(line) or verbs.tells_own_act(line))
    if is_said_of_it and any(obligations.obliges(it) and not _now(it) for it in clauses):
        return True
    return is_asked_for(text) or any(map(_is_firm, clauses))


def _is_firm(line: str) -> bool:
    if _TALKERS.match(line) or (_now(line) and not _MUST.search(line)):
        return False
    return bool(_MUST.search(line) or _FOR["firm"].search(line))


def permits(line: str) -> bool:
    """True for who may do what, and who may not: "trainees can look, but not sell"."""
    return bool(_PERMITS_ANYWHERE.search(line) or _PERMITS.search(line))


def clauses_in(line: str) -> list[str]:
    """The clauses of a line, without the words that only lead to them."""
    return [meant(clause) for clause in _CLAUSE_END.split(line)]


def is_asked_for(text: str) -> bool:
    """ "Pls grey it out while one runs": asked of the system, and not of somebody."""
    match = _POLITE.search(verbs.with_apostrophes(on_one_line(text)))
    words = verbs.words_in(match["what"] or match["before"]) if match else []
    after = verbs.words_in(match["after"] or "")[:1] if match else []
    return len(words) > 2 and _TO_PEOPLE.isdisjoint((words[0], *after))


def says_none(text: str) -> bool:
    """True if words speak against a requirement, whatever else they say: a reaction, a guess."""
    line = meant(text)
    if is_aside(text) or is_check(line) or is_excluded(line):
        return True
    return _is_about_talk(line) or (_now(line) and not _MUST.search(line))


def is_unsure(line: str) -> bool:
    """ "The app should win, I think": an opinion on what differs, which others may not share."""
    return bool(_AGAINST["opinion"].search(line))


def says_how_good(text: str) -> bool:
    """True for a line on quality: it has a subject and a verb, or a number with its unit."""
    form, line = form_of(text), meant(text)
    if form in ("demand", "behaviour"):
        return True
    if _IN_TIME.search(line) and not says_none(text):
        return True
    measured = len(line.split()) > 1 and _MEASURE.search(line)
    is_like = verbs.told_by(line) == "is" and not _IS_A_THING.search(line)
    is_like = is_like or verbs.opens_with_a_deed(line)
    return form != "aside" and bool(measured or is_like)


def rules_out(text: str) -> bool:
    """ "Lost parcels: none": what must never be, whatever may fail in it."""
    return is_short(text) and bool(_RULES_OUT.search(meant(text))) and not says_none(text)


def rating_in(text: str) -> dict[str, str]:
    """How likely and how bad, or one of them and why, where a line says nothing else."""
    line = on_one_line(text) if is_short(text) else ""
    match = _RATING.fullmatch(line) or _RATING_ALONE.fullmatch(line)
    parts = match.groupdict() if match else {}
    return {key.removesuffix("_named"): part.strip() for key, part in parts.items() if part}


def mitigates(text: str) -> bool:
    return bool(_MITIGATES.match(on_one_line(text)))


# ── against ────────────────────────────────────────────────────────────────────────────────────


def _is_about_talk(line: str) -> bool:
    """The speaker's own doings, plans about the work, guesses and wishes."""
    return not _FOR["wants"].match(line) and bool(_IS_TALK.search(line))


def _now(line: str) -> bool:
    """How it is or was; not where that only goes on from something else, or gives its reason."""
    return bool(_IS_NOW.search(before_reason(line)))


def _tells(line: str) -> bool:
    """How it is or was, and comments on what is there."""
    if _AGAINST["comments"].search(line) and verbs.told_by(line) != "does":
        return True
    if _FOR["is-placed"].match(line) and not _now(line):
        return False
    return _now(line) or verbs.told_by(line) in ("did", "is-doing")


def before_reason(line: str) -> str:
    """What a line says, without a reason or a memory that follows: "…; we had that in 2016"."""
    match = _REASON.search(line)
    return line[: match.start()] if match else line


# ── for ────────────────────────────────────────────────────────────────────────────────────────


def _demands(line: str) -> bool:
    if _MUST.search(line) or _FOR["wants"].match(line):
        return True
    if permits(line) and not _now(line):
        return True
    # "Never again" and "she never took one" say of nothing that it is never to be.
    is_ever = len(line.split()) > 2 and verbs.told_by(line) != "did"
    is_demand = _IS_DEMAND.search(line) or (is_ever and _FOR["never"].search(line))
    return bool(is_demand) and not _now(line)


def _behaviour(line: str, *, listed: bool) -> Form:
    able = _FOR["able"].search(line) and not line.endswith(":")
    does = verbs.told_by(line) == "does" and not _AGAINST["others"].match(line)
    if able or does or is_plain(line):
        return "behaviour"
    if len(stations_in(line)) == 2:  # "no end time → 400"
        return "behaviour"
    telling = verbs.told_by(line)
    has, lacks = _PHRASE["has"].search(line), _PHRASE["lacks"].search(line)
    if listed and telling == "is" and has and not lacks:
        return "behaviour"
    if telling or verbs.forbids_nothing(line):
        return ""
    words = line.split()
    if listed and len(words) > 1:
        return "phrase"
    return "phrase" if (verbs.names_a_verb(line) or has) and not lacks else ""


def is_plain(line: str) -> bool:
    """ "The pin is four digits", "die Liste zeigt nur freie Plätze": so it is to be, if asked."""
    is_abroad = _FOR["abroad"].match(line) and not _AGAINST["abroad"].search(line)
    is_placed = _FOR["is-placed"].match(line) and not _AGAINST["others"].match(line)
    return bool(is_abroad or (is_placed and not _AGAINST["comments"].search(line)))
