"""Questions of people to us: what one of our words means.

The glossary of the step tree answers them before the shipped one, `glossary.yaml`, and where
neither has the word, the step's own text does: a heading, or a sentence that says what it is.
Only a question for a word that one of them explains counts as one to us; any other is for the
people.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from core.brains import lexicon
from core.brains.script import own_text
from core.domain.answers import Claim, ClaimKind, Claims, ReadRequest
from core.domain.steps.glossary import Term, Terms, folded

TERMS_SHOWN_MAX: Final = 3
MAY_ASK: Final[frozenset[ClaimKind]] = frozenset(
    {"question", "fact", "note", "scope", "risk", "entry-point", "option", "module", "interface",
     "data", "error"}
)  # fmt: skip
"""How a question without its sign may be read: as what its step asks for."""
_ASKS: Final = tuple(
    map(lexicon.pattern, ("asks-meaning", "asks-meaning-aside", "asks-meaning-alone"))
)
_ROWS: Final[Mapping[str, Mapping[str, Any]]] = lexicon.table("glossary")["terms"]
SHIPPED: Final[Terms] = tuple(
    Term(name, row["means"], tuple(row.get("also", ()))) for name, row in _ROWS.items()
)


def term_asked(text: str, request: ReadRequest | None = None) -> Term | None:
    """The term that a question asks for; None where it asks for none that is explained."""
    matches = (match for pattern in _ASKS if (match := pattern.search(text)))
    terms = (_find_term(match["term"], request) for match in matches)
    return next((term for term in terms if term), None)


def _find_term(called: str, request: ReadRequest | None) -> Term | None:
    words = folded(called)
    forms = (words, words.removesuffix("s"), f"{words.removesuffix('ies')}y")
    own = request.glossary if request else ()
    for terms in (_by_name(own), _SHIPPED_BY_NAME):
        if form := next((form for form in forms if form in terms), ""):
            return terms[form]
    means = own_text.explanation(request.step, forms) if request else ""
    return Term(words, means) if means else None


def set_aside(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, where questions to us are no open questions of the item any more."""
    return tuple(_aside(claim, request) for claim in claims)


def explained(claims: Claims) -> str:
    """What was asked of us, answered: a sentence for each term; empty where nothing was."""
    return " ".join(_sentences(claims))


def _by_name(terms: Terms) -> Mapping[str, Term]:
    return {folded(name): term for term in terms for name in term.names}


_SHIPPED_BY_NAME: Final = _by_name(SHIPPED)


def _aside(claim: Claim, request: ReadRequest) -> Claim:
    term = term_asked(claim.text, request) if claim.kind in MAY_ASK else None
    if term is None:
        return claim
    beside = {key: value for key, value in claim.data.items() if key != "topic"}
    data = {**beside, "term": term.name, "means": term.means}
    return replace(claim, kind="note", data=data)


def _sentences(claims: Claims) -> Iterator[str]:
    meanings = {
        claim.data["term"]: claim.data["means"] for claim in claims if claim.data.get("means")
    }
    for term, means in list(meanings.items())[:TERMS_SHOWN_MAX]:
        yield f"You asked what “{term}” means. {means}"
