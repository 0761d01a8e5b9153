"""Words that are signs of a kind: of a demand, a risk, a constraint, an open question.

And what a step's own question asks for, so that its answer is read as that.
"""

from typing import Final

from core import patterns

HAS_LETTER: Final = patterns.compile(r"[^\W_]")
URL_ALONE: Final = patterns.compile(r"<?https?://\S+>?")
NOT_WANTED: Final = patterns.compile(
    r"(?:today|currently|at the moment|right now|so far|as of now|until now|because|since"
    r"|the reason|that is why|for example|e\.g|background|context|fyi"
    r"|note that|(?:i(?:['’]ll| will| can| could)|let me|we(?:['’]ll| will)) (?:check|ask|confirm"
    r"|find out|get back|come back|follow up|think|look|see))\b",
    patterns.IGNORECASE,
)
RISK: Final = patterns.compile(
    r"\b(?:risks?|risky|might|may (?:break|fail|lose|leak)|afraid|worr(?:y|ied|ies|ying)|danger\w*"
    r"|could (?:break|fail|lose|leak|go)|breaks?|leaks?|fails?|failures?|go(?:es)? wrong|loses?"
    r"|loss|lost|times? out|timeouts?|outages?|crash\w*|attack\w*|vulnerab\w+|threats?)\b",
    patterns.IGNORECASE,
)
SURELY_RISK: Final = patterns.compile(
    r"\b(?:risks?|risky|afraid|worr(?:y|ied|ies|ying))\b", patterns.IGNORECASE
)
DEMAND: Final = patterns.compile(
    r"\b(?:must|should|shall|needs? to|ha(?:s|ve) to|at (?:least|most)|within|under|below"
    r"|no more than|always|never)\b",
    patterns.IGNORECASE,
)
_SYSTEM: Final = (
    r"(?:(?:and|but|also|then|so),? )?(?:it|(?:the|this|our) (?:[\w-]+ )?(?:system|product|app"
    r"|application|tool|service|software|feature|solution|site|page|screen|bot)"
    r"|(?:the |a |all |every )?(?:[\w-]+ )?users?)"
)
EXPLICIT: Final = patterns.compile(
    rf"{_SYSTEM} (?:[\w-]+ ){{0,3}}?(?:must|shall|should be able to|needs? to be able to)\b",
    patterns.IGNORECASE,
)
TIMING: Final = patterns.compile(
    r"\b(?:by|before|until|not later than) (?:the )?(?:end of|next|january|february|march|april|may"
    r"|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday"
    r"|friday|q[1-4]|spring|summer|autumn|winter|christmas|release|[0-9]{4})\b|\bdeadline\b",
    patterns.IGNORECASE,
)
FIXED: Final = patterns.compile(
    r"\b(?:(?:must|has to|have to|needs? to|should) (?:stay|remain|keep|be kept)|must not change"
    r"|(?:cannot|can['’]?t|may not) (?:be )?(?:chang|mov|touch|replac)\w*|is fixed|are fixed"
    r"|stays? as (?:it is|they are)|no new|limited to|only runs? on|must run on|nothing else)\b",
    patterns.IGNORECASE,
)
RULES_APPLY: Final = patterns.compile(
    r"\b(?:gdpr|hipaa|sox|pci|laws?|legal(?:ly)?|regulations?|compliance|contracts?|licen[cs]es?"
    r"|company rules?|policy|policies|works council)\b",
    patterns.IGNORECASE,
)
DECIDES: Final = patterns.compile(
    r"\b(?:uses?|using|used|choose|chose|chosen|go(?:ing)? (?:with|for)|went (?:with|for)|decid\w+"
    r"|adopt\w*|keep|stay(?:ing)? with|stick(?:ing)? (?:with|to)|pick(?:ed)?|switch\w*|will"
    r"|we['’]ll|let['’]s|drop|replace|prefer\w*)\b",
    patterns.IGNORECASE,
)
WEIGHS: Final = patterns.compile(
    r"(?:because|since|the reason|we (?:looked|considered|compared|tried|discussed)|alternatives?\b"
    r"|another option|instead of|it['’]?s? |this |that |not decided|undecided|still open"
    r"|pros?\b|cons?\b|nothing (?:new|else)|(?:what speaks|speaks) against)",
    patterns.IGNORECASE,
)
_OF_SOMETHING: Final = patterns.compile(r" (?:it|him|her|them|us|me)\b", patterns.IGNORECASE)
_OPEN: Final = patterns.compile(
    r"\b(?:(?:nobody|no one) (?:(?P<knows>knows)"
    r"|has (?:said|named|told|decided)|can (?:say|tell)|is sure)"
    r"|not (?:yet )?(?:known|decided|clear|defined|specified|settled|agreed)(?: yet)?"
    r"|unclear|undecided|still open|remains? open|open (?:question|point|issue)"
    r"|to be (?:decided|clarified|determined|agreed)|tbd|tbc|has to be found out"
    r"|(?:do not|don['’]?t) (?:yet )?know|(?:not sure|unsure|wonder(?:ing)?) (?:whether|if|how|who"
    r"|what|which|when|where|why|about)|(?:i|we) (?:cannot|can['’]?t) (?:say|tell)"
    r"|(?:is|are) unknown)\b",
    patterns.IGNORECASE,
    unless=lambda match: match["knows"] and _OF_SOMETHING.match(match.after),
)
_OUT_ELSEWHERE: Final = patterns.compile(
    r" of| there",
    patterns.IGNORECASE,
    unless=lambda match: match.string.lower().startswith(" of scope"),
)
_EXCLUDED: Final = patterns.compile(
    r"\b(?:(?:is|are|stays?|stay|remains?) (?:(?P<out>out)\b|left out|excluded)"
    r"|(?:out of|not in) scope|not (?:part of|in) (?:this|the first) (?:version|release)"
    r"|(?:we|i)(?: would|['’]d)? leave (?:\w+ ){1,4}out|not in version [0-9]+"
    r"|(?:comes?|wait(?:s)?) (?:for |until |in )?(?:a |the )?(?:later|next) (?:version|release))\b",
    patterns.IGNORECASE,
    unless=lambda match: match["out"] and _OUT_ELSEWHERE.match(match.after),
)


def is_question(text: str) -> bool:
    return text.rstrip("\"'”’) ").endswith(("?", "？"))


def is_open(text: str) -> bool:
    """Whether somebody says that a thing is not known: "nobody has said whether …"."""
    return bool(_OPEN.search(text))


def is_excluded(text: str) -> bool:
    return bool(_EXCLUDED.search(text))


# ── what a numbered question asks for ──────────────────────────────────────────────────────────

_ASKS: Final[tuple[tuple[str, patterns.Pattern], ...]] = tuple(
    (name, patterns.compile(words, patterns.IGNORECASE))
    for name, words in (
        ("never", r"\bnever do\b|\brefuse to do\b"),
        ("out-of-scope", r"leave out|left out|out of scope|version end"),
        ("acceptance", r"before (?:you|they) (?:call|believe)|each of those lines is done"
         r"|show someone"
         r"|to prove|is done\?"),
        ("constraint", r"is fixed|stay as it is|laws, contracts|rule limits|sets the timing"),
        ("risk", r"go wrong|would hurt|least confidence|worst single|hard to repair|risk"),
        ("quality", r"how fast|good enough|at what number"),
        ("problem", r"happens today|put this on the table|present state cost"),
        ("user", r"^who\b|group of people|which group|whose wish"),
    )
)  # fmt: skip


def asks_for(question: str) -> frozenset[str]:
    return frozenset(name for name, words in _ASKS if words.search(question))
