"""For whoever comes late: what was decided, what is open, where to look. One message, read once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.views.channel.card import ThreadLink, top
from bot.views.kit.blocks import Message, context, header, message
from bot.views.kit.leaves import Leaf, link, moment, separated, words
from bot.views.kit.names import Names, counted, known_name, listed, people
from bot.views.kit.rich_text import Row, bullets, fitting, heading, paragraph, rich_text
from bot.views.kit.text import short
from bot.views.kit.widget import Part
from bot.views.kit.wording import WORDING
from bot.views.private.changed_lines import changed_fold
from bot.views.thread.sorted_lines import sorter_of
from bot.views.widgets.fold import Fold, fitting_lines, list_with_rest
from core.artifacts.compose.analysis.options import is_chosen, taken_option, weighed_options
from core.artifacts.compose.lines.changed_lines import ChangedLines
from core.artifacts.compose.readiness import Readiness
from core.artifacts.document.plain import without_fence
from core.domain.answers import Claim
from core.domain.assumptions import Assumption
from core.domain.ids import UserId
from core.domain.session.course import ENDED, PhaseState
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.steps.playbook import Persona
from core.english import joined

LINES_IN_SIGHT: Final = 1  # of each phase, before anything is unfolded
DECISIONS_IN_SIGHT: Final = 5
PHASES_SHOWN_MAX: Final = 6
LINE_CHARS_MAX: Final = 140
ROW_CHARS_MAX: Final = 400
TITLE_LABEL_CHARS: Final = 40
DECIDED_ROOM: Final = 2_000  # of all folded lines
OPEN_ROOM: Final = 2_400
ASSUMED_ROOM: Final = 700
FILES_NAMED_MAX: Final = 12
THREADS_MAX: Final = 8
NOTHING_DECIDED: Final = "Nothing has been accepted yet."
NOTHING_OPEN: Final = "Nothing is open."
NOTHING_BUT_ASSUMED: Final = "Nothing but what is assumed."


@dataclass(frozen=True, slots=True)
class DecidedLine:
    """A phase that is over, with its lines; what says most of it stands first."""

    phase: PhaseState
    lines: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class WaitingMenu:
    """A recovery menu that waits for somebody."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class CatchUp:
    session: Session
    decided: tuple[DecidedLine, ...] = ()
    current: StepState | None = None  # the step people are at
    url: str = ""  # where they are asked
    assumed: tuple[Assumption, ...] = ()
    stale: tuple[StepState, ...] = ()
    not_asked: tuple[StepState, ...] = ()  # left out by people
    choice: WaitingMenu | None = None
    files: tuple[str, ...] = ()
    threads: tuple[ThreadLink, ...] = ()
    card_url: str = ""
    leader: Persona | None = None
    table: tuple[str, ...] = ()  # who sits at a council's table, by name
    readiness: Readiness | None = None  # of an analysis
    let_pass: Mapping[str, UserId] = field(default_factory=dict)  # by answer: who clicked
    changed: ChangedLines = ChangedLines()

    @property
    def people(self) -> tuple[UserId, ...]:
        """Whose names it may need."""
        accepted = (line.phase.accepted_by for line in self.decided)
        clicked = self.let_pass.values()
        tapped = (
            *map(sorter_of, self.changed.sorted),
            *(correction.by for correction in self.changed.lapsed),
        )
        users = (self.session.owner, *self.session.awaited, *accepted, *clicked, *tapped)
        return tuple(dict.fromkeys(user for user in users if user))


def catch_up(late: CatchUp, names: Names) -> Message:
    session = late.session
    return message(
        header(session.title),
        paragraph(*top(session, names, late.leader, late.table)),
        *_before_building(late, names),
        *_decided(late.decided, names),
        *_open_and_places(late, names),
    )


def result(late: CatchUp, names: Names) -> Message:
    """The end of an analysis on one page: what was decided, what stayed open, the files."""
    session = late.session
    done = sum(phase.done for phase in session.course.phases)
    skipped = sum(phase.count for phase in session.course.phases) - done
    progress = f"{counted(done, 'step')} answered" + (f", {skipped} not asked" if skipped else "")
    return message(
        header(f"Done: {session.title}"),
        context(f"{progress}."),
        *_before_building(late, names),
        *_decided(_without_remarks(late.decided), names),
        *_open_and_places(late, names),
    )


def _before_building(late: CatchUp, names: Names) -> list[Part]:
    """What is not settled: nobody is to take an analysis for more than what people said in it."""
    if late.readiness is None:
        return []

    def people(claim: Claim) -> list[str]:
        clicks = [late.let_pass[source] for source in claim.sources if source in late.let_pass]
        return [known_name(names, user) or "somebody" for user in clicks]

    sentences = [short(sentence, ROW_CHARS_MAX) for sentence in late.readiness.sentences(people)]
    return [rich_text(heading("Before you build"), bullets(sentences))]


def _open_and_places(late: CatchUp, names: Names) -> list[Part | None]:
    is_over = late.session.status in ENDED - {"halted"}
    title = heading("What stayed open" if is_over else "What is open")
    rows = _open(late, names)
    return [
        *([rich_text(title, bullets(rows))] if rows else []),
        *_assumed(late.assumed),
        changed_fold(late.changed, names),
        paragraph([words("Where to look", bold=True)], *_places(late)),
    ]


def _without_remarks(decided: Sequence[DecidedLine]) -> list[DecidedLine]:
    """Each phase with the lines that decide something, each line once."""
    phases = []
    for phase in decided:
        claims = {_line(claim): claim for claim in phase.lines if claim.kind != "fact"}
        phases.append(replace(phase, lines=tuple(claims.values())))
    return phases


# ── what was decided ───────────────────────────────────────────────────────────────────────────


def _decided(decided: Sequence[DecidedLine], names: Names) -> list[Part]:
    """The decisions, then each phase with the line that says most of it; the others folded."""
    title = rich_text(heading("What was decided"))
    if not decided:
        return [title, context(NOTHING_DECIDED)]
    lines = [line for phase in decided for line in phase.lines]
    decisions = list(filter(is_chosen, lines))
    options = weighed_options(lines)
    rows = list(
        dict.fromkeys(_choice_line(line, taken_option(line, options)) for line in decisions)
    )
    first_phases, left_out = decided[:PHASES_SHOWN_MAX], len(decided[PHASES_SHOWN_MAX:])
    room = DECIDED_ROOM // len(first_phases)
    parts = [part for phase in first_phases for part in _phase(phase, names, room)]
    if rows:
        noun = "more decision" if len(rows) == DECISIONS_IN_SIGHT + 1 else "more decisions"
        parts = [*list_with_rest("choices", "", rows, DECISIONS_IN_SIGHT, noun), *parts]
    more = [context(f"… and {counted(left_out, 'phase')} more, in the files.")] if left_out else []
    return [title, *parts, *more]


def _phase(decided: DecidedLine, names: Names, room: int) -> list[Part]:
    label = short(decided.phase.label)
    claims = [claim for claim in decided.lines if not is_chosen(claim)]
    lines = [_line(claim) for claim in claims]
    is_size = bool(claims) and claims[0].kind == "scope"  # a guess at the size decides nothing
    most = 0 if is_size else LINES_IN_SIGHT
    in_sight, hidden = lines[:most], lines[most:]
    block = paragraph([words(label, bold=True), *_accepted(decided, names)], *in_sight)
    if not hidden:
        return [block]
    noun = "more line" if in_sight else "line"
    title = f"{short(label, TITLE_LABEL_CHARS)}: {counted(len(hidden), noun)}"
    return [block, Fold(f"decided:{decided.phase.key}", title, fitting_lines(hidden, room))]


def _choice_line(claim: Claim, option: str) -> str:
    """`ADR-002 text`; "what the option is: let's go with A"."""
    text = f"{option}: {claim.text}" if option else claim.text
    return short(f"{claim.ref} {text}" if claim.ref else text, LINE_CHARS_MAX)


def _accepted(decided: DecidedLine, names: Names) -> list[Leaf]:
    phase = decided.phase
    if phase.accepted_by is None:
        return [words(f" · {WORDING.unaccepted.get(phase.status, phase.status)}")]
    name = known_name(names, phase.accepted_by)
    leaves = [words(f" · accepted by {name}" if name else " · accepted")]
    at = _time(phase.accepted_at)
    return [*leaves, words(", "), moment(at)] if at else leaves


def _time(iso: str | None) -> float | None:
    try:
        return datetime.fromisoformat(iso).timestamp() if iso else None
    except ValueError:
        return None


def _line(claim: Claim) -> str:
    text = without_fence(claim.text)
    return short(f"{claim.ref} {text}" if claim.ref else text, LINE_CHARS_MAX)


# ── what is open ───────────────────────────────────────────────────────────────────────────────


def _open(late: CatchUp, names: Names) -> Sequence[Row]:
    rows: list[Row] = [*_choice(late.choice), *_current(late, names), *_stale(late.stale)]
    if late.not_asked:
        rows.append(f"Not asked: {listed([step.title for step in late.not_asked])}.")
    faulty = [short(phase.label) for phase in late.session.course.phases if phase.faulty]
    if faulty:
        rows.append(f"Gaps in {joined(faulty[:6])}: a fault skipped something there.")
    if not rows and late.readiness is not None:  # which says what is open
        return []
    if not rows and late.assumed:
        return [NOTHING_BUT_ASSUMED]
    return fitting(rows, OPEN_ROOM) or [NOTHING_OPEN]


def _choice(choice: WaitingMenu | None) -> list[list[Leaf]]:
    if choice is None:
        return []
    row = [words("Somebody has to choose: ", bold=True), words(short(choice.text, 300))]
    return [[*row, words(" "), link(choice.url, "go there")] if choice.url else row]


def _current(late: CatchUp, names: Names) -> list[list[Leaf]]:
    session, step = late.session, late.current
    if step is None or session.status not in ("asking", "choosing", "paused"):
        return []
    on_summary = session.menus.on_summary
    title = f"The summary of {short(session.course.current_phase.label)}" if on_summary else ""
    row = [words(title or f"“{short(step.title)}”", bold=True), *_awaited(session, names)]
    if late.url:
        row += [words(" "), link(late.url, "Go there")]
    rows = [row]
    if step.questions.open and not session.menus.on_summary:
        question = short(step.questions.open.question, 300)
        rows.append([words("Still asked: ", bold=True), words(question)])
    if step.status == "blocked" and step.sources.missing:
        rows.append([words(f"Blocked: {short(step.sources.missing, 100)} is not there.")])
    return rows


def _awaited(session: Session, names: Names) -> list[Leaf]:
    if session.status == "paused":
        return [words(" comes next, once it goes on.")]
    if not session.awaited:
        need = "a choice" if session.status == "choosing" else "nobody: the answers are being read"
        return [words(f" waits for {need}.")]
    waits = words(f" waits for {people(names, session.awaited)}")
    since = session.waiting.since
    return [waits, words(", since "), moment(since), words(".")] if since else [waits, words(".")]


def _stale(stale: Sequence[StepState]) -> list[list[Leaf]]:
    if not stale:
        return []
    titles = joined([f"“{short(step.title)}”" for step in stale[:4]])
    more = f" and {len(stale) - 4} more" if len(stale) > 4 else ""
    return [[words(f"To be looked at again, because something changed: {titles}{more}.")]]


def _assumed(assumed: Sequence[Assumption]) -> list[Part]:
    if not assumed:
        return []
    lines = [short(assumption.text, LINE_CHARS_MAX) for assumption in assumed]
    title = f"What nobody said: {counted(len(lines), 'line')}"
    return [Fold("assumed", title, fitting_lines(lines, ASSUMED_ROOM))]


# ── where to look ──────────────────────────────────────────────────────────────────────────────


def _places(late: CatchUp) -> list[list[Leaf]]:
    card = [link(late.card_url, "The card")] if late.card_url else []
    threads = [
        link(thread.url, f"{short(thread.name)}'s thread") for thread in late.threads[:THREADS_MAX]
    ]
    rows = [separated([*card, *threads])] if card or threads else []
    if late.files:
        rows.append([words(f"Files: {listed(late.files, FILES_NAMED_MAX)}.")])
    slug = late.session.slug
    return [*rows, [words(f"/roundtable export {slug}", code=True), words(" brings them here.")]]
