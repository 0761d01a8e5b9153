"""A step in the thread: the prompt that asks, and the one message that says what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, header, listed_rows, markdown, message
from bot.views.kit.leaves import Leaf, greeted, link, words
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import (
    Block,
    bullets,
    fitting,
    heading,
    line,
    paragraph,
    prose,
    rich_text,
)
from bot.views.kit.text import CUT, clean, cut, one_line, short
from bot.views.kit.widget import Part
from bot.views.kit.wording import WORDING
from bot.views.private.away import missed_clicks
from bot.views.thread import model
from bot.views.thread.assumptions import doubt_blocks
from bot.views.thread.measured import measured_parts
from bot.views.thread.sorted_lines import SortedLines, sorted_lines
from bot.views.widgets.fold import fitting_lines, list_with_rest
from core.artifacts.document.plain import without_fence
from core.domain.answers import Claim
from core.domain.assumptions import as_left
from core.domain.brief import Offer
from core.domain.ids import Depth, UserId
from core.domain.session.menu import Menu
from core.domain.session.step import Doubt, StepState

PROMPT_CHARS_MAX: Final = 5_500
ANSWERS_ROOM: Final = 3_500
ANSWER_CHARS_MAX: Final = 700
RECORDED_CHARS_MAX: Final = 1_300
QUESTION_CHARS_MAX: Final = 700
GAP_CHARS_MAX: Final = 250
GAPS_ROOM: Final = 600
HOW_TO_ANSWER: Final = "Reply in this thread; everybody may answer."
CUT_STEP: Final = "… (cut; the whole text is in the step's file)"
DRAFT_WORDS: Final = "brief: a draft to confirm"
QUOTES_MAX: Final = 3
QUOTE_CHARS_MAX: Final = 120
SORTED_ROOM: Final = 1_400
SORTED_ROOM_BESIDE_SUMMARY: Final = 150
REQUIREMENTS_IN_SIGHT: Final = 8  # of those that a prompt lists
REQUIREMENTS_ROOM: Final = 4_000
REQUIREMENT_CHARS_MAX: Final = 160


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer with its author's name."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptView:
    """All a prompt shows."""

    step: StepState
    text: str  # the step file's section for the depth
    phase: str
    depth: Depth
    draft: Offer | None = None  # what can be confirmed with a click
    place: tuple[int, int] | None = None  # 5 of 24
    answers: tuple[AnswerView, ...] = ()  # those given before it was reopened
    mention: tuple[UserId, ...] = ()
    painted: bool = False  # an edit: a mention, which is rich text, may have stood there
    menu: Menu | None = None  # None, or not open: no controls
    earlier: tuple[StepState, ...] = ()  # steps of the phase asked before this one
    doubts: tuple[Doubt, ...] = ()  # what it assumed and somebody said is wrong
    requirements: tuple[Claim, ...] = ()  # which people are to name
    named_for: str = ""  # what for: `priority`, `story`


def prompt(view: PromptView, names: Names) -> Message:
    title = header(f"Step {view.step.id} · {one_line(view.step.title)}", _place(view.place))
    return message(
        title,
        *_draft(view.draft),
        markdown(view.text, PROMPT_CHARS_MAX, CUT_STEP),
        *_requirements(view.requirements, view.named_for),
        *doubt_blocks(view.doubts, names),
        *_answers_so_far(view.answers),
        _first_words(view.mention),
        outcome(view.step, names) if view.step.status == "skipped" else None,
        _foot(view),
        menus.prompt_controls(
            view.menu, view.depth, draft=view.draft is not None, earlier=view.earlier
        ),
    )


def shown(
    step: StepState,
    names: Names,
    *,
    menu: Menu | None = None,
    following: str | None = None,
    summary: Sequence[Part] = (),
    amendable: Sequence[StepState] = (),
    follow_up: Menu | None = None,
    stale_menu: Menu | None = None,
    stale: Sequence[StepState] = (),
    voices: Sequence[Part] = (),
    differing: Block | None = None,
    unasked: Sequence[str] = (),
    lines: SortedLines | None = None,
    dropping: Menu | None = None,
    taking: Menu | None = None,
    rereading: Menu | None = None,
    persona: str = "",
) -> Message:
    """The step's one message: what was recorded, what is missing, the menu or what came of it."""
    waiting = menu is not None and menu.state == "open"
    return message(
        *_recorded(step, sorted_below=lines is not None and bool(lines.claims)),
        sorted_lines(lines, SORTED_ROOM_BESIDE_SUMMARY if summary else SORTED_ROOM, names)
        if lines
        else None,
        *measured_parts(step.measured.lines, dropping),
        *voices,
        *(_missing(step, follow_up) if waiting else ()),
        *(model.proposed(step.model.proposals, taking, persona) if waiting else ()),
        _unanswered(step, names),
        *summary,
        *menus.stale_rows(stale_menu, stale),
        missed_clicks([step]) if waiting else None,
        None if waiting else outcome(step, names),
        model.read_by(step.model, persona, names),
        menus.menu_row(rereading) if waiting else None,
        model.waits(step.model, persona),
        menus.joining(menu),
        menus.menu_row(menu, following=following, steps=amendable, unasked=unasked),
        differing,
    )


def outcome(step: StepState, names: Names) -> Block | None:
    """Who chose what, once it is chosen."""
    if not step.choice.name:
        return None
    by = f" · chosen by {name_of(names, step.choice.by)}" if step.choice.by else ""
    return context(f"{short(menus.label_of(step.choice.name))}{by}")


def moved(title: str, url: str) -> Message:
    """The one line left of a message whose menu was posted again further down."""
    line: list[Leaf] = [words("The buttons for "), words(short(title), bold=True)]
    way: list[Leaf] = [words(": "), link(url, "go there")] if url else []
    return message(paragraph([*line, words(" have moved down"), *way, words(".")]))


def _draft(draft: Offer | None) -> list[Block]:
    """The draft, and a few of the lines that it rests on, so that people see what they confirm."""
    if draft is None:
        return []
    quotes = [
        f"“{short(quote.rstrip('.'), QUOTE_CHARS_MAX)}”" for quote in draft.quotes[:QUOTES_MAX]
    ]
    more = len(draft.quotes) - len(quotes)
    resting = "; ".join([*quotes, *([f"{more} more"] if more else [])])
    return [markdown(draft.text, PROMPT_CHARS_MAX, CUT_STEP), context(f"It rests on {resting}.")]


def _place(place: tuple[int, int] | None) -> str:
    return f" ({place[0]} of {place[1]})" if place else ""


def _requirements(requirements: Sequence[Claim], named_for: str) -> list[Part]:
    """`FR-003 Hold the slot for ten minutes`: the first in sight, the others folded."""
    if not requirements:
        return []
    rows = [
        short(f"{claim.ref or ''} {without_fence(claim.text)}", REQUIREMENT_CHARS_MAX)
        for claim in requirements
    ]
    title, rows = WORDING.name_requirements[named_for], fitting_lines(rows, REQUIREMENTS_ROOM)
    return list_with_rest("requirements", title, rows, REQUIREMENTS_IN_SIGHT, "more")


def _foot(view: PromptView) -> Block:
    """Slack takes no edit that leaves no rich text where there was some (block_mismatch)."""
    depth = DRAFT_WORDS if view.draft else WORDING.depths[view.depth]
    text = f"{short(view.phase)} · {depth} · {HOW_TO_ANSWER}"
    return paragraph([words(text, italic=True)]) if view.painted else context(text)


def _first_words(mention: Sequence[UserId]) -> Block | None:
    if not mention:
        return None
    return paragraph([*greeted(mention), words(": what do you think?")])


def _answers_so_far(answers: Sequence[AnswerView]) -> list[Block]:
    if not answers:
        return []
    rows = [_said(answer) for answer in answers]
    blocks = listed_rows("", rows, ANSWERS_ROOM, "more, kept as well.")
    return [rich_text(heading("Your answers so far")), *blocks]


def _said(answer: AnswerView) -> list[Leaf]:
    return [
        words(f"{short(answer.by)}: ", bold=True),
        words(cut(clean(answer.text), ANSWER_CHARS_MAX, CUT)),
    ]


def _recorded(step: StepState, *, sorted_below: bool) -> list[Block]:
    """What the last reading changed; once somebody has gone on, all lines stand below instead."""
    title = [words(short(step.title), bold=True)]
    if step.choice.name and sorted_below:
        return [paragraph(title)]
    if step.recorded:
        return [paragraph(title), *prose(step.recorded, RECORDED_CHARS_MAX)]
    return [paragraph(title, "Nobody has said anything here yet.")]


def _missing(step: StepState, menu: Menu | None) -> list[Block]:
    """At most one question. Going on without an answer is a choice, and its price is said."""
    if not step.questions.open:
        return []
    question = cut(clean(step.questions.open.question), QUESTION_CHARS_MAX)
    return [
        paragraph([words("One more question: ", bold=True), words(question)]),
        context("Reply here. If you go on without it, I note it as asked and not answered."),
        *menus.follow_up_rows(menu),
    ]


def _unanswered(step: StepState, names: Names) -> Block | None:
    questions = step.questions.unanswered
    if not questions:
        return None
    texts = [
        as_left(question, name_of(names, question.by) if question.by else "")
        for question in questions
    ]
    rows = fitting([short(text, GAP_CHARS_MAX) for text in texts], GAPS_ROOM)
    return rich_text(line(words("Left open:")), bullets(rows))
