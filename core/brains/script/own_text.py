"""What a step's own text says of a word: under a heading of that name, or in a sentence about it.

Questions to people, criteria and what is said of files explain nothing to anybody.
"""

from collections.abc import Collection, Iterator
from typing import Final

from core import patterns
from core.brains import lexicon
from core.domain.steps.glossary import folded
from core.domain.steps.playbook import SECTION_OF_DEPTH, Step

NOT_EXPLAINING: Final = frozenset({"validation", "artifacts"})
OF_THE_FORM: Final = frozenset(heading.casefold() for heading in SECTION_OF_DEPTH.values())
CHARS_MAX: Final = 200
_HEADING: Final = patterns.compile(r"^#{1,6} +(?P<title>\S[^\n]*?)[ #]*$")
_ITEM: Final = patterns.compile(r"^(?:[-*+]|\d+[.)]) +")
_SENTENCE: Final = patterns.compile(r"[^.!?]+[.!?]?")
_SAYS: Final = lexicon.pattern("says-meaning")


def explanation(step: Step, forms: Collection[str]) -> str:
    """The sentence that explains a word, given in its forms of small letters; empty without one."""
    lines = list(_paragraphs(step.body))
    under = (text for title, text in lines if folded(title) in forms)
    about = (sentence for _, text in lines for sentence in _sentences(text))
    beside = (sentence for sentence in about if _subject(sentence) in forms)
    every = (*(next(_sentences(text), "") for text in under), *beside)
    return next((sentence for sentence in every if sentence and len(sentence) <= CHARS_MAX), "")


def _paragraphs(body: str) -> Iterator[tuple[str, str]]:
    """Each line with the heading above it; the first alone stands under it."""
    title, section, fresh = "", "", True
    for raw in body.splitlines():
        line = raw.strip()
        if heading := _HEADING.search(line):
            title, fresh = heading["title"], True
            section = title if line.startswith("## ") else section
            title = "" if folded(title) in OF_THE_FORM else title
        elif line and folded(section) not in NOT_EXPLAINING:
            yield (title if fresh else ""), _ITEM.sub("", line).replace("**", "").replace("`", "")
            fresh = False


def _sentences(text: str) -> Iterator[str]:
    """Those that say something; a question says nothing."""
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        if sentence and not sentence.endswith("?"):
            yield sentence


def _subject(sentence: str) -> str:
    match = _SAYS.match(sentence)
    return folded(match["term"]) if match else ""
