"""Markdown: people's words as words, claims as lines and rows, each with who said it.

Text of people is escaped, so that it can neither close a section nor open a heading, a link, a
table, a comment or a tag.
"""

import string
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from core import patterns
from core.artifacts import words
from core.artifacts.plain import lines, link, one_line
from core.artifacts.sources import Sources, Voice
from core.domain.answers import Claim

_ALWAYS: Final[Mapping[str, str]] = {
    **{sign: f"\\{sign}" for sign in "`*[]|"},
    "<": "&lt;",
    ">": "&gt;",
}
_SOMETIMES: Final[Mapping[str, str]] = {**{sign: f"\\{sign}" for sign in "\\_~"}, "&": "&amp;"}
_ALWAYS_BY_CODE: Final = str.maketrans(dict(_ALWAYS))
_SIGNS: Final = frozenset({*_ALWAYS, *_SOMETIMES})
_PUNCTUATION: Final = frozenset(string.punctuation)
_ENTITY: Final = patterns.compile(r"#?\w+;")
_ENTITY_CHARS_MAX: Final = 40  # the longest name has 31
_FENCE: Final = "```"
_TICKS: Final = patterns.compile(r"`+")
_FENCES: Final = patterns.compile(r"`{3,}")
_BLOCK_START: Final = patterns.compile(r"[#+=~-]|([0-9]{1,9})[.)]")
ANY_MARK: Final = patterns.compile(r"<(!--\s*/?roundtable:)")


def escape(text: str) -> str:
    """One line of Markdown that reads as `text` and does nothing."""
    inline = _inline(one_line(text))
    start = _BLOCK_START.match(inline)
    if not start:
        return inline
    place = max(start.end(1), 0)
    return f"{inline[:place]}\\{inline[place:]}"


def _inline(text: str) -> str:
    if _SIGNS.isdisjoint(text):
        return text
    if _SOMETIMES.keys().isdisjoint(text):
        return text.translate(_ALWAYS_BY_CODE)
    return "".join(
        _ALWAYS.get(sign, sign)
        if sign not in _SOMETIMES or not _acts(text, place, sign)
        else _SOMETIMES[sign]
        for place, sign in enumerate(text)
    )


def _acts(text: str, place: int, sign: str) -> bool:
    """Whether a sign that means something only beside certain others does so there."""
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    match sign:
        case "_":
            return not (before.isalnum() and after.isalnum())
        case "~":
            return "~" in (before, after)
        case "\\":
            return not after or after in _PUNCTUATION
        case _:
            if after != "#" and after != "_" and not after.isalnum():
                return False
            return bool(_ENTITY.match(text[place + 1 : place + 1 + _ENTITY_CHARS_MAX]))


def unmarked(text: str) -> str:
    """`text` in which nothing is taken for a mark of our sections."""
    return ANY_MARK.sub(lambda mark: f"&lt;{mark[1]}", text)


# ── lines ──────────────────────────────────────────────────────────────────────────────────────


def claim_line(claim: Claim, sources: Sources, *, under: str = "") -> str:
    """`- **FR-001** text — said by Priya ([message](…))`; `under` says where it belongs."""
    lead = f"**{escape(under)}:** " if under else ""
    lead += _label(claim)
    said_by = provenance(claim, sources)
    if is_code(claim.text):
        opening = f"- {lead}{said_by.removeprefix(' — ') or words.CODE}:"
        return f"{opening}\n\n{_indented(fenced(claim.text))}\n"
    text = escape(claim.text)
    if file := link(claim.data.get("file", "")):
        text = f"{text} ([{words.FILE}]({file}))"
    return f"- {lead}{text}{said_by}"


def provenance(claim: Claim, sources: Sources) -> str:
    voices = sources.voices(claim)
    parts = (
        (words.SAID_BY, [_voice(voice) for voice in voices if not voice.stands_by]),
        (words.CONFIRMED_BY, [_voice(voice) for voice in voices if voice.stands_by]),
    )
    by = ", ".join(f"{how} {_listed(who)}" for how, who in parts if who)
    said = f" — {by}" if by else ""
    return f"{said} *({claim.confidence})*" if claim.confidence != "stated" else said


def said_by(claim: Claim, sources: Sources) -> str:
    """The same for a cell of its own."""
    return provenance(claim, sources).removeprefix(" — ").removeprefix(words.SAID_BY).strip()


def _label(claim: Claim) -> str:
    if claim.kind == "priority" and claim.data.get("requirement"):
        rank = escape(claim.data.get("priority", ""))
        return f"**{escape(claim.data['requirement'])}: {rank}** "
    return f"**{escape(claim.ref)}** " if claim.ref else ""


def _voice(voice: Voice) -> str:
    draft = words.DRAFT if voice.confirmed and not voice.permalinks else ""
    where = messages(voice.permalinks) or draft
    return f"{escape(voice.by)} ({where})" if where else escape(voice.by)


def messages(permalinks: Iterable[str]) -> str:
    return ", ".join(f"[{words.MESSAGE}]({url})" for url in permalinks)


def _listed(items: list[str]) -> str:
    return f"{', '.join(items[:-1])} {words.AND} {items[-1]}" if len(items) > 1 else items[0]


def is_code(text: str) -> bool:
    """Whether it is a code block and nothing else: two fences, which share no backtick."""
    return text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) >= 2 * len(_FENCE)


def fenced(text: str) -> str:
    """A code block whose fence is longer than any in it. Only our own section marks are changed."""
    inside = _unfenced(text).strip("\r\n")
    code = [unmarked(line) for line in lines(inside)]
    longest = max((len(run) for run in _TICKS.findall("\n".join(code))), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((fence, *code, fence))


def _unfenced(text: str) -> str:
    """Without fences: each with the last one as long, the longest there can be first.

    A run of backticks that no other answers is the fence and its end, if it is long enough. The
    work is of the size of the text, also where it is backticks all over.
    """
    runs = [run.span() for run in _FENCES.finditer(text)]
    last = {
        size: place
        for place, (begin, end) in enumerate(runs)
        for size in range(len(_FENCE), end - begin + 1)
    }
    kept: list[str] = []
    at = place = 0
    while place < len(runs):
        begin, end = runs[place]
        sizes = range(end - begin, len(_FENCE) - 1, -1)
        size = next((one for one in sizes if last[one] > place or 2 * one <= end - begin), 0)
        if size:
            place = last[size]
            closed = runs[place][1]
            kept += (text[at:begin], text[begin + size : closed - size])
            at = closed
        place += 1
    return "".join((*kept, text[at:]))


def _indented(block: str) -> str:
    return "\n".join(f"  {line}" if line.strip() else "" for line in block.split("\n"))


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────


def titled(title: str, body: str, level: int = 3) -> str:
    """A block under its heading; without a title, or without a body, the body alone."""
    return f"{'#' * level} {title}\n\n{body}" if title and body else body


def joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for each in blocks if (block := each.strip("\n")))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown already; nothing without a row."""
    written = [f"| {' | '.join(row)} |" for row in rows]
    if not written:
        return ""
    return "\n".join((f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}", *written))
