"""What the reference pages of Slack's methods list, as `bot/web_api/api_errors.toml` keeps it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from bot.web_api.api_errors import DATA


@dataclass(frozen=True, slots=True)
class MethodPage:
    """What the reference page of one Web API method lists."""

    page: str
    arguments: frozenset[str]
    errors: frozenset[str]
    unlisted: frozenset[str]  # seen, although the page does not list them


@cache
def method_pages() -> Mapping[str, MethodPage]:
    """The pages by method."""
    data = tomllib.loads(DATA.read_text())
    everywhere = frozenset(data["everywhere"])
    return {
        method: MethodPage(
            page["page"],
            frozenset(page["arguments"]),
            everywhere | frozenset(page["errors"]),
            frozenset(data["unlisted"].get(method, ())),
        )
        for method, page in data["methods"].items()
    }
