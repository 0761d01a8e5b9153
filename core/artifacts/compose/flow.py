"""`data-flow.md`: a Mermaid flowchart of what passes from one part to another, and the states."""

from collections.abc import Sequence
from typing import Final

from core import patterns
from core.artifacts.compose.view import SectionView, grouped, or_not_said, said
from core.artifacts.document import words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import NOTHING, Blocks, Diagram, Inline, paragraph, table
from core.domain.answers import Claim

_UNSAFE: Final = patterns.compile(r"[^\w .,:/()'’%+*=?!–—-]")


def flow_body(view: SectionView) -> Blocks:
    """The chart and its lines, where anybody said what goes from where to where."""
    flows = [claim for claim in view.everything if is_flow(claim)]
    own = grouped(view.own, view, named=bool(flows))
    hops = table(words.columns("flow"), hop_rows(flows, view))
    return (*chart(flows), *hops, *own) or paragraph(words.text("nothing"))


def is_flow(claim: Claim) -> bool:
    return bool(said(claim, "from") and said(claim, "to"))


def hop_rows(flows: Sequence[Claim], view: SectionView) -> list[tuple[str | Inline, ...]]:
    """From, what, to, and who said so."""
    return [
        (
            said(claim, "from"),
            or_not_said(said(claim, "what")),
            said(claim, "to"),
            (view.sources.said(claim, "cell"),),
        )
        for claim in flows
    ]


def chart(flows: Sequence[Claim]) -> Blocks:
    """Nodes in the order in which they are spoken of, then an arrow for each flow."""
    if not flows:
        return NOTHING
    names: dict[str, tuple[str, str]] = {}
    for claim in flows:
        for end in (said(claim, "from"), said(claim, "to")):
            names.setdefault(end.casefold(), (f"n{len(names) + 1}", end))
    nodes = [f'    {node}["{label(text)}"]' for node, text in names.values()]
    arrows = dict.fromkeys(
        f"    {names[said(claim, 'from').casefold()][0]} {_arrow(said(claim, 'what'))} "
        f"{names[said(claim, 'to').casefold()][0]}"
        for claim in flows
    )
    return (Diagram("\n".join(("flowchart LR", *nodes, *arrows))),)


def _arrow(what: str) -> str:
    return f'-->|"{label(what)}"|' if what else "-->"


def label(text: str) -> str:
    """Text between quotes in Mermaid: every sign that could mean something becomes its number."""
    return _UNSAFE.sub(lambda sign: f"#{ord(sign[0])};", one_line(text))
