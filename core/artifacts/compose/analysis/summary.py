"""`design-summary.md`: the whole analysis for somebody who comes late, made from all claims."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.artifacts.compose.analysis.binding import dated, in_the_way, is_goal, purposes, to_ask
from core.artifacts.compose.analysis.decisions import further_records, record_title
from core.artifacts.compose.analysis.modules import count_modules
from core.artifacts.compose.analysis.options import (
    fullest_choices,
    is_chosen,
    is_weighed,
    taken_option,
    weighed_options,
)
from core.artifacts.compose.lines.claim_links import is_must
from core.artifacts.compose.lines.claims import (
    GOALS,
    REJECTED,
    asked_of,
    detail,
    group_of,
    is_excluded,
    is_guess,
    is_open,
    is_taken,
    is_word_or_two,
    once,
    open_questions,
    refs_in,
)
from core.artifacts.compose.lines.passages import joined_items
from core.artifacts.compose.lines.settled import is_settled
from core.artifacts.compose.readiness import readiness_of
from core.artifacts.compose.view import SectionView, is_decision_file, tagged
from core.artifacts.document import tree, words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, Span
from core.domain.answers import Claim
from core.domain.assumptions import ASKS, NOT_ANSWERED, is_left
from core.domain.ids import StepId
from core.domain.lines import RANKED
from core.domain.steps.playbook import BUILT_IN_PHASES

PURPOSES_MAX: Final = 6
_LABELS: Final = {phase.key[:2]: phase.label for phase in BUILT_IN_PHASES}


def blocks(view: SectionView) -> Blocks:
    """Purpose, musts, decisions, exclusions, dates, obstacles, what is open, counts by phase."""
    left_out = tree.listing(tree.item(one_line(title)) for title in view.request.not_asked)
    unknown = "not_all_asked" if view.request.not_asked else ""
    assumed = view.sources.items(filter(is_guess, view.everything))
    musts = [line for line in view.everything if _is_must(line, view)]
    musts += once(view.everything.unplaced_musts)
    dates = dated(view)
    return (
        *_part("purpose_of_it", _purpose(view), "no_purpose"),
        *_part("musts", _listing(view, musts), "no_must"),
        *_part("what_was_decided", tree.listing(_decision_items(view)), "no_decision"),
        *_part("out_of_scope", _listing(view, _excluded(view)), "nothing_excluded"),
        *_part("dates", _listing(view, dates), "no_date"),
        *_part("in_the_way", _in_the_way(view, dates), "nothing"),
        *_part("before_building", _before_building(view)),
        *_part("not_asked", left_out),
        *_part("open_questions", _questions(view), unknown or "no_open_question"),
        *_part("assumptions", assumed, unknown or "no_assumption"),
        *_part("by_phase", (*_in_short(view), *_by_phase(view))),
    )


def _part(title: str, blocks: Blocks, nothing: str = "") -> Blocks:
    """Blocks under a heading of ours; where there are none, the sentence that says so."""
    instead = tree.paragraph(words.text(nothing)) if nothing else ()
    return tree.titled(words.text(title), blocks or instead)


def _listing(view: SectionView, lines: Iterable[Claim]) -> Blocks:
    """Lines, each with what it differs from; sentences of one message are one."""
    items = ((line, _item(view, line, view.differing_lines(line))) for line in lines)
    return tree.listing(joined_items(items, view.sources.answers))


def _item(view: SectionView, line: Claim, others: Iterable[Claim]) -> Blocks:
    """A line, the goal in whose place it stands, and what it differs from."""
    older = view.sources.before(line) if line.kind not in GOALS and is_goal(line, view) else ()
    return view.sources.item(line, below=(*older, *map(view.difference, others)))


def _purpose(view: SectionView) -> Blocks:
    lines = purposes(view)
    more = len(lines) - PURPOSES_MAX
    note = words.text("more_lines").format(words.count(more, "line"))
    listed = _listing(view, lines[:PURPOSES_MAX])
    return (*listed, *(tree.paragraph(note) if more > 0 else ()))


def _in_the_way(view: SectionView, dates: Iterable[Claim]) -> Blocks:
    """Who must agree still, or refuses; and what was said at the review itself, but asides and what
    stands above: decisions, exclusions, dates."""
    elsewhere = [*_asides(view), *_decisions(view), *_excluded(view), *dates]
    lines = [line for line in view.lines if line not in elsewhere]
    return (*_listing(view, in_the_way(view)), *view.grouped(lines, lead="fact", level=4))


def _asides(view: SectionView) -> list[Claim]:
    return [line for line in view.lines if group_of(line) == "note"]


# ── what is settled ────────────────────────────────────────────────────────────────────────────


def _is_must(line: Claim, view: SectionView) -> bool:
    return line.kind in RANKED and is_taken(line) and is_must(line, view.everything)


def _excluded(view: SectionView) -> list[Claim]:
    return [line for line in once(view.everything) if is_excluded(line) and is_taken(line)]


def _in_short(view: SectionView) -> Blocks:
    """How many there are of what the phases list, and of what stands above."""
    counts = {kind: len(lines) for kind, lines in _by_kind(_lines_by_phase(view)).items()}
    counts = {kind: counts.get(kind, 0) for kind in ("requirement", "quality", "story", "risk")}
    counts["decision"] = len(_decisions(view))
    counts["question"] = len(open_questions(view.everything))
    counts["assumption"] = sum(map(is_guess, view.everything))
    return _counts(counts)


def _counts(counts: Mapping[str, int]) -> Blocks:
    line = ", ".join(words.count(number, kind) for kind, number in counts.items())
    return tree.paragraph(f"{line[:1].upper()}{line[1:]}.")


def _questions(view: SectionView) -> Blocks:
    """Those of people, whom somebody is to ask, and what people were asked and did not answer."""
    unanswered = tree.titled(words.text("asked_not_answered"), tree.listing(_unanswered(view)), 4)
    questions = (
        view.sources.item(question, asked=asked_of(question))
        for question in sorted(open_questions(view.everything), key=is_word_or_two)
    )
    asked_of_others = tree.titled(words.text("to_ask"), _listing(view, to_ask(view)), 4)
    return (*tree.listing(questions), *asked_of_others, *unanswered)


def _unanswered(view: SectionView) -> Iterator[Blocks]:
    """Follow-ups without an answer; those on how to see that lines work are one of all lines.

    What the step itself asked stands in no other file, and is quoted here.
    """
    unanswered = [claim for claim in view.everything if is_left(claim)]
    joined = [claim for claim in unanswered if _is_joined(claim, view)]
    if joined:
        refs = ", ".join(refs_in(claim.text)[0] for claim in joined)
        yield tree.item(f"{words.text('asked_for_checks')}: {refs}")
    for claim in unanswered:
        if claim not in joined:
            yield tree.item(one_line(claim.text.removeprefix(NOT_ANSWERED.format(""))))


def _is_joined(claim: Claim, view: SectionView) -> bool:
    is_passed = claim.text.startswith(NOT_ANSWERED.format(""))
    is_check = claim.data.get(ASKS) == "check" and bool(refs_in(claim.text))
    return is_passed and is_check and claim.step != view.step.id


def _before_building(view: SectionView) -> Blocks:
    """What is not settled: a sentence for each thing, and the lines that differ."""
    readiness = readiness_of(view.everything)
    texts = readiness.sentences(lambda claim: [voice.by for voice in view.sources.voices(claim)])
    differing = tree.listing(_differing(view))
    if differing and texts == [words.text("all_settled")]:
        return differing
    return (*tree.joined(map(tree.paragraph, texts)), *differing)


def _differing(view: SectionView) -> Iterator[Blocks]:
    """Lines that differ where nobody said or decided which holds, each pair once."""
    listed_ids: set[str] = set()
    for line in filter(is_taken, view.everything):
        others = [
            other
            for other in view.differing_lines(line)
            if other.id not in listed_ids
            and not is_settled(line, other, view.everything, view.sources.answers)
        ]
        if others:
            listed_ids |= {line.id, *(other.id for other in others)}
            yield _item(view, line, others)


def _decisions(view: SectionView) -> list[Claim]:
    """What people decided, and the options that they chose: all, for one that nobody weighed has no
    record, and is told here alone."""
    return fullest_choices(
        claim
        for claim in once(view.everything)
        if is_chosen(claim) and _counts_in_phase(claim, view)
    )


def _decision_items(view: SectionView) -> Iterator[Blocks]:
    """`Hold as a row in Postgres: Then let's go with A. — said by dev`, over what it replaced."""
    options = weighed_options(view.everything)
    for claim in _decisions(view):
        older = view.sources.before(claim)
        yield view.sources.item(claim, under=taken_option(claim, options), below=older)


def _by_phase(view: SectionView) -> Blocks:
    """Of each phase how many lines there are, and the files in which they stand."""
    counted, files = _lines_by_phase(view), _files(view)
    phases: dict[str, tuple[list[Claim], list[Blocks]]] = {}
    for line in counted:
        phases.setdefault(line.step[:2], ([], []))[0].append(line)
    for step, entry in files:
        phases.setdefault(step[:2], ([], []))[1].append(entry)
    said_at_review = _said_at_review(view)
    if said_at_review:
        phases.setdefault(view.step.id[:2], ([], []))
    return tree.joined(
        tree.titled(
            _LABELS.get(phase, f"{words.text('phase')} {phase}"),
            (
                *_phase_lines(lines, view),
                *tree.listing(entries),
                *(said_at_review if phase == view.step.id[:2] else ()),
            ),
            4,
        )
        for phase, (lines, entries) in sorted(phases.items())
    )


def _said_at_review(view: SectionView) -> Blocks:
    asides = view.by_question(_asides(view)) if _asides(view) else ()
    lead = tree.paragraph(f"{words.text('said_at_review')}:") if asides else ()
    return (*lead, *asides)


def _phase_lines(lines: list[Claim], view: SectionView) -> Blocks:
    """How many there are of each kind; those that no noun counts, each."""
    kinds = _by_kind(lines)
    others = kinds.pop("line", [])
    counts = {
        kind: count_modules(alike) if kind == "module" else len(alike)
        for kind, alike in kinds.items()
    }
    items = joined_items(((line, view.sources.item(line)) for line in others), view.sources.answers)
    return (*(_counts(counts) if counts else ()), *tree.listing(items))


def _by_kind(lines: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Lines by the nouns that count them; those of which there is none are lines."""
    nouns = words.mapping("counted")
    kinds: dict[str, list[Claim]] = {}
    for line in lines:
        kinds.setdefault(line.kind if line.kind in nouns else "line", []).append(line)
    return {kind: kinds[kind] for kind in nouns if kind in kinds}


def _lines_by_phase(view: SectionView) -> list[Claim]:
    """The lines that are counted by phase, but for what stands above in whole."""
    above = [*_decisions(view), *_excluded(view)]
    lines = once(claim for claim in view.everything if _counts_in_phase(claim, view))
    return [line for line in lines if line not in above]


def _counts_in_phase(claim: Claim, view: SectionView) -> bool:
    """What its step says it decides, in `(decides: …)`; and what is called a decision."""
    if not is_taken(claim) or is_open(claim):
        return False
    if claim.kind == "option":
        return bool(detail(claim, "choice")) and detail(claim, "choice") != REJECTED
    if claim.kind in ("requirement", "quality", "story", "risk"):
        return True  # wherever it was said
    if claim.kind == "scope":
        return bool(claim.data.keys() & {"scope", "complexity", "file_count"})
    step = view.steps.get(claim.step)
    decides = ("decision", *(tagged(step, "decides") if step else ()))
    return claim.kind in decides or is_excluded(claim)


def _files(view: SectionView) -> Iterator[tuple[StepId, Blocks]]:
    """Those that are there, each with the step that writes it first and what it is."""
    steps = sorted(view.steps.values(), key=lambda step: step.id)
    first = {file: step.id for step in reversed(steps) for file in step.outputs}
    for file in dict.fromkeys(file for step in steps for file in step.outputs):
        if is_decision_file(file):
            records = (_entry(f"{ref.lower()}.md", title) for ref, title in _recorded(view))
            yield from ((first[file], entry) for entry in records)
        elif file not in view.step.outputs and view.is_there(file):
            yield first[file], _entry(file, words.INTROS.get(file, words.HEADINGS.get(file, "")))


def _recorded(view: SectionView) -> Iterator[tuple[str, str]]:
    """Each record's name, and what it is about."""
    decisions = [claim for claim in view.everything if claim.kind == "decision" and claim.ref]
    for claim in decisions:
        if claim.ref and view.has_record(claim) and is_weighed(claim, view.everything):
            yield claim.ref, record_title(claim, view.everything)
    writing = (
        candidate.id
        for candidate in view.steps.values()
        if any(map(is_decision_file, candidate.outputs))
    )
    for step in writing:
        own_refs = {claim.ref or "" for claim in decisions if claim.step == step}
        for ref, choice in further_records(step, view.everything, own_refs):
            yield ref, record_title(choice, view.everything)


def _entry(file: str, intro: str) -> Blocks:
    return tree.item(Span(file, "", file), *((f": {intro}",) if intro else ()))
