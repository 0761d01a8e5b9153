"""`module-design.md`: the parts that something consists of, a row for each."""

from collections.abc import Iterable, Sequence
from typing import Final

from core import patterns
from core.artifacts.compose.analysis.tables import lines_beside
from core.artifacts.compose.lines.claims import detail, once, or_not_said
from core.artifacts.compose.lines.english import pattern
from core.artifacts.compose.view import SectionView
from core.artifacts.document import tree, words
from core.artifacts.document.plain import is_code, one_line
from core.artifacts.document.tables import told_table
from core.artifacts.document.tree import Blocks, Inline
from core.domain.answers import Claim
from core.domain.assumptions import is_assumed

_NAMED: Final = pattern("named_module")
_ACTS: Final = pattern("acting_module")
_NO_MODULE: Final = pattern("no_module")
_CODED_MODULE: Final = pattern("coded_module")
_EDGE: Final = pattern("edge_of_module")
_FURTHER: Final = pattern("next_module")
_LISTED: Final = pattern("listed_modules")
_LISTED_ONE: Final = pattern("one_module")
_BEFORE_NAME: Final = pattern("before_module")


Module = tuple[str, str, str]  # its name, what it does, what it leaves to others


def module_blocks(view: SectionView) -> Blocks:
    """A row for each module; where a line goes on with what it may not do, that is its edge."""
    modules = [claim for claim in view.standing if modules_in(claim)]
    lines = lines_beside(view, modules)
    return view.table_and_lines(module_table(view), lines, tree.paragraph(words.text("nothing")))


def module_table(view: SectionView) -> Blocks:
    """A row for each module, with all that was said of it."""
    rows: dict[str, list[tuple[Claim, Module]]] = {}
    for claim in view.standing:
        for module in modules_in(claim):
            rows.setdefault(_known_as(module[0]), []).append((claim, module))
    return told_table("module", (_module_row(told, view) for told in rows.values()))


def count_modules(claims: Iterable[Claim]) -> int:
    """How many rows the lines are; one that names no module counts for itself."""
    names = [[_known_as(name) for name, *_ in modules_in(claim)] for claim in claims]
    return len({name for row in names for name in row}) + sum(not row for row in names)


def _known_as(name: str) -> str:
    """A module's name in small letters: "reader" and "`Reader`" are one."""
    return name.casefold().strip('`"“”* ')


def _module_row(told: Sequence[tuple[Claim, Module]], view: SectionView) -> tuple[Inline, ...]:
    claims = once(claim for claim, _ in told)
    does, leaves = (
        tuple(dict.fromkeys(module[place] for _, module in told if module[place]))
        for place in (1, 2)
    )
    differing = once(line for claim in claims for line in view.differing_lines(claim))
    return (
        (told[0][1][0], *view.differing(differing)),
        (or_not_said("; ".join(does)),),
        (or_not_said("; ".join(leaves)),),
        tree.in_turn(((view.sources.line_source(claim, "cell"),) for claim in claims), ", "),
    )


def module_in(claim: Claim) -> Module | None:
    """The module that a line tells of first; nothing without a name."""
    return next(iter(modules_in(claim)), None)


def modules_in(claim: Claim) -> list[Module]:
    """The modules of a line, each with what is said of it: "A decides, and B must not know"."""
    if claim.kind != "module" or is_assumed(claim) or is_code(claim.text):
        return []
    name, text = detail(claim, "module"), one_line(claim.text)
    if listed := _LISTED.fullmatch(text):
        items = _LISTED_ONE.finditer(listed["list"])
        modules = [(item["name"], item["does"] or "", "") for item in items]
        return [module for module in modules if name in ("", module[0])]
    pieces = [text] if name or _NAMED.fullmatch(text) else _pieces(text)
    return [module for module in (_module(piece, name) for piece in pieces) if module]


def _pieces(text: str) -> list[str]:
    """A line, cut where it goes on with another part of which it says something."""
    pieces, start = [], 0
    for match in _FURTHER.finditer(text) if _ACTS.fullmatch(text) else ():
        if _module(text[start : match.start()]) and _module(text[match.start("next") :]):
            pieces.append(text[start : match.start()])
            start = match.start("next")
    return [*pieces, text[start:]]


def _module(text: str, name: str = "") -> Module | None:
    forms = (_NAMED, _CODED_MODULE, _ACTS)
    match = patterns.fullmatch_of(forms, text)
    named, does = (match["name"], match["does"]) if match else ("", "")
    if not (name or named) or _NO_MODULE.fullmatch(name or named):
        return None
    parts = _EDGE.split(does or text, maxsplit=1)
    called = _BEFORE_NAME.sub("", (name or named).strip())
    return called, parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""
