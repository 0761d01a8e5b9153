"""What the party says in Slack, and what its recovery menus say, as people read it."""

from dataclasses import replace
from typing import Any, Final, get_args

import pytest

from bot.devtools.workspace.blocks.table import controls
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from bot.views.kit import menus
from bot.views.kit.blocks import Message, message
from bot.views.kit.wording import WORDING, of_kind
from bot.views.thread import council, lines, recovery
from core.domain.ids import FaultId, MenuId, PersonaKey, SessionId, UserId
from core.domain.party import Question
from core.domain.party.contributions import Contribution, Want
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu, MenuKind
from core.domain.steps.playbook import Persona

PRIYA: Final = UserId("U0PM00001")
NAMES: Final = {PRIYA: "Priya"}
NADIA: Final = Persona(PersonaKey("product-analyst"), "Nadia", "Product Analyst", ":wave:")
DRAWS: Final = Persona(
    PersonaKey("architecture-designer"), "Architecture Designer", "Architecture Designer", ""
)
MODE: Final = Menu(MenuId("m1"), SessionId("s1"), "mode", ("party", "classic"))
FAULT: Final = Fault(
    FaultId("f1"), "E-005", "All agents in Stack Debate encountered errors.", True, 0.0
)


def read(shown: Message) -> str:
    return plain(list(shown.blocks), shown.text, Names({PRIYA: "Priya"}, {}))


def buttons(shown: Message) -> dict[str, str]:
    """Action id → label."""
    found = controls([{"block_id": "", **block} for block in shown.blocks])
    return {e["action_id"]: e["text"]["text"] for _, e in found if e["type"] == "button"}


# ── the decision ───────────────────────────────────────────────────────────────────────────────


def test_under_a_recommendation_each_choice_is_a_card_with_what_it_does() -> None:
    decision = Menu(MenuId("m1"), SessionId("s1"), "phase", ("accept", "changes"))
    cards = menus.summary_menu(decision, following="Blueprint", steps=())
    shown = message(cards)
    assert read(shown).splitlines() == [
        "Accept — continue to Blueprint",
        WORDING.decision_choices["accept"],
        "[Accept — continue to Blueprint]",
        "I have changes",
        WORDING.decision_choices["changes"],
        "[I have changes]",
    ]
    assert buttons(shown).keys() == {"menu:accept", "menu:changes"}
    assert [block["type"] for block in shown.drawn(())] == ["card", "card"]
    taken = replace(decision, state="used", used_by=PRIYA, chosen="accept")
    assert menus.summary_menu(taken, following=None, steps=()) is None


# ── the mode ───────────────────────────────────────────────────────────────────────────────────


def test_the_mode_menu_says_what_each_mode_will_be_like() -> None:
    shown = council.mode_menu(MODE, NAMES)
    assert read(shown) == (
        "How shall we do this?\n"
        "Party mode (recommended)\n"
        "Several personas at a time ask you, argue before you and recommend. You decide.\n"
        "[Party mode (recommended)]\n"
        "Classic mode\n"
        "One facilitator asks you, one short phase after the other.\n"
        "[Classic mode]"
    )
    styles = {e["action_id"]: e.get("style") for _, e in controls(shown.blocks)}
    assert styles == {"menu:party": "primary", "menu:classic": None}


def test_a_chosen_mode_is_said_without_its_recommendation() -> None:
    chosen = replace(MODE, state="used", used_by=PRIYA, chosen="party")
    assert read(council.mode_menu(chosen, NAMES)) == "Priya chose Party mode."
    assert read(council.mode_menu(chosen, {})) == "Party mode was chosen."


# ── questions ──────────────────────────────────────────────────────────────────────────────────


def asked(*texts: str) -> list[tuple[int, Question]]:
    return [(number, Question("k", "users", each)) for number, each in enumerate(texts, start=4)]


def test_a_persona_asks_its_part_and_says_who_reads_the_answer() -> None:
    shown = council.questions(NADIA, asked("Who is it for?", "Who pays?"), ["Oscar", "Tessa"])
    assert read(shown) == (
        "I'm Nadia, your Product Analyst. I have 2 questions for you.\n"
        "4. Who is it for?\n"
        "5. Who pays?\n"
        "Answer once, in any of our threads; a number says which question you mean. "
        "Oscar and Tessa read what you say here, too."
    )


def test_one_question_of_a_persona_alone_at_the_table() -> None:
    shown = read(council.questions(NADIA, asked("Who is it for?"), []))
    assert "I have one question for you." in shown
    assert "read what you say" not in shown


def test_a_persona_that_goes_by_its_role_says_it_once() -> None:
    shown = read(council.questions(DRAWS, asked("Which parts?"), []))
    assert shown.startswith("I'm your Architecture Designer. I have one question for you.")
    assert read(lines.root(DRAWS, "Retries", ["Blueprint"])).splitlines()[0] == (
        "Architecture Designer leads Blueprint here."
    )
    assert read(lines.root(DRAWS, "Retries", [])).splitlines()[0] == (
        "Architecture Designer sits at this table."
    )
    assert read(lines.root(NADIA, "Retries", [])).splitlines()[0] == (
        "Nadia, Product Analyst, sits at this table."
    )


def test_the_first_thread_calls_whoever_is_awaited() -> None:
    shown = council.questions(NADIA, asked("Who is it for?"), [], mention=[PRIYA])
    assert read(shown).startswith("@Priya I'm Nadia")


# ── turns ──────────────────────────────────────────────────────────────────────────────────────


def test_every_kind_of_turn_has_words_before_it() -> None:
    assert set(WORDING.turns) == set(get_args(Want))


@pytest.mark.parametrize(
    ("want", "to", "head"),
    [
        ("interpretation", "", "Reads your answers"),
        ("cross-question", "Oscar", "Asks Oscar"),
        ("cross-question", "", "Asks the others"),
        ("critique", "Liam", "Looks at the proposal of Liam"),
        ("review", "Test Strategist", "Reads the draft of Test Strategist"),
        ("position", "", "Concludes"),
    ],
)
def test_a_turn_says_what_it_is_and_to_whom(want: Want, to: str, head: str) -> None:
    given = Contribution(NADIA.key, want, "I listened.")
    assert read(council.turn(given, to)) == f"{head}\nI listened."


@pytest.mark.parametrize(("agrees", "head"), [(True, "Agrees"), (False, "Dissents")])
def test_a_vote_says_which_it_is(agrees: bool, head: str) -> None:
    given = Contribution(NADIA.key, "vote", "Not with me.", agrees=agrees)
    assert read(council.turn(given)) == f"{head}\nNot with me."


# ── the recommendation ─────────────────────────────────────────────────────────────────────────


def verdict(**changes: Any) -> str:
    given: dict[str, Any] = {"consensus": "", **changes}
    return read(message(*council.verdict_blocks(council.Verdict(**given))))


def test_a_recommendation_says_how_it_came_about_and_what_it_costs() -> None:
    said = verdict(
        consensus="majority",
        dissenters=["Zara"],
        trade_offs=["Zara: keys lie in the code."],
        away=["Felix"],
        unwritten=["tech-stack.md"],
    )
    assert said == (
        "Most of us agree on what people said. Zara dissents.\n"
        "Without Felix, who could not take part.\n"
        "What it costs\n"
        "• Zara: keys lie in the code.\n"
        "Not written as a file, but kept: tech-stack.md."
    )


def test_two_dissent_and_one_dissents() -> None:
    said = verdict(consensus="split", dissenters=["Zara", "Felix"])
    assert said == "We do not agree on what people said. Zara and Felix dissent."


def test_an_agreement_names_the_options_that_people_named_and_is_said_of_nothing_else() -> None:
    said = verdict(consensus="unanimous", options=["Postgres", "Go"])
    assert said == "All of us agree on “Postgres” and “Go”."
    assert verdict(consensus="none") == "Nobody has named an option, so nothing is agreed yet."


def test_a_council_that_does_not_vote_has_no_consensus_to_tell() -> None:
    assert council.verdict_blocks(council.Verdict("")) == []


# ── one-liners ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "args", "said"),
    [
        ("shared", {"names": "Oscar"}, "This reaches Oscar, too."),
        ("shared", {"names": "Oscar and Tessa"}, "This reaches Oscar and Tessa, too."),
        ("council-opens", {"phase": "Blueprint"}, "Blueprint begins. Give us a moment."),
        (
            "farewell",
            {"phase": "Blueprint"},
            "Blueprint is decided, thank you. Its people leave the table.",
        ),
        (
            "to-classic",
            {},
            "We go on in classic mode, with one facilitator in a thread of its own. What you said "
            "here is kept and proposed to you there. This thread takes no more answers.",
        ),
    ],
)
def test_what_a_council_says_in_passing(kind: Any, args: dict[str, str], said: str) -> None:
    assert read(lines.spoken(kind, args)) == said


# ── recovery menus ─────────────────────────────────────────────────────────────────────────────

PARTYS: Final[dict[MenuKind, tuple[str, ...]]] = {
    "no-team": ("retry", "classic", "cancel"),
    "all-failed": ("retry", "classic", "cancel"),
    "state-unwritten": ("retry", "leave"),
}


def menu(kind: MenuKind, **changes: Any) -> Menu:
    return Menu(MenuId("m1"), SessionId("s1"), kind, PARTYS[kind], fault=FaultId("f1"), **changes)


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("no-team", ["Retry team creation", "Fall back to classic mode", "Cancel discovery"]),
        ("all-failed", ["Retry phase", "Fall back to classic mode", "Cancel"]),
        ("state-unwritten", ["Write it again", "Leave it"]),
    ],
)
def test_a_menu_has_its_labels_and_a_line_for_each(kind: MenuKind, labels: list[str]) -> None:
    shown = recovery.recovery(menu(kind), FAULT, "ERROR", NAMES, mention=[PRIYA])
    assert list(buttons(shown).values()) == labels
    text = read(shown)
    assert "@Priya" in text
    for choice, label in zip(PARTYS[kind], labels, strict=True):
        meaning = of_kind(WORDING.recovery_choices, kind, choice)
        assert f"{label}\n{meaning}\n[{label}]" in text


def test_a_table_where_nobody_is_left_says_what_is_kept_and_who_may_choose() -> None:
    shown = recovery.recovery(menu("all-failed"), FAULT, "ERROR", NAMES)
    assert read(shown).splitlines()[1:] == [
        "Nobody is left at this table, and your answers are kept. Anybody may retry; the other two "
        "are for you or an admin.",
        "Retry phase",
        "Brings all of them back with fresh questions. Your answers stay; the debate so far does "
        "not.",
        "[Retry phase]",
        "Fall back to classic mode",
        "Goes on with one facilitator, from the first phase. What you said is kept and proposed "
        "again; what the party wrote is left behind.",
        "[Fall back to classic mode]",
        "Cancel",
        "Ends this here for everybody. What was written stays; for ten minutes you or an admin can "
        "take that back.",
        "[Cancel]",
    ]


@pytest.mark.parametrize(
    ("kind", "chosen", "outcome"),
    [
        ("no-team", "classic", "One facilitator begins, in classic mode."),
        ("no-team", "cancel", "It ended here, before it began."),
        ("all-failed", "retry", "They begin this phase once more."),
        ("state-unwritten", "leave", "The file stays as it is."),
    ],
)
def test_a_used_menu_says_who_chose_what_and_what_came_of_it(
    kind: MenuKind, chosen: str, outcome: str
) -> None:
    used = menu(kind, state="used", used_by=PRIYA, chosen=chosen)
    shown = recovery.recovery(used, FAULT, "ERROR", NAMES, mention=[PRIYA])
    label = menus.label_of(chosen, kind)
    assert read(shown).splitlines()[1:] == [f"Priya chose “{label}”. {outcome}"]
    assert buttons(shown) == {}


def test_a_menu_that_nobody_used_says_that_it_is_settled() -> None:
    gone = menu("all-failed", state="closed")
    assert read(recovery.recovery(gone, FAULT, "ERROR", NAMES)).endswith(recovery.SETTLED)


def test_every_recovery_menu_has_first_words() -> None:
    assert set(PARTYS) | {"fatal", "escalation", "no-roster"} == set(WORDING.recovery_leads)
