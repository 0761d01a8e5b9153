"""Artifacts: a step's claims become its sections, and sections become files.

Pure. The same claims and the same file give the same bytes; composing a file again changes nothing.
Nothing is inferred here: what a claim says, and whom it rests on, was decided by the brain.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, cast, get_args

from core.artifacts import data, markdown, rows
from core.artifacts.plain import one_line
from core.artifacts.sources import Sources
from core.domain.answers import Claim, ClaimKind, Draft, ReadRequest, Scan, Section, Size

UNKNOWN: Final = "unknown"
SCAN_WORD_CHARS_MAX: Final = 40
_SCAN_KEYS: Final = ("scope", "complexity", "file_count", "confidence")
_DECISION_FILE: Final = re.compile(r"adr-(?:\*|[0-9]{3,})\.md")

HEADINGS: Final[Mapping[str, str]] = {
    "quick-scan.md": "Quick Scan",
    "requirements-spec.md": "Requirements Specification",
    "nfr-matrix.md": "Quality Requirements",
    "impact-analysis.md": "Impact Analysis",
    "architecture-overview.md": "Architecture Overview",
    "tech-stack-decision.md": "Technology Decisions",
    "module-design.md": "Module Design",
    "data-flow.md": "Data Flow",
    "error-taxonomy.md": "Error Taxonomy",
    "design-summary.md": "Design Summary",
}

# Files that show claims of other steps: they are to be made again when such a claim changes.
RESTS_ON: Final[Mapping[str, frozenset[ClaimKind]]] = {
    "user-stories.json": frozenset({"requirement", "story", "priority"}),
    "traceability-matrix.csv": frozenset({"requirement", "story", "priority"}),
}


@dataclass(frozen=True, slots=True)
class View:
    """What a section is made from: the step's claims, all claims, and who said them."""

    own: tuple[Claim, ...]
    everything: tuple[Claim, ...]
    sources: Sources
    scan: Scan | None = None


# ── sections ───────────────────────────────────────────────────────────────────────────────────


def sections(request: ReadRequest, draft: Draft) -> tuple[Section, ...]:
    """The step's part of each of its files. `adr-*.md` stands for one file per decision."""
    everything = sorted((*request.claims, *draft.claims), key=lambda claim: claim.step)
    view = View(draft.claims, tuple(everything), Sources.of(request), draft.scan)
    bodies: dict[str, str] = {}
    for output in request.step.outputs:
        if _DECISION_FILE.fullmatch(output):
            bodies |= _decisions(view, request.previous)
        else:
            name = output.replace("*", "001")
            bodies[name] = _layout(name).body(view)
    step = request.step
    return tuple(Section(file, step.id, step.title, body) for file, body in bodies.items())


def _decisions(view: View, previous: tuple[Claim, ...]) -> dict[str, str]:
    """`adr-001.md`…: each decision with what its author said beside it."""
    made = {claim.ref: claim for claim in view.own if claim.kind == "decision" and claim.ref}
    withdrawn = {claim.ref for claim in previous if claim.kind == "decision" and claim.ref}
    bodies = {f"{ref.lower()}.md": _decision(claim, view) for ref, claim in made.items()}
    for ref in withdrawn - set(made):
        bodies[f"{ref.lower()}.md"] = "This decision was withdrawn."
    bodies.setdefault("adr-001.md", "No decision was recorded.")
    return dict(sorted(bodies.items()))


def _decision(claim: Claim, view: View) -> str:
    beside = [
        one
        for one in view.own
        if one.kind not in ("decision", "assumption") and set(one.sources) & set(claim.sources)
    ]
    blocks = [f"### Decision\n\n{markdown.claim_line(claim, view.sources)}"]
    if beside:
        listed = "\n".join(markdown.claim_line(one, view.sources) for one in beside)
        blocks.append(f"### Said with it\n\n{listed}")
    return "\n\n".join(blocks)


def _list_body(view: View) -> str:
    return markdown.claim_list(view.own, view.sources)


def _scan_body(view: View) -> str:
    """The list, opened by what this step's claims say about size, as front matter of its own."""
    said: dict[str, str] = {}
    for claim in view.own:
        said |= {
            key: claim.data[key] for key in (*_SCAN_KEYS, "scope_by_files") if key in claim.data
        }
    if not said and view.scan:
        parts = {key: getattr(view.scan, key) for key in _SCAN_KEYS}
        said = {key: str(value) for key, value in parts.items() if value is not None}
    front = f"---\n{data.front_matter(said, None)}---\n\n" if said else ""
    return f"{front}{_list_body(view)}"


def _quality_body(view: View) -> str:
    """A table of what must hold and what may go wrong."""
    shown = [claim for claim in view.own if claim.kind in ("quality", "risk", "assumption")]
    if not shown:
        return "No quality requirement was recorded."
    table = [_quality_row(claim, view.sources) for claim in shown]
    return "\n".join(("| Id | Kind | Text | Said by |", "|---|---|---|---|", *table))


def _quality_row(claim: Claim, sources: Sources) -> str:
    said = markdown.provenance(claim, sources).removeprefix(" — said by ").strip()
    text = markdown.escape(claim.text)
    return f"| {markdown.escape(claim.ref or '')} | {claim.kind} | {text} | {said} |"


# ── files ──────────────────────────────────────────────────────────────────────────────────────


def compose(
    file: str, title: str, slug: str, sections: tuple[Section, ...], existing: str | None
) -> str:
    """The file from its sections, in step order; what people wrote between them stays in place."""
    mine = sorted((one for one in sections if one.file == file), key=lambda one: one.step)
    found = _unified(existing) if existing else None
    page = _layout(file).page(file, title, slug, mine, found)
    try:
        page.encode()
    except UnicodeEncodeError:  # half a character, which only the existing file can have brought
        return _layout(file).page(file, title, slug, mine, None)
    return page


def _unified(existing: str) -> str:
    """Without what editors leave behind: byte order marks, line ends of another system."""
    return existing.replace("\ufeff", "").replace("\r\n", "\n")


def _markdown_page(
    file: str, title: str, slug: str, sections: list[Section], existing: str | None
) -> str:
    front, rest = markdown.front_matter(existing or "")
    block = f"---\n{front}---\n\n" if front is not None else ""
    return block + _sectioned(file, title, sections, rest)


def _scan_page(
    file: str, title: str, slug: str, sections: list[Section], existing: str | None
) -> str:
    """The parseable block first of all, then the page."""
    said: dict[str, object] = {}
    plain = []
    for one in sections:
        front, body = markdown.front_matter(one.body)
        said |= data.mapping_in(front)
        plain.append(Section(one.file, one.step, one.title, body))
    said["scope"] = said.get("scope", said.get("scope_by_files"))
    old, rest = markdown.front_matter(existing or "")
    if old is not None and not data.mapping_in(old):
        rest = existing or ""
    values = {key: _scan_value(key, said.get(key)) for key in _SCAN_KEYS}
    return f"---\n{data.front_matter(values, old)}---\n\n{_sectioned(file, title, plain, rest)}"


def _scan_value(key: str, value: object) -> object:
    if value is None:
        return UNKNOWN
    return int(str(value)) if key == "file_count" else str(value)


def _sectioned(file: str, title: str, sections: list[Section], existing: str) -> str:
    page = markdown.take_apart(existing)
    page.head = markdown.with_heading(page.head, heading_of(file), title)
    ours: dict[str, str] = {}
    for one in sections:
        ours[one.step] = markdown.section(one.step, one.title, one.body)
    return markdown.put_together(page, ours)


def heading_of(file: str) -> str:
    """What a Markdown file is called: from the table, else made of its name."""
    stem = PurePath(file).stem
    if _DECISION_FILE.fullmatch(file):
        return stem.upper()
    words = markdown.escape(re.sub(r"[-_]+", " ", stem).strip())
    return HEADINGS.get(file) or words[:1].upper() + words[1:]


def parse_quick_scan(text: str) -> Scan:
    """Read the block at the top of `quick-scan.md`. What is missing or odd is unknown."""
    front, _ = markdown.front_matter(_unified(text))
    values = data.mapping_in(front)
    scope, files = _word(values.get("scope")), values.get("file_count")
    return Scan(
        scope=cast("Size", scope) if scope in get_args(Size) else None,
        complexity=_word(values.get("complexity")),
        file_count=files if type(files) is int and files >= 0 else None,
        confidence=_word(values.get("confidence")),
    )


def _word(value: object) -> str | None:
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word and word != UNKNOWN and len(word) <= SCAN_WORD_CHARS_MAX else None


# ── layouts: by name, else by the file's ending ────────────────────────────────────────────────

Page = Callable[[str, str, str, list[Section], str | None], str]


@dataclass(frozen=True, slots=True)
class Layout:
    body: Callable[[View], str]
    page: Page


def _of_data(
    fragment: Callable[[rows.Claims, rows.Claims, Sources], rows.Fragment],
    whole: Callable[[data.Head, data.Parts, str | None], str],
) -> Layout:
    def body(view: View) -> str:
        return json.dumps(fragment(view.own, view.everything, view.sources), ensure_ascii=False)

    def page(
        file: str, title: str, slug: str, sections: list[Section], existing: str | None
    ) -> str:
        parts = [(one.step, one_line(one.title), json.loads(one.body)) for one in sections]
        return whole(data.head_of(title, slug), parts, existing)

    return Layout(body, page)


_MARKDOWN: Final = Layout(_list_body, _markdown_page)
_TEXT: Final = _of_data(rows.claims, data.text_file)
_BY_NAME: Final[Mapping[str, Layout]] = {
    "quick-scan.md": Layout(_scan_body, _scan_page),
    "nfr-matrix.md": Layout(_quality_body, _markdown_page),
    "user-stories.json": _of_data(rows.stories, data.stories_file),
    "traceability-matrix.csv": _of_data(rows.matrix, data.matrix_file),
    "interface-spec.yaml": _of_data(rows.interfaces, data.interfaces_file),
}
_BY_ENDING: Final[Mapping[str, Layout]] = {
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".json": _of_data(rows.claims, data.json_file),
    ".yaml": _of_data(rows.claims, data.yaml_file),
    ".yml": _of_data(rows.claims, data.yaml_file),
    ".csv": _of_data(rows.claims, data.csv_file),
    ".html": _of_data(rows.claims, data.html_file),
    ".htm": _of_data(rows.claims, data.html_file),
}


def _layout(file: str) -> Layout:
    return _BY_NAME.get(file) or _BY_ENDING.get(PurePath(file).suffix.lower(), _TEXT)
