"""Lines that choose or rank only because of what was said before them.

"deal. EU plugs", "ok, the small one then" and "moved to must" say little alone; after somebody's
line on plugs they settle something. Each such line names a thing that was spoken of, and tells
nothing: "ok, the pump is broken" is no choice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.differences.statements import statement
from core.brains.bookkeeping.links import answers_of_lines
from core.brains.script.parts import choosing, verbs
from core.brains.script.parts.phrases import is_short, on_one_line
from core.brains.script.parts.priority import ranked
from core.brains.script.readers import lines_to_rank
from core.brains.script.taking_up import forms, giving_in, letters, yielding
from core.brains.script.taking_up.options import (
    PutOption,
    called,
    described,
    name_of,
    pointed_at,
    put_options,
)
from core.brains.script.taking_up.settling import settled
from core.brains.script.taking_up.tools import named_tools, tools_in
from core.brains.script.topics import Topic, is_of_inception
from core.brains.text.wording import words_of
from core.domain.answers import Answer, Claim, ClaimKind, Claims, ReadRequest
from core.domain.ids import AnswerId, UserId, order_of
from core.domain.stances import AGREED_BY

ANSWERS_BEFORE: Final = 3  # of others, that a line may take up
CONCLUSION_WORDS_MAX: Final = 4  # "so then option B."
LEAD_WORDS_MAX: Final = 6  # of an answer before a line that depends on them
HEAD_WORDS_MIN: Final = 12  # of a line that may go on to something else behind its choice
OWN_THING_WORDS_MIN: Final = 3  # before its number, of a quality that is more than an answer
RISK_WORDS_MAX: Final = 5  # of a piece of a risk that is no sentence
_NUMBER: Final = patterns.compile(r"[0-9]")
_GOES_ON: Final = lexicon.pattern("goes-on-to-something-else")
_KEEPS_RANK: Final = lexicon.compiled(lexicon.table("evidence")["ranks"]["keeps"])
_CONCLUDES: Final = lexicon.pattern("concludes")
_MAY_CHOOSE: Final[frozenset[ClaimKind]] = frozenset(
    {"fact", "note", "interface", "data", "option", "error", "module", "entry-point"}
)
_RULES: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})
_EVERYWHERE: Final[tuple[forms.Form, ...]] = (
    forms.called,
    letters.lettered,
    forms.assented,
    forms.answered,
    settled,
    *giving_in.EVERYWHERE,
    yielding.yielded,
)
_BESIDE: Final[tuple[forms.Form, ...]] = (
    giving_in.conceded,
    forms.assented,
    yielding.yielded,
)
_AT: Final[Mapping[str, tuple[forms.Form, ...]]] = {
    "impact-summary": (forms.in_order,),
    "options": (forms.used,),
    "decisions": (forms.used, named_tools),
}


def taken_up(claims: Claims, request: ReadRequest, topic: Topic, group: str) -> Claims:
    """The claims of a step; those that take up what stands before them as choices and ranks."""
    if is_of_inception(topic) or group in ("", "scan"):
        return claims
    walk = _Walk(request, topic)
    for claim in claims:
        walk.on(claim)
    lines = [
        _choose_winner(line, walk.read[:at], walk.read[at + 1 :]) if group == "design" else line
        for at, line in enumerate(walk.read)
    ]
    answers = {answer.id: answer for answer in (*request.other_answers, *request.answers)}
    options = put_options((*request.claims, *lines), answers)
    lines = described([_name_option(line, options, topic) for line in lines], answers)
    lines = _no_rules(_join_conclusions(lines, answers), request)
    ids = (f"{request.step.id}/{number}" for number in range(1, len(lines) + 1))
    return tuple(replace(line, id=name) for line, name in zip(lines, ids, strict=True))


def _join_conclusions(lines: Sequence[Claim], answers: Mapping[AnswerId, Answer]) -> list[Claim]:
    """The lines, a short choice with the question of its author's own from which it follows."""
    every: list[Claim] = []
    for line in lines:
        question = every[-1] if every and every[-1].kind == "question" else None
        text = f"{question.text} {line.text}" if question else ""
        is_short = len(line.text.split()) <= CONCLUSION_WORDS_MAX and _CONCLUDES.match(line.text)
        is_choice = is_short and line.data.get("choice") == "chosen"
        if is_choice and text and text in answers[line.sources[0]].text:
            every[-1] = replace(line, text=text)
        else:
            every.append(line)
    return every


def _no_rules(lines: Sequence[Claim], request: ReadRequest) -> list[Claim]:
    """The lines; one that answers us in no sentence ("working days, both") is no rule alone."""
    bare = {
        id(line)
        for *_, answer in answers_of_lines(tuple(lines), request)
        for line in answer
        if line.kind in _RULES and not (verbs.told_by(line.text) or _names_own_thing(line))
    }
    rules = {(line.text, line.sources) for line in lines if id(line) not in bare}
    return [
        replace(line, kind="note") if id(line) in bare else line
        for line in lines
        if id(line) not in bare or (line.text, line.sources) not in rules
    ]


def _names_own_thing(line: Claim) -> bool:
    """True for "queue page under 1 s", and not for "under 1 s" nor "working days, both"."""
    number = _NUMBER.search(line.text)
    before = line.text[: number.start()] if number else ""
    return line.kind == "quality" and len(words_of(before)) >= OWN_THING_WORDS_MIN


def _name_option(line: Claim, options: Sequence[PutOption], topic: Topic) -> Claim:
    """An option of a list, and what takes it, under the name by which others call it."""
    name = ""
    if line.data.get("choice") == "chosen":
        taken_options = called(line.data.get("option", ""), options)
        name = " + ".join(option.name for option in taken_options)
    elif topic == "options" and line.kind == "option" and "option" not in line.data:
        name = name_of(line.text, options) or pointed_at(line.text, options)
    return replace(line, data={**line.data, "option": name}) if name else line


class _Walk:
    """Goes through the lines of a step in their order. `read`: those behind it."""

    def __init__(self, request: ReadRequest, topic: Topic) -> None:
        self._request, self._topic = request, topic
        self._said = {answer.id: answer for answer in (*request.other_answers, *request.answers)}
        self.read: list[Claim] = []
        self._taken: set[str] = set()

    def on(self, claim: Claim) -> None:
        last = self.read[-1] if self.read else None
        if last and last.id in self._taken and self._goes_on(last, claim):
            self.read[-1] = replace(last, text=self._join(last, claim))
            return
        if last and _is_more_of(claim, last) and (text := self._join(last, claim)):
            self.read[-1] = replace(last, text=text, data={**claim.data, **last.data})
            return
        if ranks := self._keep_ranks(claim):
            self.read += ranks
            return
        changed = _rank_last(claim, self.read) or self._choose(claim, last)
        if changed and any(_is_same_choice(changed, line) for line in self.read):
            return
        if changed and changed.data.get("choice"):
            self._taken.add(claim.id)
        if changed and self._is_to_be_built(claim):
            self.read.append(claim)
        if not changed:
            self._agree(claim)
        self.read.append(changed or claim)

    def _is_to_be_built(self, claim: Claim) -> bool:
        """True for what was settled and says what is to be built; not for who gets it when."""
        is_rollout = self._topic == "impact-summary"
        return (claim.kind == "requirement" and not is_rollout) or _says_more(claim)

    def _agree(self, claim: Claim) -> None:
        """ "B. dry before cheap": its author agrees with somebody else's "B wins"."""
        letter, by = letters.letter_with_reason(on_one_line(claim.text)), self._author(claim)
        for at, line in enumerate(self.read):
            is_same = letter and letter == letters.letter_alone(on_one_line(line.text))
            if is_same and by and line.data.get("choice") == "chosen" and self._author(line) != by:
                self.read[at] = replace(line, data={**line.data, AGREED_BY: by})
                return

    def _keep_ranks(self, claim: Claim) -> list[Claim]:
        """ "4 stays where it is": what it names, with the rank that its author gave it."""
        keeps = _KEEPS_RANK.match(on_one_line(claim.text)) if is_short(claim.text) else None
        if not keeps or claim.kind not in _MAY_CHOOSE:
            return []
        earlier = [line for line in (*self._request.claims, *self.read) if line.kind == "priority"]
        listed = ranked(
            f"must: {keeps['b'] or keeps['c']}", lines_to_rank(self._request), in_words=True
        )
        of_refs = ((it, [line for line in earlier if line.data["requirement"] == it.ref])
                   for it in listed if it.ref)  # fmt: skip
        return [
            replace(
                claim,
                kind="priority",
                confidence=it.confidence,
                data={"requirement": it.ref, "priority": self._own_last(claim, lines)},
            )
            for it, lines in of_refs
            if lines
        ]

    def _own_last(self, claim: Claim, ranks: Sequence[Claim]) -> str:
        """The rank that the author of a line gave last; of others, the one that was given first."""
        by = self._author(claim)
        own = [rank for rank in ranks if self._author(rank) == by]
        return (own[-1:] or ranks)[0].data["priority"]

    def _author(self, claim: Claim) -> UserId | None:
        answer = self._answer_of(claim)
        return answer.by if answer else None

    def _answer_of(self, claim: Claim) -> Answer | None:
        return next((self._said[id_] for id_ in claim.sources if id_ in self._said), None)

    def _choose(self, claim: Claim, last: Claim | None) -> Claim | None:
        answer = self._answer_of(claim)
        may_choose = claim.kind in _MAY_CHOOSE or claim.kind in _RULES
        if not may_choose or claim.data.get("choice") or not answer:
            return None
        line = on_one_line(claim.text) if is_short(claim.text) else ""
        if last and last.sources[:1] == claim.sources[:1] and forms.is_lead(last.text):
            line = f"{last.text} {line}"
        context = self._context_of(claim, answer, last)
        here = _AT.get(self._topic, ())
        beside = (*here, *_BESIDE) if self._topic == "impact-summary" else _BESIDE
        for part in dict.fromkeys((line, _head_of(line))):
            for form in beside if claim.kind in _RULES else (*here, *_EVERYWHERE):
                if part and (choice := form(part, context)):
                    return _as_choice(claim, choice, self._topic)
        return None

    def _context_of(self, claim: Claim, answer: Answer, last: Claim | None) -> forms.LineContext:
        earlier = list(self._request.answers)
        earlier = earlier[: earlier.index(answer)] if answer in earlier else []
        own_ids = {own.id for own in self._said.values() if own.by == answer.by}
        options = put_options((*self._request.claims, *self.read), self._said)
        counts = Counter(AnswerId(option.answer) for option in options)
        most = max(counts.values(), default=0)
        putters = [id_ for id_, count in counts.items() if count > 1 or most == 1]
        of_others = [other for other in earlier if other.by != answer.by]
        before = [
            follow_up
            for follow_up in self._request.follow_ups
            if follow_up.kind == "alternative" and order_of(follow_up.after) < order_of(answer.ts)
        ]
        here = [one.id for one in self._request.answers]
        is_behind_options = self._topic == "decisions"
        return forms.LineContext(
            others=of_others[-ANSWERS_BEFORE:],
            own=[claim for claim in self.read if own_ids & set(claim.sources)],
            question=last.text if last and last.kind == "question" else "",
            options=options,
            put_them=any(own.id in putters and own.by == answer.by for own in earlier),
            lead=_lead_of(claim, answer),
            answer=answer.id,
            live=[option for option in options if option.answer in here or is_behind_options],
            goes_on=answer.text.partition(claim.text)[2],
            weighed=[follow_up.line.quote for follow_up in before if follow_up.line],
            is_reply=any(
                all(order_of(other.ts) <= order_of(follow_up.after) for other in earlier)
                for follow_up in before
            ),
        )

    def _goes_on(self, last: Claim, claim: Claim) -> bool:
        same = last.sources == claim.sources and claim.kind in _MAY_CHOOSE
        same = same and not statement(claim.text).corrects
        if self._topic == "decisions" and tools_in(claim.text):
            return False
        is_more = forms.is_fragment(claim.text) or forms.limits(claim.text)
        return same and is_more and bool(self._join(last, claim))

    def _join(self, last: Claim, claim: Claim) -> str:
        """Both lines as one, in the words of their answer; nothing where something is between."""
        text = self._said[last.sources[0]].text
        start, end = text.find(last.text), text.find(claim.text)
        between = text[start + len(last.text) : end]
        is_next = 0 <= start < end and not between.strip() and "\n" not in between
        return text[start : end + len(claim.text)] if is_next else ""


def _lead_of(claim: Claim, answer: Answer) -> str:
    before, found, _ = answer.text.partition(claim.text)
    return on_one_line(before) if found and len(before.split()) <= LEAD_WORDS_MAX else ""


def _head_of(line: str) -> str:
    """The part of a long line that may choose before the line goes on to something else.

    Nothing where the part behind it may take the choice back.
    """
    head = _GOES_ON.search(line) if len(line.split()) > HEAD_WORDS_MIN else None
    return line[: head.start()] if head and not choosing.is_taken_back(line[head.end() :]) else ""


def _is_same_choice(changed: Claim, line: Claim) -> bool:
    """True if a line that was read as two kinds has been taken for that choice already."""
    is_same_line = (line.text, line.sources) == (changed.text, changed.sources)
    return is_same_line and line.data.get("choice") == changed.data.get("choice", "")


def _says_more(claim: Claim) -> bool:
    """True for a quality of which more is said than a number: "ok, 8" names none."""
    return claim.kind == "quality" and bool(words_of(claim.text))


def _is_more_of(claim: Claim, last: Claim) -> bool:
    """True for two pieces of one risk, one of them no sentence: "status enum, 3 h down. table
    lock"."""
    if not (claim.kind == last.kind == "risk" and claim.sources == last.sources):
        return False
    return any(
        len(piece.text.split()) <= RISK_WORDS_MAX and not verbs.told_by(piece.text)
        for piece in (claim, last)
    )


def _as_choice(claim: Claim, choice: forms.Choice, topic: Topic) -> Claim:
    kind: ClaimKind = "option" if claim.kind == "option" and topic != "decisions" else "decision"
    parts = {key: value for key, value in claim.data.items() if key in ("question", "file")}
    reason = {"reason": choice.reason} if choice.reason else {}
    data = {**parts, "choice": choice.choice, "option": choice.option, **reason}
    supersedes = (*claim.supersedes, *choice.supersedes)
    return replace(claim, kind=kind, confidence="stated", data=data, supersedes=supersedes)


def _rank_last(claim: Claim, earlier: Sequence[Claim]) -> Claim | None:
    """ "Actually should, final" ranks what was ranked last, if that was one thing."""
    ranks = [line for line in earlier if line.kind == "priority"]
    rank = forms.rank_in(on_one_line(claim.text)) if ranks and is_short(claim.text) else ""
    last = [line for line in ranks if line.text == ranks[-1].text]
    if not rank or claim.kind == "priority" or len(last) > 1:
        return None
    ref = last[0].data.get("requirement", "")
    return replace(claim, kind="priority", data={"requirement": ref, "priority": rank})


def _choose_winner(claim: Claim, earlier: Sequence[Claim], later: Sequence[Claim]) -> Claim:
    """ "The label wins", as a choice.

    It is the first word on what wins, or the last one in a dispute in which somebody else spoke for
    it: none where somebody else then speaks of it, or of another winner.
    """
    if claim.kind not in _MAY_CHOOSE or not is_short(claim.text):
        return claim
    winner = forms.prevailing(on_one_line(claim.text))
    before, after = (_of_others(claim, lines) for lines in (earlier, later))
    has_rival = any(forms.names_winner(line.text) for line in before)
    is_spoken_of = any(
        _speaks_of(line, winner) for line in before if not forms.names_winner(line.text)
    )
    contested = any(forms.prevailing(line.text) or _speaks_of(line, winner) for line in after)
    if not winner or contested or has_rival != is_spoken_of:
        return claim
    return _as_choice(claim, forms.Choice(winner), "")


def _of_others(claim: Claim, lines: Sequence[Claim]) -> list[Claim]:
    return [line for line in lines if not set(line.sources) & set(claim.sources)]


def _speaks_of(line: Claim, thing: str) -> bool:
    return bool(words_of(thing) & words_of(line.text))
