"""What each shipped step should learn, and how to ask for it when nobody has said it.

The questions are plainer than those of the step files: they are asked one at a time, to people who
have answered already.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from core import patterns


@dataclass(frozen=True, slots=True)
class Need:
    """One thing to learn.

    `asked_as`: words of the numbered question that asks for it; without any it is the step's first
    need. `said`: words that show that it was said; `kinds`: kinds and topics that do; `anywhere`:
    those that do in any step. `thin`: any four words will do.
    """

    question: str
    missing: str
    asked_as: str = ""
    said: str = ""
    kinds: str = ""
    anywhere: str = ""
    thin: bool = False

    def is_asked_in(self, question: str) -> bool:
        return bool(self.asked_as) and _search(self.asked_as, question)

    def is_said_in(self, texts: Iterable[str]) -> bool:
        return bool(self.said) and any(_search(self.said, text) for text in texts)


def _search(words: str, text: str) -> bool:
    return bool(_of_words(words).search(text))


@cache
def _of_words(words: str) -> patterns.Pattern:
    """Words of this module, compiled once."""
    return patterns.compile(rf"\b(?:{words})", patterns.IGNORECASE)


_WHO: Final = (
    r"(?:who|users?|customers?|clients?|people|persons?|everyone|anyone|team\w*|readers?|admins?"
    r"|administrators?|owners?|payers?|callers?|developers?|engineers?|operators?|analysts?"
    r"|managers?|buyers?|sellers?|merchants?|agents?|support|sales|finance|marketing|operations"
    r"|company|business\w*|organi[sz]ations?|partners?|subscribers?|members?|visitors?|guests?"
    r"|tenants?|students?|teachers?|patients?|employees?|staff|colleagues?|we|us|our|ours)\b"
)
_WHY: Final = (
    r"(?:because|since|so that|so (?:we|they|i|you)|in order|due to|why|reason"
    r"|benefit\w*|sav(?:e|es|ing)"
    r"|costs?|revenue|money|los(?:e|es|ing|t)|churn\w*|risks?|ask(?:s|ed|ing)?|request\w*|complain\w*"
    r"|needs?|needed|wants?|wanted|wish\w*|today|currently|cannot|can['’]?t|fail\w*|problem\w*|pain\w*"
    r"|slow|manual\w*|depends?|legal|compliance|deadline|goal|avoid\w*|reduc\w*|improv\w*)\b"
)
_NONE: Final = r"|no(?:thing|ne|body| one)?\b"

NEEDS: Final[Mapping[str, tuple[Need, ...]]] = {
    "00-01": (
        Need("How big is this: small, medium or large?", "the size is still open"),
        Need("What makes it easy or hard: low, medium or high complexity?",
             "nobody has said how complex it is", r"complex", r"complex|easy|hard|simple|tricky"),
    ),
    "00-02": (
        Need("Which words would you search the code for?", "no search word is named", thin=True),
        Need("Which earlier request or ticket was about the same?", "earlier work is not named",
             r"earlier|last attempt", r"earlier|before|tickets?|issues?|requests?|tried|old|last"
             + _NONE),
    ),
    "00-03": (
        Need("About how many files would change?", "the number of files is still open"),
        Need("What makes that number unsure?", "nobody has said how sure the number is",
             r"how sure|least sure|shaky",
             r"sure|certain|confiden|depends|rough|guess|about|maybe"),
    ),
    "01-01": (
        Need("Who benefits from this?", "nobody has said who benefits", said=_WHO,
             kinds="user", anywhere="user story"),
        Need("Why does it matter now?", "nobody has said why it matters now", said=_WHY),
        Need("What sets the date for it?", "nobody has said what sets the timing", r"timing",
             r"by (?:the|end|next|q[1-4]|[a-z]+ber|20)|dates?|deadlines?|soon|now"
             r"|release|quarter|week|month|year|urgent|before|until|today|spring|summer|closed"
             + _NONE, anywhere="deadline"),
    ),
    "01-02": (
        Need("Who are the users of this?", "nobody has said who the users are", said=_WHO,
             anywhere="user story"),
        Need("What do they do today instead?", "nobody has said how they get by today",
             r"get by|workaround", r"today|now|currently|instead|by hand|manual|workaround|script"
             r"|excel|spreadsheet|copy|already|until now" + _NONE),
        Need("Who needs something different from the rest?", "no group with other needs is named",
             r"different", r"different|other|also|while|but|only|same|all|group|except" + _NONE),
    ),
    "01-03": (
        Need("What does a user do first, and what happens then?", "the way through it is not told",
             thin=True, anywhere="journey"),
        Need("When does a person need to be told what is going on?",
             "nobody has said when a person "
             "is told what is going on", r"be told",
                  r"told|see|sees|shows?|message|notif|wait|while"
             r"|progress|error|mail" + _NONE),
    ),
    "01-04": (
        Need("Which part of the existing system does this touch?",
             "no part of the existing system is named", thin=True),
        Need("What has to stay as it is?", "nobody has said what is fixed", r"fixed",
             r"stay|keep|fixed|must not|unchanged|remain|cannot change|as (?:it is|they are)"
             + _NONE, kinds="constraint", anywhere="constraint"),
    ),
    "01-05": (
        Need("What must not get worse because of this?", "no quality is named", kinds="quality",
             anywhere="quality"),
        Need("What could go wrong that would hurt most?", "no risk is named",
             r"hurt most|go wrong|worst", kinds="risk", anywhere="risk"),
        Need("Which law, contract or company rule applies?", "no rule that applies is named",
             r"laws", r"gdpr|laws?|legal|contract|rules?|polic|complian|licen[cs]|audit|permission"
             r"|privacy" + _NONE, kinds="constraint"),
    ),
    "01-06": (
        Need("What should it do, in one line?", "no requirement is named yet",
             kinds="requirement story", anywhere="requirement"),
        Need("How would you check that one of these lines is done?", "no check is named",
             r"is done\?", r"check|test|done|given|accept|prove|verif", kinds="acceptance"),
        Need("What is left out of this version?", "nobody has said what is left out",
             r"leave out|version end",
             r"leave|left out|out of scope|not (?:in|part)|later|never|only"
             r"|must not" + _NONE, kinds="out-of-scope", anywhere="out-of-scope"),
    ),
    "01-07": (
        Need("Who wants what, and what for? One line that begins with As a is enough.",
             "no story is told yet", kinds="story", anywhere="story"),
        Need("What would somebody try out before they believe that it works?",
             "no check is named", r"try out|check before|before you call|show someone|to prove",
             r"check|test|try|tries|done|given|accept|prove|verif", kinds="acceptance",
             anywhere="acceptance"),
    ),
    "01-08": (
        Need("What would you give up first if time ran short?",
             "nobody has said what could go first",
             r"give up first", r"give up|first|drop|last|later|could|won['’]?t|none|nothing|cut"),
    ),
    "02-01": (
        Need("What else would notice this change?", "no other part is named", thin=True),
        Need("Who outside the team will notice?", "nobody has said who will notice",
             r"outside your team", _WHO + r"|notice\w*" + _NONE),
    ),
    "02-02": (
        Need("Where in the product or the code does this begin?", "no way in is named", thin=True),
        Need("Where would you make the first edit?", "the place of the first edit is open",
             r"first edit",
             r"edit|begin|start|first|file|module|class|function|template|job|where"),
    ),
    "02-03": (
        Need("Which part is most likely to go wrong?", "no risky part is named", thin=True),
        Need("What has broken around here before?", "past trouble is not named", r"broken",
             r"broke|before|last|past|once|crash|outage|incident|ago|never" + _NONE),
        Need("What would be hard to repair?", "nobody has said what is hard to repair",
             r"hard to repair",
             r"repair|undo|undone|taken? back|revers|restore|lost|forever|delete"
             r"|roll|cannot|migrat" + _NONE),
    ),
    "02-04": (
        Need("How would you take it back?", "a way back is not named", r"take it back",
             r"back|flag|hide|switch|off|revert|roll|undo|remove|disable"),
    ),
    "03-01": (
        Need("Which ways to build it are there?", "no way to build it is named", thin=True),
        Need("What matters most: speed, cost or simplicity?", "nobody has said what matters most",
             r"matters most",
             r"matter|most|speed|cost|cheap|simpl|plain|fast|quick|important|safe"),
        Need("What speaks against the way you prefer?", "no drawback is named", r"speaks against",
             r"against|but|drawback|cost|con|cons|risk|slow|memory|hard|price|although|downside"),
    ),
    "03-02": (
        Need("Which technology was decided on?", "no decision is recorded yet", kinds="decision",
             anywhere="chosen"),
        Need("What would be new for the team?", "nobody has said what is new for the team",
             r"new for the team", r"new|learn|known?|knows|already|first time|same|keep" + _NONE),
        Need("Which choice would be hardest to undo?",
             "the choice that is hardest to undo is open",
             r"hardest to undo", r"undo|hardest|revers|back|replace|swap|lock|stuck" + _NONE),
    ),
    "03-03": (
        Need("Which other systems does this talk to?", "no neighbour is named", thin=True),
        Need("What happens while the other side is away?",
             "nobody has said what happens while the other side is away", r"slow or away",
             r"away|down|slow|retr(?:y|ies)|again|queue|wait|timeout|fail|offline|unavailable|late"),
    ),
    "03-04": (
        Need("Who has to agree before this gets built?", "nobody has said who has to agree",
             r"has to agree",
             r"agree|approv|sign|we|i|all|team|lead|owner|everybody|enough" + _NONE),
    ),
    "04-01": (
        Need("Which parts does it consist of?", "no part is named", thin=True),
        Need("Which part makes the decisions?", "nobody has said which part decides",
             r"makes the decisions", r"decid|decision|rules?|owns?|controls?|chooses?"),
        Need("What need a part not know of the others?",
             "nobody has said what a part need not know",
             r"not have to know",
             r"know|knows|hidden|only|nothing|without|unaware|independent|not"),
    ),
    "04-02": (
        Need("What does one part ask of another, in one line?", "no exchange is described",
             thin=True),
        Need("What may callers rely on?", "nobody has said what callers may rely on", r"rely on",
             r"rely|relies|always|never|guarantee|promise|stable|stays?|may change|version|must"),
    ),
    "04-03": (
        Need("Which data is kept, and where?", "nobody has said which data is kept", thin=True),
        Need("Which states does one item pass through?", "the states are not named", r"states",
             r"states?|status|wanted|pending|ready|done|failed|draft|open|closed|queued|running|sent"
             r"|being|then|until" + _NONE),
        Need("Which source wins when two disagree?", "nobody has said which source wins",
             r"source wins", r"wins?|source|truth|owner|master|prefer|newest|latest|one place|only"
             r"|over"),
    ),
    "04-04": (
        Need("What happens when something goes wrong?", "no failure is described", thin=True),
        Need("What input gets refused?", "no refused input is named", r"refused",
             r"refus|reject|invalid|not allowed|denied|block|valid|forbid|exist" + _NONE),
        Need("Which failures need a person?", "nobody has said which failures need a person",
             r"mend themselves",
             r"mend|itself|themselves|retr(?:y|ies)|again|person|somebody|operator"
             r"|on call|manual|by hand|support"),
    ),
    "04-05": (
        Need("What should be looked at again later?", "nothing to look at again is named",
             r"look at again", r"again|later|after|review|weeks?|months?|watch|measure" + _NONE),
    ),
}  # fmt: skip
