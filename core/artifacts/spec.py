"""`requirements-spec.md`: what is asked for, step by step, and what the whole of it leaves open."""

from collections.abc import Iterable
from typing import Final

from core.artifacts import words
from core.artifacts.markdown import escape, joined, said_by, table, titled
from core.artifacts.plain import one_line
from core.artifacts.share import Share, voice_rows
from core.artifacts.view import (
    WRITTEN_BY,
    View,
    full_line,
    group_of,
    grouped,
    said,
)
from core.domain.answers import Claim

SPEC: Final = "requirements-spec.md"
AT_THE_END: Final = frozenset({"out-of-scope", "assumption", "question"})


def spec_body(view: View) -> str:
    """The lines of a step. What lies out of scope or is left open stands at the end of the file."""
    own = [one for one in view.own if group_of(one) not in AT_THE_END]
    ranked = [one for one in own if one.kind == "priority"]
    rest = [one for one in own if one not in ranked]
    # What answers the step's own subject needs no name: the section has it already.
    lead = words.TOPIC_OF_STEP.get(view.step.id, "")
    nothing = words.ALL_AT_THE_END if view.own else words.NOTHING
    return joined((_priorities(ranked, view), grouped(rest, view, lead=lead))) or nothing


def _priorities(ranked: list[Claim], view: View) -> str:
    """The most important first; two people who disagree have a row each."""
    texts = {one.ref: one.text for one in view.everything if one.kind == "requirement"}
    rows = [
        [
            f"{escape(said(one, 'requirement'))} "
            f"{escape(texts.get(said(one, 'requirement'), ''))}".strip(),
            escape(said(one, "priority")) + _disagreement(one, ranked, view),
            escape(one_line(one.text)),
            said_by(one, view.sources),
        ]
        for one in sorted(ranked, key=lambda one: (_highest(one, ranked), *_importance(one)))
    ]
    return table(words.PRIORITY_COLUMNS, rows)


def _importance(claim: Claim) -> tuple[str, int]:
    rank = said(claim, "priority")
    place = words.MOSCOW.index(rank) if rank in words.MOSCOW else len(words.MOSCOW)
    return said(claim, "requirement"), place


def _highest(claim: Claim, ranked: Iterable[Claim]) -> int:
    """The highest rank that anybody gives to a requirement: its rows stay together."""
    name = said(claim, "requirement")
    return min(rank for ref, rank in map(_importance, ranked) if ref == name)


def _disagreement(claim: Claim, ranked: Iterable[Claim], view: View) -> str:
    others = [
        f"{escape(said(one, 'priority'))}, {escape(view.sources.names_of(one))}"
        for one in ranked
        if said(one, "requirement") == said(claim, "requirement")
        and said(one, "priority") != said(claim, "priority")
    ]
    return f" ({words.DIFFERS.lower()}: {'; '.join(others)})" if others else ""


def further(view: View) -> tuple[str, ...]:
    """Requirements and qualities told at steps that write no section of this file."""
    return tuple(
        full_line(one, view).rstrip("\n")
        for one in view.everything
        if one.kind in ("requirement", "quality")
        and one.step not in WRITTEN_BY[SPEC]
        and one.step != view.step.id
    )


def spec_end(whole: Share) -> str:
    voices = table(words.VOICE_COLUMNS, voice_rows(whole))
    return joined(
        (
            titled(words.FURTHER, "\n".join(whole.further), 2),
            titled(words.OUT_OF_SCOPE, "\n".join(whole.excluded) or words.NOTHING_EXCLUDED, 2),
            left_open(whole),
            titled(words.WHO_SAID_WHAT, voices, 2),
        )
    )


def left_open(whole: Share) -> str:
    """The assumptions and the open questions of a file, also where there are none."""
    all_asked = not any(line.endswith(words.WAS_NOT_ASKED) for line in whole.questions)
    none = words.NO_ASSUMPTION if all_asked else words.NOT_ALL_ASKED
    return joined(
        (
            titled(words.ASSUMPTIONS, "\n".join(whole.assumptions) or none, 2),
            titled(words.OPEN_QUESTIONS, "\n".join(whole.questions) or words.NO_OPEN_QUESTION, 2),
        )
    )
