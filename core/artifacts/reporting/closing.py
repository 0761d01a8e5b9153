"""What closes a report: everything left open, what is not in it and why, and who said what."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from core.artifacts.links import conflicting
from core.artifacts.markdown import claim_line, escape, joined, messages, provenance, table, titled
from core.artifacts.plain import clean, link, one_line
from core.artifacts.reporting.report import Chapter
from core.artifacts.reporting.standing import NEVER, Table, is_over
from core.artifacts.sources import Sources
from core.artifacts.view import is_assumed, is_open
from core.domain.answers import NOT_SAID, Answer, Claim
from core.domain.council import Contribution
from core.domain.session import Fault, StepState

OPEN: Final = "Left open"
MISSING: Final = "What is not in this report"
SAID: Final = "Who said what"
QUOTE_CHARS_MAX: Final = 300
NOTHING_OPEN: Final = "Nothing is assumed, nobody sees anything differently, no question is open."
SAID_COLUMNS: Final = ("Step", "Who", "What they said", "Where")
_CONFIRMED: Final = "draft confirmed"


def left_open(
    table_: Table,
    claims: Sequence[Claim],
    sources: Sources,
    votes: Sequence[Contribution],
    given: Sequence[str] = (),
) -> Chapter:
    """Assumptions, views that differ, open questions and unverified concerns, in one place.

    `given`: differences that people gave on each other's answers, as lines of Markdown.
    """
    titles = {each.id: each.title for each in table_.steps}

    def lines(kept: Iterator[Claim]) -> str:
        return "\n".join(
            claim_line(one, sources, under=titles.get(one.step, "")) for one in kept
        ).rstrip("\n")

    assumed = " ".join(one.text for one in claims if is_assumed(one))
    gaps = [
        f"- {escape(gap)} ({escape(each.title)})"
        for each in table_.steps
        for gap in each.gaps
        if gap not in assumed
    ]
    concerns = [
        f"- {escape(concern)} ({escape(each.title)})"
        for each in table_.steps
        for concern in each.concerns
    ]
    asked = lines(one for one in claims if is_open(one) and not is_assumed(one))
    body = joined(
        (
            titled("Assumptions", lines(one for one in claims if is_assumed(one))),
            titled(
                "Views that differ",
                "\n".join(
                    (
                        *(f"- {each}" for each in given),
                        *_differing(claims, sources),
                        *_dissent(table_, votes),
                    )
                ),
            ),
            titled("Open questions", "\n".join(filter(None, (asked, *gaps)))),
            titled("Not verified", "\n".join(concerns)),
            titled("Not asked", "\n".join(_left_out(table_))),
        )
    )
    return Chapter(OPEN, body or NOTHING_OPEN)


def _differing(claims: Sequence[Claim], sources: Sources) -> Iterator[str]:
    """Each pair once: what one person said, and what another one said against it."""
    told: set[frozenset[str]] = set()
    for one in claims:
        for other in conflicting(one, claims):
            pair = frozenset((one.id, other.id))
            if pair not in told:
                told.add(pair)
                yield f"- {_line(one, sources)}\n  - {_line(other, sources)}"


def _line(claim: Claim, sources: Sources) -> str:
    ref = f"**{escape(claim.ref)}** " if claim.ref else ""
    return f"{ref}{escape(claim.text)}{provenance(claim, sources)}"


def _dissent(table_: Table, votes: Sequence[Contribution]) -> Iterator[str]:
    for vote in votes:
        if vote.agrees is False:
            yield f"- {escape(table_.persona(vote.persona))} does not agree: {escape(vote.text)}"


# ── what is not there ──────────────────────────────────────────────────────────────────────────


def missing(
    table_: Table, faults: Sequence[Fault], unwritten: Sequence[str], amiss: Sequence[str]
) -> Chapter | None:
    """Steps and phases without a result, each with the reason; nothing where all is there."""
    blocks = (
        titled("Skipped because of a fault", "\n".join(_faulty(table_, faults))),
        titled("Left out by people", "\n".join(_skipped(table_))),
        titled("Absent from a council", "\n".join(_absent(table_))),
        titled("Not reached", "\n".join(_not_reached(table_))),
        titled("Not written yet", "\n".join(f"- `{one_line(file)}`" for file in unwritten)),
        titled("Files", "\n".join(f"- {escape(each)}" for each in amiss)),
    )
    body = joined(blocks)
    return Chapter(MISSING, body) if body else None


def _faulty(table_: Table, faults: Sequence[Fault]) -> Iterator[str]:
    told = {(each.step, each.code): each.message for each in faults if each.message}
    for each in table_.steps:
        if each.fault and each.status != "completed":
            why = each.fault_message or told.get((each.id, each.fault), "")
            yield f"- {_step(each)}: {escape(why)} (`{each.fault}`)".replace(":  (", " (")
        elif each.status in ("failed", "blocked"):
            needs = f": it waits for {escape(each.needs)}" if each.needs else ""
            yield f"- {_step(each)}: {each.status}{needs}"
    for phase in table_.session.phases:
        if phase.status == "failed":
            yield f"- The whole phase {escape(phase.label)}: its analysis could not be run."


def _left_out(table_: Table) -> Iterator[str]:
    """Nobody knows what is open there."""
    for each in table_.steps:
        if each.is_left_out:
            yield f"- {_step(each)}"


def _skipped(table_: Table) -> Iterator[str]:
    for each in table_.steps:
        if each.status == "skipped" and not each.fault:
            who = f", by {escape(table_.name(each.skipped_by))}" if each.skipped_by else ""
            yield f"- {_step(each)}{who or ', by its own condition'}"


def _absent(table_: Table) -> Iterator[str]:
    labels = {phase.key: phase.label for phase in table_.session.phases}
    for record in table_.session.councils:
        if record.unavailable:
            who = ", ".join(escape(each) for each in record.unavailable)
            yield f"- {who}: {escape(labels.get(record.phase, record.phase))}"


def _not_reached(table_: Table) -> Iterator[str]:
    session = table_.session
    verb = "was" if is_over(session) else "is"
    waiting = [each for each in table_.steps if each.status in ("pending", "stale")]
    for each in waiting:
        again = "to be asked again" if each.status == "stale" else f"{verb} not answered"
        yield f"- {_step(each)} {again}"
    for phase in session.phases:
        if phase.status == "pending":
            many = f" ({phase.count} steps)" if phase.count > 1 else ""
            yield f"- The phase {escape(phase.label)}{many} {verb} not begun"


def _step(state: StepState) -> str:
    return f"{state.id} {escape(state.title)}"


# ── who said what ──────────────────────────────────────────────────────────────────────────────


def said(table_: Table) -> Chapter:
    """Every answer in the order of the steps; long ones are cut, the link leads to the whole."""
    titles = {each.id: each.title for each in table_.steps}
    rows = [
        [
            escape(titles.get(each.step, each.step)),
            escape(_who(each, table_)),
            escape(_quote(each)),
            _where(each),
        ]
        for each in table_.answers
    ]
    return Chapter(SAID, table(SAID_COLUMNS, rows) or "Nobody has answered yet.")


def _who(answer: Answer, table_: Table) -> str:
    """A click is no saying: the report keeps the two apart."""
    name = table_.name(answer.by)
    return f"{name} (confirmed it)" if answer.source in NOT_SAID else name


def _quote(answer: Answer) -> str:
    named = "".join(f" [file: {one_line(file.name)}]" for file in answer.files)
    text = one_line(clean(answer.text))
    cut = text if len(text) <= QUOTE_CHARS_MAX else text[: QUOTE_CHARS_MAX - 1].rstrip() + "…"
    return f"{cut}{named}"


def _where(answer: Answer) -> str:
    url = link(answer.permalink)
    return (
        messages([url])
        if url
        else (_CONFIRMED if answer.source in ("proposed", "draft") else NEVER)
    )


def unwritten(states: Sequence[StepState], outputs: Mapping[str, Sequence[str]],
              there: Sequence[str]) -> list[str]:  # fmt: skip
    """Files that steps not answered yet would write, and that are not there."""
    wanted = (name for each in states if each.status in ("pending", "stale", "blocked", "failed")
              for name in outputs.get(each.id, ()))  # fmt: skip
    return [name for name in dict.fromkeys(wanted) if name not in there and "*" not in name]
