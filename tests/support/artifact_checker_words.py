"""Non-invention: every word, number and quoted phrase of an artifact comes from somewhere.

From an answer, from the title, from the step files (their titles and questions), or from the words
that docs/schemas/template.txt lists.
"""

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tests.support.artifact_checker_formats import tables, unescaped

ROOT: Final = Path(__file__).parents[2]
TEMPLATE: Final = ROOT / "docs" / "schemas" / "template.txt"
NUMBERS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_WORD: Final = re.compile(r"[^\W_]+")
_IDS: Final = re.compile(
    r"\b(?:(?:FR|NFR|US|ADR|AC|ART|GOAL)-[0-9]{3,}|R[0-9]+)\b|\badr-[0-9]{3,}\.md\b"
)
_FILE_LINK: Final = re.compile(r"(?<!\\)\[[^\]\n]*(?<!\\)\]\((?!http)[^)\n]*\)")
_LINK: Final = re.compile(r"(?<!\\)\]\([^)]*\)")
_MARK: Final = re.compile(r"<!--.*?-->")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_QUOTED: Final = re.compile(r"“([^”\n]{2,})”|(?<!\w)\"([^\"\n]{2,}?)\"(?!\w)")
_TIME: Final = re.compile(r" \([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\+00:00\)")
_ASSUMED: Final = re.compile(r"(?m)^.*(?:Asked, not answered|Skipped by [^:\n]+): .*$")
_SAID_BY: Final = re.compile(r"— (?:said|confirmed) by ([^|\n]*)$", re.MULTILINE)
_GAVE: Final = re.compile(
    r"(?m)^- (?:Settled by )?\*\*([^*\n]+)\*\*"
    r"(?: agrees? with| s(?:aw|ees) it differently|, on the answer)"
)
_WHERE: Final = re.compile(
    r" \((?:(?:, )?\[message\]\([^)]*\))+\)| \(draft confirmed\)"
    r"| ?\*\((?:\w+|(?:sorted|changed|agreed|let pass) by [^)\n]*"
    r"|rests on [^)\n]*, which was replaced)\)\*"
)


def words_of(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def plain(text: str) -> str:
    return " ".join(text.replace("’", "'").split()).casefold()


class Known:
    """All that may be said."""

    def __init__(self, answers: Iterable[str], title: str, people: Iterable[str]) -> None:
        said = [*answers, title, *people]
        ours = [TEMPLATE.read_text(), *_step_files()]
        self._text = plain("\n".join((*said, *ours)))
        self._words = set().union(*(words_of(text) for text in (*said, *ours)))
        spoken = set().union(*(words_of(text) for text in said))
        self._words |= {str(n) for n, word in enumerate(NUMBERS, start=1) if word in spoken}

    def inventions(self, text: str) -> Iterator[str]:
        """Words and quoted phrases of a visible text that nobody said."""
        text = _TIME.sub("", _ASSUMED.sub("", text))
        for word in sorted(words_of(_IDS.sub(" ", text)) - self._words):
            yield f"nobody said {word!r}"
        for match in _QUOTED.finditer(text):
            phrase = match[1] or match[2]
            if plain(phrase) not in self._text:
                yield f"nobody said “{phrase}”"


def _step_files() -> Iterator[str]:
    """What the step files themselves put into artifacts: their titles and questions."""
    for path in sorted((ROOT / "steps").rglob("*.md")):
        lines = path.read_text().split("\n")
        yield "\n".join(line for line in lines if re.match(r"title: |[0-9]+\. ", line))


def visible(page: str) -> str:
    """What a reader of a Markdown page sees."""
    page = re.sub(r"(?ms)^```mermaid\n(.*?)^```$", _chart, page)
    page = _FILE_LINK.sub("", page)
    return html.unescape(_ESCAPED.sub(r"\1", _LINK.sub("]", _MARK.sub("", page))))


def _chart(match: re.Match[str]) -> str:
    labels = re.findall(r'"([^"]*)"', match[1])
    return "\n".join(map(unescaped, labels))


def people_in(page: str) -> set[str]:
    """Who is named as a source: at the end of a line, or in a cell of its own."""
    named = [*_SAID_BY.findall(page), *_GAVE.findall(page)]
    for head, *rows in tables(page):
        if head[-1] in ("Said by", "Source"):
            named += [row[-1] for row in rows]
        elif head[0] == "Who":
            named += [row[0] for row in rows]
    people = (re.split(r", confirmed by |, | and ", _WHERE.sub("", each)) for each in named)
    return {_ESCAPED.sub(r"\1", name).strip(" :") for group in people for name in group}
