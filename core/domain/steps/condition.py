"""`skip_if`: a small expression over what is known about the work. Data, never code.

An expression is cut into tokens, so that outside of strings nothing but names, numbers and the
operators below can occur; put together again in Python's spelling; parsed; and compiled to closures
from a whitelist of nodes. Types are known beforehand, so a mistake shows when the file is read.
There are no calls, no attributes, no arithmetic and no loops to run away with.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Final, Literal

from core import patterns

EXPRESSION_CHARS_MAX: Final = 500
NUMBER_DIGITS_MAX: Final = 15
NESTING_LEVELS_MAX: Final = 20
NODES_MAX: Final = 100

Type = Literal["text", "number", "truth", "nothing", "list"]
Values = Mapping[str, str | int | None]
Value = Callable[[Values], object]

VARIABLES: Final[Mapping[str, Type]] = {
    "scope": "text",
    "complexity": "text",
    "file_count": "number",
    "depth": "text",
}


class ConditionError(ValueError):
    """An expression that cannot be evaluated (ERR-STEP-009). Its text says why, in plain words."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that was understood. Call it with what is known."""

    expression: str
    variables: frozenset[str]
    _test: Value = field(repr=False, compare=False)

    def __call__(self, values: Values) -> bool:
        """True if it holds. As long as one of its variables has no value it does not."""
        for name in self.variables:
            if values.get(name) is None:
                return False
        return bool(self._test(values))


def parse(expression: str) -> Condition:
    """Understand `expression`, or raise ConditionError."""
    if len(expression) > EXPRESSION_CHARS_MAX:
        raise ConditionError(f"longer than {EXPRESSION_CHARS_MAX} characters")
    source = " ".join(_tokens(expression))
    if not source:
        raise ConditionError("there is no expression")
    try:
        root = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as cause:
        raise ConditionError("this is not an expression") from cause
    names: set[str] = set()
    if sum(1 for _ in ast.walk(root)) > NODES_MAX:
        raise ConditionError(f"more than {NODES_MAX} parts")
    term = _compile(root, names)
    _expect_no_list(term)
    return Condition(expression, frozenset(names), term.value)


# Tokens

_TOKEN: Final = patterns.compile(
    r"(?P<space>\s+)"
    r"|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>===|!==|==|!=|<=|>=|&&|\|\||[<>!()\[\],-])",
    patterns.DOTALL,
    unless=lambda match: match["number"] and _goes_on(match.after),
)
_QUOTES: Final = ("'", '"')
_ESCAPE: Final = patterns.compile(r"\\(.)", patterns.DOTALL)
_PYTHON: Final[Mapping[str, str]] = {
    "===": "==",
    "!==": "!=",
    "&&": "and",
    "||": "or",
    "!": "not",
    "true": "True",
    "false": "False",
    "null": "None",
}


def _goes_on(text: str) -> bool:
    """True if a number is the beginning of something else: "3px", "1.2.3"."""
    sign = text[:1]
    return sign.isascii() and (sign.isalnum() or sign in ("_", "."))


def _tokens(expression: str) -> list[str]:
    tokens: list[str] = []
    at = levels = 0
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            raise ConditionError(f"{expression[at]!r} has no meaning here")
        at, token = match.end(), match[0]
        if match.lastgroup == "space":
            continue
        if match.lastgroup == "text":
            if tokens and tokens[-1].startswith(_QUOTES):
                raise ConditionError("two strings follow each other; is a comma missing?")
            token = repr(_ESCAPE.sub(lambda escape: str(escape[1]), token[1:-1]))
        elif match.lastgroup == "number" and len(token) > NUMBER_DIGITS_MAX:
            raise ConditionError(f"a number of more than {NUMBER_DIGITS_MAX} digits")
        elif token in ("(", "["):
            levels += 1
            if levels > NESTING_LEVELS_MAX:
                raise ConditionError(f"nested more than {NESTING_LEVELS_MAX} levels deep")
        elif token in (")", "]"):
            levels -= 1
        tokens.append(_PYTHON.get(token, token))  # a string keeps its quotes, so it is in no table
    return tokens


# Closures


@dataclass(frozen=True, slots=True)
class _Term:
    type: Type
    value: Value


def _compile(node: ast.expr, names: set[str]) -> _Term:
    match node:
        case ast.BoolOp(op=operator, values=parts):
            return _joined(operator, [_compile(part, names) for part in parts])
        case ast.UnaryOp(op=ast.Not(), operand=part):
            term = _compile(part, names)
            _expect_no_list(term)
            return _Term("truth", _negated(term.value))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            if isinstance(number, bool):
                raise ConditionError("only a number can have a minus sign")
            return _constant(-number)
        case ast.Compare(left=left, ops=operators, comparators=rest):
            terms = [_compile(part, names) for part in (left, *rest)]
            return _Term("truth", reduce(_both, map(_compared, operators, terms, terms[1:])))
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return _constant(value)
        case ast.Name(id=name):
            if name not in VARIABLES:
                raise ConditionError(f"{name!r} is not known; known are {', '.join(VARIABLES)}")
            names.add(name)
            return _Term(VARIABLES[name], _variable(name))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            items = [_compile(part, names) for part in parts]
            for item in items:
                _expect_no_list(item)
            return _Term("list", _collected([item.value for item in items]))
        case _:
            raise ConditionError("this is more than a condition may say")


def _constant(value: str | float | bool | None) -> _Term:
    match value:
        case None:
            kind: Type = "nothing"
        case bool():
            kind = "truth"
        case str():
            kind = "text"
        case _:
            kind = "number"
    return _Term(kind, lambda values: value)


def _variable(name: str) -> Value:
    return lambda values: values[name]


def _collected(items: list[Value]) -> Value:
    return lambda values: [item(values) for item in items]


def _negated(value: Value) -> Value:
    return lambda values: not value(values)


def _joined(operator: ast.boolop, terms: list[_Term]) -> _Term:
    for term in terms:
        _expect_no_list(term)
    join = _both if isinstance(operator, ast.And) else _either
    return _Term("truth", reduce(join, [term.value for term in terms]))


def _both(a: Value, b: Value) -> Value:
    return lambda values: bool(a(values)) and bool(b(values))


def _either(a: Value, b: Value) -> Value:
    return lambda values: bool(a(values)) or bool(b(values))


def _compared(operator: ast.cmpop, first: _Term, second: _Term) -> Value:
    _expect_no_list(first)
    a, b = first.value, second.value
    match operator:
        case ast.In() | ast.NotIn():
            if second.type != "list":
                raise ConditionError(
                    "'in' needs a list on its right side, like ['small', 'medium']"
                )
            wanted = isinstance(operator, ast.In)
            return lambda values: _contains(b(values), a(values)) is wanted
        case ast.Eq() | ast.NotEq():
            _expect_no_list(second)
            wanted = isinstance(operator, ast.Eq)
            return lambda values: _same(a(values), b(values)) is wanted
        case ast.Lt():
            return _ordered(first, second, lambda order: order < 0)
        case ast.LtE():
            return _ordered(first, second, lambda order: order <= 0)
        case ast.Gt():
            return _ordered(first, second, lambda order: order > 0)
        case ast.GtE():
            return _ordered(first, second, lambda order: order >= 0)
        case _:
            raise ConditionError("this is more than a condition may say")


def _ordered(first: _Term, second: _Term, holds: Callable[[int], bool]) -> Value:
    if first.type != second.type or first.type not in ("text", "number"):
        raise ConditionError(
            f"only two numbers or two strings have an order, not {first.type} and {second.type}"
        )
    a, b = first.value, second.value
    return lambda values: holds(_order(a(values), b(values)))


# Values


def _same(a: object, b: object) -> bool:
    # In Python 1 == True; nobody who writes a condition means that.
    return isinstance(a, bool) is isinstance(b, bool) and a == b


def _contains(items: object, wanted: object) -> bool:
    return isinstance(items, list) and any(_same(item, wanted) for item in items)


def _order(a: object, b: object) -> int:
    """Below, at or above zero. What is known may be of another type than was promised."""
    if isinstance(a, str) and isinstance(b, str):
        return (a > b) - (a < b)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return (a > b) - (a < b)
    raise ConditionError("only two numbers or two strings have an order")


def _expect_no_list(term: _Term) -> None:
    if term.type == "list":
        raise ConditionError("a list can only stand on the right side of 'in'")
