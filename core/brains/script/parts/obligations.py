"""What a clause asks of a thing with "should", "has to", "can't" and the like.

The words are those of `obliges` in `steps/brains/evidence.yaml`.
"""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import verbs, weighing
from core.brains.task_cache import cached

_ROWS: Final = lexicon.table("evidence")["obliges"]
_OBLIGES: Final = lexicon.compiled(_ROWS["clause"])
_BEHIND_CONDITION: Final = lexicon.compiled(_ROWS["behind-condition"])
_QUOTED: Final = patterns.compile(r"[\"“„«`][^\"”“»`]{1,80}[\"”“»`]")
_PEOPLE: Final = lexicon.compiled(_ROWS["people"])
_NO_THING: Final = lexicon.compiled(_ROWS["no-thing"])
_RELATIVE: Final = patterns.compile(r" (?:which|that) ")
_ANEW: Final = lexicon.compiled(_ROWS["anew"])
_PERCEIVED: Final = {deed: row.split() for deed, row in _ROWS["perceived"].items()}
_HOPED: Final = frozenset(_ROWS["hoped"].split())
_OF_PEOPLE: Final = frozenset(_ROWS["of-people"].split())
_OF_MANY: Final = frozenset({"", "have to", "need to", "'s to", "’s to"})
_STATES: Final = frozenset({"be", "get", "stay", "have"})  # which need one more word


@cached
def obliges(clause: str) -> bool:
    """True for what a thing has to do and for what people are to see, and for no other duty."""
    match = _match(clause)
    if not match:
        return False
    is_of_people = bool(_PEOPLE.fullmatch(match["subject"]))
    if is_of_people or weighing.opens_with_people(match["subject"]):
        return _lets_perceive(match)
    return not _names_no_thing(match["subject"]) and not _ANEW.search(clause) and _is_deed(match)


def _match(clause: str) -> patterns.Match | None:
    text = _QUOTED.sub("x", clause)
    condition = _BEHIND_CONDITION.match(text)
    return _OBLIGES.match(condition.after if condition else text)


def _lets_perceive(match: patterns.Match) -> bool:
    """True for "somebody should get a note", and not for "support has to write a page"."""
    deed, done = _words(match)
    return done in _PERCEIVED.get(deed, ())


def _is_deed(match: patterns.Match) -> bool:
    """True for "… should say so", and not for "… should work" and "… has to be tested"."""
    deed, done = _words(match)
    if _OF_PEOPLE & {deed, done}:
        return False
    subject = match["subject"]
    is_of_one = (match["firm"] or "").strip() not in _OF_MANY
    if is_of_one and (subject.casefold() == "it" or verbs.opens_with_article(subject)):
        return True
    if _HOPED & {deed, done} and not (match["never"] and done == "able"):
        return False
    return bool(done) if deed in _STATES else deed in verbs.VERBS or bool(match["never"])


def _words(match: patterns.Match) -> tuple[str, str]:
    return match["deed"].casefold(), (match["done"] or "").casefold()


def _names_no_thing(subject: str) -> bool:
    """True for "Tomek", "Lucía in docs" and "feels like it"."""
    if _NO_THING.search(_RELATIVE.split(subject)[0]):
        return True
    first, *others = subject.split() or [""]
    is_alone = not others or others[0] in ("in", "from") or others[0].istitle()
    is_named = first.istitle() and first != "It" and is_alone
    return is_named and not verbs.opens_with_article(subject)
