"""Why a line is there: found by its name, with what rests on it, in a real session's rows."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from bot.interactions.line_provenance import SESSIONS_LOOKED_AT_MAX, name_of, nearest, traced
from bot.publish.render.catch_up import caught_up
from bot.views.kit.blocks import BLOCKS_MAX, Message
from bot.views.private.catch_up import DecidedLine, catch_up
from bot.views.private.marked_quotes import excerpt, marked
from bot.views.private.why import Traced, why
from core.brains.tasks import Diagnosis
from core.domain import events as on
from core.domain.answers import Answer, Claim, Draft, ReadRequest
from core.domain.ids import AnswerId, PersonaKey, PhaseKey, RunId, SessionId, StepId, Ts
from core.domain.session.course import PhaseState
from core.ports import Gone, Workspace
from tests.support.fakes import DEV, NAMES, OWNER, TEAM, ActingBrain, Thinking
from tests.support.harness import Harness, small_table

ACME = Workspace(TEAM, "https://acme.slack.com/", OWNER, "B1")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Requirements, stories and ranks, as the shipped steps ask for them."""
    folder = tmp_path_factory.mktemp("told")
    table = Harness(folder)
    table.start(depth="standard")
    table.go_to("01-06")
    table.say("1. The system must export a PDF of the dashboard.\n"
              "2. The system must mail the PDF every Monday.")  # fmt: skip
    table.say("The system must export a PDF of the dashboard.", DEV)
    table.forward()
    table.say(
        "As a manager I want to export a PDF of the dashboard (FR-001), so that I can print it."
    )
    table.forward()
    table.say("FR-001: must\nFR-002: could")
    table.forward()
    return folder


@pytest.fixture
def told(place: Path) -> Harness:
    return Harness(place)


def asked(table: Harness, ref: str, *others: SessionId) -> Traced:
    found = traced(table.runtime.reader, ACME, (table.id, *others), ref)
    assert isinstance(found, Traced), found
    return found


def read(found: Traced) -> str:
    return words(why(found, NAMES))


def words(message: Message) -> str:
    """The message as people read it, without its buttons."""
    return plain([b for b in message.blocks if b["type"] != "actions"], "", Names(NAMES, {}))


@pytest.mark.parametrize("ref", ["FR-001", "fr-001", "FR1", "fr 1", " Fr_01 ", "REQ-001", "req1"])
def test_a_name_is_found_however_it_is_written(told: Harness, ref: str) -> None:
    assert asked(told, ref).claim.ref == "FR-001"


@pytest.mark.parametrize(("ref", "kind"), [("US-001", "story"), ("story 1", "story")])
def test_stories_and_decisions_have_names_too(told: Harness, ref: str, kind: str) -> None:
    assert asked(told, ref).claim.kind == kind


def test_everybody_who_said_it_is_named_with_their_words(told: Harness) -> None:
    found = asked(told, "FR-001")
    assert [answer.by for answer in found.answers] == [OWNER, DEV]
    assert all(answer.permalink for answer in found.answers)
    assert (found.step, found.phase) == ("Core Feature Definition", "Requirements")
    assert found.url.startswith("https://acme.slack.com/archives/C1/p")


def test_what_belongs_to_it_is_listed_once(told: Harness) -> None:
    rows = [(each.how, each.text.split()[0]) for each in asked(told, "FR-001").resting]
    assert ("Priority", "must:") in rows
    assert any(how.startswith("Story") and ref == "US-001" for how, ref in rows)
    assert len(rows) == len(set(rows))
    back = [(each.how, each.text.split()[0]) for each in asked(told, "US-001").resting]
    assert any(how.startswith("Requirement") and ref == "FR-001" for how, ref in back)


@pytest.mark.parametrize("ref", ["", "FR", "001", "FR-", "FR-001; DROP", "١٢٣", "FR-9999999999"])
def test_what_is_no_name_is_found_nowhere(told: Harness, ref: str) -> None:
    assert not isinstance(traced(told.runtime.reader, ACME, (told.id,), ref), Traced)


def test_the_nearest_names_are_of_the_same_kind(told: Harness) -> None:
    claims = told.runtime.reader.claims(told.id)
    assert nearest("FR-099", claims)[:2] == ("FR-002", "FR-001")
    assert nearest("REQ-003", claims)[:2] == ("FR-002", "FR-001")
    assert nearest("US-7", claims)[0] == "US-001"
    assert nearest("nonsense", ()) == ()


def test_without_a_session_there_is_nothing(told: Harness) -> None:
    assert traced(told.runtime.reader, ACME, (), "FR-001") == ()


def test_the_first_session_that_has_it_is_meant_and_the_others_are_named(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    for number, words in ((1, "Nothing yet."), (2, "It must be blue."), (3, "It must be red.")):
        table.id = SessionId(f"s{number}")
        table.start(f"Item {number}", run=RunId(f"r{number}"))
        table.say(f"The system must export it. {words}" if number > 1 else words)
    ids = tuple(SessionId(f"s{number}") for number in (1, 2, 3))
    found = traced(table.runtime.reader, ACME, ids, "FR-001")
    assert isinstance(found, Traced)
    assert (found.title, found.also) == ("Item 2", ("item-3",))
    assert "FR-001 is also in item-3." in read(found)
    many = (ids[0],) * SESSIONS_LOOKED_AT_MAX
    assert not isinstance(traced(table.runtime.reader, ACME, (*many, ids[1]), "FR-001"), Traced)


def test_an_assumption_says_that_nobody_said_it(tmp_path: Path) -> None:
    def guessing(request: ReadRequest) -> Draft:
        line = Claim("01-01/1", request.step.id, "requirement", "It is blue.", (), "assumed")
        return Draft("Recorded.", (replace(line, ref="FR-001"),))

    table = small_table(tmp_path, brains={None: Thinking([guessing])})
    table.start()
    table.say("Hm.")
    said = read(asked(table, "FR-001"))
    assert "It is an assumption: nobody has confirmed it." in said
    assert "Nobody: it was noted because a question stayed open." in said


def test_a_line_is_found_by_some_of_its_words(told: Harness) -> None:
    by_name = asked(told, "FR-001")
    text = by_name.claim.text
    assert asked(told, text.upper()).claim == by_name.claim
    assert traced(told.runtime.reader, ACME, (told.id,), "quantum zebras") != by_name
    assert not isinstance(traced(told.runtime.reader, ACME, (told.id,), "of a"), Traced)


def test_a_quote_is_the_part_that_the_line_was_taken_from() -> None:
    long = "We talked for a while about many things. " * 20
    assert "must be blue" in excerpt(f"{long}It must be blue, all of it.", "It must be blue")
    assert excerpt("Short.", "Another thing") == "Short."
    assert len(excerpt(long, "no such words")) <= 221
    assert excerpt("", "") == ""


def said(text: str) -> Answer:
    return Answer(AnswerId("a1"), StepId("01-01"), OWNER, text, Ts("1.0"), "")


def in_bold(answer: Answer, claim: Claim) -> list[str]:
    return [leaf["text"] for leaf in marked(answer, claim) if leaf.get("style")]


def test_the_words_that_a_line_quotes_are_marked_where_they_stand() -> None:
    answer = said("The total.\n\nIt must  show the total, and no ads please.")
    data = {"quoted": "the total\nno ads please", "spans": "26-35 a1\n41-54 a1"}
    claim = Claim("", answer.step, "requirement", "It shows totals", (answer.id,), data=data)
    assert "".join(leaf["text"] for leaf in marked(answer, claim)) == (
        "The total. It must show the total, and no ads please."
    )
    assert in_bold(answer, claim) == ["the total", "no ads please"]
    other = {"quoted": "The total", "spans": "0-9 a1"}
    assert marked(answer, replace(claim, data=other))[0]["text"] == "The total"


def test_offsets_of_an_answer_that_was_edited_since_mark_nothing_else() -> None:
    claim = Claim(
        "", StepId("01-01"), "requirement", "It shows totals", (AnswerId("a1"),),
        data={"quoted": "show the total", "spans": "8-22 a1"},
    )  # fmt: skip
    assert in_bold(said("Please, it must show the total."), claim) == ["show the total"]
    assert in_bold(said("Please, nothing of the kind here."), claim) == []
    assert in_bold(said("Short."), claim) == []


def test_quotes_that_are_far_apart_leave_out_what_lies_between() -> None:
    answer = said(f"Show the total. {'And so on and on. ' * 30}No ads please. {'More. ' * 30}")
    data = {"quoted": "Show the total\nNo ads please", "spans": ""}
    claim = Claim("", answer.step, "requirement", "It shows totals", (answer.id,), data=data)
    shown = "".join(leaf["text"] for leaf in marked(answer, claim))
    assert shown.startswith("Show the total … No ads please. More.")
    assert len(shown) <= 221


def test_a_line_in_other_words_says_whose_they_are(tmp_path: Path) -> None:
    def wording(request: ReadRequest) -> Draft:
        (answer,) = request.answers
        line = Claim("01-01/1", request.step.id, "requirement", "It shows totals", (answer.id,))
        quoted = replace(line, ref="FR-001", data={"quoted": "show the total"})
        return Draft("Recorded.", (quoted, replace(line, id="01-01/2", ref="FR-002", text="show")))

    table = small_table(tmp_path, brains={None: Thinking([wording])})
    table.start()
    table.say("It must show the total.")
    found = asked(table, "FR-001")
    assert f"Worded by {found.persona}." in read(found)
    assert found.persona
    assert "Worded by" not in read(asked(table, "FR-002"))
    taken = {**found.claim.data, "proposed_by": "Maya Chen", "taken_by": DEV}
    by_somebody = replace(found, claim=replace(found.claim, data=taken))
    assert f"Worded by Maya Chen; {NAMES[DEV]} took that wording." in read(by_somebody)


def test_names_are_read_without_case_and_zeros() -> None:
    assert name_of("adr-007") == name_of("ADR 7") == ("ADR", 7)
    assert name_of("7") is None


# ── the longest session ──


@pytest.fixture
def crowded(tmp_path: Path) -> Harness:
    """Three hundred lines in one phase, each with markup in it, some assumed."""

    def three_hundred(request: ReadRequest) -> Draft:
        (answer,) = request.answers
        lines = tuple(
            Claim(
                f"{request.step.id}/{number}", request.step.id, "requirement",
                f"{number} *must* <!channel> [do](https://evil.example) " + "much " * 40,
                () if number % 3 == 0 else (answer.id,),
                "assumed" if number % 3 == 0 else "stated", f"FR-{number:03d}",
            )
            for number in range(1, 301)
        )  # fmt: skip
        return Draft("Recorded 300 points.", lines)

    table = small_table(tmp_path, brains={None: Thinking([three_hundred])})
    table.start("Everything at once")
    table.say("All of it.")
    return table


def test_three_hundred_lines_are_caught_up_with_in_one_message(crowded: Harness) -> None:
    crowded.click("skip")
    crowded.click("accept")
    found = caught_up(crowded.runtime.reader, crowded.id)
    assert (len(found.assumed), len(found.decided[0].lines)) == (100, 200)
    shown = catch_up(found, NAMES)
    assert len(shown.blocks) <= BLOCKS_MAX
    assert "199 more lines" in words(shown)
    assert "What nobody said: 100 lines" in words(shown)
    assert words(shown).count("more, in the files.") == 2


def test_decisions_and_what_was_taken_stand_before_the_phases(crowded: Harness) -> None:
    found = caught_up(crowded.runtime.reader, crowded.id)
    step = StepId("01-01")
    phase = DecidedLine(
        PhaseState(PhaseKey("00-quick-scan"), "Quick Scan", PersonaKey("maya"), 3),
        (
            Claim("a", step, "scope", "medium?", ()),
            Claim("b", step, "option", "a row in Postgres", (), data={"option": "A"}),
            Claim("c", step, "option", "go with A", (), data={"option": "A", "choice": "chosen"}),
            Claim("d", step, "decision", "no new library", (), ref="ADR-001"),
        ),
    )
    said = words(catch_up(replace(found, decided=(phase,)), NAMES)).partition("What was decided")[2]
    assert said.splitlines()[1:3] == [
        "• a row in Postgres: go with A",
        "• ADR-001 no new library",
    ]
    assert "Quick Scan: 2 lines" in said
    assert said.index("Quick Scan: 2 lines") < said.index("• medium?")


def test_the_two_hundredth_line_has_its_reason_too(crowded: Harness) -> None:
    found = asked(crowded, "FR-200")
    assert [answer.text for answer in found.answers] == ["All of it."]
    assert read(found).startswith("FR-200 200 *must* <!channel>")


def test_a_session_that_is_gone_cannot_be_caught_up_with(crowded: Harness) -> None:
    with pytest.raises(Gone):
        caught_up(crowded.runtime.reader, SessionId("nobody's"))


def test_a_paused_session_says_what_comes_next(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.click("pause")
    said = words(catch_up(caught_up(table.runtime.reader, table.id), NAMES))
    assert "“First” comes next, once it goes on." in said
    assert "Paused." in said


def test_a_choice_that_only_somebody_can_make_stands_first(tmp_path: Path) -> None:
    trouble = ValueError("ambiguous: multiple valid interpretations")
    table = small_table(
        tmp_path,
        brains={None: Thinking([trouble])},
        tiers={"sonnet": ActingBrain(diagnose=lambda _: Diagnosis(False, "I cannot tell."))},
    )
    table.start()
    table.say("Because.")
    found = caught_up(table.runtime.reader, table.id)
    assert found.choice is not None
    assert found.choice.url.startswith("https://test.slack.com/archives/C1/p")
    said = words(catch_up(found, NAMES))
    assert "Somebody has to choose: I could not make out" in said


def test_a_party_is_caught_up_with_like_anything_else(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start("A reading room", flow="inception", mode="party")
    table.say("Readers find papers. Librarians keep them.", thread=table.thread())
    found = caught_up(table.runtime.reader, table.id)
    said = words(catch_up(found, NAMES))
    assert "at the table:" in said
    assert "Nothing has been accepted yet." in said
    assert StepId(found.current.id if found.current else "") == table.session.course.step
    while table.session.course.phase == "01-vision-council":
        table.forward()
    said = words(catch_up(caught_up(table.runtime.reader, table.id), NAMES))
    assert "accepted by Priya" in said


def test_before_the_mode_is_chosen_that_is_what_is_open(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start("A reading room", flow="inception")
    said = words(catch_up(caught_up(table.runtime.reader, table.id), NAMES))
    assert "How shall this be done?" in said


def test_of_a_halted_session_the_choice_that_leads_on_is_named(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "a rule"))
    said = words(catch_up(caught_up(table.runtime.reader, table.id), NAMES))
    assert "Halted." in said
    assert "Somebody has to choose:" in said


def test_rows_of_another_session_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    for number in (1, 2):
        table.id = SessionId(f"s{number}")
        table.start(f"Item {number}", run=RunId(f"r{number}"))
        table.say("The system must export it.")
    with table.runtime.database.write() as db:
        db.execute("UPDATE claims SET doc = 'nonsense' WHERE session = 's2'")
    ids = (SessionId("s1"), SessionId("s2"))
    found = traced(table.runtime.reader, ACME, ids, "FR-001")
    assert isinstance(found, Traced)
    assert (found.title, found.also) == ("Item 1", ())
