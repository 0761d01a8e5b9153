"""What checks of a debate look for: the matter of each, and what answers say for or against it.

A check that belongs to no matter is known by its words: a line speaks of it that shares two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains.script.council.hearing import Line
from core.brains.script.council.quoting import quote
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX
from core.brains.text.wording import words_of

SHARED_WORDS_MIN: Final = 2


@dataclass(frozen=True, slots=True)
class Matter:
    """`brought`: words of a check; `spoken`: of a line about it; `against`: that defy the check.

    `area`: what of a stack it is about, if it is about one thing.
    """

    brought: patterns.Pattern
    spoken: patterns.Pattern
    against: patterns.Pattern
    area: str = ""


def _words(pattern: str) -> patterns.Pattern:
    return patterns.compile(rf"(?<!\w)(?:{pattern})(?!\w)", patterns.IGNORECASE)


def _matter(brought: str, spoken: str, against: str, area: str = "") -> Matter:
    return Matter(_words(brought), _words(spoken), _words(against), area)


_MATTERS: Final = (
    _matter(
        r"personal data|privacy",
        r"personal data|delet\w+|anonymi[sz]\w+|gdpr|dsgvo|privacy|who (?:may|can) (?:see|read)",
        r"keep (?:everything|it all|all (?:of )?the data)|never delet\w+|for ?ever"
        r"|(?:everybody|everyone|anyone) (?:can|may) (?:see|read)",
        "database",
    ),
    _matter(
        r"sign-?in|log-?in|permissions?|authenticat\w+",
        r"sign(?:s|ing)?[- ]?(?:in|on)|log(?:s|ging)?[- ]?in|sso|oauth|oidc|saml|keycloak"
        r"|permissions?|passwords?|roles?",
        r"(?:our|my|its) own (?:\w+ )?(?:log-?in|sign-?in|authentication)"
        r"|(?:writ\w+|wrote|buil\w+|mak\w+) (?:\w+ ){0,3}(?:log-?in|sign-?in|authentication)"
        r"|no (?:log-?in|sign-?in|passwords?)|shar\w+ (?:\w+ ){0,2}(?:password|account|log-?in)",
        "sign-in",
    ),
    _matter(
        r"keys? and passwords?|secrets?|credentials",
        r"secrets?|vault|key store|environment variables?|api keys?",
        r"(?:keys?|passwords?|secrets?|tokens?) (?:\w+ ){0,3}in (?:the )?(?:code|repo\w*|git)"
        r"|hard-?coded",
    ),
    _matter(
        r"laws?|legal|regulations?",
        r"laws?|legal\w*|gdpr|dsgvo|gobd|hipaa|regulations?|compliance|contracts?|polic(?:y|ies)",
        r"(?:ignor\w+|forget|skip) (?:\w+ ){0,3}(?:laws?|gdpr|dsgvo|gobd|rules?|contracts?)"
        r"|outside (?:of )?(?:the )?(?:eu|europe)|not (?:\w+ )?compliant",
    ),
    _matter(
        r"own machine|new colleague",
        r"own machine|laptops?|docker|dev ?containers?|set(?:ting)? up|onboard\w*|one command",
        r"(?:days|weeks) to (?:set up|install|get (?:it )?running)|only runs? on"
        r"|nobody (?:else )?can (?:run|start|install)",
    ),
    _matter(
        r"releases? goes out|releases?|deploy\w*|roll ?back",
        r"releas\w+|deploy\w*|roll(?:ed|ing)? ?back|pipelines?|ship(?:s|ped)?",
        r"no way back|cannot (?:be )?(?:roll\w*|take\w*|und\w+)|no (?:staging|pipeline|roll ?back)"
        r"|(?:releas|deploy)\w* (?:\w+ ){0,2}by hand",
        "hosting",
    ),
    _matter(
        r"failures? is noticed|alarms?|logs|monitor\w*|a user calls",
        r"alarms?|alerts?|monitor\w*|logs|on call|pagers?|sentry|prometheus|grafana|notic\w+",
        r"(?:nobody|no one) (?:watches|looks|notices|monitors|is on call)"
        r"|no (?:alarms?|alerts?|monitoring|logs)"
        r"|(?:users?|customers?) (?:will )?(?:call|tell|mail)s? us",
        "monitoring",
    ),
    _matter(
        r"costs?|bills?|prices?",
        r"costs?|euros?|dollars?|budgets?|(?:per|a|each) month|cheap\w*|expensive"
        r"|free of charge|fees?|[0-9]+ ?[€$£]|[€$£] ?[0-9]+",
        r"no budget|no matter what it costs|costs? (?:does|do) not matter|cannot (?:pay|afford)"
        r"|too expensive",
    ),
    _matter(
        r"reasons?",
        r"because|since|so that|reasons?",
        r"just because|no (?:real |good )?reason|(?:in|by) fashion|because it is (?:new|cool)",
    ),
    _matter(
        r"undo|second option|taken back",
        r"instead|alternatives?|second option|plan b|switch\w*|replac\w+|undo\w*",
        r"no (?:alternative|second option|plan b|going back)|lock(?:s|ed)? (?:us )?in"
        r"|cannot (?:be )?(?:chang|switch|replac)\w+",
    ),
    _matter(
        r"do without",
        r"need\w*|enough|without|simple\w*|few\w*",
        r"(?:do not|don['’]?t|not) need\w*|overkill|nice to have",
    ),
)


def matter_of(text: str) -> Matter | None:
    """What a check is about, or a critique that speaks of it."""
    return next((one for one in _MATTERS if one.brought.search(text)), None)


def lines_on(check: str, lines: Sequence[Line]) -> list[Line]:
    """Every line that speaks of what a check looks for, or defies it."""
    matter = matter_of(check)
    if matter:
        return [line for line in lines if _is_on(matter, line.text[:PHRASE_CHARS_MAX])]
    wanted = words_of(check)
    return [line for line in lines if len(words_of(line.text) & wanted) >= SHARED_WORDS_MIN]


def _is_on(matter: Matter, text: str) -> bool:
    return bool(matter.spoken.search(text) or matter.against.search(text))


def clause_on(check: str, line: Line) -> str:
    """The clause of a line that defies a check, else one that speaks of it."""
    matter = matter_of(check)
    if matter is None:
        return quote(line.text)
    defying = matter.against if matter.against.search(line.text) else matter.spoken
    return quote(line.text, defying.search)


def against(check: str, lines: Sequence[Line]) -> Line | None:
    """The line that a check is defied by: the last word on its matter counts, whoever says it."""
    spoken = [line for line in lines_on(check, lines) if not line.is_open]
    return spoken[-1] if spoken and defies(check, spoken[-1].text) else None


def defies(check: str, text: str) -> bool:
    matter = matter_of(check)
    read = text[:PHRASE_CHARS_MAX]
    return bool((matter.against if matter else _REFUSES).search(read))


_REFUSES: Final = _words(
    r"no|not|never|nobody|nothing|without|cannot|can['’]?t|don['’]?t|won['’]?t"
)
