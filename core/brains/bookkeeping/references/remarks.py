"""Lines that only speak of an earlier one, with whose name they open: "FR-026 is Sam again".

They are notes, and no requirements, parts or failures of their own, unless they demand something.
For any brain.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.references.link_lines import NAMES
from core.brains.text.wording import refs_in, worded_anew
from core.domain.answers import Claim, ClaimKind, Claims, ReadRequest

OWN_LABELS_MIN: Final = 3  # of lines of one answer: a list that people gave such names themselves
WORDS_ANEW_MIN: Final = 3  # of other words for a line: "FR-003: see mail" gives it none
_REMARKED: Final[frozenset[ClaimKind]] = frozenset(
    {
        "requirement", "quality", "interface", "module", "data", "error", "entry-point",
        "constraint", "article", "skill", "permission", "iteration", "next-step",
    }
)  # fmt: skip
_OPENS_WITH_NAME: Final = patterns.compile(
    rf"\W*(?:(?:and|so|also|ok(?:ay)?|oh|well|but|then|no|btw)\W+)*{NAMES}\b", patterns.IGNORECASE
)
_REWORDED: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality", "article"})
_OF_RECORD: Final = patterns.compile(r"\W*adr[- ]?[0-9]{1,4}\s*[=:]", patterns.IGNORECASE)
_DEMANDS: Final = lexicon.pattern("demands-of-line")


def with_remarks(lines: Claims, request: ReadRequest) -> Claims:
    """The lines, each that only speaks of one that was named before it as a note."""
    sources = dict.fromkeys((line.text, line.sources) for line in lines)
    decisions = {one.ref for one in (*request.claims, *request.previous)}
    labels = Counter(source for text, source in sources if _OPENS_WITH_NAME.match(text))

    def is_remark(line: Claim) -> bool:
        if line.kind == "decision":
            return bool(_OF_RECORD.match(line.text) and {*refs_in("ADR", line.text)} & decisions)
        match = _OPENS_WITH_NAME.match(line.text) if line.kind in _REMARKED else None
        if match is None or labels[line.sources] >= OWN_LABELS_MIN or _DEMANDS.search(line.text):
            return False
        _, other_words = worded_anew(line.text)
        if line.kind in _REWORDED and len(other_words.split()) >= WORDS_ANEW_MIN:
            return False
        prefixes = ("FR", "NFR", "ART")
        named = {ref for prefix in prefixes for ref in refs_in(prefix, match["requirements"])}
        before = (one for one in request.previous if one.sources != line.sources)
        return not named.isdisjoint(one.ref for one in (*request.claims, *before))

    return as_one(lines, is_remark, request)


def with_amendments(lines: Claims, request: ReadRequest) -> Claims:
    """The lines, each that gives an article of the constitution other words as an article."""
    articles = {one.ref for one in (*request.claims, *request.previous) if one.kind == "article"}

    def amended(line: Claim) -> Claim:
        ref, other_words = worded_anew(line.text)
        if ref not in articles or len(other_words.split()) < WORDS_ANEW_MIN:
            return line
        return replace(line, kind="article", confidence="stated", data={"what": other_words})

    return tuple(map(amended, lines))


def as_one(
    lines: Claims,
    is_one: Callable[[Claim], bool],
    request: ReadRequest,
    kind: ClaimKind = "note",
    data: Mapping[str, str] | None = None,
) -> Claims:
    """The lines, some as lines of that kind with that data; what was read as several is one."""
    texts: set[object] = set()
    result: list[Claim] = []
    for line in lines:
        key = line.text, line.sources
        if not is_one(line):
            result.append(line)
        elif key not in texts:
            result.append(replace(line, kind=kind, confidence="stated", data=dict(data or {})))
            texts.add(key)
    if len(result) == len(lines):
        return tuple(result)
    return tuple(
        replace(line, id=f"{request.step.id}/{number}") for number, line in enumerate(result, 1)
    )
