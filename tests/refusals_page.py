"""The tables of docs/reference/refusals.md, made from `bot/web_api/api_errors.toml` and the words.

    python -m tests.refusals_page

writes them again below the page's mark; what stands above is written by hand.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.web_api.api_errors import Disposition, answers
from core.taxonomy.post_refusals import REFUSALS
from tests.support.api_pages import method_pages

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "refusals.md"
MARK: Final = "<!-- from here on made by `python -m tests.refusals_page` -->"


def made() -> str:
    return "\n".join([*_words(), "", *_others(), "", *_methods()]) + "\n"


def _words() -> Iterator[str]:
    yield "## What is said, and what helps\n"
    yield "| Reason | It says | Slack's words |"
    yield "|---|---|---|"
    for reason, words in REFUSALS.items():
        yield f"| {reason.replace('_', ' ')} | {words.what} {words.helps} | {_errors(reason)} |"


def _others() -> Iterator[str]:
    told: dict[Disposition, str] = {
        "done": "It is so already: counts as done.",
        "again": "Tried again, after Retry-After or 1 to 60 seconds.",
        "look": "A post is looked for first, then tried again; an edit is tried again.",
        "edit_refused": "Posted anew; the old message's buttons are closed.",
        "thread_gone": "ERR-SLACK-002; resume opens a new thread.",
        "not_needed": "Passed over: one mark, one name or one person's words.",
    }
    yield "## What has no words of its own\n"
    yield "| What the bot does | Slack's words |"
    yield "|---|---|"
    for answer, what in told.items():
        yield f"| {what} | {_errors(answer)} |"


def _methods() -> Iterator[str]:
    yield "## Methods\n"
    for method, page in sorted(method_pages().items()):
        yield f"- [`{method}`]({page.page}): {len(page.errors)} errors"


def _errors(answer: Disposition) -> str:
    errors = sorted(error for error, known in answers().items() if known == answer)
    return ", ".join(f"`{error}`" for error in errors)


def rewritten(page: str) -> str:
    return f"{page.partition(MARK)[0]}{MARK}\n\n{made()}"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text()))
