"""What closes a report: everything left open, what is not in it and why, and who said what."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from core.artifacts.compose.lines.claims import asked_of, conflicting, is_asked, is_guess
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.document import tree
from core.artifacts.document.plain import link, one_line
from core.artifacts.document.tree import Blocks, Inline, Span
from core.artifacts.render.provenance import messages
from core.artifacts.report.report import NEVER, WORDS, Chapter
from core.artifacts.report.title_page import SessionRecord
from core.characters import readable
from core.domain.answers import NOT_SAID, Answer, Claim
from core.domain.assumptions import as_left, is_assumed, is_left
from core.domain.party.contributions import Contribution
from core.domain.session.course import ENDED
from core.domain.session.halt import Fault
from core.domain.session.step import StepState

QUOTE_CHARS_MAX: Final = 300


def headed_lists(parts: Mapping[str, Iterable[Blocks]]) -> Blocks:
    """A list under each heading; nothing of one that is empty."""
    return tree.joined(
        tree.titled(WORDS.text(title), tree.listing(items)) for title, items in parts.items()
    )


# ── what was left open ─────────────────────────────────────────────────────────────────────────


def left_open(
    record: SessionRecord,
    claims: Sequence[Claim],
    sources: Sources,
    votes: Sequence[Contribution],
    stances: Sequence[Inline] = (),
) -> Chapter:
    """Assumptions, views that differ, open questions and unverified concerns, in one place.

    `stances`: differences that people gave on each other's answers, a line for each.
    """
    titles = {step.id: step.title for step in record.steps}
    claims = [claim for claim in claims if claim.id not in sources.replaced]

    def items(is_wanted: Callable[[Claim], bool]) -> list[Blocks]:
        lines = filter(is_wanted, claims)
        return [
            sources.item(line, under=titles.get(line.step, ""), asked=asked_of(line))
            for line in lines
        ]

    listed = " ".join(claim.text for claim in claims if is_assumed(claim) or is_asked(claim))
    gaps = _by_step(record, lambda step: _not_listed(step, listed))
    blocks = headed_lists(
        {
            "assumptions": items(is_guess),
            "differing": (
                *(tree.item(*stance) for stance in stances),
                *_differing(claims, sources),
                *_dissent(record, votes),
            ),
            "questions": [*items(is_asked), *items(is_left), *gaps],
            "concerns": _by_step(record, lambda step: step.concerns),
            # Nobody knows what is open there.
            "left_out": (tree.item(_step(step)) for step in record.steps if step.is_left_out),
        }
    )
    return Chapter(WORDS.text("open"), blocks or tree.paragraph(WORDS.text("nothing_open")))


def _not_listed(step: StepState, listed: str) -> list[str]:
    """Follow-ups without an answer that no line repeats."""
    follow_ups = (*step.questions.unanswered, *filter(None, (step.questions.open,)))
    return [as_left(question) for question in follow_ups if question.question not in listed]


def _by_step(record: SessionRecord, texts: Callable[[StepState], Iterable[str]]) -> list[Blocks]:
    return [
        tree.item(one_line(text), f" ({one_line(step.title)})")
        for step in record.steps
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
                below = [tree.item(*_line(other, sources))]
                yield tree.item(*_line(claim, sources), below=below)


def _line(claim: Claim, sources: Sources) -> Inline:
    ref = (tree.strong(claim.ref), " ") if claim.ref else ()
    return (*ref, one_line(claim.text), sources.line_source(claim))


def _dissent(record: SessionRecord, votes: Sequence[Contribution]) -> Iterator[Blocks]:
    for vote in votes:
        if vote.agrees is False:
            name = one_line(record.persona(vote.persona))
            yield tree.item(f"{name} does not agree: ", one_line(vote.text))


# ── what is not there ──────────────────────────────────────────────────────────────────────────


def missing(
    record: SessionRecord, faults: Sequence[Fault], unwritten: Sequence[str], amiss: Sequence[str]
) -> Chapter | None:
    """Steps and phases without a result, each with the reason; nothing where all is there."""
    blocks = headed_lists(
        {
            "faulty": _faulty(record, faults),
            "skipped": _skipped(record),
            "absent": _absent(record),
            "not_reached": map(tree.item, _not_reached(record)),
            "unwritten": (tree.item(Span(one_line(file), "`")) for file in unwritten),
            "amiss": (tree.item(one_line(line)) for line in amiss),
        }
    )
    return Chapter(WORDS.text("missing"), blocks) if blocks else None


def _faulty(record: SessionRecord, faults: Sequence[Fault]) -> Iterator[Blocks]:
    messages = {(fault.step, fault.code): fault.message for fault in faults if fault.message}
    for step in record.steps:
        if step.fault and step.status != "completed":
            why = one_line(step.fault.message or messages.get((step.id, step.fault.code), ""))
            cause = (": ", why) if why else ()
            yield tree.item(_step(step), *cause, " (", Span(step.fault.code, "`"), ")")
        elif step.status in ("failed", "blocked"):
            absent = step.sources.missing
            needs = f": it waits for {one_line(absent)}" if absent else ""
            yield tree.item(f"{_step(step)}: {step.status}{needs}")
    for phase in record.session.course.phases:
        if phase.status == "failed":
            label = one_line(phase.label)
            yield tree.item(f"The whole phase {label}: its analysis could not be run.")


def _skipped(record: SessionRecord) -> Iterator[Blocks]:
    for step in record.steps:
        if step.status == "skipped" and not step.fault:
            by = record.name(step.skipped_by) if step.skipped_by else "its own condition"
            yield tree.item(f"{_step(step)}, by ", by)


def _absent(record: SessionRecord) -> Iterator[Blocks]:
    labels = {phase.key: phase.label for phase in record.session.course.phases}
    for council in record.session.party.records:
        if council.unavailable:
            names = ", ".join(map(one_line, council.unavailable))
            yield tree.item(f"{names}: {one_line(labels.get(council.phase, council.phase))}")


def _not_reached(record: SessionRecord) -> Iterator[str]:
    session = record.session
    verb = "was" if session.status in ENDED else "is"
    for step in record.steps:
        if step.status == "stale":
            yield f"{_step(step)} to be asked again"
        elif step.status == "pending":
            yield f"{_step(step)} {verb} not answered"
    for phase in session.course.phases:
        if phase.status == "pending":
            many = f" ({phase.count} steps)" if phase.count > 1 else ""
            yield f"The phase {one_line(phase.label)}{many} {verb} not begun"


def _step(state: StepState) -> str:
    return f"{state.id} {one_line(state.title)}"


# ── who said what ──────────────────────────────────────────────────────────────────────────────


def spoken(record: SessionRecord) -> Chapter:
    """Every answer in the order of the steps; long ones are cut, the link leads to the whole."""
    titles = {step.id: step.title for step in record.steps}
    rows = [
        (
            one_line(titles.get(answer.step, answer.step)),
            _who(answer, record),
            _quote(answer),
            _where(answer),
        )
        for answer in record.answers
    ]
    table = tree.table(WORDS.columns("spoken"), rows)
    return Chapter(WORDS.text("spoken"), table or tree.paragraph(WORDS.text("nobody")))


def _who(answer: Answer, record: SessionRecord) -> str:
    """A click is no saying: the report keeps the two apart."""
    name = record.name(answer.by)
    return f"{name} (confirmed it)" if answer.source in NOT_SAID else name


def _quote(answer: Answer) -> str:
    files = "".join(f" [file: {one_line(file.name)}]" for file in answer.files)
    text = one_line(readable(answer.text))
    cut = text if len(text) <= QUOTE_CHARS_MAX else text[: QUOTE_CHARS_MAX - 1].rstrip() + "…"
    return f"{cut}{files}".strip()


def _where(answer: Answer) -> str | Inline:
    if url := link(answer.permalink):
        return messages([url])
    return WORDS.text("confirmed") if answer.source in ("proposed", "draft") else NEVER
