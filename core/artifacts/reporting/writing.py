"""A report as one Markdown document. The same report gives the same bytes."""

from collections.abc import Iterator, Sequence

from core.artifacts.markdown import escape, joined
from core.artifacts.plain import link
from core.artifacts.reporting.report import Chapter, Fact, Report
from core.artifacts.reporting.surgery import headings, pointed, spoken_of

CONTENTS = "Contents"


def markdown_of(report: Report) -> str:
    title = f"# {escape(report.title)}"
    facts = "\n".join(map(_fact, report.facts))
    front = [block for each in report.front for block in (f"## {escape(each.title)}", each.body)]
    numbered = list(enumerate(report.listed, start=1))
    opened = [title, facts, *front, f"## {CONTENTS}"]
    anchors = _anchors(opened, report.listed)
    contents = "\n".join(
        f"{number}. [{escape(each.title)}](#{anchors[number - 1]})" for number, each in numbered
    )
    targets = {
        each.file: anchor for each, anchor in zip(report.listed, anchors, strict=True) if each.file
    }
    chapters = [block for number, each in numbered for block in _chapter(number, each)]
    text = joined((*opened, contents, *chapters))
    return f"{pointed(text, targets)}\n"


def _fact(fact: Fact) -> str:
    url = link(fact.url)
    text = f"[{escape(fact.text)}]({url})" if url else escape(fact.text)
    return f"- **{escape(fact.label)}:** {text}"


def _chapter(number: int, chapter: Chapter) -> Iterator[str]:
    yield _heading(number, chapter)
    if chapter.file:
        yield f"*{escape(chapter.file)}*"
    yield chapter.body


def _heading(number: int, chapter: Chapter) -> str:
    return f"## {number}. {escape(chapter.title)}"


# ── anchors ────────────────────────────────────────────────────────────────────────────────────


def _anchors(opened: Sequence[str], chapters: Sequence[Chapter]) -> list[str]:
    """What GitHub and most others call a heading's place; the same one again gets a number."""
    taken: dict[str, int] = {}
    for block in opened:
        for _, words in headings(block):
            _free(words, taken)
    found = []
    for number, each in enumerate(chapters, start=1):
        found.append(_free(spoken_of(_heading(number, each)), taken))
        for _, words in headings(each.body):
            _free(words, taken)
    return found


def _free(words: str, taken: dict[str, int]) -> str:
    kept = (sign for sign in words.lower() if sign.isalnum() or sign in "_- ")
    plain = "".join(kept).replace(" ", "-")
    again = taken.get(plain)
    taken[plain] = 0 if again is None else again + 1
    return plain if again is None else f"{plain}-{again + 1}"
