"""`/roundtable enrich` in the bot as it serves: what a provider on loopback reads afterwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.provider import StandIn
from bot.devtools.provider.personalities.scripted import parse
from bot.devtools.workspace import WorkspaceMessage
from tests.e2e.forms import press
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, ServedBot, served_bot

TITLE = "Show the total"
SAID = "The page must show the total. The page must print."
LATER = "It must keep the archive for a year."
REWORDED = "The page shows the total."
ARCHIVED = "The archive is kept for a year."
REPLIES = f"""
replies:
  - task: read_answers
    words: [show the total]
    reply:
      lines:
        - kind: requirement
          text: "{REWORDED}"
          quotes: [{{answer: A1, text: The page must show the total}}]
          of: null
      criteria: []
      cannot_tell: null
  - task: read_answers
    words: [archive]
    reply:
      lines:
        - kind: requirement
          text: "{ARCHIVED}"
          quotes: [{{answer: A1, text: It must keep the archive for a year}}]
          of: null
      criteria: []
      cannot_tell: null
  - {{task: read_answers, reply: {{lines: [], criteria: [], cannot_tell: null}}}}
"""


@pytest.fixture
def provider() -> Iterator[StandIn]:
    with StandIn(parse(REPLIES)) as standing_in:
        yield standing_in


@pytest.fixture
def table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: StandIn
) -> Iterator[ServedBot]:
    """A session that the script alone read, to its end; then models may read it."""
    monkeypatch.setenv("ROUNDTABLE_MODEL", f"openai-chat:stand-in@{provider.url}")
    with served_bot(tmp_path, steps=small_tree(tmp_path / "steps").root) as table:
        table.start(f"{TITLE} --script")
        for text in (SAID, LATER):
            table.say(text)
            table.forward()
        while table.session().status != "completed":
            if table.session().status == "asking":
                table.say("Nothing to add beyond what we said.")
            table.forward()
        assert not provider.requests
        table.command(f"/roundtable brain {table.session().slug}")
        press(table, "Language models again")
        table.settle_until(lambda: not table.session().model.script_only)
        yield table


def offer(table: ServedBot) -> WorkspaceMessage:
    """The message of the phase in which something would change."""
    return next(one for one in table.slack.messages(CHANNEL) if "once more" in one.plain)


def enrich(table: ServedBot) -> WorkspaceMessage:
    (told,) = table.command("/roundtable enrich", by="dev")
    assert "nothing changes until somebody accepts it" in told
    table.settle_until(lambda: all(not one.awaited for one in table.session().model.enriched))
    table.settle()
    return offer(table)


def choose(table: ServedBot, choice: str) -> str:
    """Press a button of the offer; what it says then."""
    before = offer(table)
    table.slack.click("dev", CHANNEL, before.ts, f"menu:{choice}")
    table.settle()
    table.settle_until(lambda: offer(table).plain != before.plain)
    return offer(table).plain


def requirements(table: ServedBot) -> dict[str, str]:
    """The lines that have names."""
    claims = table.table.runtime.reader.claims(table.session().id)
    return {claim.ref: claim.text for claim in claims if claim.ref}


def written(table: ServedBot) -> str:
    reader, session = table.table.runtime.reader, table.session()
    return "\n".join(section.body for section in reader.sections(session.id))


def test_what_a_model_would_change_is_shown_struck_through_and_changes_nothing(
    table: ServedBot,
) -> None:
    before = requirements(table), written(table)
    shown = enrich(table)
    struck = [
        leaf["text"]
        for block in shown.blocks
        for part in block.get("elements", ())
        for row in part.get("elements", ())
        for leaf in row.get("elements", ())
        if leaf.get("style", {}).get("strike")
    ]
    assert [one.partition(": ")[2] for one in struck] == [
        "FR-001 The page must show the total.", "FR-003 It must keep the archive for a year.",
    ]  # fmt: skip
    assert f"FR-001 {REWORDED}" in shown.plain
    assert f"FR-003 {ARCHIVED}" in shown.plain
    assert "requirements-spec.md · First" in shown.plain
    assert "FR-002" not in shown.plain
    assert (requirements(table), written(table)) == before


def test_accepted_it_is_written_under_the_same_names_and_the_end_stays(table: ServedBot) -> None:
    before, course = requirements(table), table.session().course
    enrich(table)
    shown = choose(table, "take-in")
    assert "Accepted: First and Second · chosen by dev" in shown
    assert "[Accept]" not in shown
    table.settle_until(lambda: ARCHIVED in written(table))
    after = requirements(table)
    assert after == {**before, "FR-001": REWORDED, "FR-003": ARCHIVED}
    assert REWORDED in written(table)
    assert table.session().status == "completed"
    after_it = table.session().course
    assert (after_it.step, after_it.phases, after_it.done) == (
        course.step, course.phases, course.done,
    )  # fmt: skip


def test_kept_as_it_is_nothing_changes_and_the_message_says_who_chose(table: ServedBot) -> None:
    before = requirements(table), written(table)
    enrich(table)
    assert "Kept as it is: First and Second · chosen by dev" in choose(table, "leave-as-is")
    assert (requirements(table), written(table)) == before
    assert "nothing new to show" in table.command("/roundtable enrich")[0]


def test_step_by_step_shows_one_step_after_the_other(table: ServedBot) -> None:
    enrich(table)
    shown = choose(table, "step-by-step")
    assert REWORDED in shown
    assert ARCHIVED not in shown
    table.restart()
    shown = choose(table, "leave-as-is")
    assert "Kept as it is: First · chosen by dev" in shown
    assert ARCHIVED in shown
    assert "Accepted: Second" in choose(table, "take-in")
    table.settle_until(lambda: ARCHIVED in written(table))
    assert REWORDED not in written(table)
