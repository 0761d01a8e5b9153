"""What is still missing at a step: at most one small question, two in all, none twice.

A check looks at what the step's claims say and gives the questions it would ask, in order.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from core.brains._kinds import SHIPPED_PHASES, is_filler, known_lines
from core.domain.answers import Claim, ReadRequest, Scan

QUESTIONS_MAX: Final = 2
SUBSTANCE_WORDS_MIN: Final = 4
SUBSTANCE_LETTERS_MIN: Final = 16  # for scripts that put no space between words

Claims = tuple[Claim, ...]
Check = Callable[[ReadRequest, Claims, Scan], Iterator[str]]

_WHO: Final = re.compile(
    r"\b(?:who|users?|customers?|clients?|people|persons?|everyone|anyone|team\w*|readers?|admins?"
    r"|administrators?|owners?|payers?|callers?|developers?|engineers?|operators?|analysts?"
    r"|managers?|buyers?|sellers?|merchants?|agents?|support|sales|finance|marketing|operations"
    r"|company|business\w*|organi[sz]ations?|partners?|subscribers?|members?|visitors?|guests?"
    r"|tenants?|students?|teachers?|patients?|employees?|staff|colleagues?|we|us|our|ours)\b",
    re.IGNORECASE,
)
_WHY: Final = re.compile(
    r"\b(?:because|since|so that|so (?:we|they|i|you)|in order|due to|why|reason"
    r"|benefit\w*|sav(?:e|es|ing)"
    r"|costs?|revenue|money|los(?:e|es|ing|t)|churn\w*|risks?|ask(?:s|ed|ing)?|request\w*|complain\w*"
    r"|needs?|needed|wants?|wanted|wish\w*|today|currently|cannot|can['’]?t|fail\w*|problem\w*|pain\w*"
    r"|slow|manual\w*|depends?|legal|compliance|deadline|goal|avoid\w*|reduc\w*|improv\w*)\b",
    re.IGNORECASE,
)


def question(request: ReadRequest, claims: Claims, scan: Scan) -> str | None:
    """The first thing that is missing and was neither asked before nor left open on purpose."""
    said = spoken(claims)
    check = _CHECKS.get(request.step.id) if request.phase in SHIPPED_PHASES else None
    if check is None or not said or len(request.asked) >= QUESTIONS_MAX:
        return None
    settled = {*request.asked, *request.gaps}
    return next((text for text in check(request, said, scan) if text not in settled), None)


def spoken(claims: Claims) -> Claims:
    """The claims that say something: no filler, no assumption."""
    return tuple(claim for claim in claims if claim.sources and not is_filler(claim.text))


def _has_substance(claims: Claims) -> bool:
    text = " ".join(claim.text for claim in claims)
    letters = sum(character.isalnum() for character in text)
    return len(text.split()) >= SUBSTANCE_WORDS_MIN or letters >= SUBSTANCE_LETTERS_MIN


def _if_thin(text: str) -> Check:
    def check(request: ReadRequest, claims: Claims, scan: Scan) -> Iterator[str]:
        if not _has_substance(claims):
            yield text

    return check


def _if_no(kinds: frozenset[str], text: str) -> Check:
    def check(request: ReadRequest, claims: Claims, scan: Scan) -> Iterator[str]:
        if not any(claim.kind in kinds for claim in claims):
            yield text

    return check


def _if_no_words(*wanted: tuple[re.Pattern[str], str]) -> Check:
    def check(request: ReadRequest, claims: Claims, scan: Scan) -> Iterator[str]:
        for pattern, text in wanted:
            if not any(pattern.search(claim.text) for claim in claims):
                yield text

    return check


def _if_no_size(request: ReadRequest, claims: Claims, scan: Scan) -> Iterator[str]:
    if scan.scope is None:
        yield "How big is this: small, medium or large?"


def _if_no_file_count(request: ReadRequest, claims: Claims, scan: Scan) -> Iterator[str]:
    if scan.file_count is None:
        yield "About how many files would change?"


def _if_not_ranked(request: ReadRequest, claims: Claims, scan: Scan) -> Iterator[str]:
    ranked = {claim.data.get("requirement") for claim in claims if claim.kind == "priority"}
    for ref in known_lines(request.claims, "requirement"):
        if ref not in ranked:
            yield (
                f"Nobody has said how important {ref} is. "
                "Where does it stand: must, should, could or won't?"
            )


_CHECKS: Final[Mapping[str, Check]] = {
    "00-01": _if_no_size,
    "00-02": _if_thin("Which words would you search the code for?"),
    "00-03": _if_no_file_count,
    "01-01": _if_no_words((_WHO, "Who benefits from this?"), (_WHY, "Why does it matter now?")),
    "01-02": _if_no_words((_WHO, "Who are the users of this?")),
    "01-03": _if_thin("What does a user do first, and what happens then?"),
    "01-04": _if_thin("Which part of the existing system does this touch?"),
    "01-05": _if_no(frozenset({"quality"}), "What must not get worse because of this?"),
    "01-06": _if_no(frozenset({"requirement", "story"}), "What should it do, in one line?"),
    "01-07": _if_no(
        frozenset({"story"}),
        "Who wants what, and what for? One line that begins with As a is enough.",
    ),
    "01-08": _if_not_ranked,
    "02-01": _if_thin("What else would notice this change?"),
    "02-02": _if_thin("Where in the product or the code does this begin?"),
    "02-03": _if_thin("Which part is most likely to go wrong?"),
    "03-01": _if_thin("Which ways to build it are there?"),
    "03-02": _if_no(frozenset({"decision"}), "Which technology was decided on?"),
    "03-03": _if_thin("Which other systems does this talk to?"),
    "04-01": _if_thin("Which parts does it consist of?"),
    "04-02": _if_thin("What does one part ask of another, in one line?"),
    "04-03": _if_thin("Which data is kept, and where?"),
    "04-04": _if_thin("What happens when something goes wrong?"),
}
