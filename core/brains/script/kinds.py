"""What a fragment is: the order in which the rules turn people's sentences into kinds of claims.

In order: what holds at every step (fillers, forms, labels, open questions, weighed words, dates);
what is known wherever it is said; the topic's own rule; a demand in passing. In an inception the
question that a line takes up says what it is; without a number its words do, and last what the step
is about.
"""

from collections.abc import Mapping
from typing import Any, Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence, readers
from core.brains.script.line_signs import LINE_BY_LINE, asked_for, shown_in
from core.brains.script.parts import checks, choosing, phrases, signs, weighing
from core.brains.script.parts.exclusions import leaves_nothing_out
from core.brains.script.parts.priority import Rank, lists_known, ranked
from core.brains.script.readers import (
    CHECK,
    FACT,
    NOTE,
    NOTHING,
    READERS,
    FragmentReading,
    Line,
    Readings,
    added,
)
from core.brains.script.rules import anywhere, by_topic, demands, forms, parts_told
from core.brains.script.scan.sizes import is_guess
from core.brains.script.topics import (
    BELONGS,
    GROUPS,
    LABELS,
    RISKS_NAMED,
    Topic,
    group_of,
    is_of_inception,
    usual_reader,
)
from core.brains.text import weights
from core.brains.text.filler import is_filler, is_unknown, opens_unknown
from core.brains.text.questions import Fragment
from core.brains.text.split import TITLE
from core.domain.answers import ClaimKind, ReadRequest

# "WON'T imports before 2020", "**S** photos", "W: juniors": a rank that opens a line of ranks.
_RANK_FIRST: Final = patterns.compile(
    r"(?:WON['’]?T|WILL NOT)(?: HAVE)?[ :]\s*(?P<what>[^A-Z\s].*)"
    r"|[*_]{1,2}(?P<word>[Mm]ust|[Ss]hould|[Cc]ould|[Ww]on['’]?t)[*_]{1,2}[ :]+(?P<ranked>\S.*)"
    r"|(?:[Mm]o[Ss][Cc]o[Ww][^:]{0,20}:\s*)?"
    r"(?:\*{1,2}(?P<marked>[MSCW]):?\*{1,2}:?|(?P<alone>[MSCW])[:=])\s+(?P<listed>\S.*)"
)
_OF_INITIAL: Final = {"M": "must", "S": "should", "C": "could", "W": "won't"}
_SLASH: Final = patterns.compile(r"\s/\s")
_REASONED: Final[frozenset[Topic]] = frozenset({"stack", "architecture", "constitution"})
HEAD_WORDS_MAX: Final = 4
_STANDS_ASIDE: Final = lexicon.pattern("stands-aside")
_OPENS_LIST: Final = lexicon.pattern("opens-list")
_NAMED: Final[frozenset[ClaimKind]] = frozenset({"module", "interface", "data"})
_OF_HEADS: Final = _NAMED | {"fact", "entry-point", "risk"}
_RATINGS: Final = frozenset({"likelihood", "impact"})
_HEADS_ALONE: Final = lexicon.compiled(lexicon.table("evidence")["heads-alone"])
# "Nothing" to "what would you change?" is what somebody says who has read it.
_SAYS_NOTHING: Final = frozenset({"constitution", "architecture"})


def readings(
    fragment: Fragment, request: ReadRequest, topic: Topic, questions: Mapping[int, str]
) -> Readings:
    """What a fragment says at a step on that topic: a fact, unless a rule knows better."""
    question = questions.get(fragment.number or 0, "")
    group = group_of(request, topic)
    line = Line(fragment, request, topic, group, question, asked_for(question, topic))
    more = {"question": str(fragment.number)} if question else {}
    if group in GROUPS and not fragment.code:
        more |= phrases.files_in(fragment.text)
    if topic == "entry-points" and len(paths := phrases.paths_in(fragment.text)) == 1:
        more |= {"path": paths[0]}
    read = _readings(line if is_of_inception(topic) else forms.in_cell(line))
    if not is_of_inception(topic) and _is_mere_head(line, read):
        return NOTE
    return tuple(added(reading, more) for reading in read)


def _is_mere_head(line: Line, read: Readings) -> bool:
    """ "Exists:", "## Scope" and "ok, the usual case" over a list say nothing alone.

    "Importer:" names a part, where parts are told.
    """
    head, text = line.text.rstrip(":"), line.text
    is_title = TITLE.fullmatch(text) is not None
    opens_list = is_title or (line.fragment.above_list and _OPENS_LIST.fullmatch(head))
    if line.fragment.code or not (text.endswith(":") or opens_list):
        return False
    if (len(head.split()) > HEAD_WORDS_MAX and not is_title) or not line.group:
        return False
    if any(reading.kind in _NAMED for reading in read) and not _HEADS_ALONE.fullmatch(head):
        return False
    kinds = {reading.kind for reading in read} - ({"requirement"} if opens_list else set())
    return kinds <= _OF_HEADS and not any(reading.data.keys() - {"topic"} for reading in read)


def _readings(line: Line) -> Readings:
    text, in_inception = line.text, is_of_inception(line.topic)
    if not line.group or line.fragment.table == "head":
        return FACT
    if is_unknown(text):
        return NOTE if _STANDS_ASIDE.search(text) else (_left_open(line),)
    if is_filler(text):
        return _read_filler(line)
    if line.fragment.code:
        return FACT if in_inception else by_topic.own(line)
    if in_inception:
        return labelled(line) or _read_open(line) or anywhere.of_group(line) or _read_by_words(line)
    explicit = forms.shown(line) or labelled(line) or _read_open(line)
    explicit = explicit or _read_weighed(line) or forms.dated(line)
    own = explicit or forms.without_past(line, anywhere.of_group(line) or _read_by_topic(line))
    own = own if explicit else parts_told.shown(line, own)
    return demands.with_demands(line, own)


_BY_WORDS: Final[Mapping[str | None, Readings]] = {
    "check": CHECK,
    "exclusion": (readers.OUT_OF_SCOPE,),
}


def _read_weighed(line: Line) -> Readings:
    """A check and what is left out, by the words of the line; not where lines are ranked.

    A plain "must" outweighs them, and so does a name that the line gives itself.
    """
    if line.group == "scan" or line.topic == "priorities" or line.fragment.code:
        return NOTHING
    read = _BY_WORDS.get(weights.kind_of(line.text, line.topic), NOTHING)
    if not read or evidence.is_firm(line.text) or by_topic.names_itself(line):
        return NOTHING
    if read == _BY_WORDS["exclusion"] and leaves_nothing_out(line.text):
        return NOTHING
    if read == _BY_WORDS["check"] and checks.only_tries(line.text):
        return NOTHING
    own = anywhere.of_group(line) or by_topic.own(line)
    is_own = any(reading.kind == "story" or _is_rated(reading) for reading in own)
    return NOTHING if is_own else read


def _is_rated(reading: FragmentReading) -> bool:
    """True for a risk of which the line says how likely and how bad it is."""
    return {"likelihood", "impact"} <= reading.data.keys()


def _read_filler(line: Line) -> Readings:
    wanted = next(iter(line.asks), "")
    if is_of_inception(line.topic):
        return READERS[wanted](line.text) if wanted in _SAYS_NOTHING else FACT
    if line.group == "scan" and any(reading.data for reading in by_topic.own(line)):
        return by_topic.own(line)  # "hi, small?"
    return NOTE


def _read_by_topic(line: Line) -> Readings:
    """By the rule of the topic, but for what is no part of it and for a demand said in passing."""
    if line.group == "scan" and any(reading.data for reading in by_topic.own(line)):
        return by_topic.own(line)  # "small lol" states a size
    if line.group != "requirements" and evidence.is_excluded(line.text):
        return (readers.OUT_OF_SCOPE,)
    if line.group not in ("requirements", "scan") and evidence.is_check(line.text):
        return CHECK
    if line.topic != "priorities" and evidence.is_aside(line.text):
        return NOTE
    if decided := by_topic.decided(line):
        return decided
    own = by_topic.own(line)
    says_nothing = own == FACT or (line.group == "scan" and not own[0].data)
    if says_nothing and evidence.is_firm(line.text) and line.topic != "priorities":
        return anywhere.demanded(line) or own
    return own


def _read_open(line: Line) -> Readings:
    """A question, or words like "nobody knows yet"; such a sentence may be a risk as well."""
    text = line.text
    if signs.is_question(text):
        return NOTHING if line.group == "scan" and is_guess(text) else (readers.OPEN,)
    is_wish = phrases.story_in(text) or (line.topic == "stories" and phrases.story_of_author(text))
    if is_wish or not signs.is_open(text) or _tells_a_lack(line):
        return NOTHING
    if signs.NEEDS_YES.match(text):
        return FACT
    if line.group == "scan":
        return (_left_open(line), *(reading for reading in by_topic.own(line) if reading.data))
    threatens = line.group in RISKS_NAMED and signs.RISK.search(text)
    return (_left_open(line), *(READERS["risk"](text) if threatens else ()))


def _left_open(line: Line) -> FragmentReading:
    """With the step's question, where the line says that its author does not know."""
    is_unanswered = line.question and opens_unknown(line.text)
    return added(readers.OPEN, {"what": line.question}) if is_unanswered else readers.OPEN


def _tells_a_lack(line: Line) -> bool:
    """ "Nobody knows Rust" is a missing skill; "nobody knows the load", why it is untested; "the
    mailer has no idea of money" what a part is kept from."""
    if line.topic == "modules" and signs.is_kept_from(line.text):
        return True
    reader = shown_in(line.text, line.topic)
    return line.topic == "skills" or "test-gap" in (*line.asks[:1], reader)


def _read_by_words(line: Line) -> Readings:
    """In an inception: what the question asks for, what the words show, what the step is about."""
    text, wanted = line.text, next(iter(line.asks), "")
    reader, usual = shown_in(text, line.topic), wanted or usual_reader(line.topic)
    if line.topic in _REASONED and lexicon.pattern("opens-reason").match(text):
        return (FragmentReading("fact", {"reason": text.strip()}, onto="reason"),)
    if line.topic == "constitution" and _answers_rule(text):
        return FACT
    if not (wanted or reader) and _is_no_answer(text, usual):
        return FACT
    if not line.fragment.opens and usual in LINE_BY_LINE:
        return READERS[reader or "fact"](text)
    return READERS[wanted or reader or usual](text)


def _is_no_answer(text: str, usual: str) -> bool:
    """True for a line that no question or sign makes what its step asks for: it answers somebody,
    or is a sentence where a technology is asked for."""
    if usual not in ("purpose", "success", "stack"):
        return False
    replies = lexicon.pattern("opens-reply").match(text)
    return bool(replies or (usual == "stack" and lexicon.pattern("tells-of-it").search(text)))


def _answers_rule(text: str) -> bool:
    """True for what answers a rule and states none."""
    opens_with_yes = lexicon.pattern("opens-with-yes").match(text)
    if opens_with_yes and not lexicon.pattern("states-a-rule").search(text):
        return True
    return lexicon.pattern("answers-rule").match(text) is not None


# ── lines that people label themselves ─────────────────────────────────────────────────────────

_LABELS: Final = {row["name"]: row for row in lexicon.table("labels")["analysis"]}


def sorts(label: str, topic: Topic, group: str) -> bool:
    """True if a label makes anything of the lines below it at a topic of that group."""
    if is_of_inception(topic) or not label:
        return bool(label)
    at = _LABELS[label]["at"]
    return group in (GROUPS if at == "everywhere" else at)


def _reading(row: Mapping[str, Any]) -> FragmentReading:
    data = {"topic": row["topic"]} if "topic" in row else {}
    confidence = row.get("confidence", "stated")
    return FragmentReading(row["kind"], data, confidence, row.get("onto", ""))


def labelled(line: Line) -> Readings:
    """What the label of a line, or of the heading that it stands under, makes of it."""
    label, text = LABELS[line.topic].label_of(line.text)
    if not label and line.topic == "priorities" and (rank := _RANK_FIRST.match(line.text)):
        initial = rank["marked"] or rank["alone"] or (rank["word"] or "w")[0].upper()
        label, text = _OF_INITIAL[initial], rank["what"] or rank["ranked"] or rank["listed"]
    in_inception, speaks = is_of_inception(line.topic), _speaks_for_itself(line)
    if not label and line.group == "requirements" and speaks:
        return NOTHING
    label = label or line.fragment.label
    if in_inception:
        return _as_its_reader_says(line, label, text) if label else NOTHING
    if not sorts(label, line.topic, line.group):
        return NOTHING
    if label in _RATINGS and (rated := by_topic.of_risk(line.text)):
        return rated
    if label in readers.MOSCOW:
        return _under_moscow(line, label, text)
    if label == "user":
        role = weighing.actor_in(text) or text
        return (FragmentReading("fact", {"topic": "user", "role": role.strip(" .")}),)
    if label in ("chosen", "rejected"):
        return _labelled_choice(label, text, line.topic)
    reading = _reading(_LABELS[label])
    if reading.onto:
        return (added(reading, {reading.onto: text.strip(" .")}),)
    return (_add_details(added(reading, _without_label(line, text)), text),)


def _as_its_reader_says(line: Line, label: str, text: str) -> Readings:
    """In an inception a label names a reader, or what belongs to the line before it."""
    if label in BELONGS:
        return (FragmentReading("fact", {label: text.strip()}, onto=label),)
    beside = _without_label(line, text)
    return tuple(
        reading if "what" in reading.data else added(reading, beside)
        for reading in READERS[label](text)
    )


def _speaks_for_itself(line: Line) -> bool:
    """A story or a check under a heading such as "Must:" is one all the same.

    Under "fixed:" so is what is left out.
    """
    text, is_fixed = line.text, line.fragment.label == "constraint"
    is_out = is_fixed and evidence.is_excluded(text)
    return is_out or evidence.is_check(text) or phrases.story_in(text) is not None


def _without_label(line: Line, text: str) -> dict[str, str]:
    return {"what": text.strip()} if text != line.text else {}


def _add_details(reading: FragmentReading, text: str) -> FragmentReading:
    """A risk with how likely and how bad it is, a failure with what follows it."""
    if reading.kind == "risk":
        return added(reading, weighing.risk_in(text))
    if reading.kind == "error":
        return added(reading, phrases.failure_in(text, is_asked=True) or {})
    return reading


def _under_moscow(line: Line, label: str, text: str) -> Readings:
    """`Must: …` ranks the requirements it names; where they are collected it makes one."""
    parts = _SLASH.split(text)
    if len(parts) > 1 and (several := _under_several(line, label, parts)):
        return several
    requirements = readers.lines_to_rank(line.request)
    listed = f"{label}: {text}"
    in_words = line.topic == "priorities" or lists_known(listed, requirements)
    others = readers.others_to_rank(line.request) if in_words else ()
    ranks = ranked(listed, requirements, in_words=in_words, others=others)
    if any(rank.ref for rank in ranks) or (ranks and label != "won't"):
        return readers.ranks_as_readings(ranks)
    if label == "won't":
        return (added(readers.OUT_OF_SCOPE, _without_label(line, text)),)
    if line.topic == "priorities":
        return readers.ranks_as_readings((Rank("", label, "stated"),))
    return (FragmentReading("requirement", {"priority": label, **_without_label(line, text)}),)


def _under_several(line: Line, label: str, parts: list[str]) -> Readings:
    """ "must: a, b / should: c": each part of the line under the label that opens it."""
    labelled_parts = [(label, parts[0]), *(LABELS[line.topic].label_of(part) for part in parts[1:])]
    if not all(name in readers.MOSCOW for name, _ in labelled_parts):
        return NOTHING
    return tuple(
        reading for name, text in labelled_parts for reading in _under_moscow(line, name, text)
    )


def _labelled_choice(label: str, text: str, topic: Topic) -> Readings:
    if choosing.is_undecided(text):
        return (readers.OPEN,)
    reason = next(
        (choice["reason"] for choice in weighing.choices_in(text) if "reason" in choice), ""
    )
    option = text.strip() if not reason else text.partition(reason)[0].rsplit(None, 1)[0]
    data = {"choice": label, "option": option.strip(" ,.;")}
    data |= {"reason": reason} if reason else {}
    settles = label == "chosen" and topic == "decisions"
    return (FragmentReading("decision" if settles else "option", data),)
