"""Calls that people write in one line, as operations of OpenAPI.

`POST /a/{id} {x, y?} -> 200 | 409 taken` says parameters, a body and responses. Nothing is added
that nobody said, but for what a code means where no words stand behind it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core import patterns
from core.artifacts.compose.lines.english import METHODS, pattern
from core.artifacts.document import words
from core.artifacts.render.data import Fragment

ERRORS: Final = "45"  # the first figure of their codes
NAMES_MIN: Final = 2  # of a call, in a line that is of it and opens with none
CALL: Final = pattern("call")
_SAME: Final = pattern("same_path")
_ARROW: Final = pattern("gives_back")
_RESPONSE: Final = pattern("response")
_NAMED_CODE: Final = pattern("named_code")
_FIELD: Final = patterns.compile(r"""\s*["'`]?(?P<name>[\w.-]+)["'`]?(?P<free>\?)?\s*(?:[:=].*)?""")
_QUERY: Final = patterns.compile(r"\?(\S+)")
_BRACED: Final = patterns.compile(r"\{(\w+)\}")
_PARAMETER: Final = patterns.compile(r":([A-Za-z_]\w*)|<(?:\w+:)?(\w+)>|\{(\w+)\}")
_NAME: Final = patterns.compile(r"[\w-]+")
_STATUSES: Final = words.mapping("statuses")
_ENDS: Final = ".,:;!?"  # signs behind a path that are none of it
_JOINTS: Final = " .,;|/"  # signs between responses

Paths = dict[str, dict[str, Any]]


def with_same_paths(rows: Sequence[Fragment]) -> Iterator[Fragment]:
    """The rows; one that says "DELETE same" has the path of the call before it."""
    path = ""
    for row in rows:
        same = _SAME.match(row["summary"]) if path and "path" not in row else None
        path = row.get("path", path)
        yield {**row, "method": same["method"], "path": path} if same else row


def is_call(row: Fragment) -> bool:
    return row.get("method", "").lower() in METHODS and row.get("path", "").startswith("/")


def paths_of(rows: Sequence[Fragment]) -> Paths:
    """`paths` of the rows that are calls, with the lines that name a code or a parameter of one."""
    paths: Paths = {}
    for row in filter(is_call, rows):
        path = _template(_without_query(row["path"]))
        operations = paths.setdefault(path, {})
        method = row["method"].lower()
        _add(operations.setdefault(method, _empty(path)), row)
    every = [operation for operations in paths.values() for operation in operations.values()]
    for row in rows:
        for operation in _operations_in(row["summary"], every) if not is_call(row) else ():
            _describe(operation, row)
    return {
        path: {method: _written(operation) for method, operation in operations.items()}
        for path, operations in paths.items()
    }


def _empty(path: str) -> Fragment:
    return {
        "summary": "",
        "description": [],
        "parameters": dict.fromkeys(_BRACED.findall(path), "path"),
        "requestBody": {},
        "responses": {},
        "x-said": [],
    }


def _add(operation: Fragment, row: Fragment) -> None:
    """What one line says of a call; what an earlier line says stays."""
    head, tail = _split(_behind(row))
    query = _QUERY.match(head)
    operation["summary"] = operation["summary"] or row["summary"]
    if query:
        for name in (part.partition("=")[0] for part in query[1].split("&")):
            if _NAME.fullmatch(name):
                operation["parameters"].setdefault(name, "query")
    operation["requestBody"] = {**_fields(head), **operation["requestBody"]}
    operation["responses"] = {**_responses(tail), **operation["responses"]}
    operation["x-said"].append(_speech(row))


def _speech(row: Fragment) -> Fragment:
    keys = ("said_by", "source", "confidence")
    return {"text": row["summary"], **{key: row[key] for key in keys if key in row}}


def _behind(row: Fragment) -> str:
    """What stands behind the path of a call, up to the next call of the line."""
    text: str = row["summary"]
    calls = [*CALL.finditer(text)]
    ends = [*(call.start() for call in calls[1:]), len(text)]
    wanted = row["method"].lower(), _without_query(row["path"])
    for call, end in zip(calls, ends, strict=False):
        path, sign, query = call["path"].partition("?")
        if (call["method"].lower(), path.rstrip(_ENDS)) == wanted:
            return f"{sign}{query}{text[call.end() : end]}"
    same = _SAME.match(text)
    return text[same.end() :] if same else ""


def _without_query(path: str) -> str:
    return path.partition("?")[0].rstrip(_ENDS)


def _split(text: str) -> tuple[str, str]:
    """What stands before the responses, and they; only errors need no arrow: "…, 403 else"."""
    plain = without_brackets(text)
    if arrow := _ARROW.search(plain):
        return text[: arrow.start()], text[arrow.end() :]
    codes = _RESPONSE.finditer(plain)
    at = next((code.start() for code in codes if code["code"][0] in ERRORS), len(text))
    return text[:at], text[at:]


def without_brackets(text: str) -> str:
    """The text with blanks in place of braces and square brackets, and of what stands in them."""
    depth, signs = 0, []
    for sign in text:
        was = depth
        depth = max(0, depth + (sign in "{[") - (sign in "}]"))
        signs.append(" " if was or depth else sign)
    return "".join(signs)


def _fields(text: str) -> dict[str, bool]:
    """The names in the first braces, and whether one may be left out: `{decision, reason?}`."""
    inside = text.partition("{")[2]
    fields, end, _ = without_brackets(inside).partition("}")
    matches = [_FIELD.fullmatch(field) for field in fields.split(",")] if end else []
    return {match["name"]: not match["free"] for match in matches if match}


def _responses(text: str) -> dict[str, str]:
    """Code → the words behind it, else what the code means; `default` for words without a code."""
    codes = [*_RESPONSE.finditer(without_brackets(text))]
    lead = text[: codes[0].start()].strip(_JOINTS) if codes else text.strip(_JOINTS)
    if lead and not (codes and codes[0][0].startswith("|")):
        return {"default": lead}
    responses = {"default": lead} if lead else {}
    ends = [*(code.start() for code in codes[1:]), len(text)]
    for code, end in zip(codes, ends, strict=False):
        responses.setdefault(
            code["code"].upper(),
            text[code.end() : end].strip(_JOINTS) or _meaning(code["code"]),
        )
    return responses


def _operations_in(text: str, operations: Sequence[Fragment]) -> list[Fragment]:
    """The calls that a line is of: those whose code it names, else whose parameters."""
    names = _NAME.findall(text)
    codes = {match["code"] for match in _NAMED_CODE.finditer(text)}
    shared = [
        len({*names} & {*operation["parameters"], *operation["requestBody"]})
        for operation in operations
    ]
    near = [
        place for place, operation in enumerate(operations) if codes & operation["responses"].keys()
    ] or [
        place
        for place, operation in enumerate(operations)
        if shared[place] >= NAMES_MIN
        or {*names[:1]} & {*operation["parameters"], *operation["requestBody"]}
    ]
    best = max((shared[place] for place in near), default=0)
    return [operations[place] for place in near if shared[place] == best]


def _describe(operation: Fragment, row: Fragment) -> None:
    """What a later line says of a call, and of a code of which no other words are given."""
    operation["description"].append(row["summary"].rstrip("."))
    operation["x-said"].append(_speech(row))
    for code in (match["code"].upper() for match in _NAMED_CODE.finditer(row["summary"])):
        if operation["responses"].get(code, _meaning(code)) == _meaning(code):
            operation["responses"][code] = row["summary"]


def _meaning(code: str) -> str:
    return _STATUSES.get(code, words.text("not_said"))


def _written(operation: Fragment) -> Fragment:
    """As OpenAPI has it, without what was not said."""
    body, responses = operation["requestBody"], operation["responses"]
    parts: Mapping[str, Any] = {
        "summary": operation["summary"],
        "description": "; ".join(operation["description"]),
        "parameters": [
            {"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}}
            for name, place in operation["parameters"].items()
        ],
        "requestBody": _body(body) if body else {},
        "responses": {
            code: {"description": text}
            for code, text in (responses or {"default": words.text("not_said")}).items()
        },
        "x-said": operation["x-said"],
    }
    return {key: part for key, part in parts.items() if part}


def _body(fields: Mapping[str, bool]) -> Fragment:
    needed = [name for name, is_needed in fields.items() if is_needed]
    schema = {
        "type": "object",
        "properties": {name: {} for name in fields},
        **({"required": needed} if needed else {}),
    }
    return {"content": {"application/json": {"schema": schema}}}


def _template(path: str) -> str:
    """`/a/:id` and `/a/<id>` as OpenAPI writes them: `/a/{id}`."""
    return _PARAMETER.sub(lambda match: f"{{{match[1] or match[2] or match[3]}}}", path)
