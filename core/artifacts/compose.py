"""Artifacts: a step's claims become its sections, and sections become files.

Pure. The same claims and the same file give the same bytes; composing a file again changes nothing.
Nothing is inferred here: what a claim says, and whom it rests on, was decided by the brain.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import PurePath
from typing import Final, get_args
from urllib.parse import quote

from core.artifacts import api, data, markdown, page, rows, scan, words
from core.artifacts.decisions import decisions_body, records
from core.artifacts.flow import flow_body
from core.artifacts.inception.gather import CONTEXT, context_body, context_page
from core.artifacts.inception.pages import PAGES, architecture_page
from core.artifacts.links import Claims
from core.artifacts.plain import one_line
from core.artifacts.scan import parse_quick_scan
from core.artifacts.share import Share, share, together, with_share, without_share
from core.artifacts.sources import Sources
from core.artifacts.spec import SPEC, further, left_open, spec_body, spec_end
from core.artifacts.summary import summary_body
from core.artifacts.tables import error_body, module_body, quality_body, risk_matrix, risk_rows
from core.artifacts.view import View, grouped, is_assumed, is_decision_file, is_open, list_body
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
    view = View(
        draft.claims,
        tuple(everything),
        Sources.of(request),
        step,
        request.depth,
        draft.scan,
        request.not_asked,
    )
    bodies: dict[str, str] = {}
    for output in step.outputs:
        if is_decision_file(output):
            bodies |= records(view, request.previous)
        else:
            name = output.replace("*", "001")
            bodies[name] = _layout(name).body(view)
    return tuple(Section(file, step.id, view.title(file), body) for file, body in bodies.items())


def _spec_body(view: View) -> str:
    return with_share(spec_body(view), replace(share(view, SPEC), further=further(view)))


def _impact_body(view: View) -> str:
    given = replace(share(view, "impact-analysis.md"), risks=risk_rows(view))
    return with_share(_kept_body(view), given)


def _architecture_body(view: View) -> str:
    return with_share(architecture_page(view), share(view, "architecture-overview.md"))


def _kept_body(view: View) -> str:
    """The lines but for those that the end of the file gathers."""
    kept = [one for one in view.own if not is_assumed(one) and not is_open(one)]
    return grouped(kept, view) or (words.ALL_AT_THE_END if view.own else words.NOTHING)


# ── files ──────────────────────────────────────────────────────────────────────────────────────


def compose(
    file: str, title: str, slug: str, sections: tuple[Section, ...], existing: str | None
) -> str:
    """The file from its sections, in step order; what people wrote between them stays in place."""
    mine = sorted((one for one in sections if one.file == file), key=lambda one: one.step)
    found = page.unified(existing) if existing else None
    text = _layout(file).page(file, title, slug, mine, found)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which only the existing file can have brought
        return _layout(file).page(file, title, slug, mine, None)
    return text


def _markdown_page(
    end: Callable[[Share], str],
    file: str,
    title: str,
    slug: str,
    sections: list[Section],
    existing: str | None,
) -> str:
    front, rest = page.front_matter(existing or "")
    text = _sectioned(end, file, title, sections, rest)
    if front is not None:
        return f"---\n{front}---\n\n{text}"
    # A mark that was dropped may leave a block at the top that is one only now.
    opened = page.front_matter(text)[0] is not None
    return _markdown_page(end, file, title, slug, sections, text) if opened else text


def _sectioned(
    end: Callable[[Share], str], file: str, title: str, sections: list[Section], existing: str
) -> str:
    """What people wrote, then what the file is, each step's section, and what closes it."""
    parts = page.take_apart(existing)
    parts.head = page.with_heading(parts.head, heading_of(file), title)
    shown = [_shown(one) for one in sections]
    ours: dict[str, str] = {one.step: text for one, (_, text) in zip(sections, shown, strict=True)}
    whole = together(shared for shared, _ in shown)
    for name, text in ((page.HEAD, _opening(file, whole)), (page.END, end(whole))):
        if text:
            ours[name] = page.section(name, "", text)
    return page.put_together(parts, ours)


@lru_cache(maxsize=SHOWN_MAX)
def _shown(one: Section) -> tuple[Share, str]:
    """What a section gives to the whole, and its text with its marks. Most are as they were."""
    shared, body = without_share(one.body)
    return shared, page.section(one.step, one.title, body)


def _opening(file: str, whole: Share) -> str:
    """What this file is, how to read it, and which files belong to it."""
    intro = words.DECISION_INTRO if is_decision_file(file) else words.INTROS.get(file, "")
    if not intro:
        return ""
    files = [f"[{markdown.escape(name)}]({quote(name)})" for name in whole.files]
    see = f"{words.SEE_ALSO}: {', '.join(files)}" if files else ""
    return markdown.joined((f"{intro} {words.LEGEND}", see))


def _scan_page(
    file: str, title: str, slug: str, sections: list[Section], existing: str | None
) -> str:
    """The parseable block first of all, then the page."""
    said, plain = scan.taken_off(sections)
    block, rest = scan.block(said, existing or "")
    return block + _sectioned(_no_end, file, title, plain, rest)


def _no_end(whole: Share) -> str:
    return ""


def _impact_end(whole: Share) -> str:
    return markdown.joined((risk_matrix(whole), left_open(whole)))


def heading_of(file: str) -> str:
    """What a Markdown file is called: from the table, else made of its name."""
    stem = PurePath(file).stem
    if is_decision_file(file):
        return stem.upper()
    spoken = markdown.escape(stem.replace("-", " ").replace("_", " "))
    return words.HEADINGS.get(file) or spoken[:1].upper() + spoken[1:]


# ── layouts: by name, else by the file's ending ────────────────────────────────────────────────

Page = Callable[[str, str, str, list[Section], str | None], str]


@dataclass(frozen=True, slots=True)
class Layout:
    body: Callable[[View], str]
    page: Page


def _in_markdown(body: Callable[[View], str], end: Callable[[Share], str] = _no_end) -> Layout:
    return Layout(body, partial(_markdown_page, end))


def _of_data(
    fragment: Callable[[Claims, Claims, Sources], rows.Fragment],
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


_MARKDOWN: Final = _in_markdown(list_body)
_TEXT: Final = _of_data(rows.claims, data.text_file)
_BY_NAME: Final[Mapping[str, Layout]] = {
    "quick-scan.md": Layout(scan.body, _scan_page),
    SPEC: _in_markdown(_spec_body, spec_end),
    "nfr-matrix.md": _in_markdown(quality_body),
    "user-stories.json": _of_data(rows.stories, data.stories_file),
    "traceability-matrix.csv": _of_data(rows.matrix, data.matrix_file),
    "impact-analysis.md": _in_markdown(_impact_body, _impact_end),
    "architecture-overview.md": _in_markdown(_architecture_body, left_open),
    "tech-stack-decision.md": _in_markdown(decisions_body),
    "module-design.md": _in_markdown(module_body),
    "interface-spec.yaml": _of_data(api.interfaces, data.interfaces_file),
    "data-flow.md": _in_markdown(flow_body),
    "error-taxonomy.md": _in_markdown(error_body),
    "design-summary.md": _in_markdown(summary_body),
    **{file: _in_markdown(body, end) for file, (body, end) in PAGES.items()},
    CONTEXT: Layout(context_body, context_page),
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
