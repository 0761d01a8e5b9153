"""What a line is by the rules of its topic, and by those that hold wherever something is said.

A rule takes one line and gives readings of it, usually one. It never changes the words.
"""

from collections.abc import Mapping
from itertools import takewhile
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import phrases, signs, verbs, weighing
from core.brains.script.parts.priority import is_of_rest, ranked_or_unplaced
from core.brains.script.readers import (
    CONSTRAINT,
    FACT,
    NOTE,
    NOTHING,
    OUT_OF_SCOPE,
    READERS,
    FragmentReading,
    Line,
    Readings,
    Rule,
    added,
    lines_to_rank,
    others_to_rank,
    plain,
    ranks_as_readings,
)
from core.brains.script.scan.sizes import in_english, said_about_size
from core.brains.script.topics import Topic, usual_reader
from core.brains.text.split import OWN_NAME
from core.brains.text.wording import words_of

LINES_OF_A_LIST_MIN: Final = 3
SENTENCE_WORDS_MIN: Final = 6  # with fewer words a line may name a thing alone
_LIST_SIGNS: Final = " -*•"
OPENING_NAME: Final = patterns.compile(r"[A-Z]{1,2}[0-9]{1,2}(?!\w)")
_NAME: Final = patterns.compile(r"[*_\[(]{0,2}(?P<name>[A-Za-z]{0,3}-?[0-9]{0,3})(?!\w)")
_REFUSES: Final = patterns.compile(
    r"\s*[:,–-]?\s*(?:no|nope|nah|nee|nein|non)\b", patterns.IGNORECASE
)
_RANK_BESIDE: Final = patterns.compile(
    r"(?:\||\(|\[|, |- )\s*(must|should|could)(?:[- ]have)?\s*(?:\||\)|\]|$)", patterns.IGNORECASE
)


def own(line: Line) -> Readings:
    """What the rule of a topic makes of a line; else its usual reader."""
    if line.group == "scan":
        return _scope(line)
    if rule := _OF_TOPIC.get(line.topic):
        return rule(line)
    usual = usual_reader(line.topic)
    return plain(usual)(line.text) if line.fragment.code else READERS[usual](line.text)


def _scope(line: Line) -> Readings:
    counting = line.topic == "file-count"
    size = said_about_size(
        line.text, counting=counting, listed=line.fragment.item, grade=_grade_asked(line)
    )
    return (FragmentReading("scope", {} if line.fragment.code else size),)


def _grade_asked(line: Line) -> str:
    """What a bare "high" speaks of: what its question asks for, else what its step does."""
    if grades := [name for name in ("complexity", "confidence") if name in line.asks]:
        return grades[0]
    first = in_english(line.text).partition(",")[0]
    if first.strip(" .!").casefold().endswith("medium") or line.question:
        return ""  # a size as well
    return {"size": "complexity", "file-count": "confidence"}.get(line.topic, "")


# ── requirements ───────────────────────────────────────────────────────────────────────────


def _topic(topic: str) -> Rule:
    """A fact on the step's subject; a date, a law or a fixed point is a constraint."""

    def rule(line: Line) -> Readings:
        text = line.text
        if signs.TIMING.search(text) or signs.FIXED.search(text):
            return (CONSTRAINT,)
        if "purpose" in line.asks:
            return (FragmentReading("purpose"),)
        about = "user" if "user" in line.asks else topic
        role = weighing.actor_in(text) if about == "user" and not line.fragment.code else ""
        steps = phrases.journey_in(text) if about == "journey" else {}
        more = steps | ({"role": role} if role else {})
        return (FragmentReading("fact", {"topic": about, **more}),)

    return rule


def _context(line: Line) -> Readings:
    text = line.text
    fixed = "constraint" in line.asks or signs.FIXED.search(text) or signs.RULES_APPLY.search(text)
    return (CONSTRAINT,) if fixed and not line.fragment.code else FACT


def _quality_or_risk(line: Line) -> Readings:
    text = line.text
    if belongs := of_risk(text):
        return belongs
    if weighing.is_weighed(text):
        return READERS["risk"](text)
    if signs.SETS_ANEW.match(text):
        return NOTE
    if evidence.rules_out(text):
        return READERS["quality"](text)
    may_fail = "risk" in line.asks or signs.RISK.search(text)
    if signs.SURELY_RISK.search(text) or (may_fail and not signs.DEMAND.search(text)):
        return READERS["risk"](text)
    fixed = signs.RULES_APPLY.search(text) or signs.FIXED.search(text)
    is_good = signs.STAYS_GOOD.search(text) or any(character.isdigit() for character in text)
    is_given = fixed and not is_good
    constrains = "constraint" in line.asks or is_given
    if constrains:
        return (CONSTRAINT,)
    if evidence.is_measured(text) or evidence.is_demanded(text, line.topic):
        return READERS["quality"](text)
    return (CONSTRAINT,) if fixed else FACT  # "law: GDPR art. 7"


def decided(line: Line) -> Readings:
    """A choice that falls outside the phase of choices: "we go with SMS only"."""
    if line.group not in ("requirements", "impact", "design") or line.topic == "priorities":
        return NOTHING
    choices = weighing.choices_in(line.text)
    chosen = (choice for choice in choices if choice["choice"] == "chosen")
    return tuple(FragmentReading("decision", choice) for choice in chosen)


def _risk(line: Line) -> Readings:
    """A risk; not the "every. single. one." of a sentence that was said in pieces, nor another
    value or rating of something said before, nor what says that something is none."""
    is_piece = not line.fragment.item and len(line.text.split()) == 1
    says_nothing = not (line.fragment.opens and words_of(line.text))
    is_anew = signs.SETS_ANEW.match(line.text) or signs.RATES_ANEW.match(line.text)
    if is_anew or signs.NO_RISK.search(line.text) or (is_piece and says_nothing):
        return NOTE
    return READERS["risk"](line.text)


def of_risk(text: str) -> Readings:
    """ "high / high" and "avoided by …" belong to the risk before them."""
    if rating := evidence.rating_in(text):
        return (FragmentReading("note", rating, onto=next(iter(rating))),)
    if evidence.mitigates(text):
        return (FragmentReading("note", {"mitigation": text.strip()}, onto="mitigation"),)
    return NOTHING


def _requirement(line: Line) -> Readings:
    text, asks = line.text, line.asks
    if line.fragment.code:
        return FACT
    is_none = evidence.is_aside(text) or is_of_rest(text) or text.endswith(":")
    if is_none or not signs.HAS_LETTER.search(text):
        return NOTE
    if "acceptance" in asks:
        # It does not say of which line, where there are several.
        return (FragmentReading("check", of_one=True),)
    is_demand = _tells_what_to_build(text) or evidence.is_demanded(text, line.topic)
    if "out-of-scope" in asks and not (is_demand if "never" in asks else evidence.is_firm(text)):
        return NOTE if evidence.is_bound(text) else (OUT_OF_SCOPE,)
    if not (is_demand or _is_listed_thing(line)) or _only_goes_back(line, is_demand=is_demand):
        return NOTE
    rank = _RANK_BESIDE.search(text)
    return (FragmentReading("requirement", {"priority": rank[1].lower()} if rank else {}),)


def _tells_what_to_build(text: str) -> bool:
    """True for a command and for what a thing does: "reprint a ticket", "the gate opens at six"."""
    meant = evidence.meant(text)
    does = verbs.opens_with_article(meant) and verbs.told_by(meant) == "does"
    return verbs.is_command(meant) or (does and not evidence.is_now(text))


def _only_goes_back(line: Line, *, is_demand: bool) -> bool:
    """True for "F2: three then" and "F2 no, …" behind somebody's list with "F2 Five at most"."""
    name = OPENING_NAME.match(line.text)
    if not name or (is_demand and not _REFUSES.match(name.after)):
        return False
    return _is_called_before(name[0], line)


def names_itself(line: Line) -> bool:
    """True for "R5 - a label is two lines", unless a line before it has that name."""
    if not (OWN_NAME.match(line.text) or OPENING_NAME.match(line.text)):
        return False
    name = _NAME.match(line.text)
    return not (name and _is_called_before(name["name"], line))


def _is_called_before(name: str, line: Line) -> bool:
    earlier = takewhile(lambda answer: line.text not in answer.text, line.request.answers)
    texts = [answer.text for answer in (*line.request.other_answers, *earlier)]
    names = (
        _NAME.match(row.lstrip(_LIST_SIGNS))
        for text in (*texts, _text_before(line))
        for row in text.split("\n")
    )
    return any(it and it["name"].casefold() == name.casefold() for it in names)


def _is_listed_thing(line: Line) -> bool:
    """True for a line with a name of its own, and for a few words in a list of what is to be
    built: "CSV export", and not "coffee is nice"."""
    if evidence.is_check(line.text) or evidence.is_excluded(line.text):
        return False
    is_listed = _is_listed(line) or "requirement" in line.asks
    is_short = 1 < len(line.text.split()) < SENTENCE_WORDS_MIN
    is_told = verbs.told_by(evidence.meant(line.text)) not in ("", "does")
    is_thing = is_listed and is_short and not is_told
    return is_thing or (line.fragment.opens and names_itself(line))


def _is_listed(line: Line) -> bool:
    """True for an item of a list, a line with a name, and one of several, which needs no signs."""
    if line.fragment.item or OWN_NAME.match(line.text):
        return line.fragment.opens
    answers = (answer.text.split("\n") for answer in line.request.answers)
    several = (item for lines in answers if len(lines) >= LINES_OF_A_LIST_MIN for item in lines)
    return line.fragment.opens and any(line.text in item for item in several)


def _story_or_fact(line: Line) -> Readings:
    if "acceptance" in line.asks and not line.fragment.code:
        return (FragmentReading("check", of_one=True),)
    label = lexicon.pattern("story-label").match(line.text)
    text = line.text[label.end() :] if label else line.text
    story = phrases.story_of_author(text) or _told_of_others(text, is_story=bool(label))
    return (FragmentReading("story", story),) if story else FACT


def _told_of_others(text: str, *, is_story: bool) -> phrases.Parts | None:
    """A person, a moment and what happens: "Clerks see both slips when they correct one".

    `is_story`: its author calls it one, whatever of these it has.
    """
    line = phrases.on_one_line(text)
    moment, happening = phrases.moment_in(line), phrases.behind_moment(line)
    is_told = moment and weighing.opens_with_people(happening) and not verbs.acts_on(happening)
    if not (is_story or is_told):
        return None
    role = (
        weighing.actor_in(happening)
        if weighing.opens_with_people(happening)
        else verbs.subject_of(happening)
    )
    want = happening.partition(role)[2] if role else happening
    return {"role": role, "want": phrases.trimmed(want), "benefit": "", **moment}


def _priority(line: Line) -> Readings:
    ranks = ranked_or_unplaced(
        line.text, lines_to_rank(line.request), _text_before(line), others_to_rank(line.request)
    )
    return ranks_as_readings(ranks) or FACT


def _text_before(line: Line) -> str:
    """What stands before a line in its answer."""
    parts = (answer.text.partition(line.text) for answer in line.request.answers)
    return next((text_before for text_before, text, _ in parts if text), "")


# ── impact ─────────────────────────────────────────────────────────────────────────────────


def _risk_or_fact(line: Line) -> Readings:
    text = line.text
    is_risk = signs.RISK.search(text) and not signs.NO_RISK.search(text)
    return READERS["risk"](text) if is_risk else FACT


# ── architecture ───────────────────────────────────────────────────────────────────────────


def _decision(line: Line) -> Readings:
    text = line.text
    if line.fragment.code:
        return FACT
    chosen = (choice for choice in weighing.choices_in(text) if choice["choice"] == "chosen")
    return tuple(FragmentReading("decision", choice) for choice in chosen) or FACT


def _neighbour(line: Line) -> Readings:
    text = line.text
    if line.fragment.code:
        return (FragmentReading("interface"),)
    failure = phrases.failure_in(text) or {}
    flows = [] if failure else phrases.flows_in(text)
    endpoints = phrases.endpoints_in(text, alone=True)
    exchanges = endpoints or flows or [failure]
    return tuple(added(FragmentReading("interface", parts), failure) for parts in exchanges)


# ── design ─────────────────────────────────────────────────────────────────────────────────


def _interface(line: Line) -> Readings:
    flows = [] if line.fragment.code else phrases.flows_in(line.text)
    return (FragmentReading("interface", flows[0] if len(flows) == 1 else {}),)


_OF_TOPIC: Final[Mapping[Topic, Rule]] = {
    "problem": _topic("problem"),
    "users": _topic("user"),
    "journey": _topic("journey"),
    "context": _context,
    "quality": _quality_or_risk,
    "features": _requirement,
    "stories": _story_or_fact,
    "priorities": _priority,
    "blast-radius": _risk_or_fact,
    "risk-zones": lambda line: of_risk(line.text) or _risk(line),
    "decisions": _decision,
    "neighbours": _neighbour,
    "contracts": _interface,
}
