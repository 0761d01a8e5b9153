"""Artifacts: a step's claims become its sections, and sections become files. `BY_NAME` says how.

Pure. The same claims and the same file give the same bytes; composing a file again changes nothing.
Nothing is inferred here: what a claim says, and whom it rests on, was decided by the brain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final, get_args

from core.artifacts.compose.analysis import (
    decisions,
    interfaces,
    modules,
    quick_scan,
    spec,
    stories,
    summary,
    tables,
    tracing,
)
from core.artifacts.compose.data_files import CLAIM_TABLE, STEPS, DataFile, head_of
from core.artifacts.compose.gathered import left_open
from core.artifacts.compose.inception import context_file, pages
from core.artifacts.compose.lines.claim_links import ClaimIndex, standing_index
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.compose.markdown_files import Document, MarkdownFile, RecordFile
from core.artifacts.compose.view import SectionView, is_decision_file, list_blocks
from core.artifacts.render import page
from core.artifacts.render.data import Fragment, Rows, written
from core.domain.answers import ClaimKind, Draft, ReadRequest, Section
from core.domain.lines import superseded

Content = Document | Fragment | Rows
Layout = MarkdownFile | DataFile

_EVERY_KIND: Final[frozenset[ClaimKind]] = frozenset(get_args(ClaimKind))
_TRACED: Final[frozenset[ClaimKind]] = frozenset(
    {"requirement", "check", "story", "priority", "link", "purpose", "success"}
)
_JOINED: Final[frozenset[ClaimKind]] = _TRACED | {"module", "entry-point", "decision"}
_DECIDED: Final[frozenset[ClaimKind]] = frozenset({"decision", "option"})
_RISKS: Final[frozenset[ClaimKind]] = frozenset({"risk"})
_FLOWS: Final[frozenset[ClaimKind]] = frozenset({"interface", "data"})
_FAILURES: Final[frozenset[ClaimKind]] = frozenset({"interface", "error"})
_OF_WALKTHROUGH: Final[frozenset[ClaimKind]] = frozenset(
    {"permission", "iteration", "next-step", "test-gap", "remark", "fact", "note", "question"}
)
_STACK: Final[frozenset[ClaimKind]] = frozenset({"stack"})

_LIST: Final = MarkdownFile(list_blocks)
_RECORD: Final = RecordFile(list_blocks, rests_on=_DECIDED)

# What `rests_on` names are kinds of other steps' claims that a file shows: it is to be made again
# when such a claim changes.
BY_NAME: Final[Mapping[str, Layout]] = {
    "quick-scan.md": MarkdownFile(list_blocks, size=quick_scan.step_size, front=quick_scan.block),
    "requirements-spec.md": MarkdownFile(
        spec.blocks, spec.end, spec.share, rests_on=_TRACED | {"quality"}
    ),
    "nfr-matrix.md": MarkdownFile(tables.quality_blocks),
    "user-stories.json": DataFile(
        stories.stories_fragment, stories.stories_value, stories.SHAPE, rests_on=_TRACED
    ),
    "traceability-matrix.csv": DataFile(
        tracing.matrix_fragment, tracing.matrix_rows, rests_on=_JOINED
    ),
    "impact-analysis.md": MarkdownFile(
        tables.impact_blocks, tables.impact_end, tables.impact_share, rests_on=_RISKS
    ),
    "architecture-overview.md": MarkdownFile(
        decisions.architecture_blocks, left_open, rests_on=_DECIDED
    ),
    "tech-stack-decision.md": MarkdownFile(decisions.decision_blocks),
    "module-design.md": MarkdownFile(modules.module_blocks),
    "interface-spec.yaml": DataFile(
        interfaces.fragment, interfaces.value, interfaces.SHAPE, interfaces.ENDPOINT_KEYS
    ),
    "data-flow.md": MarkdownFile(tables.flow_blocks, rests_on=_FLOWS),
    "error-taxonomy.md": MarkdownFile(tables.error_blocks, rests_on=_FAILURES),
    "design-summary.md": MarkdownFile(summary.blocks, rests_on=_EVERY_KIND),
    "project-brief.md": MarkdownFile(
        pages.brief_blocks, pages.brief_end, pages.brief_share, rests_on=_OF_WALKTHROUGH
    ),
    "tech-stack.md": MarkdownFile(pages.stack_blocks, left_open),
    "data-model.md": MarkdownFile(pages.data_blocks, left_open),
    "test-strategy-outline.md": MarkdownFile(pages.testing_blocks, left_open),
    "constitution.md": MarkdownFile(
        pages.constitution_blocks, left_open, rests_on=frozenset({"article", "note", "remark"})
    ),
    "skills-report.md": MarkdownFile(pages.skills_blocks, left_open, rests_on=_STACK),
    "discovery-context.json": DataFile(
        context_file.fragment, context_file.value, context_file.SHAPE, rests_on=_EVERY_KIND
    ),
}
_BY_ENDING: Final[Mapping[str, Layout]] = {".md": _LIST, ".markdown": _LIST, ".csv": CLAIM_TABLE}


def layout_of(file: str) -> Layout:
    """By the file's name, else by its ending."""
    if is_decision_file(file):
        return _RECORD
    return BY_NAME.get(file) or _BY_ENDING.get(PurePath(file).suffix.lower(), STEPS)


def rests_on(file: str) -> frozenset[ClaimKind]:
    """The kinds of other steps' claims that a file shows."""
    return layout_of(file).rests_on


@dataclass(frozen=True, slots=True)
class Composer:
    """Makes the sections of steps, of all claims of their session as they stand."""

    standing: ClaimIndex
    sources: Sources

    @classmethod
    def of(cls, request: ReadRequest, draft: Draft) -> "Composer":
        everything = sorted((*request.claims, *draft.claims), key=lambda claim: claim.step)
        replaced = superseded(everything)
        standing = standing_index(everything, replaced)
        sources = Sources.among(
            everything, request.answers_by_id, request.names, request.corrections, replaced
        )
        return cls(standing, sources)

    def sections(self, request: ReadRequest, draft: Draft) -> tuple[Section, ...]:
        """The step's part of each of its files. `adr-*.md` stands for one file per decision."""
        sources = replace(self.sources, answers=request.answers_by_id)
        view = SectionView(draft.claims, self.standing, sources, request, draft.scan)
        bodies: dict[str, str] = {}
        for output in request.step.outputs:
            file = output if is_decision_file(output) else output.replace("*", "001")
            bodies |= layout_of(file).bodies(view, file)
        return tuple(
            Section(file, request.step.id, view.title(file), body) for file, body in bodies.items()
        )


def sections(request: ReadRequest, draft: Draft) -> tuple[Section, ...]:
    """The step's part of each of its files, of the claims in both."""
    return Composer.of(request, draft).sections(request, draft)


@dataclass(frozen=True, slots=True)
class Composed:
    """A file's text, and what it was made from."""

    text: str
    content: Content


def compose_file(
    file: str,
    title: str,
    slug: str,
    sections: Sequence[Section],
    existing: str | None,
    more: Fragment | None = None,
) -> Composed:
    """The file from its sections, in step order; what people wrote between them stays in place.

    `more`: keys that a file of data has besides those of its sections.
    """
    own = sorted((part for part in sections if part.file == file), key=lambda part: part.step)
    before = page.unified(existing) if existing else None
    content: Content = layout_of(file).content(file, head_of(title, slug), own, before)
    if isinstance(content, dict):
        content = {**content, **(more or {})}
    text = content.text if isinstance(content, Document) else written(file, content)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which only the existing file can have brought
        return compose_file(file, title, slug, sections, None, more)
    return Composed(text, content)
