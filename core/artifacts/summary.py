"""`design-summary.md`: the whole analysis for somebody who comes late, made from all claims."""

from collections.abc import Iterator, Mapping
from typing import Final

from core.artifacts import words
from core.artifacts.decisions import RECORDED_BY, REJECTED
from core.artifacts.markdown import claim_line, escape, joined, titled
from core.artifacts.view import (
    WRITTEN_BY,
    View,
    grouped,
    is_assumed,
    is_excluded,
    is_open,
    said,
)
from core.domain.answers import Claim
from core.domain.playbook import BUILT_IN_PHASES

# What counts as decided in each phase; in one of your own, only what is called a decision.
_DECIDES: Final[Mapping[str, tuple[str, ...]]] = {
    "00": ("scope",),
    "01": ("requirement", "quality", "constraint", "decision"),
    "02": ("risk", "decision"),
    "03": ("decision", "option"),
    "04": ("decision", "module", "interface"),
}
_LABELS: Final = {phase.key[:2]: phase.label for phase in BUILT_IN_PHASES}


def summary_body(view: View) -> str:
    own = [one for one in view.own if not is_assumed(one) and not is_open(one)]
    return joined(
        (
            titled(words.IN_SHORT, _in_short(view)),
            titled(words.BY_PHASE, _by_phase(view) or words.NOTHING_DECIDED),
            titled(words.NOT_ASKED, "\n".join(f"- {escape(each)}" for each in view.not_asked)),
            titled(
                words.OPEN_QUESTIONS,
                _open(view) or (words.NOT_ALL_ASKED if view.not_asked else words.NO_OPEN_QUESTION),
            ),
            titled(
                words.ASSUMPTIONS,
                _assumed(view) or (words.NOT_ALL_ASKED if view.not_asked else words.NO_ASSUMPTION),
            ),
            titled(words.FILES, "\n".join(_files(view))),
            titled(words.AT_THE_REVIEW, grouped(own, view, lead="fact", level=4) or words.NOTHING),
        )
    )


def _in_short(view: View) -> str:
    counts = {
        kind: sum(one.kind == kind and not is_assumed(one) for one in view.everything)
        for kind in ("requirement", "quality", "story", "risk", "decision")
    }
    counts["question"] = sum(is_open(one) and not is_assumed(one) for one in view.everything)
    counts["assumption"] = sum(map(is_assumed, view.everything))
    line = ", ".join(words.count(number, kind) for kind, number in counts.items())
    return f"{line[:1].upper()}{line[1:]}."


def _by_phase(view: View) -> str:
    found: dict[str, list[Claim]] = {}
    for one in view.everything:
        if _is_decided(one):
            found.setdefault(one.step[:2], []).append(one)
    return joined(
        titled(escape(_label(phase)), _lines(found[phase], view), 4) for phase in sorted(found)
    )


def _is_decided(claim: Claim) -> bool:
    if is_assumed(claim) or is_open(claim):
        return False
    if claim.kind == "option":
        return bool(said(claim, "choice")) and said(claim, "choice") != REJECTED
    if claim.kind == "scope":
        return bool(claim.data.keys() & {"scope", "complexity", "file_count"})
    decides = _DECIDES.get(claim.step[:2], ("decision",))
    return claim.kind in decides or is_excluded(claim)


def _label(phase: str) -> str:
    return _LABELS.get(phase, f"{words.PHASE} {phase}")


def _lines(claims: list[Claim], view: View) -> str:
    return "\n".join(claim_line(one, view.sources) for one in claims).strip("\n")


def _open(view: View) -> str:
    asked = [one for one in view.everything if is_open(one) and not is_assumed(one)]
    return _lines(asked, view)


def _assumed(view: View) -> str:
    return _lines([one for one in view.everything if is_assumed(one)], view)


def _files(view: View) -> Iterator[str]:
    """Those that are there, each with what it is."""
    for file in WRITTEN_BY:
        if view.is_there(file):
            yield _entry(file, words.INTROS.get(file, words.HEADINGS.get(file, "")))
        if file == "tech-stack-decision.md":
            for one in view.everything:
                if one.kind == "decision" and one.step == RECORDED_BY and one.ref:
                    yield _entry(f"{one.ref.lower()}.md", "")


def _entry(file: str, what: str) -> str:
    return f"- [{file}]({file})" + (f": {what}" if what else "")
