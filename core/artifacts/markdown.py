"""Markdown: people's words as words, claims as lines, and a step's section in a file of many.

Text of people is escaped, so that it can neither close a section nor open a heading, a link, a
table, a comment or a tag. What people write into the file outside our sections stays theirs.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from core.artifacts.plain import lines, link, one_line
from core.artifacts.sources import Sources, Voice
from core.domain.answers import Claim, ClaimKind

_PUNCTUATION: Final = r"!-/:-@\[-`{-~"
_ESCAPED: Final = re.compile(
    rf"""(?P<back>\\(?=[{_PUNCTUATION}]|$)|[`*\[\]|]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~)
       |(?P<entity>[<>]|&(?=\#?\w+;))""",
    re.VERBOSE,
)
_ENTITIES: Final[Mapping[str, str]] = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_CODE: Final = re.compile(r"(`{3,})(.*)\1", re.DOTALL)
_BLOCK_START: Final = re.compile(r"^([#+=~-]|[0-9]{1,9}(?=[.)]))")

_GROUPS: Final[Mapping[ClaimKind, str]] = {
    "scope": "Scope",
    "requirement": "Requirements",
    "story": "User stories",
    "priority": "Priorities",
    "quality": "Quality",
    "risk": "Risks",
    "entry-point": "Entry points",
    "option": "Options",
    "decision": "Decisions",
    "module": "Modules",
    "interface": "Interfaces",
    "data": "Data",
    "error": "Errors",
    "fact": "Also said",
    "assumption": "Left open",
}
NOTHING: Final = "Nothing is recorded for this step."


def escape(text: str) -> str:
    """One line of Markdown that reads as `text` and does nothing."""
    inline = _ESCAPED.sub(_escaped, one_line(text))
    start = _BLOCK_START.match(inline)
    if not start:
        return inline
    return (
        f"{inline[: start.end()]}\\{inline[start.end() :]}" if start[1].isdigit() else f"\\{inline}"
    )


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}" if match["back"] is not None else _ENTITIES[match[0]]


# ── claims ─────────────────────────────────────────────────────────────────────────────────────


def claim_list(claims: Iterable[Claim], sources: Sources) -> str:
    """The claims by kind, each with who said it and where."""
    groups: dict[ClaimKind, list[str]] = {}
    for claim in claims:
        groups.setdefault(claim.kind, []).append(claim_line(claim, sources))
    if not groups:
        return NOTHING
    alone = len(groups) == 1 and "assumption" not in groups
    blocks = []
    for kind in sorted(groups, key=list(_GROUPS).index):
        listed = "\n".join(groups[kind]).rstrip("\n")
        blocks.append(listed if alone else f"### {_GROUPS[kind]}\n\n{listed}")
    return "\n\n".join(blocks)


def claim_line(claim: Claim, sources: Sources) -> str:
    """`- **FR-001** text — said by Priya ([message](…))`"""
    said_by = provenance(claim, sources)
    if is_code(claim.text):
        lead = f"- {_label(claim)}{said_by.removeprefix(' — ') or 'Code'}:"
        return f"{lead}\n\n{_indented(fenced(claim.text))}\n"
    text = escape(claim.text)
    if file := link(claim.data.get("file", "")):
        text = f"{text} ([file]({file}))"
    return f"- {_label(claim)}{text}{said_by}"


def provenance(claim: Claim, sources: Sources) -> str:
    voices = [_voice(voice) for voice in sources.voices(claim)]
    said = f" — said by {_listed(voices)}" if voices else ""
    return f"{said} *({claim.confidence})*" if claim.confidence != "stated" else said


def _label(claim: Claim) -> str:
    if claim.kind == "priority":
        return f"**{escape(claim.data['requirement'])}: {escape(claim.data['priority'])}** "
    return f"**{escape(claim.ref)}** " if claim.ref else ""


def _voice(voice: Voice) -> str:
    links = ", ".join(f"[message]({url})" for url in voice.permalinks)
    return f"{escape(voice.by)} ({links})" if links else escape(voice.by)


def _listed(items: list[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else items[0]


def is_code(text: str) -> bool:
    return bool(_CODE.fullmatch(text))


def fenced(text: str) -> str:
    """A code block whose fence is longer than any in it. Only our own section marks are changed."""
    inside = _CODE.sub(r"\2", text).strip("\r\n")
    code = [_ANY_MARK.sub(r"&lt;\1", line) for line in lines(inside)]
    longest = max((len(run) for run in re.findall(r"`+", "\n".join(code))), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((fence, *code, fence))


def _indented(block: str) -> str:
    return "\n".join(f"  {line}" if line.strip() else "" for line in block.split("\n"))


# ── a file of sections ─────────────────────────────────────────────────────────────────────────

_OPEN: Final = re.compile(r"\s*<!-- roundtable:section ([0-9]{2}-[0-9]{2}) -->\s*")
_CLOSE: Final = re.compile(r"\s*<!-- /roundtable:section ([0-9]{2}-[0-9]{2}) -->\s*")
_ANY_MARK: Final = re.compile(r"<(!--\s*/?roundtable:)")
_FRONT: Final = re.compile(r"\A---[ \t]*\n((?:.*?\n)?)---[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(slots=True)
class Page:
    """A file taken apart: what stands before the first section, and after each of them."""

    head: str = ""
    sections: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)


def section(step: str, title: str, body: str) -> str:
    inside = _ANY_MARK.sub(r"&lt;\1", f"## {escape(title)}\n\n{body.strip()}")
    return f"<!-- roundtable:section {step} -->\n{inside}\n<!-- /roundtable:section {step} -->"


def take_apart(text: str) -> Page:
    """Find our sections. Marks that belong to no whole section are dropped, their text is kept."""
    page, place, outside = Page(), "", list[str]()
    inside: list[str] | None = None
    step = ""

    def put_by(kept: list[str]) -> None:
        """Text between sections belongs to the one before it."""
        old = page.after.get(place, "") if place else page.head
        text = _joined((old, "\n".join(kept)))
        if place:
            page.after[place] = text
        else:
            page.head = text

    for line in text.split("\n"):
        if opened := _OPEN.fullmatch(line):
            outside += inside or ()
            step, inside = opened[1], []
        elif (closed := _CLOSE.fullmatch(line)) and inside is not None and closed[1] == step:
            put_by(outside)
            page.sections.setdefault(step, "\n".join(inside).strip("\n"))
            place, outside, inside = step, [], None
        elif not closed:
            (outside if inside is None else inside).append(_ANY_MARK.sub(r"&lt;\1", line))
    put_by([*outside, *(inside or ())])
    return page


def put_together(page: Page, rendered: Mapping[str, str]) -> str:
    """All sections in step order, each followed by what people wrote there."""
    blocks = [page.head]
    for step in sorted({*page.sections, *rendered}):
        kept = page.sections.get(step, "")
        mark = f"roundtable:section {step} -->"
        blocks.append(rendered.get(step) or f"<!-- {mark}\n{kept}\n<!-- /{mark}")
        blocks.append(page.after.get(step, ""))
    return f"{_joined(blocks)}\n"


def front_matter(text: str) -> tuple[str | None, str]:
    """The block between `---` at the very top, and the rest."""
    match = _FRONT.match(text)
    if match is None or _ANY_MARK.search(match[1]):
        return None, text
    return match[1], text[match.end() :]


def with_heading(head: str, heading: str, title: str) -> str:
    """`# Heading — title` where it stood, or first; a heading people put there instead stays."""
    name = escape(title)
    ours = f"# {heading} — {name}" if name else f"# {heading}"
    rows = head.split("\n")
    for number, row in enumerate(rows):
        if row == f"# {heading}" or row.startswith(f"# {heading} — "):
            return _joined(("\n".join(rows[:number]), ours, "\n".join(rows[number + 1 :])))
    theirs = next((row for row in rows if row.strip()), "").startswith("# ")
    return _joined((head,)) if theirs else _joined((ours, head))


def _joined(blocks: Iterable[str]) -> str:
    """Blocks with one empty line between them; what is only white space is no block."""
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip())
