"""Architecture and decisions: the options that were weighed, what was chosen, a record of each."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from core.artifacts.compose.analysis.modules import module_table
from core.artifacts.compose.analysis.options import (
    WeighedOption,
    alternatives_of,
    choices_elsewhere,
    is_weighed,
    option_name,
    settled_by,
    share_source,
    undecided_options,
    weighed_options,
    words_of_option,
)
from core.artifacts.compose.lines.claims import arguments, conflicting, detail, or_not_said
from core.artifacts.compose.lines.english import pattern
from core.artifacts.compose.view import SectionView, is_decision_file
from core.artifacts.document import tree, words
from core.artifacts.document.plain import is_code, one_line
from core.artifacts.document.tables import told_table
from core.artifacts.document.tree import Blocks, Inline, Span
from core.artifacts.render.provenance import messages
from core.domain.answers import Claim
from core.domain.assumptions import is_assumed
from core.domain.ids import StepId

FURTHER_FROM: Final = 101  # of records; a later step's decisions take the numbers from 1 on
_FOLLOWS: Final = pattern("follows")
_BECAUSE: Final = pattern("because")


# ── architecture-overview.md ───────────────────────────────────────────────────────────────────


def architecture_blocks(view: SectionView) -> Blocks:
    """The parts that were named, the options with what was said for and against, all lines."""
    weighed = weighed_options(view.standing)
    options = told_table("option", [_option_row(option, view) for option in weighed])
    in_rows = [claim for option in weighed for claim in option.weighed if not is_code(claim.text)]
    lines = [claim for claim in view.lines if claim not in in_rows]
    return (*module_table(view), *((*options, *view.grouped(lines)) or view.nothing))


def _option_row(option: WeighedOption, view: SectionView) -> list[str | Inline]:
    sources = dict.fromkeys(source for claim in option.weighed for source in claim.sources)
    row_claim = replace(option.lines[0], sources=tuple(sources))
    # What is said of it beside its own line may speak for it or against it.
    nothing = words.text("see_left" if len(option.descriptions) > 1 else "not_said")
    return [
        one_line(option.name),
        _cell_of(option.descriptions),
        _cell_of(option.in_favour, nothing),
        _cell_of(option.against, nothing),
        _choice(option, view),
        (view.sources.line_source(row_claim, "cell"),),
    ]


def _cell_of(texts: Iterable[str], nothing: str = words.text("not_said")) -> Inline:
    return tree.in_turn(((text,) for text in texts), " / ") or (nothing,)


def _choice(option: WeighedOption, view: SectionView) -> Inline:
    """What its lines say, and the records of the decisions that settle it."""
    names = ((choice,) for choice in option.choices(view.everything))
    records = (_record(claim, view) for claim in option.settling(view.everything))
    return tree.in_turn((*names, *records), ", ") or (words.text("not_said"),)


def _record(decision: Claim, view: SectionView) -> Inline:
    """A decision's name, as a link where there is a file of it."""
    ref = decision.ref or ""
    writes = view.has_record(decision) or any(map(is_decision_file, view.step.outputs))
    has_file = writes and _is_weighed(decision, view)
    return (Span(ref, "", f"{ref.lower()}.md") if ref and has_file else ref,)


# ── tech-stack-decision.md ─────────────────────────────────────────────────────────────────────


def reason_of(claim: Claim) -> str:
    """Why, as the brain found it; else what stands after "because"."""
    because = None if is_code(claim.text) else _BECAUSE.search(claim.text)
    return detail(claim, "reason") or (because[1] if because else "")


def decision_blocks(view: SectionView) -> Blocks:
    """Each decision with its reason and its record, then what was said beside them.

    Without a decision, what was said last: it may hold.
    """
    decisions = [
        claim
        for claim in view.standing
        if claim.kind == "decision" and not is_assumed(claim) and not is_code(claim.text)
    ]
    has_record = any(map(is_decision_file, view.step.outputs))
    rows = (
        (
            claim,
            claim.ref or "",
            view.cell(claim),
            or_not_said(reason_of(claim)),
            or_not_said(detail(claim, "choice")),
            _record(claim, view) if has_record and _is_weighed(claim, view) else "",
        )
        for claim in decisions
    )
    lines = [claim for claim in view.own if claim not in decisions]
    if not decisions and any(line.kind == "fact" for line in view.lines):
        note = tree.paragraph(words.text("none_is_decided"))
        return (*note, *view.grouped(_last_word_first(lines), lead="fact"))
    table = view.table("decision", rows) or tree.paragraph(words.text("no_decision"))
    return view.table_and_lines(table, lines)


def _last_word_first(lines: Sequence[Claim]) -> list[Claim]:
    """The lines of the last message first, those of one message as they were said."""
    messages: dict[tuple[str, ...], list[Claim]] = {}
    for line in lines:
        messages.setdefault(line.sources, []).append(line)
    return [line for message in reversed(messages.values()) for line in message]


# ── adr-001.md … ───────────────────────────────────────────────────────────────────────────────


def records(view: SectionView) -> dict[str, Blocks]:
    """`adr-001.md`…: each decision of the step that was weighed, and what is still open.

    One that was weighed stays one while it stands, also where people settled what it differed
    from; a withdrawn one says so.
    """
    own, before = _decisions(view.own), _decisions(view.request.previous)
    others = [claim for claim in view.everything if claim.step != view.step.id]
    earlier = [*others, *view.request.previous]
    weighed = {ref for ref, line in own.items() if _is_weighed(line, view)}
    weighed |= {ref for ref, line in before.items() if is_weighed(line, earlier)}
    files = {
        ref: _record_blocks(own[ref], view)
        if ref in own
        else tree.paragraph(words.text("withdrawn"))
        for ref in weighed
    }
    for ref, choice in further_records(view.step.id, view.everything, {*files, *own}):
        options = undecided_options(view.everything)
        files[ref] = _record_blocks(choice, view) if choice else _open_record(options, view)
    if not files and len(view.step.outputs) == 1:
        files["ADR-001"] = tree.paragraph(words.text("nothing_weighed"))
    return {f"{ref.lower()}.md": blocks for ref, blocks in sorted(files.items())}


def further_records(
    step: StepId, everything: Sequence[Claim], taken_refs: Collection[str]
) -> Iterator[tuple[str, Claim | None]]:
    """Names of a step's records of what it does not decide itself: choices made at another step,
    and None for options of which nobody chose one. A choice that has a name keeps it; `taken_refs`:
    names that others have.
    """
    choices: list[Claim | None] = [*choices_elsewhere(step, everything)]
    if undecided_options(everything):
        choices.append(None)
    free = (ref for number in count(FURTHER_FROM) if (ref := f"ADR-{number:03d}") not in taken_refs)
    for choice in choices:
        yield (choice.ref if choice and choice.ref else next(free)), choice


def _is_weighed(decision: Claim, view: SectionView) -> bool:
    return is_weighed(decision, [*view.everything, decision])


def _decisions(claims: Sequence[Claim]) -> dict[str, Claim]:
    return {claim.ref: claim for claim in claims if claim.kind == "decision" and claim.ref}


def _open_record(options: list[WeighedOption], view: SectionView) -> Blocks:
    """Options that people weighed, of which they chose none yet."""
    parts = {
        "status": tree.paragraph(words.text("open")),
        "context": tree.paragraph(words.text("no_context")),
        "options": tree.listing(_option_items(options, view)),
        "decision": tree.paragraph(words.text("nobody_chose")),
        "consequences": tree.paragraph(words.text("no_consequence")),
        "sources": _sources([claim for option in options for claim in option.weighed], view),
    }
    return (*tree.paragraph(tree.strong(record_title(None, view.everything))), *_titled(parts))


def record_title(decision: Claim | None, everything: Sequence[Claim]) -> str:
    """What a record is about: the option that was taken, else the decision in its own words; of
    options that are open, their names."""
    if decision is None:
        return " / ".join(one_line(option.name) for option in undecided_options(everything))
    option = settled_by(decision, everything)
    return one_line(words_of_option(option) if option else decision.text)


def _record_blocks(decision: Claim, view: SectionView) -> Blocks:
    others = alternatives_of(decision, view.everything)
    beside = [claim for claim in _said_with_it(decision, view) if claim not in others]
    consequences = [claim for claim in beside if _is_consequence(claim)]
    context = [line for line in beside if line not in consequences]
    context += [line for line in _forces(decision, view) if line not in (*beside, *others)]

    def lines(claims: list[Claim], nothing: str) -> Blocks:
        return view.sources.items(claims) or tree.paragraph(words.text(nothing))

    parts = {
        "status": _status(decision, view),
        "context": lines(context, "no_context"),
        "options": _options(decision, others, view),
        "decision": tree.listing([view.full_item(decision)]),
        "consequences": (
            tree.listing([*map(view.sources.item, consequences), *_price(decision, view)])
            or tree.paragraph(words.text("no_consequence"))
        ),
        "sources": _sources([decision, *beside, *others, *context], view),
    }
    return (*tree.paragraph(tree.strong(record_title(decision, view.everything))), *_titled(parts))


def _price(decision: Claim, view: SectionView) -> list[Blocks]:
    """What people put against the option that was taken."""
    head = settled_by(decision, view.everything)
    if head is None:
        return []
    options = weighed_options(view.everything)
    taken = next((option for option in options if option.lines[0] is head), None)
    if taken is None:
        return []
    items = [
        tree.item(text, view.sources.line_source(line))
        for line in taken.lines
        for text in arguments(line, "against")
    ]
    return [*items, *map(view.sources.item, taken.opposing)]


def _titled(parts: Mapping[str, Blocks]) -> Blocks:
    return tree.joined(tree.titled(words.text(name), blocks) for name, blocks in parts.items())


def _status(decision: Claim, view: SectionView) -> Blocks:
    status = "disputed" if conflicting(decision, view.everything) else "decided"
    if decision.id in view.sources.replaced:
        status = "superseded"
    elif decision.confidence == "proposed":
        status = "open"
    return tree.paragraph(words.text(status), view.sources.line_source(decision))


def _options(decision: Claim, others: list[Claim], view: SectionView) -> Blocks:
    """The options, with what speaks for and against each; what else was named or replaced."""
    settled = settled_by(decision, view.everything)
    weighed = weighed_options(view.everything) if settled else []
    options = [option for option in weighed if settled and option.lines[0].step == settled.step]
    weighed_ids = {claim.id for option in options for claim in option.weighed}
    replaced = view.sources.replaced
    instead = [old for old in view.own if old.id in replaced and replaced[old.id] is decision]
    further = [claim for claim in others if claim.id not in weighed_ids]
    items = [*_option_items(options, view), *map(view.full_item, (*further, *instead))]
    return tree.listing(items) or tree.paragraph(words.text("no_alternative"))


def _option_items(options: list[WeighedOption], view: SectionView) -> list[Blocks]:
    """Each option with who spoke for and against it, and what else was said of it."""
    return [
        view.full_item(option.lines[0], *map(view.full_item, option.weighed[1:]))
        for option in options
    ]


def _forces(decision: Claim, view: SectionView) -> list[Claim]:
    """What the step of the options that it settles heard besides them."""
    head = settled_by(decision, view.everything)
    of_options = [line for option in weighed_options(view.everything) for line in option.weighed]
    beside = _beside_options(head.step, view) if head else []
    return [line for line in beside if line not in of_options]


def _beside_options(step: StepId, view: SectionView) -> list[Claim]:
    return [
        claim
        for claim in view.everything
        if claim.step == step
        and claim.kind not in ("decision", "note", "requirement", "check")
        and not (is_assumed(claim) or option_name(claim))
    ]


def _said_with_it(decision: Claim, view: SectionView) -> list[Claim]:
    """What was said in the same messages, or of the same option; all, of a decision alone.

    Of a choice among the options of another step: what that step heard besides them.
    """
    origin = next((claim.step for claim in view.everything if claim.id == decision.id), "")
    if origin not in ("", decision.step):
        return _beside_options(StepId(origin), view)
    alone = sum(claim.kind == "decision" for claim in view.standing) == 1
    return [
        claim
        for claim in view.standing
        if claim.kind not in ("decision", "note", "option")
        and not is_assumed(claim)
        and (
            alone
            or share_source(claim, decision)
            or (option_name(claim) and option_name(claim) == option_name(decision))
            or (_is_consequence(claim) and _stands_behind(claim, view) is decision)
        )
    ]


def _stands_behind(line: Claim, view: SectionView) -> Claim | None:
    """The decision right before a line of its step, whoever said either."""
    earlier = view.standing[: view.standing.index(line)]
    return next((claim for claim in reversed(earlier) if claim.kind == "decision"), None)


def _is_consequence(claim: Claim) -> bool:
    """True for what people say follows: a risk, or a line that says so itself."""
    return claim.kind == "risk" or bool(_FOLLOWS.match(claim.text))


def _sources(claims: list[Claim], view: SectionView) -> Blocks:
    """A row for each person, with every message in which they spoke of it."""
    links: dict[str, dict[str, None]] = {}
    for voice in (voice for claim in claims for voice in view.sources.voices(claim)):
        links.setdefault(voice.by, {}).update(dict.fromkeys(voice.permalinks))
    rows = [((by,), messages(urls) or (words.text("not_said"),)) for by, urls in links.items()]
    return tree.table(words.columns("source"), rows)
