"""`interface-spec.yaml`: what the parts ask of each other; endpoints as a fragment of OpenAPI 3.1.

The fragment says nothing that nobody said: an operation has its summary, its source and the
parameters that its path names, and no response that was made up.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from core import patterns
from core.artifacts.compose.claims import besides, detail, text_of
from core.artifacts.compose.data_files import SCHEMA, Head, Parts, all_beside, all_of, beside
from core.artifacts.compose.view import SectionView
from core.artifacts.document import words
from core.artifacts.document.plain import code_in, is_code
from core.artifacts.render.data import Fragment
from core.domain.answers import Claim

OPENAPI: Final = "3.1.0"
SHAPE: Final = {"interfaces": list}
ENDPOINT_KEYS: Final = frozenset({"openapi", "info", "paths"})  # where there are endpoints
METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_CALL: Final = patterns.compile(
    rf"(?P<method>{'|'.join(METHODS)})\s+(?P<path>/[^\s?]*)", patterns.IGNORECASE
)
_BRACED: Final = patterns.compile(r"\{(\w+)\}")
_PARAMETER: Final = patterns.compile(r":([A-Za-z_]\w*)|<(?:\w+:)?(\w+)>|\{(\w+)\}")


def fragment(view: SectionView) -> Fragment:
    """What this step says about interfaces; what else was said stands under notes."""

    def row(claim: Claim, name: str) -> Fragment:
        sources = view.sources
        voices = {"said_by": sources.names_of(claim), "source": sources.links_of(claim)}
        call = {key: detail(claim, key) for key in ("method", "path") if key in claim.data}
        sure = {} if claim.confidence == "stated" else {"confidence": claim.confidence}
        return {name: text_of(claim), **call, **voices, **sure}

    lines = [claim for claim in view.standing if claim.kind == "interface"]
    calls = [row(call, "summary") for claim in lines for call in _calls_in(claim)]
    others = besides(view.standing, lines)
    return {"interfaces": calls, **beside(others, lambda claim: row(claim, "text"))}


def _calls_in(claim: Claim) -> list[Claim]:
    """A block of code that names calls as a line for each; any other line as it is."""
    lines = [line.strip() for line in code_in(claim.text).split("\n") if line.strip()]
    calls = [_CALL.match(line) for line in lines]
    if not is_code(claim.text) or not any(calls):
        return [claim]
    return [
        replace(claim, text=line, data={"method": call["method"], "path": call["path"]})
        if call
        else replace(claim, text=line)
        for line, call in zip(lines, calls, strict=True)
    ]


def value(head: Head, parts: Parts) -> Fragment:
    rows = all_of(parts, "interfaces")
    endpoints = _openapi(head["title"], rows)
    return {"schema": SCHEMA, **head, **endpoints, "interfaces": rows, **all_beside(parts)}


def _openapi(title: str, rows: Iterable[Fragment]) -> Fragment:
    """`openapi`, `info` and `paths` of the lines that name a method and a path; else nothing."""
    paths: dict[str, dict[str, Any]] = {}
    for row in rows:
        method, path = row.get("method", "").lower(), row.get("path", "")
        if method in METHODS and path.startswith("/"):
            _add(paths.setdefault(_template(path), {}), method, _template(path), row)
    if not paths:
        return {}
    info = {"title": title or words.text("not_said"), "version": words.text("not_said")}
    return {"openapi": OPENAPI, "info": info, "paths": paths}


def _add(operations: dict[str, Any], method: str, path: str, row: Fragment) -> None:
    speech = {"text": row["summary"], "said_by": row["said_by"], "source": row["source"]}
    operation = operations.get(method)
    if operation:
        operation["x-said"].append(speech)
        return
    names = dict.fromkeys(_BRACED.findall(path))
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in names
    ]
    operations[method] = {
        "summary": row["summary"],
        **({"parameters": parameters} if parameters else {}),
        "responses": {"default": {"description": words.text("not_said")}},
        "x-said": [speech],
    }


def _template(path: str) -> str:
    """`/a/:id` and `/a/<id>` as OpenAPI writes them: `/a/{id}`."""
    return _PARAMETER.sub(lambda match: f"{{{match[1] or match[2] or match[3]}}}", path)
