"""What people read, surface by surface, as they read it."""

from dataclasses import replace
from typing import Any, Final, get_args

import pytest

from bot.devtools.workspace.blocks.table import controls
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from bot.views.channel import card as card_view
from bot.views.channel.card import ThreadLink, card
from bot.views.kit import menus
from bot.views.kit.blocks import Message, markdown, message
from bot.views.kit.identity import Author, named
from bot.views.kit.names import people
from bot.views.kit.rich_text import prose
from bot.views.kit.text import CUT, cut, escape, neutral, pieces, weight
from bot.views.kit.wording import WORDING
from bot.views.private import commands
from bot.views.private.replies import reply_message
from bot.views.thread import lines, phase, recovery, step
from bot.views.thread.sorted_lines import SortedLines
from core.domain.answers import Claim, ClaimKind
from core.domain.brief import Offer
from core.domain.effects import LineKind, ReplyKind
from core.domain.ids import (
    ChannelId,
    FaultId,
    MenuId,
    PersonaKey,
    PhaseKey,
    RunId,
    SessionId,
    Slug,
    StepId,
    TeamId,
    UserId,
)
from core.domain.model_calls import Usage
from core.domain.session.course import Course, PhaseState, Status
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu, OpenMenus
from core.domain.session.model_reading import ModelUse
from core.domain.session.people import People
from core.domain.session.session import Session
from core.domain.session.start import Checked
from core.domain.session.step import PromptState, Questions, StepChoice, StepState
from core.domain.steps.playbook import Persona
from core.ports import Summary
from tests.support.follow_ups import passed, still_open

PRIYA: Final = UserId("U0PM00001")
SAM: Final = UserId("U0PM00002")
NAMES: Final = {PRIYA: "Priya", SAM: "Sam"}
REQUIREMENTS: Final = PhaseKey("01-requirements")
LINK: Final = "https://acme.slack.com/archives/C1/p1"
MAYA: Final = Persona(
    PersonaKey("business-analyst"),
    "Maya Chen",
    "Business Analyst",
    ":bar_chart:",
    identity="Has spent years between people who need and people who build.",
)
PROMPT_CHOICES: Final = (
    "skip-step",
    "depth:brief",
    "depth:standard",
    "depth:deep",
    "back",
    "pause",
    "cancel",
    "confirm",
)


def read(shown: Message) -> str:
    return plain(list(shown.blocks), shown.text, Names({PRIYA: "Priya", SAM: "Sam"}, {}))


def buttons(shown: Message) -> dict[str, str]:
    """Action id → label."""
    found = controls([{"block_id": "", **block} for block in shown.blocks])
    return {e["action_id"]: e["text"]["text"] for _, e in found if e["type"] == "button"}


def overflow(shown: Message) -> dict[str, str]:
    """Choice → label."""
    found = controls([{"block_id": "", **block} for block in shown.blocks])
    options = [e["options"] for _, e in found if e["type"] == "overflow"]
    return {o["value"]: o["text"]["text"] for each in options for o in each}


def menu(*choices: str, kind: Any = "step", **changes: Any) -> Menu:
    return Menu(MenuId("m-unguessable"), SessionId("s1"), kind, choices, **changes)


def state(number: int, title: str, **changes: Any) -> StepState:
    return StepState(StepId(f"01-{number:02d}"), REQUIREMENTS, "f.md", title, None, **changes)


NEEDS: Final = state(2, "User Needs Discovery", recorded="Two needs of shop owners.")
PHASES: Final = (
    PhaseState(PhaseKey("00-quick-scan"), "Quick Scan", MAYA.key, 3, status="completed", done=3),
    PhaseState(REQUIREMENTS, "Requirements", MAYA.key, 8, status="open", done=3),
    PhaseState(PhaseKey("02-impact-analysis"), "Impact Analysis", PersonaKey("a"), 4),
)
SESSION: Final = Session(
    id=SessionId("s-unguessable"),
    run=RunId("r"),
    team=TeamId("T"),
    channel=ChannelId("C"),
    owner=PRIYA,
    slug=Slug("retry-failed-card-payments"),
    title="Retry failed card payments",
    text="",
    seed="",
    created_at="",
    course=Course(phases=PHASES, phase=REQUIREMENTS, step=NEEDS.id),
    status="asking",
    people=People((SAM,)),
)

# ── the card ───────────────────────────────────────────────────────────────────────────────────


def test_the_card_says_how_far_it_is_who_leads_and_who_is_awaited() -> None:
    shown = card(
        SESSION,
        NAMES,
        leader=MAYA,
        threads=[ThreadLink("Maya Chen", LINK), ThreadLink("Alex Rivera", LINK)],
        steps=[state(3, "UX", status="failed"), state(4, "Context", status="blocked")],
    )
    assert read(shown) == (
        "Retry failed card payments\n"
        "Waiting for Priya and Sam.\n"
        "Quick Scan: 3 of 3 · done\n"
        "Requirements: 3 of 8 · now · Maya Chen, Business Analyst, leads · [✗] UX has failed"
        " · [!] Context is blocked\n"
        "Impact Analysis: 0 of 4\n"
        "6 of 15 steps done · Threads: Maya Chen · Alex Rivera\n"
        "[Pause] [Export] [Catch me up]"
    )
    (plan,) = [block for block in shown.drawn(()) if block["type"] == "plan"]
    assert [task["status"] for task in plan["tasks"]] == ["complete", "error", "pending"]
    assert plan["block_id"] == "plan:phases"


def test_the_card_says_what_language_models_have_cost_where_any_was_asked() -> None:
    used = replace(SESSION, model=ModelUse(usage=Usage(2_000, 140, 0.0021)))
    assert "6 of 15 steps done · 2,140 tokens · $0.0021\n" in read(card(used, NAMES))
    guessed = replace(SESSION, model=ModelUse(usage=Usage(2_000, 140, None, is_estimate=True)))
    assert "≈ 2,140 tokens · at a price that is not known\n" in read(card(guessed, NAMES))
    assert "tokens" not in read(card(SESSION, NAMES))


def test_the_card_carries_the_session_id_in_its_buttons_and_mentions_nobody() -> None:
    shown = card(SESSION, NAMES, leader=MAYA)
    found = list(controls([{"block_id": "", **block} for block in shown.blocks]))
    assert {e["action_id"]: e["value"] for _, e in found} == {
        "card:pause": "s-unguessable",
        "card:export": "s-unguessable",
        "card:catchup": "s-unguessable",
    }
    assert "user" not in str([block for block in shown.blocks if block["type"] == "rich_text"])


@pytest.mark.parametrize(
    ("status", "said", "pause"),
    [
        ("paused", "Paused. /roundtable resume retry-failed-card-payments goes on", False),
        ("completed", "Completed.", False),
        ("cancelled", "Cancelled. What was written so far is kept.", False),
        ("halted", "Halted.", False),
        ("opening", "The next step is being prepared.", True),
    ],
)
def test_the_card_says_where_the_session_stands(status: Status, said: str, pause: bool) -> None:
    shown = card(replace(SESSION, status=status), NAMES, leader=MAYA)
    assert said in read(shown)
    assert ("card:pause" in buttons(shown)) is pause
    assert "card:export" in buttons(shown)


def test_a_card_without_phases_is_a_card_all_the_same() -> None:
    shown = card(replace(SESSION, course=Course(), status="starting"), {})
    assert read(shown) == "Retry failed card payments\nGetting the table ready …"


def test_the_card_waits_for_a_choice_when_all_have_answered() -> None:
    heard = replace(SESSION, people=People((SAM,), (PRIYA, SAM)))
    assert "Reading the answers." in read(card(heard, NAMES))
    choosing = replace(heard, menus=OpenMenus(MenuId("m")), status="choosing")
    assert "Waiting for a choice in the thread." in read(card(choosing, NAMES))


@pytest.mark.parametrize(
    ("at", "lines"),
    [
        (0, ["P0: 0 of 2 · now · Maya Chen, Business Analyst, leads", "P1: 0 of 2", "P2: 0 of 2",
             "P3: 0 of 2", "P4, P5, P6 and P7: 0 of 8"]),
        (4, ["P0, P1 and P2: 6 of 6 · done", "P3: 2 of 2 · done",
             "P4: 0 of 2 · now · Maya Chen, Business Analyst, leads", "P5: 0 of 2",
             "P6 and P7: 0 of 4"]),
        (7, ["P0, P1, P2 and P3: 8 of 8 · done", "P4: 2 of 2 · done", "P5: 2 of 2 · done",
             "P6: 2 of 2 · done", "P7: 0 of 2 · now · Maya Chen, Business Analyst, leads"]),
    ],
)  # fmt: skip
def test_a_card_of_many_phases_has_nine_lines(at: int, lines: list[str]) -> None:
    phases = tuple(
        PhaseState(
            PhaseKey(f"{n:02d}-p"), f"P{n}", MAYA.key, 2,
            status="completed" if n < at else "open" if n == at else "pending",
            done=2 if n < at else 0,
        )
        for n in range(8)
    )  # fmt: skip
    many = replace(SESSION, course=Course(phases=phases, phase=phases[at].key))
    threads = [ThreadLink("Maya Chen", LINK)]
    shown = read(card(many, NAMES, leader=MAYA, threads=threads)).splitlines()
    assert shown[2:-2] == lines
    assert len(shown) == card_view.LINES_MAX
    decided = replace(many, people=People((SAM,), decider=SAM), read_back_off="scope")
    more = read(card(decided, NAMES, leader=MAYA, threads=threads)).splitlines()
    assert len(more) == card_view.LINES_MAX
    assert "Where people differ, Priya and Sam may settle it." in more


def test_a_phase_that_went_wrong_or_is_over_for_good_says_so_in_its_status() -> None:
    gaps = (replace(PHASES[0], faulty=True), PHASES[1], replace(PHASES[2], status="failed"))
    tasks = card_view.phase_tasks(replace(SESSION, course=Course(phases=gaps)))
    assert [task.status for task in tasks] == ["error", "in_progress", "error"]
    assert [task.details for task in tasks] == [
        "3 of 3 · done · with gaps", "3 of 8 · now", "0 of 4 · to be tried again",
    ]  # fmt: skip
    ended = card_view.phase_tasks(replace(SESSION, status="cancelled"))
    assert [(task.status, task.details) for task in ended][1] == ("pending", "3 of 8")


def test_every_status_has_words_on_the_card() -> None:
    for status in get_args(Status):
        assert read(card_view.card(replace(SESSION, status=status), NAMES))


@pytest.mark.parametrize(
    ("users", "said"),
    [
        ((PRIYA,), "Priya"),
        ((PRIYA, SAM), "Priya and Sam"),
        ((PRIYA, UserId("U9")), "Priya and 1 more"),
        ((UserId("U9"),), "1 person"),
        ((UserId("U8"), UserId("U9")), "2 people"),
    ],
)
def test_people_without_a_known_name_are_counted(users: tuple[UserId, ...], said: str) -> None:
    assert people(NAMES, users) == said


def test_a_row_has_three_buttons_at_most_and_the_rest_in_its_menu() -> None:
    row = menus.menu_row(menu("accept", "short", "amend", "elaborate"), following="Design")
    assert row is not None
    *buttons, more = row["elements"]
    assert [element["text"]["text"] for element in buttons] == [
        "Accept — continue to Design",
        "Short path",
        "Amend",
    ]
    assert (more["type"], more["action_id"], row["block_id"]) == (
        "overflow", menus.OVERFLOW, "m-unguessable",
    )  # fmt: skip
    assert [(o["text"]["text"], o["value"]) for o in more["options"]] == [
        ("Elaborate", "elaborate")
    ]


def test_what_asks_before_it_acts_stays_a_button() -> None:
    row = menus.menu_row(menu("retry", "facilitator", "skip-step", "cancel", kind="escalation"))
    assert row is not None
    *buttons, more = row["elements"]
    assert [element["action_id"] for element in buttons] == [
        "menu:retry", "menu:facilitator", "menu:cancel",
    ]  # fmt: skip
    assert [option["value"] for option in more["options"]] == ["skip-step"]
    assert "confirm" in buttons[-1]


def test_a_persona_whose_role_says_its_name_is_introduced_once() -> None:
    lead = replace(MAYA, name="Lead", role="Discovery Lead")
    assert lines.introduced(lead) == "I'm your Discovery Lead."
    assert lines.introduced(MAYA) == "I'm Maya Chen, your Business Analyst."


# ── personas ───────────────────────────────────────────────────────────────────────────────────


def test_a_persona_introduces_itself_where_its_thread_begins() -> None:
    assert read(lines.root(MAYA, SESSION.title, ["Quick Scan", "Requirements"])) == (
        "Maya Chen, Business Analyst, leads Quick Scan and Requirements here.\n"
        "Retry failed card payments"
    )
    assert read(lines.greeting(MAYA, "Quick Scan")) == (
        "Hi, I'm Maya Chen, your Business Analyst.\n"
        "Has spent years between people who need and people who build.\n"
        "We begin with Quick Scan."
    )


def test_who_takes_over_says_what_is_taken_over() -> None:
    taken = lines.TakenOver("Maya Chen", ("Quick Scan", "Requirements"), ("a.md", "b.json"), 2)
    said = read(
        lines.greeting(Persona(MAYA.key, "Alex", "Architect", ""), "Impact Analysis", taken)
    )
    assert said.splitlines()[1] == (
        "I take over from Maya Chen: Quick Scan and Requirements are done. "
        "Written so far: a.md and b.json. 2 questions stayed open."
    )


def test_a_handover_is_one_line_with_a_link() -> None:
    shown = lines.handover("Alex Rivera", "Impact Analysis", LINK)
    assert read(shown) == (
        "I'm handing over to Alex Rivera, who leads Impact Analysis: continue there."
    )
    assert LINK in str(shown.blocks)


def test_a_persona_that_comes_back_does_not_introduce_itself_again() -> None:
    assert read(lines.return_greeting("Requirements")) == (
        "I'm back with you.\nWe begin with Requirements."
    )


# ── prompts ────────────────────────────────────────────────────────────────────────────────────


def asked(**changes: Any) -> step.PromptView:
    known: dict[str, Any] = {
        "step": replace(NEEDS, prompt=PromptState(revision=1)),
        "text": "Now to the people.\n\n1. Who runs into this?",
        "phase": "Requirements",
        "depth": "standard",
        "place": (5, 24),
        "menu": menu(*PROMPT_CHOICES, kind="prompt"),
    }
    return step.PromptView(**(known | changes))


def test_a_prompt_names_its_step_and_says_how_to_answer() -> None:
    shown = step.prompt(asked(), NAMES)
    assert read(shown) == (
        "Step 01-02 · User Needs Discovery (5 of 24)\n"
        "Now to the people.\n\n1. Who runs into this?\n"
        "Requirements · standard depth · Reply in this thread; everybody may answer."
    )
    assert buttons(shown) == {}


@pytest.mark.parametrize(
    ("depth", "offered"),
    [
        ("brief", {"depth:standard": "Standard depth"}),
        ("standard", {"depth:deep": "Go deeper"}),
        ("deep", {"depth:brief": "Keep it short"}),
    ],
)
def test_a_prompt_has_five_ways_out(depth: Any, offered: dict[str, str]) -> None:
    shown = step.prompt(asked(depth=depth), NAMES)
    assert overflow(shown) == {
        "skip-step": "Skip this step",
        **offered,
        "back": "Go back",
        "pause": "Pause",
        "cancel": "Cancel",
    }
    row = shown.blocks[-1]
    assert row["block_id"] == "m-unguessable"
    assert row["elements"][-1]["action_id"] == "menu:overflow"
    assert "confirm" not in row["elements"][-1]


def test_a_draft_can_be_confirmed_with_a_click() -> None:
    draft = Offer("The risks are the ones named so far.", tuple("abcde"))
    shown = step.prompt(asked(depth="brief", draft=draft), NAMES)
    assert buttons(shown) == {"menu:confirm": "That's right"}
    assert "The risks are the ones named so far." in read(shown)
    assert "It rests on “a”; “b”; “c”; 2 more." in read(shown)
    assert "brief: a draft to confirm" in read(shown)
    other = asked(depth="brief", draft=draft, menu=menu("back", kind="prompt"))
    assert buttons(step.prompt(other, NAMES)) == {}


def test_without_a_draft_a_brief_prompt_is_its_one_question() -> None:
    shown = step.prompt(asked(depth="brief"), NAMES)
    assert buttons(shown) == {}
    assert "brief: one question" in read(shown)


@pytest.mark.parametrize("gone", [None, menu("back", kind="prompt", state="used")])
def test_a_prompt_whose_menu_is_gone_has_no_controls(gone: Menu | None) -> None:
    assert step.prompt(asked(menu=gone), NAMES).blocks[-1]["type"] == "context"


def test_the_first_prompt_mentions_those_awaited() -> None:
    shown = step.prompt(asked(mention=(PRIYA, SAM)), NAMES)
    assert "@Priya @Sam: what do you think?" in read(shown)
    assert PRIYA not in shown.text


def test_a_reopened_step_shows_the_answers_so_far() -> None:
    said = (step.AnswerView("Sam", "Shop <!channel> owners"), step.AnswerView("Priya", "x" * 5_000))
    shown = step.prompt(asked(answers=said), NAMES)
    assert "Your answers so far\n• Sam: Shop <!channel> owners\n• Priya: xxx" in read(shown)
    assert CUT in read(shown)


def test_answers_that_do_not_fit_are_counted() -> None:
    said = tuple(step.AnswerView("Sam", "word " * 100) for _ in range(30))
    assert "more, kept as well." in read(step.prompt(asked(answers=said), NAMES))


def test_a_skipped_step_says_who_skipped_it() -> None:
    skipped = replace(NEEDS, status="skipped", choice=StepChoice("skip-step", PRIYA))
    shown = step.prompt(asked(step=skipped, menu=None), NAMES)
    assert "Skip this step · chosen by Priya" in read(shown)


def test_a_long_title_never_pushes_the_place_out_of_the_header() -> None:
    shown = step.prompt(asked(step=replace(NEEDS, title="very " * 100)), NAMES)
    assert shown.blocks[0]["text"]["text"].endswith("… (5 of 24)")


# ── the step's message ─────────────────────────────────────────────────────────────────────────


def test_a_step_says_what_was_recorded_what_is_missing_and_what_can_be_chosen() -> None:
    open_one = replace(
        NEEDS, questions=Questions((*passed("Who leaves?"), *still_open("Who pays?")))
    )
    shown = step.shown(open_one, NAMES, menu=menu("continue", "skip"))
    assert read(shown) == (
        "User Needs Discovery\n"
        "Two needs of shop owners.\n"
        "One more question: Who pays?\n"
        "Reply here. If you go on without it, I note it as asked and not answered.\n"
        "Left open:\n"
        "• Asked, not answered: Who leaves?\n"
        "[Continue] [Skip rest]"
    )
    assert buttons(shown) == {"menu:continue": "Continue", "menu:skip": "Skip rest"}
    assert {e["value"] for e in shown.blocks[-1]["elements"]} == {"m-unguessable"}
    assert shown.blocks[-1]["block_id"] == "m-unguessable"


def test_a_choice_takes_the_buttons_and_the_question_away_and_is_said() -> None:
    chosen = replace(
        NEEDS, questions=Questions(still_open("Who pays?")), choice=StepChoice("continue", PRIYA)
    )
    used = menu("continue", "skip", state="used")
    assert read(step.shown(chosen, NAMES, menu=used)) == (
        "User Needs Discovery\nTwo needs of shop owners.\nContinue · chosen by Priya"
    )
    nameless = read(step.shown(chosen, {}, menu=None))
    assert nameless.endswith("Continue · chosen by a teammate")


def test_nothing_recorded_is_said_as_such() -> None:
    assert read(step.shown(replace(NEEDS, recorded=""), {})) == (
        "User Needs Discovery\nNobody has said anything here yet."
    )


def test_cancel_asks_once_more() -> None:
    row = step.shown(NEEDS, {}, menu=menu("continue", "cancel")).blocks[-1]
    assert "confirm" in row["elements"][1]
    assert row["elements"][1]["style"] == "danger"
    assert "confirm" not in row["elements"][0]


def test_stale_steps_are_listed_with_their_two_choices() -> None:
    late = [state(7, "User Story Writing"), state(8, "MoSCoW Prioritization")]
    choices = [f"{verb}:{each.id}" for each in late for verb in ("keep", "again")]
    shown = step.shown(
        NEEDS,
        NAMES,
        menu=menu("continue"),
        stale_menu=Menu(MenuId("stale"), SessionId("s1"), "stale", (*choices, "keep-all")),
        stale=late,
    )
    assert read(shown).splitlines()[2:] == [
        "These later steps rest on what has changed. Are they still right?",
        "[Still right: 01-07 User Story Writing] [Ask again: 01-07]",
        "[Still right: 01-08 MoSCoW Prioritization] [Ask again: 01-08]",
        "[Keep all]",
        "[Continue]",
    ]
    ids = [block["block_id"] for block in shown.blocks if block["type"] == "actions"]
    assert ids == ["stale|1", "stale|2", "stale|all", "m-unguessable"]
    assert "menu:again:01-08" in buttons(shown)


def test_a_step_says_how_its_lines_were_sorted_folded_to_one_line() -> None:
    lines = (
        claim(1, 2, "By mail"),
        claim(2, 2, "The system must tell shop owners", ref="FR-001", kind="requirement"),
        claim(3, 2, "Nobody is charged twice", confidence="assumed"),
        claim(4, 2, "At most three tries"),
    )
    shown = step.shown(NEEDS, NAMES, menu=menu("continue"), lines=SortedLines(lines))
    assert read(shown).splitlines()[2:-1] == [
        "Sorted: 1 requirement · 1 assumption · 2 also said",
        "• Requirement: FR-001 The system must tell shop owners",
        "• Assumption: Nobody is charged twice",
        "• Also said: By mail",
        "• Also said: At most three tries",
    ]
    title = "Sorted: 1 requirement · 1 assumption · 2 also said"
    assert in_sight(shown)[2:] == [title, "[Continue]"]
    assert "Sorted" not in read(step.shown(NEEDS, NAMES, menu=menu("continue")))


def test_a_message_that_was_passed_by_says_where_it_went() -> None:
    assert read(step.moved("User Needs Discovery", LINK)) == (
        "The buttons for User Needs Discovery have moved down: go there."
    )
    assert read(step.moved("User Needs Discovery", "")).endswith("have moved down.")


# ── the phase ──────────────────────────────────────────────────────────────────────────────────


def claim(number: int, at: int, text: str, **changes: Any) -> Claim:
    kind = changes.pop("kind", "fact")
    return Claim(f"{at}/{number}", StepId(f"01-{at:02d}"), kind, text, (), **changes)


def recorded() -> phase.PhaseSummary:
    found = (
        claim(1, 4, "The system must tell shop owners", ref="FR-001", kind="requirement"),
        claim(1, 2, "Shop owners want to be told"),
        claim(2, 2, "At most three tries", confidence="inferred"),
        claim(3, 2, "Nobody is charged twice", confidence="assumed"),
        claim(4, 2, "By mail"),
    )
    steps = (
        state(1, "Business Context"),
        replace(NEEDS, questions=Questions(passed("Who pays?"))),
        state(3, "UX"),
    )
    return phase.PhaseSummary("Requirements", steps, found)


def test_a_phase_ends_with_its_lines_its_assumptions_and_accept() -> None:
    shown = phase.phase_message(
        recorded(), NAMES, menu=menu("accept", "amend", kind="phase"), following="Impact Analysis"
    )
    assert read(shown) == (
        "Requirements in short\n"
        "3 lines in your words; 1 concluded from them; 1 that nobody has said.\n"
        "Requirements\n"
        "• FR-001 The system must tell shop owners\n"
        "Also said (3)\n"
        "• Shop owners want to be told\n"
        "• At most three tries\n"
        "• By mail\n"
        "Assumptions and what nobody answered (2)\n"
        "• Nobody is charged twice\n"
        "• Who pays?\n"
        "[Accept — continue to Impact Analysis] [Amend]"
    )
    assert in_sight(shown) == [
        "Requirements in short",
        "3 lines in your words; 1 concluded from them; 1 that nobody has said.",
        "Requirements",
        "• FR-001 The system must tell shop owners",
        "Also said (3)",
        "Assumptions and what nobody answered (2)",
        "[Accept — continue to Impact Analysis] [Amend]",
    ]


def in_sight(shown: Message) -> list[str]:
    """The lines before anything is unfolded, where folds are drawn as such."""
    blocks = [{**block, "child_blocks": []} for block in shown.drawn(())]
    return plain(blocks, shown.text, Names({PRIYA: "Priya", SAM: "Sam"}, {})).splitlines()


def test_a_summary_of_forty_lines_shows_at_most_twelve_before_it_is_unfolded() -> None:
    kinds: tuple[ClaimKind, ...] = (
        *("scope", "requirement", "decision", "quality", "constraint", "story", "data", "fact"),
    )
    for count in range(1, len(kinds) + 1):
        lines = [claim(n, 1, f"{kinds[n % count]} {n}.", kind=kinds[n % count]) for n in range(40)]
        before = tuple(lines[:4])
        gaps = replace(state(1, "Context"), questions=Questions(passed("Who pays?")))
        left_out = replace(state(2, "Needs"), status="skipped", choice=StepChoice("skip", SAM))
        summary = phase.PhaseSummary("Requirements", (gaps, left_out), tuple(lines), before)
        summary = replace(summary, dissent=("Context",))
        shown = phase.phase_message(summary, NAMES, menu=menu("accept", "amend"), following=None)
        assert len(in_sight(shown)[:-1]) <= phase.LINES_IN_SIGHT_MAX
        lead = "requirement" if count > 1 else "scope"
        assert any(line.startswith(f"• {lead} ") for line in in_sight(shown))
        read_in_full = read(shown)
        assert all(one.text in read_in_full for one in lines)


def test_kinds_that_have_no_fold_of_their_own_share_one() -> None:
    kinds: tuple[ClaimKind, ...] = ("requirement", "decision", "quality", "constraint", "data")
    lines = [claim(n, 1, f"A {kind}.", kind=kind) for n, kind in enumerate((*kinds, "fact"))]
    summary = phase.PhaseSummary("Requirements", (state(1, "Context"),), tuple(lines))
    assert in_sight(message(*phase.summary_parts(summary)))[2:] == [
        "Requirements",
        "• A requirement.",
        "Decisions (1)",
        "Quality (1)",
        "Constraints (1)",
        "Data (1) · Also said (1)",
        "No assumptions.",
    ]
    assert "• Also said: A fact." in read(message(*phase.summary_parts(summary)))


def test_a_summary_shows_every_requirement_before_anything_else() -> None:
    said = [claim(number, 1, f"Somebody said that {number} " * 8) for number in range(60)]
    must = [
        claim(number, 6, f"The system must do {number}", ref=f"FR-{number:03d}", kind="requirement")
        for number in range(1, 25)
    ]
    summary = phase.PhaseSummary("Requirements", (state(1, "Context"),), (*said, *must))
    shown = read(phase.phase_message(summary, NAMES, menu=menu("accept"), following=None))
    assert all(f"FR-{number:03d} The system must do {number}" in shown for number in range(1, 25))
    assert "more, in the files." in shown
    assert shown.index("more under Requirements") < shown.index("Also said (60)")


def test_a_summary_shows_musts_first_and_folds_nothing_that_is_only_counted() -> None:
    wishes = [
        claim(number, 6, f"It does {number}.", ref=f"FR-{number:03d}", kind="requirement")
        for number in range(1, 13)
    ]
    data = {"requirement": "FR-012", "priority": "must"}
    must = claim(1, 8, "must: FR-012", kind="priority", data=data)
    checks = [claim(number, 7, f"Press {number} " * 40, kind="check") for number in range(3)]
    asides = [claim(number, 9, f"Well {number} " * 60, kind="note") for number in range(30)]
    lines = (*wishes, must, *checks, *asides)
    summary = phase.PhaseSummary("Requirements", (state(1, "Context"),), lines)
    shown = message(*phase.summary_parts(summary))
    assert in_sight(shown)[2:4] == ["Requirements", "• FR-012 It does 12."]
    rows = read(shown).splitlines()
    hidden = rows.index(next(row for row in rows if row.endswith("more under Requirements")))
    assert rows[hidden] == f"{12 - (hidden - 3)} more under Requirements"
    titles = [place for place, row in enumerate(rows) if row in ("Acceptance checks (3)",)]
    assert all(rows[place + 1].startswith("• Press 0") for place in titles)
    assert titles


def test_a_long_summary_that_waits_asks_for_one_assumption_at_a_time() -> None:
    said = [claim(n, 1, f"Wish {n}.", kind="requirement", ref=f"FR-{n:03d}") for n in range(1, 25)]
    guesses = [claim(100 + n, 1, f"Guess {n}.", confidence="assumed") for n in range(3)]
    asking = menu("right", "wrong", kind="assumed")
    for count, most, names in ((24, 1, 4), (9, 3, 8)):
        claims = (*said[:count], *guesses)
        summary = phase.PhaseSummary("Requirements", (state(1, "Context"),), claims, assumed=asking)
        shown = message(*phase.summary_parts(summary))
        controls = [e for block in shown.blocks for e in block.get("elements", ())]
        assert sum("right:" in str(element.get("action_id")) for element in controls) == most
        (picker,) = [element for element in controls if "options" in element]
        assert len(picker["options"]) == names


def test_a_summary_offers_every_step_that_was_asked_to_be_amended() -> None:
    asked = tuple(
        replace(state(n, f"Step {n}"), status="completed", prompt=PromptState(revision=1))
        for n in (1, 2, 3)
    )
    summary = replace(recorded(), steps=asked)
    shown = phase.phase_message(summary, NAMES, menu=menu("accept", "amend"), following=None)
    (picker,) = [e for b in shown.blocks for e in b.get("elements", ()) if "options" in e]
    assert picker["placeholder"]["text"] == "Amend another step"
    assert [option["value"] for option in picker["options"]] == [
        "amend:01-01", "amend:01-02", "amend:01-03",
    ]  # fmt: skip


def test_the_last_phase_finishes_it_all() -> None:
    shown = phase.phase_message(recorded(), {}, menu=menu("accept", "amend"), following=None)
    assert buttons(shown)["menu:accept"] == "Accept — finish"


def test_a_long_name_of_the_next_phase_fits_a_button() -> None:
    shown = phase.phase_message(recorded(), {}, menu=menu("accept"), following="word " * 99)
    assert len(buttons(shown)["menu:accept"]) <= 75


def test_an_accepted_phase_says_who_accepted_it() -> None:
    decided = replace(NEEDS, choice=StepChoice("accept", SAM))
    shown = phase.phase_message(recorded(), NAMES, menu=None, following=None, decided=decided)
    assert read(shown).endswith("Accept · chosen by Sam")


def test_a_decided_phase_no_longer_says_what_had_changed() -> None:
    decided = replace(NEEDS, choice=StepChoice("accept", SAM))
    looked_at = replace(recorded(), before=recorded().claims)
    shown = phase.phase_message(looked_at, NAMES, menu=None, following=None, decided=decided)
    assert "changed" not in read(shown)
    asked = phase.phase_message(looked_at, NAMES, menu=menu("accept"), following=None)
    assert "Nothing has changed since you last looked" in read(asked)


def test_a_phase_of_nothing_says_so() -> None:
    empty = phase.PhaseSummary("Requirements", (), ())
    shown = phase.phase_message(empty, {}, menu=None, following=None)
    assert read(shown) == "Requirements in short\nNobody has said anything yet.\nNo assumptions."


def test_the_last_step_of_a_phase_shows_the_summary_above_its_menu() -> None:
    shown = step.shown(
        NEEDS,
        NAMES,
        menu=menu("accept", "amend", kind="phase"),
        following="Impact Analysis",
        summary=phase.summary_parts(recorded()),
    )
    assert "Requirements in short" in read(shown)
    assert read(shown).endswith("[Accept — continue to Impact Analysis] [Amend]")


# ── faults, lines, replies, commands ───────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("severity", "icon"), [("INFO", "ℹ️"), ("WARNING", "⚠️"), ("ERROR", "⚠️"), ("FATAL", "⛔")]
)
def test_a_fault_is_told_word_for_word_with_its_code(severity: Any, icon: str) -> None:
    words = "Warning: Step 01-02 has an invalid skip_if condition: 'a < <b> && *c*'. Go."
    fault = Fault(FaultId("f"), "ERR-STEP-009", words, True, 0.0)
    shown = recovery.fault_message([(fault, severity)])
    assert read(shown) == f"{icon} {words} ERR-STEP-009"
    assert [block["type"] for block in shown.blocks] == ["context"]
    assert shown.blocks[0]["elements"][1]["text"] == "`ERR-STEP-009`"
    assert "@Priya please have a look." in read(
        recovery.fault_message([(fault, severity)], (PRIYA,))
    )


def test_every_line_kind_has_words_even_without_arguments() -> None:
    assert set(WORDING.lines) == set(get_args(LineKind))
    for kind in get_args(LineKind):
        assert "{" not in read(lines.spoken(kind, {}))


@pytest.mark.parametrize(
    ("kind", "args", "said"),
    [
        (
            "scan-size",
            {"scope": "large", "kept": "standard"},
            "From what you said this looks large. We stay at standard depth, as you asked.",
        ),
        (
            "resumed",
            {"done": "5", "total": "24", "phase": "Requirements", "step": "User Needs"},
            "Here we are again: 5 of 24 steps are done. "
            "We go on in Requirements with “User Needs”.",
        ),
        (
            "resumed",
            {"done": "5", "total": "24", "phase": "Requirements", "step": ""},
            "Here we are again: 5 of 24 steps are done. We go on in Requirements.",
        ),
        (
            "late-answer",
            {"by": "Sam", "step": "User Needs"},
            "Thank you, Sam: that is added to “User Needs”, and its section is written anew.",
        ),
        (
            "scan-size",
            {"scope": "small", "depth": "brief"},
            "From what you said this looks small, so I ask at brief depth from here on.",
        ),
    ],
)
def test_lines_use_the_words_they_are_given(
    kind: LineKind, args: dict[str, str], said: str
) -> None:
    assert read(lines.spoken(kind, args)) == said


def test_every_reply_kind_has_words_even_without_arguments() -> None:
    assert set(WORDING.replies) == set(get_args(ReplyKind))
    for kind in get_args(ReplyKind):
        assert "{" not in read(reply_message(kind, {}))


@pytest.mark.parametrize(
    ("kind", "args", "said"),
    [
        (
            "not-in-channel",
            {"error": "not_in_channel"},
            "I can't post in this channel. Add me with /invite @Roundtable and try again.",
        ),
        (
            "used-menu",
            {"by": "Sam", "choice": "Continue"},
            "Sam was a little quicker and chose “Continue”. Nothing else happened.",
        ),
        (
            "used-menu",
            {"by": "", "choice": "Continue"},
            "“Continue” was chosen here already. Nothing else happened.",
        ),
        (
            "used-by-you",
            {"choice": "Continue"},
            "You chose “Continue” here already. Nothing else happened.",
        ),
        (
            "wrong-thread",
            {"thread": "Alex Rivera", "url": LINK},
            "We are in Alex Rivera's thread now: continue there.",
        ),
        (
            "paused",
            {"slug": "retry", "by": "U1"},
            "It is paused. /roundtable resume retry goes on where it stopped.",
        ),
        (
            "starting",
            {"title": "`/x` {slug} <!here> *b*"},
            "“`/x` {slug} <!here> *b*” begins. The card comes to this channel in a moment.",
        ),
    ],
)
def test_replies_use_the_words_they_are_given(
    kind: ReplyKind, args: dict[str, str], said: str
) -> None:
    assert read(reply_message(kind, args)) == said


def test_help_names_every_command_the_mention_the_comment_and_the_letters() -> None:
    said = read(commands.help_message())
    for name in [
        "analyze",
        "resume",
        "status",
        "list",
        "cancel",
        "delete",
        "depth",
        "export",
        "help",
    ]:
        assert f"/roundtable {name}" in said
    for hint in ("@Roundtable analyze", "//", "C stands for Continue", "S for Skip rest"):
        assert hint in said


def test_a_bad_command_is_named_in_one_line() -> None:
    assert read(commands.bad_command("There is no flag --fast here.")) == (
        "There is no flag --fast here. Nothing was started. "
        "/roundtable help shows what I understand."
    )


def test_a_status_says_how_far_it_is() -> None:
    shown = commands.status_message(SESSION, NAMES, [NEEDS])
    assert read(shown).splitlines()[:4] == [
        "Retry failed card payments",
        "under way, started by Priya",
        "Requirements · User Needs Discovery",
        "Waiting for Priya and Sam.",
    ]


def test_a_list_has_one_row_per_session() -> None:
    known = Summary(
        SESSION.id,
        SESSION.slug,
        SESSION.title,
        SESSION.channel,
        PRIYA,
        "completed",
        None,
        None,
        24,
        24,
        0.0,
    )
    assert read(commands.sessions_list([known], NAMES)) == (
        "What · State · Steps · Started by · Name\n"
        "Retry failed card payments · completed · 24 of 24 · Priya · retry-failed-card-payments"
    )
    assert "There is nothing in this channel yet." in read(commands.sessions_list([], NAMES))


def test_faults_are_listed_the_latest_first() -> None:
    found = [Fault(FaultId(str(n)), f"ERR-ART-00{n}", f"No {n}.", True, n) for n in (1, 2)]
    assert read(commands.fault_list(found)) == (
        "Code · What went wrong · Step · Times\n"
        "ERR-ART-002 · No 2. · – · 1\n"
        "ERR-ART-001 · No 1. · – · 1\n"
        f"{WORDING.checked} All was well."
    )
    wanting = [Checked("documents", "read", False, "AGENTS.md (01-01) is not there")]
    assert read(commands.fault_list([], wanting)) == (
        f"Nothing has gone wrong here.\n{WORDING.checked} This was wanting:\n"
        "• documents: AGENTS.md (01-01) is not there"
    )
    assert read(commands.fault_list([])) == (
        f"Nothing has gone wrong here.\n{WORDING.checked} All was well."
    )


# ── text ───────────────────────────────────────────────────────────────────────────────────────


def test_cutting_comes_after_escaping_and_leaves_entities_whole() -> None:
    for room in range(8, 40):
        shown = cut(escape("a<b&c>" * 20), room)
        assert weight(shown) <= room
        assert shown.rstrip("…").count("&") == shown.count(";")


def test_a_long_answer_is_split_and_then_cut_with_a_word_on_where_the_rest_is() -> None:
    blocks = prose("word " * 8_000, 9_000)
    assert len(blocks) > 1
    said = "".join(block["elements"][0]["elements"][0]["text"] for block in blocks)
    assert said.endswith(CUT)
    assert "".join(pieces("ab\ncd ef" * 50, 20)) == "ab\ncd ef" * 50


def test_markdown_keeps_its_form_and_loses_its_links_and_mentions() -> None:
    text = "1. **Who**?\n> quote\n[x](https://evil.example) <!channel> `<@U1>` &lt;!here&gt;"
    shown = neutral(text)
    assert shown.startswith("1. **Who**?\n> quote\n")
    for live in ("](", "<!", "<@", "&lt;"):
        assert live not in shown
    assert markdown("")["text"] == "…"


def test_too_much_is_left_out_before_any_control_is() -> None:
    row = menus.menu_row(menu("continue"))
    shown = message(*prose("x" * 40_000, 40_000), row)
    assert shown.blocks[-1] == row
    assert len(shown.blocks) > 1


def test_a_name_stands_in_the_message_where_slack_takes_none() -> None:
    shown = named(Author("*Maya* <!here>"), message(*prose("Hello")))
    assert read(shown) == "Maya <!here>\nHello"
    assert shown.text == "Maya &lt;!here&gt;: Hello"
    assert shown.blocks[0]["elements"][0]["text"] == "*Maya &lt;!here&gt;*"
    assert named(Author("  "), shown) == shown


def test_an_author_slack_would_not_take_is_cut_down_to_what_it_takes() -> None:
    assert Author("M" * 200, "not an emoji").as_arguments() == {"username": "M" * 79 + "…"}
    assert Author("Maya", ":bar_chart:").as_arguments() == {
        "username": "Maya",
        "icon_emoji": ":bar_chart:",
    }


def test_a_summary_says_what_changed_since_people_last_looked() -> None:
    kept, gone, new = (
        Claim(f"01-01/{n}", StepId("01-01"), "fact", text, ())
        for n, text in enumerate(("It stays.", "It went.", "It came."))
    )
    steps = (state(1, "Business Context Discovery"),)
    summary = phase.PhaseSummary("Requirements", steps, (kept, new), before=(kept, gone))
    said = read(message(*phase.summary_parts(summary)))
    assert "Changed since you last looked (2)" in said
    assert "New: It came." in said
    assert "Gone: It went." in said
    assert "New: It stays." not in said
