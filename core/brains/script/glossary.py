"""Questions of people to us: what one of our words means. The rows of `glossary.yaml` answer them.

Only a question for a word that is there counts as one to us; any other is for the people.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from core.brains import lexicon
from core.brains.bookkeeping.spoken import Claims
from core.domain.answers import Claim

TERMS_SHOWN_MAX: Final = 3
_ASKS: Final = lexicon.pattern("asks-meaning")
_TERMS: Final[Mapping[str, Mapping[str, Any]]] = lexicon.table("glossary")["terms"]
_NAMES: Final = {
    name: term for term, row in _TERMS.items() for name in (term, *row.get("also", ()))
}


def term_asked(text: str) -> str:
    """The term of the glossary that a question asks for; empty where it asks for none."""
    match = _ASKS.search(text)
    if match is None:
        return ""
    words = " ".join(match["term"].casefold().split())
    forms = (words, words.removesuffix("s"), f"{words.removesuffix('ies')}y")
    return next((_NAMES[form] for form in forms if form in _NAMES), "")


def set_aside(claims: Claims) -> Claims:
    """The claims, where questions to us are no open questions of the item any more."""
    return tuple(_aside(claim) for claim in claims)


def explained(claims: Claims) -> str:
    """What was asked of us, answered: a sentence for each term; empty where nothing was."""
    return " ".join(_sentences(claims))


def _aside(claim: Claim) -> Claim:
    term = term_asked(claim.text) if claim.kind in ("question", "fact") else ""
    return replace(claim, kind="note", data={**claim.data, "term": term}) if term else claim


def _sentences(claims: Claims) -> Iterator[str]:
    asked = dict.fromkeys(claim.data["term"] for claim in claims if claim.data.get("term"))
    for term in list(asked)[:TERMS_SHOWN_MAX]:
        yield f"You asked what “{term}” means. {_TERMS[term]['means']}"
