"""A sentence that runs on: the piece of it that is asked for stands apart from its talk.

"The form alone is a career, so it has to run on the old till as well" is two lines, and so is a
story behind its reason. Every piece keeps its own words. The forms are rows of
`steps/brains/evidence.yaml`.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import verbs
from core.brains.script.parts.phrases import in_case, on_one_line, story_in
from core.brains.script.parts.weighing import choices_in
from core.brains.script.topics import Topic
from core.brains.text.labels import label_of
from core.brains.text.questions import Fragment

CHARS_MAX: Final = 1_200  # a longer sentence is kept as it is
WORDS_BEFORE_MIN: Final = 3  # of what is said before such a piece
_ROWS: Final = lexicon.table("evidence")["run-on"]
# What is asked for in so many words, whatever stands before it.
_ASKED: Final = lexicon.compiled([f"(?:{row})" for row in _ROWS["asked"]])
_JOINT: Final = lexicon.compiled(_ROWS["joint"])
_STORY: Final = lexicon.compiled(_ROWS["story"])
_OWN_SUBJECT: Final = lexicon.compiled(_ROWS["own-subject"])
_NEEDS_NONE: Final = lexicon.compiled(_ROWS["needs-none"])
_ENDS: Final = lexicon.compiled(_ROWS["ends"])
_CONDITION: Final = lexicon.compiled(_ROWS["condition"])
_OF_TELLER: Final = patterns.compile(r"(?:i|we|my|our|they|he|she)\b", patterns.IGNORECASE)
_LEADS_TO_IT: Final = lexicon.compiled(_ROWS["leads-to-it"])
_ASKED_FOR: Final = frozenset({"demand", "behaviour", "check", "exclusion"})
_TELL_CASES: Final = frozenset({"neighbours", "contracts", "data-flow", "failures"})


def asked_apart(fragment: Fragment, topic: Topic, group: str) -> list[Fragment]:
    """What is said before such a piece, the piece, and what is said behind it."""
    text = fragment.text
    is_whole = len(text) > CHARS_MAX or label_of(text)[0] or story_in(text)
    if fragment.code or fragment.table or is_whole:
        return [fragment]
    for joint, end in _pieces(text, topic, group):
        behind = text[end:].strip(" ,;")
        parts = [text[: joint.start()], text[joint.end() : end], *([behind] if behind else [])]
        first, *others = (
            replace(fragment, text=part, opens=fragment.opens and not at)
            for at, part in enumerate(parts)
        )
        parted = (
            [other] if _ASKED.match(other.text) else asked_apart(other, topic, group)
            for other in others
        )
        return [first, *(piece for pieces in parted for piece in pieces)]
    return [fragment]


def _pieces(text: str, topic: Topic, group: str) -> Iterator[tuple[patterns.Match, int]]:
    """What stands before each piece that is asked for, and where the piece ends."""
    for joint in _JOINT.finditer(text):
        before, tail = text[: joint.start()], text[joint.end() :]
        if len(before.split()) < WORDS_BEFORE_MIN or _is_inside(before):
            continue
        end = len(text) - len(tail) + min(_ends(tail), default=len(tail))
        piece = on_one_line(text[joint.end() : end])
        if (
            (group == "requirements" and _STORY.match(piece) and story_in(piece))
            or _OWN_SUBJECT.match(piece)
            or (topic in _TELL_CASES and _is_case(piece, joint[0], before))
            or (_is_asked(piece) and _is_talk(before))
            or (_ASKED.match(piece) and not _opens_case(before, joint[0]))
        ):
            yield joint, end


def _ends(tail: str) -> Iterator[int]:
    """Where a piece may end: where talk goes on, and before a next condition."""
    yield from (match.start() for match in _ENDS.finditer(tail))
    yield from (
        joint.start()
        for joint in _JOINT.finditer(tail)
        if joint[0].strip() != "," and _CONDITION.match(tail[joint.end() :])
    )


def _is_case(piece: str, joint: str, before: str) -> bool:
    """True for a condition with what follows it, behind something that is complete."""
    is_open = _CONDITION.match(evidence.meant(before)) and not in_case(on_one_line(before))
    return joint.strip() != "," and not is_open and bool(in_case(piece))


def _is_asked(piece: str) -> bool:
    return bool(_NEEDS_NONE.match(piece)) or evidence.opens_with_leave(piece)


def _opens_case(before: str, joint: str) -> bool:
    """ "If the board is off, …": what follows the comma belongs to it."""
    *_, last = evidence.clauses_in(before)
    return joint.strip() == "," and bool(_CONDITION.match(last))


def _is_talk(before: str) -> bool:
    """True if what stands there asks for nothing, and tells no case, trial or topic of it."""
    line = evidence.meant(before)
    if _LEADS_TO_IT.search(line) or evidence.is_firm(before) or evidence.permits(line):
        return False
    if choices_in(before):
        return False  # "we take the barge, it has to be paid by May": why it was taken
    if _OF_TELLER.match(line):
        return True
    return bool(verbs.told_by(line)) and evidence.form_of(before) not in _ASKED_FOR


def _is_inside(before: str) -> bool:
    """True in a bracket or quotation."""
    return before.count("(") > before.count(")") or before.count('"') % 2 == 1
