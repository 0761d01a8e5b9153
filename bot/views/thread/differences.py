"""Who answered, who agrees, where people differ: a few lines of a step's message, and its forms.

Nothing here is guessed: every name stands for something its owner gave.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from bot.views.kit.blocks import context
from bot.views.kit.controls import Option, actions, button
from bot.views.kit.leaves import Leaf, words
from bot.views.kit.modals import View, choice_field, modal, person_field, radio_field, text_field
from bot.views.kit.names import Names, counted, name_of, people
from bot.views.kit.rich_text import Block
from bot.views.kit.text import one_line, short
from bot.views.kit.widget import Part
from bot.views.kit.wording import WORDING
from bot.views.widgets.table import FoldedTable, OpenTable, Rows
from core.domain.answers import Answer
from core.domain.ids import AnswerId, MenuId, UserId
from core.domain.session.menu import Menu
from core.domain.stances import REASON_CHARS_MAX, AnswerStances, Settlement, Stance

SAY: Final = "differ:say"
SETTLE: Final = "differ:settle"
DIFFER_FORM: Final = "differ"
SETTLE_FORM: Final = "settle"
ANSWER, REASON, STANDS, DECIDER = "answer", "reason", "stands", "decider"

ROOM: Final = 2_400  # of a message, as JSON
ROWS_MAX: Final = 12  # a few lines; the artifact has them all
SAID_CHARS_MAX: Final = 70
REASON_SHOWN_CHARS: Final = 300  # in the message; the artifact has all of it
OPTION_CHARS: Final = 44
KEY_CHARS: Final = 24
NO_REASON: Final = "no reason given yet"


@dataclass(frozen=True, slots=True)
class Voices:
    """What people gave to a step so far."""

    answered: tuple[UserId, ...] = ()
    silent: tuple[UserId, ...] = ()  # awaited, and neither answered nor reacted
    views: tuple[AnswerStances, ...] = ()
    beside: tuple[Answer, ...] = ()  # what else was said, where several people spoke
    contested: bool = False  # two answers say different things of one matter

    @property
    def people(self) -> tuple[UserId, ...]:
        """Whose names are needed."""
        groups = (
            (stance.by for view in self.views for stance in (*view.agree, *view.differ)),
            (settlement.by for view in self.views for settlement in view.settled),
            (
                user
                for view in self.views
                for settlement in view.settled
                for user, _ in settlement.views
            ),
            (view.answer.by for view in self.views),
        )
        every = (*self.answered, *self.silent, *(user for some in groups for user in some))
        return tuple(dict.fromkeys(every))

    @property
    def is_open(self) -> bool:
        return self.contested or any(view.differ for view in self.views)


# ── in the step's message ──────────────────────────────────────────────────────────────────────


def parts(voices: Voices, names: Names) -> list[Part]:
    """Who answered; and, folded, who said what and what others think of it."""
    first = who_answered(voices, names)
    every = (*voices.views, *(AnswerStances(answer) for answer in voices.beside))
    rows = _table_rows(every, names, "more; all of it stands in the artifact.")
    folded = FoldedTable("voices", _title(every), rows) if rows.rows else None
    return [part for part in (first, folded) if part is not None]


def _title(every: Sequence[AnswerStances]) -> str:
    counts = (
        (len(every), "answer"),
        (sum(len(views.differ) for views in every), "difference"),
        (sum(len(views.settled) for views in every), "settlement"),
    )
    return f"Who said what: {', '.join(counted(n, noun) for n, noun in counts if n)}"


def _table_rows(every: Sequence[AnswerStances], names: Names, rest: str) -> Rows:
    """The first rows are made, and the others only counted."""
    rows = tuple(islice((row for views in every for row in _rows(views, names)), ROWS_MAX))
    hidden = sum(map(_count, every)) - len(rows)
    return Rows(("Who", "What"), rows, rest=rest, room=ROOM, hidden=hidden)


def who_answered(voices: Voices, names: Names) -> Block | None:
    answered = f"Answered: {people(names, voices.answered)}" if voices.answered else ""
    silent = f"waiting for: {people(names, voices.silent)}" if voices.silent else ""
    words = " · ".join(part for part in (answered, silent) if part)
    return context(words) if voices.answered else None


def _rows(views: AnswerStances, names: Names) -> Iterator[tuple[str, str]]:
    """Who said what, and what others think of it."""
    verb = "confirmed the draft: " if views.answer.source == "draft" else ""
    text = f"{verb}“{_said(views.answer, SAID_CHARS_MAX)}”"
    yield name_of(names, views.answer.by), text
    yield from _opinions(views, names)


def opinions(views: AnswerStances, names: Names) -> Iterator[list[Leaf]]:
    """As lines of a list: who agrees with an answer, who does not, and how that was settled."""
    for speakers, opinion in _opinions(views, names):
        yield [words(f"    {speakers}", bold=True), words(f" {opinion}")]


def _opinions(views: AnswerStances, names: Names) -> Iterator[tuple[str, str]]:
    now = [stance.by for stance in views.agree if not views.is_earlier(stance)]
    before = [stance.by for stance in views.agree if views.is_earlier(stance)]
    if now:
        yield people(names, now), _agree(now)
    if before:
        yield people(names, before), f"{_agree(before)}, with an earlier wording"
    for stance in views.differ:
        yield name_of(names, stance.by), _differs(stance, earlier=views.is_earlier(stance))
    for closed in views.settled:
        speakers = people(names, [user for user, _ in closed.views])
        yield speakers, _settled(closed, views.answer, name_of(names, closed.by))


def _count(views: AnswerStances) -> int:
    """How many lines those are."""
    wordings = {views.is_earlier(stance) for stance in views.agree}
    return 1 + len(wordings) + len(views.differ) + len(views.settled)


def _agree(users: Sequence[UserId]) -> str:
    return "agrees" if len(users) == 1 else "agree"


def _differs(stance: Stance, *, earlier: bool) -> str:
    mark = " (of an earlier wording)" if earlier else ""
    if not stance.reason:
        return f"sees it differently ({NO_REASON}){mark}"
    return f"sees it differently: {short(stance.reason, REASON_SHOWN_CHARS)}{mark}"


def _settled(settled: Settlement, answer: Answer, by: str) -> str:
    """One line for all who differed, with the words that stand."""
    quoted = [
        f"“{short(text, SAID_CHARS_MAX).rstrip('.')}”" for text in settled.quotes(answer.text)
    ]
    stands = f"{WORDING.stands[settled.stands]}{': ' if quoted else ''}{'; '.join(quoted)}"
    reason = short(settled.reason, REASON_SHOWN_CHARS)
    return f"saw it differently; {by} settled it: {stands}. {reason}"


def _said(answer: Answer, room: int) -> str:
    return short(answer.text, room) or short(
        ", ".join(one_line(file.name) for file in answer.files), room
    )


def controls(
    voices: Voices, menu: Menu | None, settling: MenuId | None, *, sorting: Block | None = None
) -> Block | None:
    """Where there is something to differ with, and while somebody does something to settle.

    They stand in a row of their own, with the button for `sorting`: none uses the step's menu up.
    """
    elements = [sorting] if sorting else []
    if voices.answered and menu is not None and menu.state == "open":
        elements.append(button("I see it differently", SAY, menu.id))
    if voices.is_open and settling is not None:
        elements.append(button("Settle this", SETTLE, settling))
    return actions(elements, block_id=f"{menu.id if menu else settling}|differ")


# ── the forms ──────────────────────────────────────────────────────────────────────────────────


def differ_form(answers: Sequence[Answer], names: Names, *, metadata: str) -> View:
    """`answers`: those of others, at least one. The newest comes first, should they be too many."""
    return modal(
        DIFFER_FORM,
        "I see it differently",
        "Note it",
        [
            choice_field(
                ANSWER,
                "Which answer?",
                [_option(answer, names) for answer in sorted(answers, key=_newest)],
            ),
            text_field(
                REASON,
                "How do you see it?",
                hint="It is shown with your name, here and in the artifact.",
                most=REASON_CHARS_MAX,
                long=True,
            ),
        ],
        metadata=metadata,
    )


def settle_form(
    open_views: Sequence[AnswerStances], names: Names, *, may_name: bool, metadata: str
) -> View:
    """`may_name`: for the owner, who may let somebody else decide."""
    stands = [
        Option("The answer as said", "answer"),
        Option("The other view", "other"),
        Option("Both, as noted", "both"),
    ]
    return modal(
        SETTLE_FORM,
        "Settle this",
        "Settle it",
        [
            *_who_differs(open_views, names),
            choice_field(
                ANSWER,
                "On which answer?",
                [_option(open_view.answer, names) for open_view in open_views],
            ),
            radio_field(STANDS, "What stands?", stands, optional=may_name),
            text_field(
                REASON,
                "Why?",
                hint="It is shown with your name, here and in the artifact.",
                most=REASON_CHARS_MAX,
                long=True,
                optional=may_name,
            ),
            person_field(
                DECIDER,
                "Or let somebody else decide",
                hint="From then on they may settle what people here differ on, as you may.",
                optional=True,
            )
            if may_name
            else None,
        ],
        metadata=metadata,
    )


def _who_differs(open_views: Sequence[AnswerStances], names: Names) -> list[Block]:
    """A form takes no table."""
    only = [AnswerStances(open_view.answer, (), open_view.differ) for open_view in open_views]
    return OpenTable(_table_rows(only, names, "more.")).plain()


def _option(answer: Answer, names: Names) -> Option:
    label = f"{name_of(names, answer.by)}: {_said(answer, OPTION_CHARS)}"
    return Option(label, option_of(answer.id))


def option_of(answer: AnswerId) -> str:
    """What stands for an answer in a form: its id may be longer than an option's value."""
    return hashlib.sha256(answer.encode()).hexdigest()[:KEY_CHARS]


def _newest(answer: Answer) -> float:
    return -float(answer.ts)
