"""For whoever comes late: what was decided, what is open, where to look. One message, read once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.views.channel.card import ThreadLink, top
from bot.views.kit.blocks import Message, context, header, message
from bot.views.kit.leaves import Leaf, link, moment, separated, words
from bot.views.kit.names import Names, counted, joined, known_name, listed, people
from bot.views.kit.rich_text import (
    Block,
    Row,
    bullets,
    fitting,
    heading,
    paragraph,
    rich_text,
    size,
)
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from core.domain.answers import Claim
from core.domain.assumptions import Assumption
from core.domain.ids import UserId
from core.domain.playbook import Persona
from core.domain.session import ENDED, PhaseState, Session, StepState

LINES_PER_PHASE_MAX: Final = 3
RESULT_LINES_PER_PHASE_MAX: Final = 8
LINE_CHARS_MAX: Final = 140
DECIDED_ROOM: Final = 4_600
OPEN_ROOM: Final = 3_200
ASSUMPTIONS_MAX: Final = 4
FILES_NAMED_MAX: Final = 12
THREADS_MAX: Final = 8
NOTHING_DECIDED: Final = "Nothing has been accepted yet."
NOTHING_OPEN: Final = "Nothing is open."


@dataclass(frozen=True, slots=True)
class DecidedLine:
    """A phase that is over, with the lines that say most of it; `count`: of all it has."""

    phase: PhaseState
    lines: tuple[Claim, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class WaitingMenu:
    """A recovery menu that waits for somebody."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class CatchUp:
    session: Session
    decided: tuple[DecidedLine, ...] = ()
    here: StepState | None = None  # the step people are at
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

    @property
    def people(self) -> tuple[UserId, ...]:
        """Whose names it may need."""
        accepted = (line.phase.accepted_by for line in self.decided)
        users = (self.session.owner, *self.session.awaited, *accepted)
        return tuple(dict.fromkeys(user for user in users if user))


def catch_up(late: CatchUp, names: Names) -> Message:
    session = late.session
    return message(
        header(session.title),
        paragraph(*top(session, names, late.leader, late.table)),
        *_decided(late.decided, names),
        *_open_and_places(late, names),
    )


def result(late: CatchUp, names: Names) -> Message:
    """The end of an analysis on one page: what was decided, what stayed open, the files."""
    session = late.session
    done = sum(phase.done for phase in session.phases)
    skipped = sum(phase.count for phase in session.phases) - done
    asked = f"{counted(done, 'step')} answered" + (f", {skipped} not asked" if skipped else "")
    return message(
        header(f"Done: {session.title}"),
        context(f"{asked}."),
        *_decided(_without_remarks(late.decided), names, RESULT_LINES_PER_PHASE_MAX),
        *_open_and_places(late, names),
    )


def _open_and_places(late: CatchUp, names: Names) -> list[Block]:
    is_over = late.session.status in ENDED - {"halted"}
    title = heading("What stayed open" if is_over else "What is open")
    return [
        rich_text(title, bullets(_open(late, names))),
        paragraph([words("Where to look", bold=True)], *_places(late)),
    ]


def _without_remarks(decided: Sequence[DecidedLine]) -> list[DecidedLine]:
    """Each phase with the lines that decide something, each line once."""
    phases = []
    for phase in decided:
        claims = {_line(claim): claim for claim in phase.lines if claim.kind != "fact"}
        phases.append(replace(phase, lines=tuple(claims.values()), count=len(claims)))
    return phases


# ── what was decided ───────────────────────────────────────────────────────────────────────────


def _decided(
    decided: Sequence[DecidedLine], names: Names, lines_max: int = LINES_PER_PHASE_MAX
) -> list[Block]:
    title = heading("What was decided")
    if not decided:
        return [rich_text(title), context(NOTHING_DECIDED)]
    parts: list[Block] = []
    left_out = 0
    for phase in decided:
        group = _phase(phase, names, lines_max)
        if left_out or sum(map(size, (*parts, *group))) > DECIDED_ROOM:
            left_out += 1
        else:
            parts += group
    more = [context(f"… and {counted(left_out, 'phase')} more, in the files.")] if left_out else []
    return [rich_text(title, *parts), *more]


def _phase(decided: DecidedLine, names: Names, lines_max: int) -> list[Block]:
    rows = [[words(_line(claim))] for claim in decided.lines[:lines_max]]
    left_out = decided.count - len(rows)
    if rows and left_out > 0:
        rows[-1].append(words(f" … and {left_out} more", italic=True))
    head = bullets([[words(short(decided.phase.label), bold=True), *_accepted(decided, names)]])
    return [head, bullets(rows, indent=1)] if rows else [head]


def _accepted(decided: DecidedLine, names: Names) -> list[Leaf]:
    phase = decided.phase
    if phase.accepted_by is None:
        return [words(f" · {WORDING.unaccepted.get(phase.status, phase.status)}")]
    who = known_name(names, phase.accepted_by)
    leaves = [words(f" · accepted by {who}" if who else " · accepted")]
    at = _time(phase.accepted_at)
    return [*leaves, words(", "), moment(at)] if at else leaves


def _time(iso: str | None) -> float | None:
    try:
        return datetime.fromisoformat(iso).timestamp() if iso else None
    except ValueError:
        return None


def _line(claim: Claim) -> str:
    return short(f"{claim.ref} {claim.text}" if claim.ref else claim.text, LINE_CHARS_MAX)


# ── what is open ───────────────────────────────────────────────────────────────────────────────


def _open(late: CatchUp, names: Names) -> Sequence[Row]:
    rows: list[Row] = [*_choice(late.choice), *_current(late, names), *_stale(late.stale)]
    rows += _assumed(late.assumed)
    if late.not_asked:
        rows.append(f"Not asked: {listed([step.title for step in late.not_asked])}.")
    faulty = [short(phase.label) for phase in late.session.phases if phase.faulty]
    if faulty:
        rows.append(f"Gaps in {joined(faulty[:6])}: a fault skipped something there.")
    return fitting(rows, OPEN_ROOM) or [NOTHING_OPEN]


def _choice(choice: WaitingMenu | None) -> list[list[Leaf]]:
    if choice is None:
        return []
    row = [words("Somebody has to choose: ", bold=True), words(short(choice.text, 300))]
    return [[*row, words(" "), link(choice.url, "go there")] if choice.url else row]


def _current(late: CatchUp, names: Names) -> list[list[Leaf]]:
    session, here = late.session, late.here
    if here is None or session.status not in ("asking", "choosing", "paused"):
        return []
    on_summary = session.menus.on_summary
    what = f"The summary of {short(session.current_phase.label)}" if on_summary else ""
    row = [words(what or f"“{short(here.title)}”", bold=True), *_awaited(session, names)]
    if late.url:
        row += [words(" "), link(late.url, "Go there")]
    rows = [row]
    if here.questions.open and not session.menus.on_summary:
        rows.append([words("Still asked: ", bold=True), words(short(here.questions.open, 300))])
    if here.status == "blocked" and here.sources.missing:
        rows.append([words(f"Blocked: {short(here.sources.missing, 100)} is not there.")])
    return rows


def _awaited(session: Session, names: Names) -> list[Leaf]:
    if session.status == "paused":
        return [words(" comes next, once it goes on.")]
    if not session.awaited:
        what = "a choice" if session.status == "choosing" else "nobody: the answers are being read"
        return [words(f" waits for {what}.")]
    who = words(f" waits for {people(names, session.awaited)}")
    since = session.waiting.since
    return [who, words(", since "), moment(since), words(".")] if since else [who, words(".")]


def _stale(stale: Sequence[StepState]) -> list[list[Leaf]]:
    if not stale:
        return []
    named = joined([f"“{short(step.title)}”" for step in stale[:4]])
    more = f" and {len(stale) - 4} more" if len(stale) > 4 else ""
    return [[words(f"To be looked at again, because something changed: {named}{more}.")]]


def _assumed(assumed: Sequence[Assumption]) -> list[list[Leaf]]:
    if not assumed:
        return []
    rows = [[words(f"{counted(len(assumed), 'line')} assumed, said by nobody:")]]
    rows += [
        [words(short(assumption.text, LINE_CHARS_MAX))] for assumption in assumed[:ASSUMPTIONS_MAX]
    ]
    left_out = len(assumed) - ASSUMPTIONS_MAX
    if left_out > 0:
        rows[-1].append(words(f" … and {left_out} more", italic=True))
    return rows


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
