"""What a section is made from, and the lines that all files share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from core import patterns
from core.artifacts.compose.links import conflicting, ranked, stories_of
from core.artifacts.compose.sources import Sources
from core.artifacts.document import words
from core.artifacts.document.code import code_in, is_code
from core.artifacts.document.plain import link, one_line
from core.artifacts.document.tree import (
    Blocks,
    Code,
    Inline,
    Span,
    emphasis,
    in_turn,
    item,
    joined,
    listing,
    paragraph,
    strong,
    titled,
)
from core.domain.answers import Claim, Scan
from core.domain.assumptions import is_assumed as is_assumed
from core.domain.brief import asks
from core.domain.ids import Depth, StepId
from core.domain.playbook import Step

_QUESTION: Final = patterns.compile(r"^\s*([0-9]{1,2})[.)]\s+(\S.*)$", patterns.MULTILINE)
_NAMED_SECTION: Final = patterns.compile(r"`([^`\n]+)`\s*·\s*section\s+[\"“]([^\"”\n]+)[\"”]")
_TAG: Final = patterns.compile(r"\(([a-z]+): ([a-z, -]+)\)")
_DECISION_FILE: Final = patterns.compile(r"adr-(?:\*|[0-9]{3,})\.md")
_EXCLUDED: Final = patterns.compile(r"(?:out of|not in) scope\b", patterns.IGNORECASE)
_ASKS: Final = ("?", "？")


def is_decision_file(file: str) -> bool:
    return bool(_DECISION_FILE.fullmatch(file))


@dataclass(frozen=True)
class SectionView:
    """The step's claims, all claims, who said them, and the step itself."""

    own: tuple[Claim, ...]
    everything: tuple[Claim, ...]
    sources: Sources
    step: Step
    depth: Depth = "standard"
    scan: Scan | None = None
    not_asked: tuple[str, ...] = ()  # titles of steps that people left out
    others: tuple[Step, ...] = ()  # the other steps that recorded something
    mode: str = ""  # of an inception

    @cached_property
    def steps(self) -> Mapping[StepId, Step]:
        """The steps that recorded something, and the one that is being written."""
        return {step.id: step for step in (*self.others, self.step)}

    def writes(self, claim: Claim, file: str) -> bool:
        """True if the claim's step writes the file."""
        return claim.step in self.steps and file in self.steps[claim.step].outputs

    def has_record(self, decision: Claim) -> bool:
        """True if the decision's step writes a file for each decision."""
        step = self.steps.get(decision.step)
        return step is not None and any(map(is_decision_file, step.outputs))

    @cached_property
    def questions(self) -> Mapping[str, str]:
        """The questions that the step asked at this depth, by their numbers."""
        return dict(_QUESTION.findall(asks(self.step, self.depth)))

    def title(self, file: str) -> str:
        return section_titles(self.step, file)[0]

    def link(self, file: str) -> str | Span:
        """The file as a link if it is there, else its name."""
        return Span(file, "", file) if self.is_there(file) else file

    def is_there(self, file: str) -> bool:
        return file in self.step.outputs or any(self.writes(c, file) for c in self.everything)


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


def tagged(step: Step, tag: str) -> tuple[str, ...]:
    """The words of a tag such as `(topic: problem)` in the step's `## Artifacts` section."""
    tags = _TAG.findall(step.sections.get("Artifacts", ""))
    return tuple(word.strip() for name, values in tags if name == tag for word in values.split(","))


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


def claim_item(
    claim: Claim, sources: Sources, *, under: str = "", below: Iterable[Blocks] = ()
) -> Blocks:
    """`- **FR-001** text — said by Priya (message)`; `under` says where it belongs."""
    lead = (strong(f"{under}:"), " ") if under else ()
    label = (strong(name), " ") if (name := _label(claim)) else ()
    if is_code(claim.text):
        opening = paragraph(*lead, *label, sources.said(claim, "lead"), ":")
        return (*opening, Code(code_in(claim.text)), *listing(below))
    url = link(claim.data.get("file", ""))
    file = (" (", Span(words.text("file"), "", url), ")") if url else ()
    text = one_line(claim.text)
    return item(*lead, *label, text, *file, sources.said(claim), below=below)


def _label(claim: Claim) -> str:
    if claim.kind == "priority" and claim.data.get("requirement"):
        return f"{said(claim, 'requirement')}: {said(claim, 'priority')}"
    return claim.ref or ""


def claim_list(claims: Iterable[Claim], sources: Sources) -> Blocks:
    return listing(claim_item(claim, sources) for claim in claims)


def full_item(claim: Claim, view: SectionView, *more: Blocks) -> Blocks:
    """The line of a claim, and below it what belongs to it."""
    below = (*_criteria(claim, view), *_belongings(claim, view), *_differences(claim, view))
    return claim_item(claim, view.sources, below=(*below, *more))


def _criteria(claim: Claim, view: SectionView) -> list[Blocks]:
    by = view.sources.said(claim)
    return [item(f"{words.text('accepted_when')}: ", check, by) for check in criteria(claim)]


def criteria(claim: Claim) -> list[str]:
    rows = (one_line(row) for row in claim.data.get("acceptance", "").split("\n"))
    return [row for row in rows if row]


def _belongings(claim: Claim, view: SectionView) -> list[Blocks]:
    """Of a requirement: how important it is, and the stories that need it."""
    if claim.kind != "requirement" or not claim.ref:
        return []
    ranks = [
        item(f"{words.text('priority')}: ", said(rank, "priority"), view.sources.said(rank))
        for rank in ranked(claim.ref, view.everything)
    ]
    stories = in_turn(
        (
            (ref, " ", emphasis("(inferred)")) if "inferred" in status else (ref,)
            for ref, status in stories_of(claim, view.everything).items()
        ),
        ", ",
    )
    where = view.link("user-stories.json")
    return [
        *ranks,
        *([item(f"{words.text('story')}: ", *stories, " (", where, ")")] if stories else []),
    ]


def _differences(claim: Claim, view: SectionView) -> list[Blocks]:
    return [
        item(f"{words.text('differs')}: ", one_line(other.text), view.sources.said(other))
        for other in conflicting(claim, view.everything)
    ]


def cell(claim: Claim, view: SectionView, text: str | None = None) -> Inline:
    """A line's text for a table, with what it differs from."""
    shown = one_line(claim.text if text is None else text)
    return (shown, *differing(conflicting(claim, view.everything), view))


def differing(
    others: Iterable[Claim], view: SectionView, name: Callable[[Claim], str] | None = None
) -> Inline:
    """` (differs from: …, Sam)`, or nothing; `name`: what another line is called there."""
    pairs = (
        (
            one_line(name(other) if name else other.ref or other.text),
            ", ",
            view.sources.names_of(other),
        )
        for other in others
    )
    listed = in_turn(pairs, "; ")
    return (f" ({words.text('differs').lower()}: ", *listed, ")") if listed else ()


def or_not_said(text: str) -> str:
    return one_line(text) or words.text("not_said")


def grouped(
    claims: Iterable[Claim],
    view: SectionView,
    *,
    lead: str = "",
    named: bool = False,
    level: int = 3,
) -> Blocks:
    """Lines under the name of their group.

    The lead's have none, nor have those of a group alone, unless `named` says so.
    """
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        group = group_of(claim)
        groups.setdefault(lead if lead and group == "fact" else group, []).append(claim)
    order = ["", lead, *words.GROUPS]
    alone = len(groups) == 1 and not named and not {"assumption", "question"} & set(groups)
    parts = []
    for group in sorted(groups, key=lambda name: _place(name, order)):
        title = "" if alone or group == lead else words.GROUPS.get(group, words.GROUPS["fact"])
        parts.append(titled(title, by_question(groups[group], view), level))
    return joined(parts)


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


def by_question(claims: Sequence[Claim], view: SectionView) -> Blocks:
    """Lines under the question they answer, where that is known."""
    items: dict[str, list[Blocks]] = {}
    for claim in claims:
        question = view.questions.get(said(claim, "question"), "")
        if claim.step != view.step.id or claim.ref:
            question = ""
        items.setdefault(question, []).append(full_item(claim, view))
    if set(items) == {""}:
        return listing(items[""])
    order = [*view.questions.values(), ""]
    return joined(
        (*paragraph(emphasis(question or words.text("beside"))), *listing(items[question]))
        for question in sorted(items, key=order.index)
    )


def list_body(view: SectionView) -> Blocks:
    """Every line of the step: what a Markdown file has that has no layout of its own."""
    return grouped(view.own, view) or paragraph(words.text("nothing"))
