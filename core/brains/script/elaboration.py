"""What a persona says when it joins a topic: its lens's next question, against what was said.

Pure and deterministic. A persona claims nothing of the item: it quotes a few words of people and
asks. It never asks what another turn asked or what people's words cover already, and it falls
silent when its lens has nothing left.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from core import patterns
from core.brains.text.filler import is_filler
from core.brains.text.wording import words_of

QUOTE_WORDS_MAX: Final = 8
QUOTE_WORDS_MIN: Final = 2
ANSWER_CHARS_READ_MAX: Final = 4_000

Turns = tuple[tuple[str, str], ...]  # who spoke, and what; the oldest first


@dataclass(frozen=True, slots=True)
class Probe:
    """One question of a lens. `about`: words it takes up; `covered`: words that answer it."""

    question: str
    about: str
    covered: str


@dataclass(frozen=True, slots=True)
class Lens:
    side: str  # ends "from the side of …"
    probes: tuple[Probe, ...]
    takes_up: tuple[str, ...] = (
        "You said “{}”.",
        "Let me stay with “{}” for a moment.",
        "I wrote down “{}”.",
    )


_BUSINESS: Final = Lens(
    "the people who use it",
    (
        Probe(
            "Who would be the first to notice if this were missing, and what would they do then?",
            r"users?|customers?|people|teams?|wants?|needs?|asked",
            r"first to notice|would notice|without (?:it|this)|instead",
        ),
        Probe(
            "What is that worth to them, in time, money or trust?",
            r"saves?|costs?|slow|hours?|manual\w*|script\w*|wait\w*",
            r"hours?|euros?|dollars?|[$€£]|money|per (?:day|week|month|year)|%",
        ),
        Probe(
            "What do the people who ask for it call it, in their own words?",
            r"called|name\w*|word\w*|export\w*|report\w*",
            r"they call|is called|in their words",
        ),
        Probe(
            "Who pays for this, or loses something by it?",
            r"everyone|all|nobody|instead|replac\w*|remov\w*",
            r"loses?|pays?|at the expense|worse for",
        ),
        Probe(
            "What is the smallest part of it that somebody would already be glad of?",
            r"all|every\w*|large|big|must|first|later",
            r"smallest|at least|first version|enough for",
        ),
    ),
    (
        "I hear “{}”, and I picture the person behind it.",
        "Let me stay with “{}” for a moment.",
        "“{}” is worth a closer look.",
    ),
)
_ARCHITECT: Final = Lens(
    "its consequences",
    (
        Probe(
            "What do we give up by doing it this way?",
            r"use[sd]?|go(?:es|ing)? (?:with|for)|chose|option|way|browser|service|server",
            r"give up|trade|drawback|at the cost|instead of|speaks against",
        ),
        Probe(
            "What else depends on how this works today, and would have to follow?",
            r"today|existing|already|current\w*|chang\w*|keep\w*",
            r"depends?|relies|rely|has to follow|also change",
        ),
        Probe(
            "What becomes of it at ten times the load?",
            r"many|every|memory|large|long|slow|fast|seconds?|files?|users?",
            r"load|ten times|scal\w*|peak|per second",
        ),
        Probe(
            "How would we take this back, once it has been used for a week?",
            r"release\w*|data|stored?|sent|mail\w*|migrat\w*|new",
            r"take (?:it |this )?back|roll ?back|undo|revert|switch(?:ed)? off|flag",
        ),
        Probe(
            "What would have to be true for the plainest alternative to be enough?",
            r"only|new|build|own|complex\w*|simple|plain",
            r"alternative|plain(?:er|est)|simpler|would be enough",
        ),
    ),
    (
        "Say we go on with “{}”.",
        "Every choice has its price, and I would like to know the one of “{}”.",
        "I stop at “{}”.",
    ),
)
_DESIGNER: Final = Lens(
    "its boundaries",
    (
        Probe(
            "Which part owns this, and which parts only ask it?",
            r"part|module|service|job|button|screen|stores?|decid\w*|sends?",
            r"owns?|owner|responsible|belongs to|in charge",
        ),
        Probe(
            "What exactly goes in, and what comes back when it is refused?",
            r"takes?|gives?|returns?|requests?|calls?|filters?|input|sends?|asks?",
            r"refus\w*|rejects?|comes back|returns?",
        ),
        Probe(
            "What does a person see when this fails halfway?",
            r"fail\w*|waits?|slow|long|large|mail\w*|draw\w*|load\w*|sav\w*",
            r"fail\w*|error|told|tries again|retr(?:y|ies)|message",
        ),
        Probe(
            "What happens when the same thing comes in twice, or in the wrong order?",
            r"sends?|requests?|click\w*|press\w*|again|retr\w*|mail\w*|start\w*",
            r"twice|duplicates?|same request|order|once only|idempot\w*",
        ),
        Probe(
            "What does the other side not need to know about this?",
            r"knows?|all|every\w*|share\w*|data|permission\w*",
            r"need not know|hidden|does not know|knows nothing|only knows",
        ),
    ),
    (
        "I would like to draw “{}” as a box with a line round it.",
        "Take “{}”, and one step further.",
        "“{}” has two sides to it.",
    ),
)
_ANY: Final = (
    Probe(
        "What would make you call this done?",
        r"done|ready|must|should|need\w*|good",
        r"done when|accepted|call it done",
    ),
    Probe(
        "What could go wrong here that nobody has named yet?",
        r"risk\w*|might|could|fail\w*|new|chang\w*",
        r"go(?:es)? wrong|risks?|afraid|worr\w+",
    ),
    Probe(
        "Who has to know about this before it happens?",
        r"team|people|customers?|release\w*|everyone",
        r"has to know|tell|inform\w*|warn\w*|agree",
    ),
)
_SECURITY: Final = (
    Probe(
        "Who may do this, and how do we know that it is them?",
        r"users?|customers?|admins?|permission\w*|share\w*|access",
        r"permissions?|may only|log(?:ged)? in|authori[sz]\w*|roles?",
    ),
    Probe(
        "What is the most confidential thing that passes through here, and where does it rest?",
        r"data|mail\w*|file|stored?|export\w*|numbers?",
        r"confidential|personal|encrypt\w*|secret",
    ),
    Probe(
        "How would somebody misuse this on purpose?",
        r"open|public|link|send\w*|upload\w*|input",
        r"misuse|attack\w*|abuse",
    ),
)
_TESTING: Final = (
    Probe(
        "Which case would you try first to break it?",
        r"long|large|empty|many|all|every\w*",
        r"edge|break it|test\w*|try",
    ),
    Probe(
        "How could somebody else check that it works?",
        r"must|should|works?|shows?",
        r"check\w*|verif\w*|given .+ when",
    ),
)
_OPERATIONS: Final = (
    Probe(
        "How would you see at night that this has stopped working?",
        r"job|server|mail\w*|send\w*|runs?|memory",
        r"alert\w*|monitor\w*|alarm|notice",
    ),
    Probe(
        "Who repairs it, and what do they need for that?",
        r"fail\w*|crash\w*|down|away|restart\w*",
        r"on call|operator|repair\w*|runbook",
    ),
)
_LENSES: Final[Mapping[str, Lens]] = {
    "business-analyst": _BUSINESS,
    "solutions-architect": _ARCHITECT,
    "system-designer": _DESIGNER,
}
# A persona of one's own: the words of its key choose its questions.
_BY_WORD: Final[tuple[tuple[str, tuple[Probe, ...]], ...]] = (
    (r"secur\w*|privacy|legal|compliance|risk|audit\w*", _SECURITY),
    (r"test\w*|quality|qa", _TESTING),
    (r"op(?:s|erations?|erator)|devops|sre|support|platform|infra\w*", _OPERATIONS),
    (r"architect\w*|engineer\w*|developer|tech\w*|data", _ARCHITECT.probes),
    (r"design\w*|ux|api", _DESIGNER.probes),
    (r"business|product|analyst|owner|user|customer|market\w*|sales", _BUSINESS.probes),
)
ADDRESSED: Final = "Since you ask me. "
GOODBYE: Final = "I have no further question from my side."


# ── a turn ─────────────────────────────────────────────────────────────────────────────────────


def lens_turn(
    persona_key: str,
    topic_title: str,
    said: tuple[str, ...],
    earlier_turns: Turns,
    addressed: bool,
) -> str | None:
    """The persona's next turn, in one to three sentences; None when it has nothing left.

    `said`: the people's answers on the topic, the newest last. `addressed`: somebody spoke to the
    persona by name, so it does not stay silent: at least it says, once, that it has no more.
    """
    lens = lens_of(persona_key)
    spoken = "\n".join(text for _, text in earlier_turns)
    mine = [text for who, text in earlier_turns if who == persona_key]
    left = [
        probe
        for probe in lens.probes
        if probe.question not in spoken and not _covers(said, probe.covered)
    ]
    if not left:
        return GOODBYE if addressed and GOODBYE not in mine else None
    quotes = {probe.question: _quote(probe, said, spoken) for probe in left}
    probe = next((one for one in left if quotes[one.question]), left[0])
    opening = _opening(lens, quotes[probe.question], topic_title, len(mine))
    return f"{ADDRESSED if addressed else ''}{opening} {probe.question}"


def lens_of(persona_key: str) -> Lens:
    """The lens of a shipped persona; of any other one that its role, as its key says, suggests."""
    if persona_key in _LENSES:
        return _LENSES[persona_key]
    role = " ".join(persona_key.casefold().replace("-", " ").replace("_", " ").split())
    own = next((probes for words, probes in _BY_WORD if _has(words, role)), ())
    return Lens(f"the {role}" if role else "somebody who is new to it", (*own, *_ANY))


def _opening(lens: Lens, quoted: str, title: str, turns: int) -> str:
    """Words of people that it takes up; without any, the topic, and whose side it is."""
    if quoted:
        return lens.takes_up[turns % len(lens.takes_up)].replace("{}", quoted)
    if turns:
        return "There is one more thing."
    return f"{' '.join(title.split()) or 'This'}, from the side of {lens.side}."


def _covers(said: tuple[str, ...], words: str) -> bool:
    return any(_has(words, text[:ANSWER_CHARS_READ_MAX]) for text in said)


def _has(words: str, text: str) -> bool:
    return bool(_of_words(words).search(text))


@cache
def _of_words(words: str) -> patterns.Pattern:
    """Words of this module, compiled once."""
    return patterns.compile(rf"(?<!\w)(?:{words})(?!\w)", patterns.IGNORECASE)


# ── a few words of an answer ───────────────────────────────────────────────────────────────────

_CODE: Final = patterns.compile(
    r"`{3,}.*?`{3,}|https?://\S+|<[^>]*>|:[a-z0-9_+-]+:", patterns.DOTALL
)
_CLAUSE: Final = patterns.compile(r"[.!?;:,\n()|“”\"]+(?:\s+|$)|\s[-–—]\s|\n")
_LIST_SIGN: Final = patterns.compile(r"^\s*(?:[-*•>#]+|\(?[0-9]{1,2}[.)]|[0-9]{1,2}:)\s*")
_SENTENCE_END: Final = patterns.compile(r"(?<=[.!?”])\s+(?=[A-Z])")
_LOOSE_END: Final = frozenset(
    {"a", "an", "and", "as", "at", "because", "but", "by", "for", "from", "if", "in", "is", "it"}
    | {"its", "of", "on", "or", "so", "than", "that", "the", "their", "then", "to", "while", "with"}
)
_LOOSE_START: Final = frozenset({"and", "because", "but", "or", "so", "while", "when", "then"})


def _quote(probe: Probe, said: tuple[str, ...], spoken: str) -> str:
    """The newest clause that the question takes up, and that no turn has quoted yet."""
    clauses = [clause for text in reversed(said) for clause in _clauses(text)]
    fresh = [clause for clause in clauses if f"“{clause}”" not in spoken]
    return next((clause for clause in fresh if _has(probe.about, clause)), "")


def _clauses(text: str) -> Iterator[str]:
    for line in _CODE.sub("\n", text[:ANSWER_CHARS_READ_MAX]).splitlines():
        for part in _CLAUSE.split(_LIST_SIGN.sub("", line)):
            words = part.strip(" *_`'").split()[:QUOTE_WORDS_MAX]
            while words and words[0].casefold() in _LOOSE_START:
                words = words[1:]
            while words and words[-1].casefold() in _LOOSE_END:
                words.pop()
            if len(words) >= QUOTE_WORDS_MIN and not is_filler(part):
                yield " ".join(words)


# ── the synthesis ──────────────────────────────────────────────────────────────────────────────


def synthesis(turns: Turns, answers: Turns) -> tuple[str, ...]:
    """The lines that go into the artifact: each answer under its author, then what stays open.

    `turns`: persona and turn; `answers`: person and text. A question counts as taken up by an
    answer that shares a word of meaning with it; with no such answer it is listed as open.
    """
    told = [(who, " ".join(text.split())) for who, text in answers if not is_filler(text)]
    lines = [f"{who} said: {text}" for who, text in dict.fromkeys(told)]
    heard = words_of(" ".join(text for _, text in told))
    open_ones = [
        f"{who} asked: {question}"
        for who, question in dict.fromkeys(_asked(turns))
        if not words_of(question) & heard
    ]
    return (*lines, *open_ones)


def _asked(turns: Turns) -> Iterator[tuple[str, str]]:
    """Who asked what: the last sentence of each turn that is a question."""
    for who, text in turns:
        last = _SENTENCE_END.split(" ".join(text.split()))[-1]
        if last.endswith("?"):
            yield who, last
