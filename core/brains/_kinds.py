"""What a fragment is: the tables and patterns that turn people's sentences into kinds of claims.

A rule takes one fragment and gives readings of it, usually one. It never changes the words.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from core.brains._priority import ranked
from core.brains._scan import said_about_size
from core.brains._split import Fragment
from core.domain.answers import Claim, ClaimKind, Confidence, ReadRequest

FILLER_WORDS_MAX: Final = 12

QUICK_SCAN: Final = "00-quick-scan"
REQUIREMENTS: Final = "01-requirements"
SHIPPED_PHASES: Final = frozenset(
    {QUICK_SCAN, REQUIREMENTS, "02-impact-analysis", "03-architecture", "04-design"}
)
REF_PREFIX: Final[Mapping[ClaimKind, str]] = {
    "requirement": "FR",
    "quality": "NFR",
    "story": "US",
    "decision": "ADR",
}


@dataclass(frozen=True, slots=True)
class Reading:
    kind: ClaimKind
    data: Mapping[str, str] = field(default_factory=dict)
    confidence: Confidence = "stated"


Readings = tuple[Reading, ...]
Rule = Callable[[Fragment, ReadRequest], Readings]
FACT: Final[Readings] = (Reading("fact"),)

# ── filler: words that carry on a conversation and say nothing of the item ─────────────────────

_LEAD: Final = r"(?:(?:well|so|and|but|oh|hm+|ah|i think|i guess)\s+)*"
_CORE: Final = "|".join(
    (
        r"no|nope|nah|none|nothing|n a|na|not really|not yet|yes|yep|yeah|yup|ok|okay|k|sure",
        r"right|true|exactly|correct|great|good|nice|cool|perfect|fine|done|same|ditto|indeed",
        r"(?:i |we )?(?:fully |totally )?agreed?(?: with (?:the above|\w+))?",
        r"(?:sounds|looks|all|seems) (?:good|fine|right|great)|lgtm|seconded|me too|same here",
        r"(?:as|see|same as) (?:above|before)|as (?:we|i) (?:have )?(?:already )?said",
        r"that['’]?s (?:right|all|it|fine|correct|good|everything)|that is (?:right|all|correct)",
        r"(?:thanks?(?: you)?|thx|cheers|hi|hello|hey)(?: so much| a lot| \w+)?",
        r"good (?:morning|afternoon|evening)(?: \w+)?|(?:good|great) (?:question|point|idea)",
        r"no (?:comments?|idea|objections?|opinion|more|changes?|questions?|additions?|answer)",
        r"(?:i(?:['’]m| am) |we(?:['’]re| are) )?(?:not sure|unsure)|no clue|idk|dunno",
        r"(?:i |we )?(?:don['’]?t|do not) know(?: yet)?|skip(?: this| it)?|pass|next|continue",
        r"let['’]?s (?:go|continue|move) ?(?:on|ahead)?",
        r"(?:(?:i|we) have |i['’]ve |we['’]ve |there is |there['’]s )?(?:got )?"
        r"(?:nothing|not much|no more)(?: (?:else|more|new|further))*(?: to (?:add|say|report)"
        r"(?!.*\b(?:but|except|apart|besides|only|other)\b).*)?",
    )
)
_TAIL: Final = "|".join(
    (
        r"here|from (?:me|us|my side|our side)|for (?:now|me|us)|at this point",
        r"on (?:this|that)|so far|right now|at the moment|to (?:this|that|me)|that i know of",
        r"i think|really|today|either|everyone|everybody|all|team|please|then|too|again|as well",
    )
)
_FILLER: Final = re.compile(rf"{_LEAD}(?:{_CORE})(?: (?:{_CORE}|{_TAIL}))*")
_LETTER: Final = re.compile(r"[^\W_]")
_EMOJI_CODE: Final = re.compile(r":[a-z0-9_+'-]+:")
_SIGNS: Final = re.compile(r"[^\w'’]+")


def is_filler(text: str) -> bool:
    """Whether a fragment only carries on the conversation: "Nothing to add.", "+1", "👍"."""
    plain = _SIGNS.sub(" ", _EMOJI_CODE.sub(" ", text.casefold())).strip()
    if plain in ("", "1") and not text.strip().isdigit():
        return True
    if not _LETTER.search(plain):
        return False
    return len(plain.split()) <= FILLER_WORDS_MAX and bool(_FILLER.fullmatch(plain))


# ── patterns ───────────────────────────────────────────────────────────────────────────────────

_STORY: Final = re.compile(
    r"(?:[\w -]{0,20}:\s*)?as (?:an?|the) (?P<role>.+?),?"
    r" i(?: want| need| wish| would like|['’]d like)(?: to)?(?: be able to)? (?P<want>.+?)"
    r"(?:,? (?:so that|in order to|so(?= (?:i|we|they) )) (?P<benefit>.+?))?[.!]*",
    re.IGNORECASE,
)
_ENDPOINT: Final = re.compile(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+`?(/[^\s`,;)\]}\"'<>]*)", re.IGNORECASE
)
_NOT_WANTED: Final = re.compile(
    r"(?:today|currently|at the moment|right now|so far|as of now|until now|because|since"
    r"|the reason|that is why|for example|e\.g|(?:out of|not in) scope|background|context|fyi"
    r"|note that|(?:i(?:['’]ll| will| can| could)|let me|we(?:['’]ll| will)) (?:check|ask|confirm"
    r"|find out|get back|come back|follow up|think|look|see))\b",
    re.IGNORECASE,
)
_URL_ALONE: Final = re.compile(r"<?https?://\S+>?")
_RISK: Final = re.compile(
    r"\b(?:risks?|risky|might|may (?:break|fail|lose|leak)|afraid|worr(?:y|ied|ies|ying)|danger\w*"
    r"|could (?:break|fail|lose|leak|go)|breaks?|leaks?|fails?|failures?|go(?:es)? wrong|loses?"
    r"|loss|lost|times? out|timeouts?|outages?|crash\w*|attack\w*|vulnerab\w+|threats?)\b",
    re.IGNORECASE,
)
_SURELY_RISK: Final = re.compile(
    r"\b(?:risks?|risky|afraid|worr(?:y|ied|ies|ying))\b", re.IGNORECASE
)
_DEMAND: Final = re.compile(
    r"\b(?:must|should|shall|needs? to|ha(?:s|ve) to|at (?:least|most)|within|under|below"
    r"|no more than|always|never)\b",
    re.IGNORECASE,
)
_DECIDES: Final = re.compile(
    r"\b(?:uses?|using|used|choose|chose|chosen|go(?:ing)? (?:with|for)|went (?:with|for)|decid\w+"
    r"|adopt\w*|keep|stay(?:ing)? with|stick(?:ing)? (?:with|to)|pick(?:ed)?|switch\w*|will"
    r"|we['’]ll|let['’]s|drop|replace|prefer\w*)\b",
    re.IGNORECASE,
)
_WEIGHS: Final = re.compile(
    r"(?:because|since|the reason|we (?:looked|considered|compared|tried|discussed)|alternatives?\b"
    r"|another option|instead of|it['’]?s? |this |that |not decided|undecided|still open"
    r"|pros?\b|cons?\b)",
    re.IGNORECASE,
)

# ── rules ──────────────────────────────────────────────────────────────────────────────────────


def _plain(kind: ClaimKind) -> Rule:
    return lambda fragment, request: (Reading(kind),)


def _scope(fragment: Fragment, request: ReadRequest) -> Readings:
    said = said_about_size(fragment.text, counting=request.step.id == "00-03")
    return (Reading("scope", {} if fragment.code else said),)


def _quality_or_risk(fragment: Fragment, request: ReadRequest) -> Readings:
    text = fragment.text
    if is_question(text):
        return FACT
    risk = _SURELY_RISK.search(text) or (_RISK.search(text) and not _DEMAND.search(text))
    return (Reading("risk" if risk else "quality"),)


def _risk_or_fact(fragment: Fragment, request: ReadRequest) -> Readings:
    return (Reading("risk"),) if _RISK.search(fragment.text) else FACT


def _requirement(fragment: Fragment, request: ReadRequest) -> Readings:
    text = fragment.text
    says_how_it_is = _NOT_WANTED.match(text) or _URL_ALONE.fullmatch(text)
    wanted = not (says_how_it_is or is_question(text) or text.endswith(":") or fragment.code)
    return (Reading("requirement"),) if wanted and _LETTER.search(text) else FACT


def _priority(fragment: Fragment, request: ReadRequest) -> Readings:
    if is_question(fragment.text):
        return FACT
    ranks = ranked(fragment.text, known_lines(request.claims, "requirement"))
    return (
        tuple(
            Reading("priority", {"requirement": rank.ref, "priority": rank.word}, rank.confidence)
            for rank in ranks
        )
        or FACT
    )


def _decision(fragment: Fragment, request: ReadRequest) -> Readings:
    text = fragment.text
    if is_question(text) or _WEIGHS.match(text) or fragment.code or text.endswith(":"):
        return FACT
    return (Reading("decision"),) if fragment.opens or _DECIDES.search(text) else FACT


def _interface(fragment: Fragment, request: ReadRequest) -> Readings:
    endpoints = dict.fromkeys(
        (match[1].upper(), match[2].rstrip(".:!?") or "/")
        for match in _ENDPOINT.finditer(fragment.text)
    )
    found = tuple(Reading("interface", {"method": m, "path": p}) for m, p in endpoints)
    return found or (Reading("interface"),)


RULES: Final[Mapping[str, Rule]] = {
    "01-05": _quality_or_risk,
    "01-06": _requirement,
    "01-08": _priority,
    "02-01": _risk_or_fact,
    "02-02": _plain("entry-point"),
    "02-03": _plain("risk"),
    "03-01": _plain("option"),
    "03-02": _decision,
    "03-03": _interface,
    "04-01": _plain("module"),
    "04-02": _interface,
    "04-03": _plain("data"),
    "04-04": _plain("error"),
}


def readings(fragment: Fragment, request: ReadRequest) -> Readings:
    """What a fragment says at this step: a fact, unless a rule knows better."""
    if request.phase not in SHIPPED_PHASES or is_filler(fragment.text):
        return FACT
    if request.phase == QUICK_SCAN:
        return _scope(fragment, request)
    if request.phase == REQUIREMENTS and (story := story_in(fragment.text)):
        return (Reading("story", story),)
    rule = RULES.get(request.step.id)
    return rule(fragment, request) if rule else FACT


def story_in(text: str) -> dict[str, str] | None:
    """Role, want and benefit of "As a …, I want …, so that …"."""
    match = _STORY.fullmatch(" ".join(text.split()))
    if not match:
        return None
    return {key: (match[key] or "").strip(" ,.") for key in ("role", "want", "benefit")}


def is_question(text: str) -> bool:
    return text.rstrip("\"'”’) ").endswith(("?", "？"))


def known_lines(claims: tuple[Claim, ...], kind: ClaimKind) -> dict[str, str]:
    """Ref → text of the claims of a kind."""
    return {claim.ref: claim.text for claim in claims if claim.kind == kind and claim.ref}
