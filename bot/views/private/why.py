"""Why a line stands in an artifact: who said it, how sure it is, and what rests on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.kit.blocks import Message, context, listed_rows, message
from bot.views.kit.controls import Option, actions, select
from bot.views.kit.leaves import Leaf, link, words
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import Block, Row, fitting, heading, paragraph, rich_text
from bot.views.kit.text import clean, cut, short
from bot.views.kit.widget import Part
from bot.views.kit.wording import WORDING
from bot.views.private.marked_quotes import marked
from bot.views.thread.differences import Voices, opinions
from bot.views.thread.sorted_lines import sorter_of
from bot.views.widgets.fold import fitting_lines, list_with_rest
from core import patterns
from core.domain.answers import Answer, Claim
from core.domain.ids import SessionId, UserId
from core.domain.lines import is_worded
from core.domain.persona_proposals import PROPOSED_BY, TAKEN_BY
from core.domain.stances import AnswerStances
from core.english import joined

LINE_CHARS_MAX: Final = 1_200
ROW_CHARS_MAX: Final = 200
VOICES_ROOM: Final = 3_600
OPINIONS_ROOM: Final = 1_600
RESTING_ROOM: Final = 2_400
RESTING_IN_SIGHT_MAX: Final = 6
CONFIRMED: Final = "It is an assumption that somebody confirmed; nobody said it."


WHY_PICKED: Final = "why:picked"
NAME: Final = patterns.compile(r"[A-Z]{1,6}-[0-9]{1,6}")
PLACEHOLDER: Final = "Why is this here?"
PICKED_MAX: Final = 8  # lines with a name in a summary's list; the command knows them all
PICKED_CHARS_MAX: Final = 50


@dataclass(frozen=True, slots=True)
class Resting:
    """A line that belongs to another one, and how."""

    how: str
    text: str


@dataclass(frozen=True, slots=True)
class Traced:
    claim: Claim
    answers: tuple[Answer, ...]  # those it rests on
    step: str
    phase: str
    url: str  # of the prompt that asked
    title: str  # of the session
    resting: tuple[Resting, ...] = ()
    views: tuple[AnswerStances, ...] = ()  # what others gave on those answers
    also: tuple[str, ...] = ()  # other sessions here that have a line of that name
    persona: str = ""  # who leads the step, by name

    @property
    def people(self) -> tuple[UserId, ...]:
        voices = Voices(views=self.views)
        taker = self.claim.data.get(TAKEN_BY)
        tapped = [UserId(user) for user in (sorter_of(self.claim), taker) if user]
        authors = (answer.by for answer in self.answers)
        return tuple(dict.fromkeys((*authors, *voices.people, *tapped)))


def why(traced: Traced, names: Names) -> Message:
    claim = traced.claim
    head: list[Leaf] = [words(f"{short(claim.ref)} " if claim.ref else "", bold=True)]
    origin: list[Leaf] = [words("It comes from "), words(short(traced.step), bold=True)]
    origin.append(words(f" in {short(traced.phase)}. "))
    if traced.url:
        origin.append(link(traced.url, "The question"))
    where = f"In “{short(traced.title, 150)}”."
    slugs = joined([short(slug) for slug in traced.also[:4]])
    wording = _worded(traced, names)
    also = f" {short(claim.ref or '')} is also in {slugs}." if slugs else ""
    return message(
        paragraph(
            [*head, words(cut(clean(claim.text), LINE_CHARS_MAX))],
            [words(f"{_how_sure(claim)}{wording}{_sorted(claim, names)}", italic=True)],
            origin,
        ),
        *_voices(traced, names),
        *_opinions(traced.views, names),
        *_resting(traced.resting),
        context(f"{where}{also}"),
    )


def _how_sure(claim: Claim) -> str:
    return CONFIRMED if claim.is_confirmed_draft else WORDING.confidences[claim.confidence]


def _worded(traced: Traced, names: Names) -> str:
    """Whose the words of the line are, where they are nobody's who is quoted."""
    claim = traced.claim
    if not is_worded(claim) or not traced.answers:
        return ""
    proposer, taker = claim.data.get(PROPOSED_BY), claim.data.get(TAKEN_BY)
    if proposer and taker:
        return f" Worded by {short(proposer)}; {name_of(names, UserId(taker))} took that wording."
    return f" Worded by {short(traced.persona)}." if traced.persona else ""


def _sorted(claim: Claim, names: Names) -> str:
    by = sorter_of(claim)
    return f" Sorted by {name_of(names, by)}." if by else ""


def picker(session: SessionId, claims: Sequence[Claim], most: int = PICKED_MAX) -> Block | None:
    """A list of the lines that have a name, to be asked about. Its block says whose they are."""
    named_lines = {claim.ref: claim for claim in claims if claim.ref and NAME.fullmatch(claim.ref)}
    options = [
        Option(short(f"{ref} {claim.text}", PICKED_CHARS_MAX), ref)
        for ref, claim in named_lines.items()
    ]
    if not options:
        return None
    return actions([select(WHY_PICKED, PLACEHOLDER, options[:most])], f"why|{session}")


def unknown(ref: str, nearest: Sequence[str], slug: str = "") -> Message:
    """No line is called that. `ref` was typed: it is shown as it is, and does nothing."""
    is_name = any(sign.isdigit() for sign in ref) or not ref
    lead, tail = ("There is no ", " here.") if is_name else ("No one line here speaks of ", ".")
    rows: list[Row] = [[words(lead), words(short(ref) or "…", code=True), words(tail)]]
    if nearest:
        rows.append(f"The nearest: {joined([short(name, 20) for name in nearest])}.")
    else:
        rows.append("No line has a name yet. Requirements, stories and decisions get one.")
    if slug:
        rows.append([words("I looked in "), words(short(slug), code=True), words(".")])
    return message(paragraph(*rows))


def _voices(traced: Traced, names: Names) -> list[Block]:
    title = "Who said it"
    if not traced.answers:
        return [rich_text(heading(title)), context(_nobody(traced.claim, names))]
    rows = [_voice(answer, traced.claim, names) for answer in traced.answers]
    return listed_rows(title, rows, VOICES_ROOM, "more.")


def _nobody(claim: Claim, names: Names) -> str:
    by, taker = claim.data.get(PROPOSED_BY), claim.data.get(TAKEN_BY)
    if by and taker:
        return f"Nobody: {short(by)} proposed it, and {name_of(names, UserId(taker))} took it."
    return "Nobody: it was noted because a question stayed open."


def _voice(answer: Answer, claim: Claim, names: Names) -> list[Leaf]:
    speaker = [words(name_of(names, answer.by), bold=True), words(WORDING.sources[answer.source])]
    quoted = marked(answer, claim)
    row = [*speaker, *([words(": “"), *quoted, words("”")] if quoted else [words(".")])]
    if answer.permalink.startswith(("https://", "http://")):
        row += [words(" "), link(answer.permalink, "message")]
    return row


def _opinions(views: Sequence[AnswerStances], names: Names) -> list[Block]:
    rows = [row for view in views for row in opinions(view, names)]
    fitting_rows = fitting(rows, OPINIONS_ROOM)
    left_out = len(rows) - len(fitting_rows)
    more = [context(f"… and {left_out} more.")] if left_out else []
    title = [words("What others think of it", bold=True)]
    return [paragraph(title, *fitting_rows), *more] if rows else []


def _resting(resting: Sequence[Resting]) -> list[Part]:
    if not resting:
        return [context("Nothing else rests on it.")]
    rows = [f"{short(line.how, 40)}: {short(line.text, ROW_CHARS_MAX)}" for line in resting]
    lines = fitting_lines(rows, RESTING_ROOM, "more.")
    return list_with_rest("resting", "What belongs to it", lines, RESTING_IN_SIGHT_MAX, "more")
