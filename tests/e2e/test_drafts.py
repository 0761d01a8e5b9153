"""Drafts at brief depth, through the real bot: nobody confirms what nothing supports."""

import pytest

from bot.devtools.workspace import WorkspaceMessage
from core.artifacts.document import words
from tests.support.served_bot import CHANNEL, ServedBot, controls

BILLING = "Replace our whole billing system in 40 countries"
CONFIRM = "menu:confirm"


def prompt(table: ServedBot) -> WorkspaceMessage:
    session = table.session()
    post = table.table.runtime.reader.last_post(session.id, f"prompt:{session.course.step}:")
    assert post is not None
    return table.message(post.ts)


def confirms(message: WorkspaceMessage) -> bool:
    return any(each["action_id"] == CONFIRM for each in controls(message))


def confirm(table: ServedBot, by: str = "pm") -> None:
    table.slack.click(by, CHANNEL, prompt(table).ts, CONFIRM)
    table.settle()


def written(table: ServedBot, file: str) -> str:
    return (table.folder / file).read_text()


def test_a_large_item_is_no_small_change_by_any_tap(table: ServedBot) -> None:
    """The first drafts made "a small change of low complexity" of it, by three taps."""
    table.command(f"/roundtable analyze {BILLING} --depth brief")
    assert not confirms(prompt(table))
    assert "small change" not in prompt(table).plain
    assert "How big does this feel to you" in prompt(table).plain
    table.say("Nobody knows yet, ask me next week")
    table.forward()
    assert confirms(prompt(table))  # the title's words are there
    assert f"It rests on “{BILLING}”." in prompt(table).plain
    confirm(table)
    table.forward()
    assert not confirms(prompt(table))  # nobody named a size
    table.say("dunno")
    scan = written(table, "quick-scan.md")
    assert "The words to search for are the words of the title. — confirmed by pm" in scan
    assert "*(assumed)*" in scan
    (line,) = [line for line in scan.splitlines() if "words of the title" in line]
    assert "said by" not in line
    summary = table.slack.messages(CHANNEL)[-1].plain
    assert "2 lines in your words; 2 that nobody has said." in summary
    assert "No assumptions" not in summary
    assert "(confirmed as a draft)" in summary
    assert table.session().scan.scope is None


def test_an_item_that_says_how_small_it_is_can_be_confirmed_and_stays_assumed(
    table: ServedBot,
) -> None:
    table.command(
        "/roundtable analyze Small change of low complexity: mend the footer --depth brief"
    )
    confirm(table)
    message = table.slack.messages(CHANNEL)[-1].plain
    assert "Assumed, confirmed by pm: “This is a small change of low complexity”." in message
    (claim,) = table.table.runtime.reader.claims(table.session().id)
    assert (claim.confidence, claim.kind) == ("assumed", "assumption")
    assert table.session().scan.scope == "small"


def test_a_draft_of_what_people_said_shows_the_lines_it_rests_on(table: ServedBot) -> None:
    table.command(f"/roundtable analyze {BILLING} --depth brief")
    table.say("hm, large I guess?? 40 countries!! but dont quote me")
    table.say("Large. About 300 files", by="dev")
    table.forward()
    table.say("billing, invoicing")
    table.forward()
    assert "The size is the one that was named before." in prompt(table).plain
    assert "“Large”" in prompt(table).plain


@pytest.mark.slow
def test_an_analysis_that_is_only_clicked_through_is_never_ready_to_build_from(
    table: ServedBot,
) -> None:
    table.command(f"/roundtable analyze {BILLING} --depth brief")
    steps = set()
    while table.session().status in ("asking", "choosing"):
        step = table.session().course.step
        assert step not in steps, "a step is left by one click"
        steps.add(step)
        if confirms(prompt(table)):
            confirm(table)
        else:
            table.say("looks good to me")
        table.forward()
    summary = written(table, "design-summary.md")
    assert len(steps) > 20
    assert "Nobody has said anything that could be built from yet." in summary
    assert "Only let pass by pm, and said by nobody: " in summary
    assert words.text("all_settled") not in summary
    assert words.text("no_assumption") not in summary
