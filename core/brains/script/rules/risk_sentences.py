"""Sentences of one line that tell one risk: what it is, that it happened before, what it costs.

A sentence that names a danger is a risk of its own; what only rates the risk or says what helps
stands apart, and is put to it later.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains.script import evidence
from core.brains.script.parts import signs, weighing
from core.brains.script.rules.forms import is_past
from core.brains.script.topics import Topic
from core.brains.text.labels import label_of
from core.brains.text.questions import Fragment

_LABELLED: Final = patterns.compile(r"[^:.]{3,30}: \S")  # "hard to mend: an old scratch"
WORDS_MIN: Final = 2  # of a sentence that goes on; "every. single. one." is said in pieces


def joined(fragments: Sequence[Fragment], text: str, topic: Topic) -> Sequence[Fragment]:
    """The fragments of an answer, each sentence that goes on telling a risk with those before it.

    Where a step asks for risks; where it asks for qualities only "happened in 2021" goes on.
    """
    if topic not in ("risk-zones", "quality"):
        return fragments
    result: list[Fragment] = []
    for fragment in fragments:
        before = result[-1] if result else None
        told = _told_together(before, fragment, text) if before else ""
        if before and told and _is_risk(before.text, topic) and _goes_on(fragment.text, topic):
            result[-1] = replace(before, text=told)
        else:
            result.append(fragment)
    return result


def _told_together(first: Fragment, second: Fragment, text: str) -> str:
    """The words of two sentences that stand right behind each other on a line; else none."""
    if second.opens or any((first.code, first.table, second.code, second.table)):
        return ""
    begin = text.find(first.text)
    end = text.find(second.text, begin + len(first.text))
    between = text[begin + len(first.text) : end]
    return text[begin : end + len(second.text)] if begin >= 0 <= end and between.isspace() else ""


def _is_risk(text: str, topic: Topic) -> bool:
    if topic == "quality":
        return bool(signs.SURELY_RISK.search(text)) or label_of(text)[0] == "risk"
    return not (signs.is_question(text) or evidence.is_aside(text) or signs.DEMAND.search(text))


def _goes_on(text: str, topic: Topic) -> bool:
    if topic == "quality":
        return is_past(text)
    if len(text.split()) < WORDS_MIN:
        return False
    is_part = evidence.rating_in(text) or evidence.mitigates(text) or weighing.weighed_in(text)
    is_risk = signs.RISK.search(text) or signs.SURELY_RISK.search(text) or _LABELLED.match(text)
    is_demand = signs.DEMAND.search(text) or evidence.is_demanded(text, topic)
    return not any((is_part, is_risk, is_demand, signs.is_question(text), evidence.is_aside(text)))
