"""`interface-spec.yaml`: what the parts ask of each other; endpoints as a fragment of OpenAPI 3.1.

A reply to a follow-up is no line of it, but a note.
"""

from dataclasses import replace
from typing import Final

from core.artifacts.compose.analysis.endpoints import CALL, is_call, paths_of, with_same_paths
from core.artifacts.compose.data_files import SCHEMA, Head, Parts, all_beside, all_of, beside, named
from core.artifacts.compose.lines.claims import besides, detail, text_of
from core.artifacts.compose.view import SectionView
from core.artifacts.document import words
from core.artifacts.document.plain import code_in, is_code
from core.artifacts.render.data import Fragment
from core.domain.answers import Claim

OPENAPI: Final = "3.1.0"
SHAPE: Final = {"interfaces": list}
ENDPOINT_KEYS: Final = frozenset({"openapi", "info", "paths"})  # where there are endpoints


def fragment(view: SectionView) -> Fragment:
    """What this step says about interfaces; what else was said stands under notes."""

    def row(claim: Claim, name: str) -> Fragment:
        sources = view.sources
        voices = {"said_by": sources.names_of(claim), "source": sources.links_of(claim)}
        more = {key: detail(claim, key) for key in ("method", "path", "asked") if key in claim.data}
        sure = {} if claim.confidence == "stated" else {"confidence": claim.confidence}
        return {name: text_of(claim), **more, **voices, **sure}

    lines = [
        claim
        for claim in view.standing
        if claim.kind == "interface" and "answers" not in claim.data
    ]
    calls = [row(call, "summary") for claim in lines for call in _calls_in(claim)]
    others = besides(view.standing, lines)
    return {"interfaces": calls, **beside(others, lambda claim: named(claim) | row(claim, "text"))}


def _calls_in(claim: Claim) -> list[Claim]:
    """A block of code that names calls as a line for each; any other line as it is."""
    lines = [line.strip() for line in code_in(claim.text).split("\n") if line.strip()]
    calls = [CALL.match(line) for line in lines]
    if not is_code(claim.text) or not any(calls):
        return [claim]
    return [
        replace(claim, text=line, data={"method": call["method"], "path": call["path"]})
        if call
        else replace(claim, text=line)
        for line, call in zip(lines, calls, strict=True)
    ]


def value(head: Head, parts: Parts) -> Fragment:
    """Endpoints stand in `paths`, all other lines in `interfaces`."""
    rows = [*with_same_paths(all_of(parts, "interfaces"))]
    others = [row for row in rows if not is_call(row)]
    endpoints = _openapi(head["title"], rows)
    return {"schema": SCHEMA, **head, **endpoints, "interfaces": others, **all_beside(parts)}


def _openapi(title: str, rows: list[Fragment]) -> Fragment:
    """`openapi`, `info` and `paths` of the lines that name a method and a path; else nothing."""
    paths = paths_of(rows)
    if not paths:
        return {}
    info = {"title": title or words.text("not_said"), "version": words.text("not_said")}
    return {"openapi": OPENAPI, "info": info, "paths": paths}
