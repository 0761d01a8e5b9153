"""`data-flow.md`: a Mermaid flowchart of what passes from one part to another, and the states."""

from typing import Final

from core import patterns
from core.artifacts import words
from core.artifacts.markdown import escape, joined, said_by, table
from core.artifacts.plain import one_line
from core.artifacts.view import View, grouped, or_not_said, said
from core.domain.answers import Claim

_UNSAFE: Final = patterns.compile(r"[^\w .,:/()'’%+*=?!–—-]")


def flow_body(view: View) -> str:
    """The chart and its lines, where anybody said what goes from where to where."""
    flows = [one for one in view.everything if said(one, "from") and said(one, "to")]
    rows = [
        [
            escape(said(one, "from")),
            or_not_said(said(one, "what")),
            escape(said(one, "to")),
            said_by(one, view.sources),
        ]
        for one in flows
    ]
    own = grouped(view.own, view, named=bool(flows))
    return joined((chart(flows), table(words.FLOW_COLUMNS, rows), own)) or words.NOTHING


def chart(flows: list[Claim]) -> str:
    """Nodes in the order in which they are spoken of, then an arrow for each flow."""
    if not flows:
        return ""
    names: dict[str, tuple[str, str]] = {}
    for one in flows:
        for end in (said(one, "from"), said(one, "to")):
            names.setdefault(end.casefold(), (f"n{len(names) + 1}", end))
    nodes = [f'    {node}["{label(text)}"]' for node, text in names.values()]
    arrows = dict.fromkeys(
        f"    {names[said(one, 'from').casefold()][0]} {_arrow(said(one, 'what'))} "
        f"{names[said(one, 'to').casefold()][0]}"
        for one in flows
    )
    return "\n".join(("```mermaid", "flowchart LR", *nodes, *arrows, "```"))


def _arrow(what: str) -> str:
    return f'-->|"{label(what)}"|' if what else "-->"


def label(text: str) -> str:
    """Text between quotes in Mermaid: every sign that could mean something becomes its number."""
    return _UNSAFE.sub(lambda sign: f"#{ord(sign[0])};", one_line(text))
