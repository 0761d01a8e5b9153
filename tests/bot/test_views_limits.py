"""Whatever people, models or files say: Slack takes the message, and nobody is pinged."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

import pytest
from slack_sdk.models.blocks import Block as SdkBlock

from bot.devtools.workspace.blocks.limits import BLOCKS_JSON_CHARS_MAX, block_faults, blocks_size
from bot.devtools.workspace.reader_text import notified, plain
from bot.devtools.workspace.values import Names
from bot.views.channel.card import ThreadLink, card
from bot.views.kit.blocks import BLOCKS_MAX, FALLBACK_CHARS_MAX, Message, message
from bot.views.kit.identity import Author, named
from bot.views.kit.rich_text import Block
from bot.views.kit.wording import WORDING
from bot.views.private import catch_up, commands, why
from bot.views.private.replies import reply_message
from bot.views.thread import (
    council,
    differences,
    enriched,
    lines,
    phase,
    recovery,
    reminder,
    step,
)
from bot.views.thread.sorted_lines import SortedLines
from core.domain.answers import Answer, Claim, Source
from core.domain.assumptions import Assumption
from core.domain.effects import LineKind, ReplyKind
from core.domain.ids import (
    AnswerId,
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
    Ts,
    UserId,
)
from core.domain.party import Question
from core.domain.party.contributions import Contribution
from core.domain.session.course import Course, PhaseState
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.people import People
from core.domain.session.session import Session
from core.domain.session.start import ShortPath
from core.domain.session.step import (
    Doubt,
    PromptState,
    Questions,
    StepChoice,
    StepSources,
    StepState,
)
from core.domain.stances import AnswerStances, Settlement, Stance
from core.domain.steps.code import MeasuredLine, MeasuredLines
from core.domain.steps.playbook import Persona
from core.engine.model.enriching import ACCEPT, KEEP, STEPWISE
from core.ports import Summary
from core.taxonomy.post_refusals import REFUSALS
from tests.support.follow_ups import passed, still_open

DANGERS: Final = (
    "word " * 40,
    "👩‍👩‍👧‍👦🇩🇪" * 20,
    "\u202eשלום עולם " * 20,
    "<!channel> <!here> <@U0PM00001> <#C0CH00001|general> <!subteam^S1> ",
    "*bold* _it_ ~no~ `code` ```pre``` > quote\n",
    "`" * 200,
    '"\\\n\t' * 50,
    "[x](https://evil.example) <https://evil.example|bank.example> [y][1]\n[1]: x\n",
    "&lt;!channel&gt; &#60;!here&#62; &amp;lt;@U0PM00001&gt; ",
    "a\x00b\x07c\ud800d\ufeff" * 20,
)
RIGHT_TO_LEFT, CONTROLS = DANGERS[2], DANGERS[-1]
CHARS: Final = 13_000  # more than any text of a message holds: each shows the beginning


def in_turn(first: int) -> str:
    """Every danger again and again, beginning with that one: a surface shows the beginning."""
    mixed = "".join((*DANGERS[first:], *DANGERS[:first]))
    return (mixed * (CHARS // len(mixed) + 1))[:CHARS]


COMPOSITE: Final = in_turn(0)
LIMITS: Final = (  # what comes nearest to one of Slack's limits, each its own
    "word " * (CHARS // 5),
    "x" * CHARS,
    DANGERS[1] * (CHARS // len(DANGERS[1])),
    "\n" * CHARS,
)
SHORT: Final = ("", " \n\t ", "a")
PEOPLE: Final = tuple(UserId(f"U{n:09d}") for n in range(60))
MENU: Final = Menu(MenuId("m" + "0" * 23), SessionId("s1"), "step", ("continue", "skip", "cancel"))
MODE: Final = Menu(MENU.id, SessionId("s1"), "mode", ("party", "classic"))
REMINDER: Final = Menu(
    MENU.id, SessionId("s1"), "reminder", ("tomorrow", "three-days", "not-again")
)
PHASE: Final = PhaseKey("01-requirements")


def state(text: str, number: int = 2, **changes: Any) -> StepState:
    known: dict[str, Any] = {
        "title": text,
        "recorded": text,
        "questions": Questions((*passed(text, text, text), *still_open(text))),
        "choice": StepChoice("continue", PEOPLE[0]),
        "prompt": PromptState(revision=2),
    }
    return StepState(StepId(f"01-{number:02d}"), PHASE, "f.md", digest=None, **(known | changes))


def phases(text: str) -> tuple[PhaseState, ...]:
    return tuple(
        PhaseState(PhaseKey(f"{n:02d}-x"), text, PersonaKey("p"), 8, status="open", done=3)
        for n in range(30)
    )


def session(text: str, **changes: Any) -> Session:
    known: dict[str, Any] = {
        "title": text,
        "text": text,
        "people": People(answered=tuple(PEOPLE)),
        "course": Course(phases(text), PhaseKey("00-x"), StepId("01-02")),
        "status": "asking",
    }
    return Session(
        id=SessionId("s" + "0" * 23),
        run=RunId("r"),
        team=TeamId("T"),
        channel=ChannelId("C"),
        owner=PEOPLE[0],
        slug=Slug("slug"),
        seed="",
        created_at="",
        **(known | changes),
    )


def persona(text: str) -> Persona:
    return Persona(PersonaKey("p"), text, text, ":owl:", identity=text)


def names(text: str) -> Mapping[UserId, str]:
    return dict.fromkeys(PEOPLE, text)


def claims(text: str) -> tuple[Claim, ...]:
    return tuple(
        Claim(f"{n}", StepId(f"01-{n % 20:02d}"), "fact", text, (), "assumed", ref=text[:9])
        for n in range(200)
    )


def summary(text: str, **changes: Any) -> phase.PhaseSummary:
    states = tuple(state(text, n) for n in range(1, 20))
    return phase.PhaseSummary(text, states, claims(text), **changes)


def questioned(text: str) -> phase.PhaseSummary:
    """A summary whose assumptions can be settled, and in which everything has changed."""
    menu = Menu(MenuId("as" + "0" * 22), SessionId("s"), "assumptions", ("right", "wrong"))
    before = tuple(replace(each, text=f"Not {each.text}") for each in claims(text))
    named = tuple(replace(each, ref=f"FR-{n:03d}") for n, each in enumerate(claims(text)))
    shown = summary(text, before=before, assumed=menu, dissent=(text,) * 30)
    return replace(shown, claims=named)


def asked(text: str, **changes: Any) -> step.PromptView:
    menu = Menu(MENU.id, SessionId("s"), "prompt", PROMPT_CHOICES)
    known: dict[str, Any] = {
        "step": state(text),
        "text": text,
        "phase": text,
        "depth": "brief",
        "place": (5, 24),
        "answers": tuple(step.AnswerView(text or "A", text) for _ in range(60)),
        "mention": PEOPLE,
        "menu": menu,
        "doubts": tuple(Doubt(PEOPLE[0], text, 2, question) for question in (True, False) * 5),
        "requirements": claims(text),
        "named_for": "story",
    }
    return step.PromptView(**(known | changes))


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


DROPPING: Final = Menu(
    MenuId("dr" + "0" * 22), SessionId("s"), "measured", tuple(f"drop:{n}" for n in range(12))
)


def measured(text: str) -> tuple[MeasuredLine, ...]:
    return tuple(
        MeasuredLine("file", text, f"x@1:{text}#L{n}", "https://x/" if n % 2 else "")
        for n in range(12)
    )


def measured_step(text: str) -> Message:
    """A step's message with lines of a linked repository, which can be dropped."""
    shown = state("word", measured=MeasuredLines(lines=measured(text)), choice=StepChoice())
    return step.shown(shown, names("word"), menu=MENU, dropping=DROPPING)


def crowded_step(text: str) -> Message:
    """A step's message with everything at once: question, gaps, summary, stale steps, buttons."""
    stale = [state(text, n) for n in range(1, 30)]
    choices = [f"{verb}:{each.id}" for each in stale for verb in ("keep", "again")]
    return step.shown(
        state(text, measured=MeasuredLines(lines=measured(text))),
        names(text),
        dropping=DROPPING,
        menu=Menu(MENU.id, SessionId("s"), "phase", ("accept", "amend", "elaborate")),
        following=text,
        summary=phase.summary_parts(questioned(text)),
        stale_menu=Menu(MenuId("st"), SessionId("s"), "stale", (*choices, "keep-all")),
        stale=stale,
        lines=SortedLines(claims(text)),
        voices=differences.parts(voices(text), names(text)),
        differing=differences.controls(voices(text), MENU, MenuId("settling")),
    )


def voices(text: str) -> differences.Voices:
    """Sixty people at a step, and fifteen think something of each thing that was said."""
    return differences.Voices(PEOPLE, PEOPLE, tuple(views(text, number) for number in range(8)))


def views(text: str, number: int) -> AnswerStances:
    name = AnswerId(f"C:{number}.000001")
    answer = Answer(
        name, StepId("01-02"), PEOPLE[0], text, Ts(f"{number}.000001"), Ts("1.0"), "https://p/1"
    )
    given = [Stance(name, answer.step, each, (), text, 1.0, number % 2) for each in PEOPLE[1:16]]
    closed = Settlement(
        name, answer.step, PEOPLE[0], 1.0, "both", text, tuple((each, text) for each in PEOPLE[:16])
    )
    return AnswerStances(answer, tuple(given), tuple(given), (closed,) * 3)


def summaries(text: str) -> list[Summary]:
    return [
        Summary(
            SessionId(f"s{n}"),
            Slug("x" * 60),
            text,
            ChannelId("C"),
            PEOPLE[0],
            "asking",
            None,
            None,
            3,
            24,
            0.0,
        )
        for n in range(200)
    ]


def fault(text: str) -> Fault:
    facts = {
        "secret_type": text,
        "location": text,
        "forensics_path": text,
        "remediation_steps": (text, text, text),
    }
    return Fault(FaultId("f"), "ERR-STEP-009", text, True, 0.0, facts=facts)


def questions(text: str) -> Message:
    asked = [(number, Question("k", "users", text)) for number in range(1, 13)]
    menu = Menu(MENU.id, SessionId("s"), "prompt", ("pause", "cancel"))
    return council.questions(persona(text), asked, [text] * 5, mention=PEOPLE, menu=menu)


def verdict(text: str) -> council.Verdict:
    many = [text] * 12
    return council.Verdict(
        "majority", many, many, many, many, many, [(each, each) for each in many]
    )


def recommendation(text: str) -> Message:
    """A council's decision with everything under it."""
    blocks = council.verdict_blocks(verdict(text))
    menu = Menu(MENU.id, SessionId("s"), "phase", ("accept", "changes"))
    return phase.phase_message(
        summary(text), names(text), menu=menu, following=text, verdict=blocks
    )


def _recovery(kind: MenuKind, *choices: str) -> Callable[[str], Message]:
    menu = Menu(MENU.id, SessionId("s"), kind, choices, fault=FaultId("f"))
    return lambda text: recovery.recovery(
        menu, fault(text), "FATAL", names(text), mention=PEOPLE, leader=text
    )


def recovered(text: str) -> Message:
    menu = Menu(MENU.id, SessionId("s"), "fatal", ("redact",), state="used", used_by=PEOPLE[0],
                chosen="redact")  # fmt: skip
    return recovery.recovery(menu, fault(text), "FATAL", names(text), leader=text)


RECOVERIES: Final[Mapping[MenuKind, tuple[str, ...]]] = {
    "fatal": ("redact", "check", "cancel"),
    "escalation": ("retry", "facilitator", "skip-step", "cancel"),
    "no-team": ("retry", "classic", "cancel"),
    "no-roster": ("stand-in", "cancel"),
    "all-failed": ("retry", "classic", "cancel"),
    "state-unwritten": ("retry", "leave"),
}


def caught_up(text: str) -> Message:
    """Everything at once, for whoever comes last."""
    many = claims(text)
    found = catch_up.CatchUp(
        session(text, short_path=ShortPath(chosen_by=PEOPLE[0])),
        decided=tuple(
            catch_up.DecidedLine(replace(each, accepted_by=PEOPLE[1], accepted_at=text), many)
            for each in phases(text)
        ),
        current=state(text, sources=StepSources(text), status="blocked"),
        url="https://acme.slack.com/archives/C/p1",
        assumed=tuple(Assumption(StepId("01-01"), f"{n} {text}") for n in range(300)),
        stale=tuple(state(text, n) for n in range(1, 30)),
        choice=catch_up.WaitingMenu(text, "https://acme.slack.com/archives/C/p1"),
        files=(text,) * 60,
        threads=(ThreadLink(text, "https://acme.slack.com/archives/C/p1"),) * 30,
        card_url="https://acme.slack.com/archives/C/p1",
        leader=persona(text),
        table=(text,) * 9,
    )
    return catch_up.catch_up(found, names(text))


def traced(text: str) -> why.Traced:
    answers = tuple(
        Answer(AnswerId(f"a{n}"), StepId("01-01"), PEOPLE[n % 60], text, Ts("1.0"), Ts("1.0"),
               "https://acme.slack.com/archives/C/p1", source=source)  # type: ignore[arg-type]
        for n, source in enumerate(get_args(Source) * 3)
    )  # fmt: skip
    resting = tuple(why.Resting(text, text) for _ in range(60))
    return why.Traced(claims(text)[0], answers, text, text,
                      "https://acme.slack.com/archives/C/p1", text, resting,
                      tuple(views(text, n) for n in range(9)), (text,) * 9)  # fmt: skip


def _line(kind: LineKind) -> Callable[[str], Message]:
    names = ("by", "step", "phase", "scope", "depth", "title", "names", "what")
    return lambda text: lines.spoken(kind, dict.fromkeys(names, text))


def _reply(kind: ReplyKind) -> Callable[[str], Message]:
    names = ("by", "title", "slug", "choice", "depth", "thread", "owner", "decider")
    return lambda text: reply_message(kind, dict.fromkeys(names, text))


def enriched_phase(text: str) -> Message:
    """What a model would change at twenty steps: every line goes, and another comes."""
    newer = tuple(replace(claim, kind="check", data={"of": text}) for claim in claims(text))
    changes = enriched.EnrichedChanges(text, (text,) * 5, claims(text), newer)
    menu = Menu(MENU.id, SessionId("s"), "enriched", (ACCEPT, KEEP, STEPWISE))
    view = enriched.EnrichedView(text, (changes,) * 20, (text,) * 20, menu=menu)
    return enriched.enriched(view, names(text))


def decided_enriched(text: str) -> Message:
    decided = tuple((text, outcome, by) for outcome in enriched.OUTCOMES for by in PEOPLE)
    return enriched.enriched(enriched.EnrichedView(text, decided=decided * 5), names(text))


SURFACES: Final[Mapping[str, Callable[[str], Message]]] = {
    "card": lambda text: card(
        session(text),
        names(text),
        leader=persona(text),
        threads=[ThreadLink(text, "https://acme.slack.com/archives/C/p1")] * 3,
        steps=[state(text, n, status="blocked") for n in range(40)],
    ),
    "ended card": lambda text: card(session(text, status="cancelled"), names(text)),
    "root": lambda text: lines.root(persona(text), text, [text] * 5),
    "greeting": lambda text: lines.greeting(
        persona(text), text, lines.TakenOver(text, (text,) * 5, (text,) * 20, 7)
    ),
    "second greeting": lambda text: lines.return_greeting(text),
    "handover": lambda text: lines.handover(text, text, "https://acme.slack.com/archives/C/p1"),
    "prompt": lambda text: step.prompt(asked(text), names(text)),
    "first prompt": lambda text: step.prompt(asked(text, answers=(), menu=None), names(text)),
    "step": crowded_step,
    "differences": lambda text: message(*differences.parts(voices(text), names(text))),
    "measured step": measured_step,
    "enriched": enriched_phase,
    "decided enriched": decided_enriched,
    "decided step": lambda text: step.shown(state(text), names(text)),
    "empty step": lambda text: step.shown(
        state(text, recorded="", questions=Questions(still_open(text))), names(text)
    ),
    "phase": lambda text: phase.phase_message(
        summary(text), names(text), menu=MENU, following=text
    ),
    "phase with assumptions": lambda text: phase.phase_message(
        questioned(text), names(text), menu=MENU, following=text
    ),
    "decided phase": lambda text: phase.phase_message(
        summary(text), names(text), menu=None, following=None, decided=state(text)
    ),
    "moved": lambda text: step.moved(text, "https://acme.slack.com/archives/C/p1"),
    "fault": lambda text: recovery.fault_message([(fault(text), "FATAL")] * 30, PEOPLE),
    "no upload": lambda name: lines.no_upload(name, REFUSALS["file_refused"]),
    "status": lambda text: commands.status_message(session(text), names(text), [state(text)]),
    "list": lambda text: commands.sessions_list(summaries(text), names(text)),
    "errors": lambda text: commands.fault_list([fault(text)] * 300),
    "bad command": commands.bad_command,
    "help": lambda _: commands.help_message(),
    "named": lambda text: named(Author(text, ":owl:"), crowded_step(text)),
    "mode menu": lambda text: council.mode_menu(MODE, names(text)),
    "chosen mode": lambda text: council.mode_menu(
        replace(MODE, state="used", used_by=PEOPLE[0], chosen="party"), names(text)
    ),
    "questions": questions,
    "turn": lambda text: council.turn(Contribution(PersonaKey("p"), "critique", text), text),
    "verdict": lambda text: message(*council.verdict_blocks(verdict(text))),
    "recommendation": recommendation,
    **{f"recovery {kind}": _recovery(kind, *each) for kind, each in RECOVERIES.items()},
    "recovered": recovered,
    "operators": lambda text: recovery.operators_notice(
        fault(text), "FATAL", text, "https://acme.slack.com/archives/C/p1"
    ),
    "catch-up": caught_up,
    "why": lambda text: why.why(traced(text), names(text)),
    "why not": lambda text: why.unknown(text, [text] * 5, text),
    "reminder": lambda text: reminder.reminder(
        text,
        REMINDER,
        mention=PEOPLE,
        since=1.8e9,
        at=1.9e9,
        url="https://acme.slack.com/archives/C/p1",
        last=True,
    ),
    "settled reminder": lambda text: reminder.settled(
        text, replace(REMINDER, state="used", used_by=PEOPLE[0], chosen="tomorrow"), names(text)
    ),
    **{f"line {kind}": _line(kind) for kind in WORDING.lines},
    **{f"reply {kind}": _reply(kind) for kind in WORDING.replies},
}
MENTIONING: Final = frozenset(
    {
        *("prompt", "first prompt", "fault", "questions", "reminder"),
        *(name for name in SURFACES if name.startswith(("line ", "recovery "))),
    }
)


OVERFULL: Final = frozenset({"step", "named"})  # more than a message holds: each keeps what fits
NEVER_EDITED: Final = frozenset({"list", "errors", "differences"})


@pytest.fixture(params=SURFACES)
def surface(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_no_text_makes_a_message_that_slack_would_refuse_or_that_pings_or_links(
    surface: str,
) -> None:
    beginning = list(SURFACES).index(surface) % len(DANGERS)
    for text in (COMPOSITE, in_turn(beginning), CONTROLS, RIGHT_TO_LEFT, *SHORT):
        shown = SURFACES[surface](text)
        fits(surface, shown)
        pings_and_links_nobody(surface, shown)
        turns_no_text_around(shown)


def test_no_text_is_too_long_for_slack(surface: str) -> None:
    for text in LIMITS:
        fits(surface, SURFACES[surface](text))


def fits(surface: str, shown: Message) -> None:
    assert shown.text
    assert len(shown.text) <= FALLBACK_CHARS_MAX
    for blocks in renderings(shown):
        assert block_faults(blocks) == []
        assert blocks_size(blocks) <= BLOCKS_JSON_CHARS_MAX
        assert len(blocks) <= BLOCKS_MAX + (surface == "named")
        json.dumps(blocks, ensure_ascii=False).encode()
        for block in blocks:
            if block["type"] == "data_table":  # the SDK has no model of it
                continue
            parsed = SdkBlock.parse(block)
            assert parsed is not None
            parsed.to_dict()


def renderings(shown: Message) -> list[list[Block]]:
    """With Slack's newer blocks, and without."""
    return [list(shown.drawn(())), list(shown.blocks)]


def test_both_renderings_read_alike_and_have_rich_text_or_neither_has(surface: str) -> None:
    """Slack takes no edit that leaves no rich text where there was some."""
    for text in ("word", "A line that is about as long as what people say in one. " * 3):
        shown = SURFACES[surface](text)
        today, before = renderings(shown)
        if surface not in OVERFULL:
            read = {plain(blocks, shown.text, Names({}, {})) for blocks in (today, before)}
            assert len(read) == 1
        if surface not in NEVER_EDITED:
            kinds = [{block["type"] for block in blocks} for blocks in (today, before)]
            assert len({"rich_text" in types for types in kinds}) == 1


def pings_and_links_nobody(surface: str, shown: Message) -> None:
    for blocks in renderings(shown):
        blocks_ping_and_link_nobody(surface, blocks, shown.text)


def blocks_ping_and_link_nobody(surface: str, blocks: list[Block], text: str) -> None:
    meant = {f"@{user}" for user in PEOPLE} if surface in MENTIONING else set()
    assert set(notified(blocks, text, Names({}, {}))) <= meant

    links = [leaf["url"] for leaf in _leaves(blocks) if leaf.get("type") == "link"]
    assert all(url.startswith(("https://acme.slack.com/", "https://x/")) for url in links)
    markdown = [str(block["text"]) for block in blocks if block["type"] == "markdown"]
    assert not any("](" in text or "<https" in text or "]:" in text for text in markdown)


def turns_no_text_around(shown: Message) -> None:
    """No control character is left, and no mark that turns text around."""
    raw = json.dumps(renderings(shown), ensure_ascii=False) + shown.text
    assert not set(raw) & {"\x00", "\x07", "\ud800", "\ufeff", "\u202e"}


def test_no_message_shows_an_id_instead_of_a_name(surface: str) -> None:
    shown = SURFACES[surface]("word")
    read = plain([b for b in shown.blocks if b["type"] != "actions"], shown.text, Names({}, {}))
    if surface not in MENTIONING:
        assert "U0000" not in read


def _leaves(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
    inner = value.values() if isinstance(value, Mapping) else value
    if not isinstance(value, str | int | float | None):
        for each in inner:
            yield from _leaves(each)
