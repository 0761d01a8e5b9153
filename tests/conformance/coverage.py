"""Which Web API methods the bot calls, read from its source."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import slack_sdk.web.client

ROOT: Final = Path(__file__).parents[2]
NOT_THE_BOT: Final = ROOT / "bot" / "devtools"
_CALLED: Final = re.compile(r'self\.api_call\(\s*"([A-Za-z0-9.]+)"')


@cache
def known_methods() -> frozenset[str]:
    """Every method that the SDK knows."""
    return frozenset(_CALLED.findall(Path(slack_sdk.web.client.__file__).read_text()))


def called_methods() -> frozenset[str]:
    """Those that are named in the bot, as text or as one of the SDK's functions."""
    sources = [
        path for path in (ROOT / "bot").rglob("*.py") if not path.is_relative_to(NOT_THE_BOT)
    ]
    named = {name for path in sources for name in _names(ast.parse(path.read_text()))}
    return known_methods() & named


def _names(tree: ast.AST) -> Iterator[str]:
    functions = {method.replace(".", "_"): method for method in known_methods()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Attribute):
            yield functions.get(node.attr, "")
