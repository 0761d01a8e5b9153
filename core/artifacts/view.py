"""What a section is made from, and the lines that all files share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from core import patterns
from core.artifacts import words
from core.artifacts.links import conflicting, ranked, stories_of
from core.artifacts.markdown import (
    claim_line,
    escape,
    joined,
    provenance,
    titled,
)
from core.artifacts.plain import one_line
from core.artifacts.sources import Sources
from core.domain.answers import Claim, Scan
from core.domain.assumptions import is_assumed as is_assumed
from core.domain.brief import asks
from core.domain.ids import Depth
from core.domain.playbook import Step

# Which of the shipped steps write a file: it may be linked to once one of them recorded something.
WRITTEN_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "quick-scan.md": ("00-01", "00-02", "00-03"),
    "requirements-spec.md": ("01-01", "01-02", "01-03", "01-04", "01-05", "01-06", "01-08"),
    "nfr-matrix.md": ("01-05",),
    "user-stories.json": ("01-07",),
    "traceability-matrix.csv": ("01-08",),
    "impact-analysis.md": ("02-01", "02-02", "02-03", "02-04"),
    "architecture-overview.md": ("03-01", "03-03", "03-04"),
    "tech-stack-decision.md": ("03-02",),
    "module-design.md": ("04-01",),
    "interface-spec.yaml": ("04-02",),
    "data-flow.md": ("04-03",),
    "error-taxonomy.md": ("04-04",),
}
_QUESTION: Final = patterns.compile(r"^\s*([0-9]{1,2})[.)]\s+(\S.*)$", patterns.MULTILINE)
_NAMED_SECTION: Final = patterns.compile(r"`([^`\n]+)`\s*·\s*section\s+[\"“]([^\"”\n]+)[\"”]")
_DECISION_FILE: Final = patterns.compile(r"adr-(?:\*|[0-9]{3,})\.md")
_EXCLUDED: Final = patterns.compile(r"(?:out of|not in) scope\b", patterns.IGNORECASE)
_ASKS: Final = ("?", "？")


def is_decision_file(file: str) -> bool:
    return bool(_DECISION_FILE.fullmatch(file))


@dataclass(frozen=True)
class View:
    """The step's claims, all claims, who said them, and the step itself."""

    own: tuple[Claim, ...]
    everything: tuple[Claim, ...]
    sources: Sources
    step: Step
    depth: Depth = "standard"
    scan: Scan | None = None
    not_asked: tuple[str, ...] = ()  # titles of steps that people left out

    @cached_property
    def questions(self) -> Mapping[str, str]:
        """The questions that the step asked at this depth, by their numbers."""
        return dict(_QUESTION.findall(asks(self.step, self.depth)))

    def title(self, file: str) -> str:
        return section_titles(self.step, file)[0]

    def link(self, file: str) -> str:
        """The file as a link if it is there, else its name."""
        return f"[{file}]({file})" if self.is_there(file) else file

    def is_there(self, file: str) -> bool:
        steps = WRITTEN_BY.get(file, ())
        return file in self.step.outputs or any(one.step in steps for one in self.everything)


def section_titles(step: Step, file: str) -> list[str]:
    """What the step file calls its sections of a file; without a word on it, the step's title."""
    named = _NAMED_SECTION.findall(step.sections.get("Artifacts", ""))
    alike = is_decision_file(file)
    found = [
        one_line(title)
        for name, title in named
        if name == file or (alike and is_decision_file(name))
    ]
    return found or [step.title]


# ── what a line is ─────────────────────────────────────────────────────────────────────────────


def said(claim: Claim, key: str) -> str:
    return one_line(claim.data.get(key, ""))


def is_open(claim: Claim) -> bool:
    """Whether a line asks what nobody has answered."""
    asks = claim.kind == "fact" and claim.text.rstrip("\"'”’) ").endswith(_ASKS)
    return asks or "question" in (claim.kind, said(claim, "topic").removeprefix("open-"))


def is_excluded(claim: Claim) -> bool:
    return said(claim, "topic") == "out-of-scope" or bool(_EXCLUDED.match(claim.text))


def group_of(claim: Claim) -> str:
    """The group of lines that a claim stands in: by its topic, else by its kind."""
    if is_assumed(claim):
        return "assumption"
    if is_open(claim):
        return "question"
    if is_excluded(claim):
        return "out-of-scope"
    topic = said(claim, "topic")
    return topic if claim.kind == "fact" and topic in words.GROUPS else claim.kind


# ── lines ──────────────────────────────────────────────────────────────────────────────────────


def full_line(claim: Claim, view: View) -> str:
    """The line of a claim, and below it what belongs to it."""
    below = [*_criteria(claim, view), *_belongings(claim, view), *_differences(claim, view)]
    return "\n".join((claim_line(claim, view.sources), *(f"  - {line}" for line in below)))


def _criteria(claim: Claim, view: View) -> list[str]:
    by = provenance(claim, view.sources)
    return [f"{words.ACCEPTED_WHEN}: {escape(each)}{by}" for each in criteria(claim)]


def criteria(claim: Claim) -> list[str]:
    rows = (one_line(row) for row in claim.data.get("acceptance", "").split("\n"))
    return [row for row in rows if row]


def _belongings(claim: Claim, view: View) -> list[str]:
    """Of a requirement: how important it is, and the stories that need it."""
    if claim.kind != "requirement" or not claim.ref:
        return []
    marked = " *(inferred)*"
    stories = stories_of(claim, view.everything).items()
    told = [f"{ref}{marked if 'inferred' in status else ''}" for ref, status in stories]
    there = view.link("user-stories.json")
    return [
        *(
            f"{words.PRIORITY}: {escape(said(one, 'priority'))}{provenance(one, view.sources)}"
            for one in ranked(claim.ref, view.everything)
        ),
        *([f"{words.STORY}: {', '.join(told)} ({there})"] if told else []),
    ]


def _differences(claim: Claim, view: View) -> list[str]:
    return [
        f"{words.DIFFERS}: {escape(other.text)}{provenance(other, view.sources)}"
        for other in conflicting(claim, view.everything)
    ]


def cell(claim: Claim, view: View, text: str | None = None) -> str:
    """A line's text for a table, with what it differs from."""
    shown = escape(claim.text if text is None else text)
    others = [
        f"{escape(other.ref or other.text)}, {escape(view.sources.names_of(other))}"
        for other in conflicting(claim, view.everything)
    ]
    return f"{shown} ({words.DIFFERS.lower()}: {'; '.join(others)})" if others else shown


def or_not_said(text: str) -> str:
    return escape(text) or words.NOT_SAID


def grouped(
    claims: Iterable[Claim], view: View, *, lead: str = "", named: bool = False, level: int = 3
) -> str:
    """Lines under the name of their group.

    The lead's have none, nor have those of a group alone, unless `named` says so.
    """
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        group = group_of(claim)
        groups.setdefault(lead if lead and group == "fact" else group, []).append(claim)
    order = ["", lead, *words.GROUPS]
    alone = len(groups) == 1 and not named and not {"assumption", "question"} & set(groups)
    blocks = []
    for group in sorted(groups, key=lambda one: order.index(one) if one in order else len(order)):
        title = "" if alone or group == lead else words.GROUPS.get(group, words.GROUPS["fact"])
        blocks.append(titled(title, asked(groups[group], view), level))
    return joined(blocks)


def asked(claims: Sequence[Claim], view: View) -> str:
    """Lines under the question they answer, where that is known."""
    by_question: dict[str, list[str]] = {}
    for claim in claims:
        question = view.questions.get(said(claim, "question"), "")
        if claim.step != view.step.id or claim.ref:
            question = ""
        by_question.setdefault(question, []).append(full_line(claim, view))
    if set(by_question) == {""}:
        return "\n".join(by_question[""]).rstrip("\n")
    order = ["", *view.questions.values()]
    blocks = []
    for question in sorted(by_question, key=lambda one: (not one, order.index(one))):
        lines = "\n".join(by_question[question]).rstrip("\n")
        blocks.append(f"*{escape(question or words.BESIDE)}*\n\n{lines}")
    return joined(blocks)


def list_body(view: View) -> str:
    """Every line of the step: what a Markdown file has that has no layout of its own."""
    return grouped(view.own, view) or words.NOTHING
