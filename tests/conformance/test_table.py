"""The table itself: complete, unambiguous, and each case with a page that can be looked up."""

import re
from collections import Counter

import pytest

from bot.devtools.workspace.web_api.endpoint import METHODS
from tests.conformance.coverage import called_methods, known_methods
from tests.conformance.page import PAGE, rewritten
from tests.conformance.table import CASES
from tests.support.api_pages import method_pages

CALLED = sorted(called_methods())


def test_the_bot_is_known_to_call_what_it_does() -> None:
    assert {
        "auth.test",
        "apps.connections.open",
        "chat.postMessage",
        "chat.update",
        "chat.postEphemeral",
        "conversations.history",
        "conversations.info",
        "conversations.replies",
        "files.completeUploadExternal",
        "files.getUploadURLExternal",
        "reactions.add",
        "reactions.remove",
        "users.conversations",
        "users.info",
        "views.open",
        "views.publish",
    } <= set(CALLED)


@pytest.mark.parametrize("method", CALLED)
def test_every_method_the_bot_calls_is_tried_in_good_and_in_bad(method: str) -> None:
    errors = {case.expect.error for case in CASES if method in case.methods}
    assert "" in errors, f"no case in which {method} is answered"
    assert errors - {"", None}, f"no case in which {method} is refused"


def test_all_that_the_local_workspace_serves_is_covered_but_what_the_page_names() -> None:
    covered = {method for case in CASES for method in case.methods}
    assert METHODS.keys() - covered == {"chat.getPermalink"}


def test_no_two_cases_have_one_id() -> None:
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []


def test_every_case_cites_a_page() -> None:
    page = re.compile(r"https://docs\.slack\.dev/[A-Za-z0-9./_-]*[A-Za-z]")
    assert [case.id for case in CASES if not page.fullmatch(case.url)] == []
    methods = {case.page for case in CASES if case.page.startswith("reference/methods/")}
    assert {page.rpartition("/")[2] for page in methods} <= known_methods()


def test_what_no_page_says_is_marked_with_its_source_or_its_reading() -> None:
    assert [case.id for case in CASES if bool(case.note) == (case.basis == "documented")] == []


def test_a_documented_refusal_is_one_that_the_page_of_its_method_lists() -> None:
    pages = {page.page: page.errors for page in method_pages().values()}
    strange = [
        case.id
        for case in CASES
        if case.expect.error and case.basis == "documented" and case.url in pages
        if case.expect.error not in pages[case.url]
    ]
    assert strange == []


def test_the_page_lists_the_cases_as_they_are() -> None:
    """`make conformance` writes it again."""
    page = PAGE.read_text()
    assert rewritten(page) == page
    assert all(f"`{case.id}`" in page for case in CASES)
