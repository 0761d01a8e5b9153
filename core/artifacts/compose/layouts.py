"""Artifacts: a step's claims become its sections, and sections become files.

Pure. The same claims and the same file give the same bytes; composing a file again changes nothing.
Nothing is inferred here: what a claim says, and whom it rests on, was decided by the brain.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePath
from typing import Final, get_args
from urllib.parse import quote

from core.artifacts.compose import quick_scan
from core.artifacts.compose.data import files as data_files
from core.artifacts.compose.data import fragments, openapi
from core.artifacts.compose.data.files import DataFile, Head, head_of
from core.artifacts.compose.decisions import architecture_part, decisions_body, records
from core.artifacts.compose.flow import flow_body
from core.artifacts.compose.gathered import left_open, together
from core.artifacts.compose.inception.gather import (
    CONTEXT,
    CONTEXT_SHAPE,
    context_fragment,
    context_value,
)
from core.artifacts.compose.inception.pages import PAGES
from core.artifacts.compose.quick_scan import parse_quick_scan
from core.artifacts.compose.sources import Sources
from core.artifacts.compose.spec import SPEC, spec_end, spec_part
from core.artifacts.compose.summary import summary_body
from core.artifacts.compose.tables import (
    error_body,
    impact_end,
    impact_part,
    module_body,
    quality_body,
)
from core.artifacts.compose.view import SectionView, is_decision_file, list_body
from core.artifacts.document import words
from core.artifacts.document.codec import decode, encode
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import (
    Blocks,
    FileShare,
    Span,
    StepPart,
    in_turn,
    paragraph,
    titled,
)
from core.artifacts.render import page
from core.artifacts.render.data import Fragment, Rows, written
from core.artifacts.render.markdown import markdown
from core.artifacts.render.page import SectionedFile
from core.domain.answers import ClaimKind, Draft, ReadRequest, Section

SHOWN_MAX: Final = 256  # sections; of a file that grows all but one are as they were

_EVERY_KIND: Final[frozenset[ClaimKind]] = frozenset(get_args(ClaimKind))
_TRACED: Final[frozenset[ClaimKind]] = frozenset({"requirement", "story", "priority"})
_DECIDED: Final[frozenset[ClaimKind]] = frozenset({"decision", "option"})


class _RestsOn(Mapping[str, frozenset[ClaimKind]]):
    """By file; all decision records share an entry."""

    def __init__(self, table: Mapping[str, frozenset[ClaimKind]]) -> None:
        self._table = table

    def __getitem__(self, file: str) -> frozenset[ClaimKind]:
        return self._table["adr-*.md" if is_decision_file(file) else file]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


# Files that show claims of other steps: they are to be made again when such a claim changes.
RESTS_ON: Final[Mapping[str, frozenset[ClaimKind]]] = _RestsOn(
    {
        "requirements-spec.md": _TRACED,
        "user-stories.json": _TRACED,
        "traceability-matrix.csv": _TRACED,
        "impact-analysis.md": frozenset({"risk"}),
        "architecture-overview.md": _DECIDED,
        "adr-*.md": _DECIDED,
        "data-flow.md": frozenset({"interface", "data"}),
        "design-summary.md": _EVERY_KIND,
        "skills-report.md": frozenset({"stack"}),
        CONTEXT: _EVERY_KIND,
    }
)


__all__ = ["RESTS_ON", "compose", "heading_of", "parse_quick_scan", "sections"]

# ── sections ───────────────────────────────────────────────────────────────────────────────────


def sections(request: ReadRequest, draft: Draft) -> tuple[Section, ...]:
    """The step's part of each of its files. `adr-*.md` stands for one file per decision."""
    everything = sorted((*request.claims, *draft.claims), key=lambda claim: claim.step)
    step = request.step
    view = SectionView(
        draft.claims,
        tuple(everything),
        Sources.of(request),
        step,
        request.depth,
        draft.scan,
        request.not_asked,
        request.steps,
        request.mode,
    )
    bodies: dict[str, str] = {}
    for output in step.outputs:
        if is_decision_file(output):
            files = records(view, request.previous)
            bodies |= {file: encode(StepPart(blocks)) for file, blocks in files.items()}
        else:
            name = output.replace("*", "001")
            bodies[name] = layout_of(name).body(view)
    return tuple(Section(file, step.id, view.title(file), body) for file, body in bodies.items())


# ── files ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown file: its sections in step order, and what people wrote around them.

    `front`: the block at its very top, as YAML; None where it has none.
    """

    heading: str
    title: str
    front: str | None
    people: SectionedFile
    opening: Blocks
    sections: Sequence[Section]
    end: Blocks

    @property
    def parts(self) -> Mapping[str, Blocks]:
        """What is ours, by the name of its section."""
        steps: dict[str, Blocks] = {
            section.step: section_blocks(section) for section in self.sections
        }
        return {page.HEAD: self.opening, **steps, page.END: self.end}

    @property
    def text(self) -> str:
        """The file."""
        head = page.with_heading(self.people.head, self.heading, self.title)
        ours: dict[str, str] = {part.step: _section_text(part) for part in self.sections}
        for name, blocks in ((page.HEAD, self.opening), (page.END, self.end)):
            if blocks:
                ours[name] = page.section(name, markdown(blocks))
        text = page.put_together(replace(self.people, head=head), ours)
        return text if self.front is None else f"---\n{self.front}---\n\n{text}"


@lru_cache(maxsize=SHOWN_MAX)
def part_of(section: Section) -> StepPart:
    """A stored section of a Markdown file. Most are as they were."""
    return decode(section.body)


def section_blocks(section: Section) -> Blocks:
    return titled(one_line(section.title), part_of(section).blocks, 2)


@lru_cache(maxsize=SHOWN_MAX)
def _section_text(section: Section) -> str:
    return page.section(section.step, markdown(section_blocks(section)))


@dataclass(frozen=True, slots=True)
class Composed:
    """A file's text, and what it was made from."""

    text: str
    content: "Content"


def compose(
    file: str, title: str, slug: str, sections: Sequence[Section], existing: str | None
) -> str:
    """The text of a file from its sections."""
    return compose_file(file, title, slug, sections, existing).text


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
    content = layout_of(file).content(file, head_of(title, slug), own, before, more or {})
    text = content.text if isinstance(content, Document) else written(file, content)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which only the existing file can have brought
        return compose_file(file, title, slug, sections, None, more)
    return Composed(text, content)


def heading_of(file: str) -> str:
    """What a Markdown file is called: from the table, else made of its name."""
    stem = PurePath(file).stem
    if is_decision_file(file):
        return stem.upper()
    spoken = one_line(stem.replace("-", " ").replace("_", " "))
    named = words.HEADINGS.get(file) or words.DATA_HEADINGS.get(file)
    return named or spoken[:1].upper() + spoken[1:]


# ── layouts: by name, else by the file's ending ────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MarkdownLayout:
    """`end`: what closes the file; `has_size`: a parseable block stands at its top."""

    part: Callable[[SectionView], StepPart]
    end: Callable[[FileShare], Blocks] = lambda _: ()
    has_size: bool = False

    def body(self, view: SectionView) -> str:
        return encode(self.part(view))

    def content(
        self,
        file: str,
        head: Head,
        sections: Sequence[Section],
        existing: str | None,
        more: Fragment,
    ) -> Document:
        """The file as a tree, with what people wrote into the one that is there."""
        front, rest = page.front_matter(existing or "")
        if self.has_size:
            front, rest = quick_scan.block(
                quick_scan.size_of(map(part_of, sections)), existing or ""
            )
        whole = together(part_of(section).gathered for section in sections)
        document = Document(
            heading_of(file), head["title"], front, page.take_apart(rest),
            _opening(file, whole), sections, self.end(whole),
        )  # fmt: skip
        # A mark that was dropped may leave a block at the top that is one only now.
        if front is None and document.people.head.startswith("---"):
            text = document.text
            if page.front_matter(text)[0] is not None:
                return self.content(file, head, sections, text, more)
        return document


def _opening(file: str, whole: FileShare) -> Blocks:
    """What this file is, how to read it, and which files belong to it."""
    intro = words.text("decision_intro") if is_decision_file(file) else words.INTROS.get(file, "")
    if not intro:
        return ()
    files = in_turn(((Span(name, "", quote(name)),) for name in whole.files), ", ")
    also = paragraph(f"{words.text('see_also')}: ", *files) if files else ()
    return (*paragraph(f"{intro} {words.text('legend')}"), *also)


@dataclass(frozen=True, slots=True)
class DataLayout:
    fragment: Callable[[SectionView], Fragment]
    file: DataFile

    def body(self, view: SectionView) -> str:
        return json.dumps(self.fragment(view), ensure_ascii=False)

    def content(
        self,
        file: str,
        head: Head,
        sections: Sequence[Section],
        existing: str | None,
        more: Fragment,
    ) -> Fragment | Rows:
        """What the file holds, with the keys that people added to the one that is there."""
        parts = [(part.step, one_line(part.title), json.loads(part.body)) for part in sections]
        return self.file.content(file, head, parts, existing, more)


Content = Document | Fragment | Rows
Layout = MarkdownLayout | DataLayout


def _blocks_alone(blocks: Callable[[SectionView], Blocks]) -> MarkdownLayout:
    return MarkdownLayout(lambda view: StepPart(blocks(view)))


_MARKDOWN: Final = _blocks_alone(list_body)
_STEPS: Final = DataLayout(
    fragments.claims, DataFile(data_files.steps_value, {"schema": int, "steps": list})
)
_BY_NAME: Final[Mapping[str, Layout]] = {
    "quick-scan.md": MarkdownLayout(quick_scan.scan_part, has_size=True),
    SPEC: MarkdownLayout(spec_part, spec_end),
    "nfr-matrix.md": _blocks_alone(quality_body),
    "user-stories.json": DataLayout(
        fragments.stories, DataFile(data_files.stories_value, {"schema": int, "stories": list})
    ),
    "traceability-matrix.csv": DataLayout(fragments.matrix, DataFile(data_files.matrix_rows)),
    "impact-analysis.md": MarkdownLayout(impact_part, impact_end),
    "architecture-overview.md": MarkdownLayout(architecture_part, left_open),
    "tech-stack-decision.md": _blocks_alone(decisions_body),
    "module-design.md": _blocks_alone(module_body),
    "interface-spec.yaml": DataLayout(
        openapi.interfaces,
        DataFile(
            data_files.interfaces_value,
            {"interfaces": list},
            frozenset({"openapi", "info", "paths"}),
        ),
    ),
    "data-flow.md": _blocks_alone(flow_body),
    "error-taxonomy.md": _blocks_alone(error_body),
    "design-summary.md": _blocks_alone(summary_body),
    **{file: MarkdownLayout(part, end) for file, (part, end) in PAGES.items()},
    CONTEXT: DataLayout(context_fragment, DataFile(context_value, CONTEXT_SHAPE)),
}
_BY_ENDING: Final[Mapping[str, Layout]] = {
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".csv": DataLayout(fragments.claims, DataFile(data_files.claim_rows)),
}


def layout_of(file: str) -> Layout:
    return _BY_NAME.get(file) or _BY_ENDING.get(PurePath(file).suffix.lower(), _STEPS)
