"""What closes a report: everything left open, what is not in it and why, and who said what."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from core.artifacts.compose.claims import conflicting, is_asked
from core.artifacts.compose.sources import Sources
from core.artifacts.document import tree
from core.artifacts.document.plain import clean, link, one_line
from core.artifacts.document.tree import Blocks, Inline, Span
from core.artifacts.render.provenance import messages
from core.artifacts.report.report import Chapter
from core.artifacts.report.title_page import NEVER, TitleTable, is_over
from core.domain.answers import NOT_SAID, Answer, Claim
from core.domain.assumptions import is_assumed
from core.domain.party.contributions import Contribution
from core.domain.session import Fault, StepState

OPEN: Final = "Left open"
MISSING: Final = "What is not in this report"
SAID: Final = "Who said what"
QUOTE_CHARS_MAX: Final = 300
NOTHING_OPEN: Final = "Nothing is assumed, nobody sees anything differently, no question is open."
SAID_COLUMNS: Final = ("Step", "Who", "What they said", "Where")
_CONFIRMED: Final = "draft confirmed"


def left_open(
    table_: TitleTable,
    claims: Sequence[Claim],
    sources: Sources,
    votes: Sequence[Contribution],
    stances: Sequence[Inline] = (),
) -> Chapter:
    """Assumptions, views that differ, open questions and unverified concerns, in one place.

    `stances`: differences that people gave on each other's answers, a line for each.
    """
    titles = {step.id: step.title for step in table_.steps}

    def items(wanted: Callable[[Claim], bool]) -> list[Blocks]:
        lines = filter(wanted, claims)
        return [sources.item(line, under=titles.get(line.step, "")) for line in lines]

    assumed = " ".join(claim.text for claim in claims if is_assumed(claim))
    gaps = _by_step(table_, lambda step: [gap for gap in step.questions.gaps if gap not in assumed])
    asked = items(is_asked)
    differing = [
        *(tree.item(*stance) for stance in stances),
        *_differing(claims, sources),
        *_dissent(table_, votes),
    ]
    left_out = [tree.item(_step(step)) for step in table_.steps if step.is_left_out]
    parts = {
        "Assumptions": items(is_assumed),
        "Views that differ": differing,
        "Open questions": [*asked, *gaps],
        "Not verified": _by_step(table_, lambda step: step.concerns),
        "Not asked": left_out,  # nobody knows what is open there
    }
    return Chapter(OPEN, _titled_lists(parts) or tree.paragraph(NOTHING_OPEN))


def _titled_lists(parts: Mapping[str, Iterable[Blocks]]) -> Blocks:
    return tree.joined(tree.titled(title, tree.listing(items)) for title, items in parts.items())


def _by_step(table_: TitleTable, texts: Callable[[StepState], Iterable[str]]) -> list[Blocks]:
    return [
        tree.item(one_line(text), f" ({one_line(step.title)})")
        for step in table_.steps
        for text in texts(step)
    ]


def _differing(claims: Sequence[Claim], sources: Sources) -> Iterator[Blocks]:
    """Each pair once: what one person said, and what another one said against it."""
    pairs: set[frozenset[str]] = set()
    for claim in claims:
        for other in conflicting(claim, claims):
            pair = frozenset((claim.id, other.id))
            if pair not in pairs:
                pairs.add(pair)
                yield tree.item(*_line(claim, sources), below=[tree.item(*_line(other, sources))])


def _line(claim: Claim, sources: Sources) -> Inline:
    ref = (tree.strong(claim.ref), " ") if claim.ref else ()
    return (*ref, one_line(claim.text), sources.line_source(claim))


def _dissent(table_: TitleTable, votes: Sequence[Contribution]) -> Iterator[Blocks]:
    for vote in votes:
        if vote.agrees is False:
            who = one_line(table_.persona(vote.persona))
            yield tree.item(f"{who} does not agree: ", one_line(vote.text))


# ── what is not there ──────────────────────────────────────────────────────────────────────────


def missing(
    table_: TitleTable, faults: Sequence[Fault], unwritten: Sequence[str], amiss: Sequence[str]
) -> Chapter | None:
    """Steps and phases without a result, each with the reason; nothing where all is there."""
    blocks = _titled_lists(
        {
            "Skipped because of a fault": _faulty(table_, faults),
            "Left out by people": _skipped(table_),
            "Absent from a council": _absent(table_),
            "Not reached": map(tree.item, _not_reached(table_)),
            "Not written yet": (tree.item(Span(one_line(file), "`")) for file in unwritten),
            "Files": (tree.item(one_line(line)) for line in amiss),
        }
    )
    return Chapter(MISSING, blocks) if blocks else None


def _faulty(table_: TitleTable, faults: Sequence[Fault]) -> Iterator[Blocks]:
    messages = {(fault.step, fault.code): fault.message for fault in faults if fault.message}
    for step in table_.steps:
        if step.fault and step.status != "completed":
            why = one_line(step.fault.message or messages.get((step.id, step.fault.code), ""))
            cause = (": ", why) if why else ()
            yield tree.item(_step(step), *cause, " (", Span(step.fault.code, "`"), ")")
        elif step.status in ("failed", "blocked"):
            missing = step.sources.missing
            needs = f": it waits for {one_line(missing)}" if missing else ""
            yield tree.item(f"{_step(step)}: {step.status}{needs}")
    for phase in table_.session.phases:
        if phase.status == "failed":
            label = one_line(phase.label)
            yield tree.item(f"The whole phase {label}: its analysis could not be run.")


def _skipped(table_: TitleTable) -> Iterator[Blocks]:
    for step in table_.steps:
        if step.status == "skipped" and not step.fault:
            by = table_.name(step.skipped_by) if step.skipped_by else "its own condition"
            yield tree.item(f"{_step(step)}, by ", by)


def _absent(table_: TitleTable) -> Iterator[Blocks]:
    labels = {phase.key: phase.label for phase in table_.session.phases}
    for record in table_.session.party.records:
        if record.unavailable:
            who = ", ".join(map(one_line, record.unavailable))
            yield tree.item(f"{who}: {one_line(labels.get(record.phase, record.phase))}")


def _not_reached(table_: TitleTable) -> Iterator[str]:
    session = table_.session
    verb = "was" if is_over(session) else "is"
    for step in table_.steps:
        if step.status == "stale":
            yield f"{_step(step)} to be asked again"
        elif step.status == "pending":
            yield f"{_step(step)} {verb} not answered"
    for phase in session.phases:
        if phase.status == "pending":
            many = f" ({phase.count} steps)" if phase.count > 1 else ""
            yield f"The phase {one_line(phase.label)}{many} {verb} not begun"


def _step(state: StepState) -> str:
    return f"{state.id} {one_line(state.title)}"


# ── who said what ──────────────────────────────────────────────────────────────────────────────


def said(table_: TitleTable) -> Chapter:
    """Every answer in the order of the steps; long ones are cut, the link leads to the whole."""
    titles = {step.id: step.title for step in table_.steps}
    rows = [
        (
            one_line(titles.get(answer.step, answer.step)),
            _who(answer, table_),
            _quote(answer),
            _where(answer),
        )
        for answer in table_.answers
    ]
    return Chapter(
        SAID, tree.table(SAID_COLUMNS, rows) or tree.paragraph("Nobody has answered yet.")
    )


def _who(answer: Answer, table_: TitleTable) -> str:
    """A click is no saying: the report keeps the two apart."""
    name = table_.name(answer.by)
    return f"{name} (confirmed it)" if answer.source in NOT_SAID else name


def _quote(answer: Answer) -> str:
    files = "".join(f" [file: {one_line(file.name)}]" for file in answer.files)
    text = one_line(clean(answer.text))
    cut = text if len(text) <= QUOTE_CHARS_MAX else text[: QUOTE_CHARS_MAX - 1].rstrip() + "…"
    return f"{cut}{files}".strip()


def _where(answer: Answer) -> str | Inline:
    if url := link(answer.permalink):
        return messages([url])
    return _CONFIRMED if answer.source in ("proposed", "draft") else NEVER


def unwritten(
    states: Sequence[StepState], outputs: Mapping[str, Sequence[str]], written: Sequence[str]
) -> list[str]:
    """Files that steps not answered yet would write, and that are not there."""
    waiting = (state for state in states if state.status in _WAITING)
    names = dict.fromkeys(name for state in waiting for name in outputs.get(state.id, ()))
    return [name for name in names if name not in written and "*" not in name]


_WAITING: Final = ("pending", "stale", "blocked", "failed")
