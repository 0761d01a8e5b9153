"""Architecture and decisions: the options that were weighed, what was chosen, a record of each."""

from collections.abc import Iterable
from typing import Final

from core import patterns
from core.artifacts.compose.analysis.english import pattern
from core.artifacts.compose.analysis.tables import module_table
from core.artifacts.compose.claims import (
    CHOSEN,
    REJECTED,
    Claims,
    akin,
    conflicting,
    detail,
    or_not_said,
)
from core.artifacts.compose.gathered import voice_rows
from core.artifacts.compose.view import SectionView, is_decision_file
from core.artifacts.document import tree, words
from core.artifacts.document.plain import is_code, one_line
from core.artifacts.document.tree import Blocks, Inline, Span
from core.domain.answers import Claim
from core.domain.assumptions import is_assumed

_FOLLOWS: Final = pattern("follows")
_BECAUSE: Final = pattern("because")
_AGAINST: Final = pattern("against")
_FOR: Final = pattern("in_favour")


# ── architecture-overview.md ───────────────────────────────────────────────────────────────────


def architecture_blocks(view: SectionView) -> Blocks:
    """The parts that were named, the options with what was said for and against, all lines."""
    rows = [_option_row(name, lines, view) for name, lines in _options(view.own).items()]
    options = tree.table(words.columns("option"), rows)
    return (*module_table(view), *((*options, *view.grouped(view.lines)) or view.nothing))


def _name(claim: Claim) -> str:
    return detail(claim, "option")


def _options(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """The options that have a name, whatever its letters are, each with its lines."""
    options: dict[str, list[Claim]] = {}
    spelt: dict[str, str] = {}
    for claim in claims:
        if claim.kind == "option" and (name := _name(claim)):
            options.setdefault(spelt.setdefault(_short_name(name), name), []).append(claim)
    return options


def _short_name(name: str) -> str:
    """ "Option B" and "B" are one."""
    folded = name.casefold().strip()
    return folded.removeprefix("option ").strip() or folded


def _option_row(name: str, lines: list[Claim], view: SectionView) -> list[str | Inline]:
    arguing = [
        claim
        for claim in view.own
        if _argues(claim) and _is_named(name, claim.text) and claim not in lines
    ]
    weighed = [*lines, *arguing]
    texts = [claim.text for claim in lines if not _argues(claim) and not is_code(claim.text)]
    by = dict.fromkeys(view.sources.line_source(claim, "cell") for claim in weighed)
    return [
        one_line(name),
        _cell_of(texts),
        _arguments(weighed, CHOSEN, _FOR),
        _arguments(weighed, REJECTED, _AGAINST),
        _choice(lines, view),
        tree.in_turn(((source,) for source in by), ", "),
    ]


def _is_named(name: str, text: str) -> bool:
    """True if a text names an option by its whole name: "option B"."""
    return patterns.find_word(name.casefold(), text.casefold()) >= 0


def _argues(claim: Claim) -> bool:
    return bool(_FOR.search(claim.text) or _AGAINST.search(claim.text))


def _arguments(lines: list[Claim], choice: str, wanted: patterns.Pattern) -> Inline:
    """What speaks for an option is why it was chosen, or says so itself; against it likewise."""
    texts = [detail(claim, "reason") for claim in lines if detail(claim, "choice") == choice]
    texts += [c.text for c in lines if wanted.search(c.text) and not is_code(c.text)]
    return _cell_of(texts)


def _cell_of(texts: Iterable[str]) -> Inline:
    plain = dict.fromkeys(one_line(text) for text in texts if text)
    return tree.in_turn(((text,) for text in plain), " / ") or (words.text("not_said"),)


def _choice(lines: list[Claim], view: SectionView) -> Inline:
    """What its lines say, and the records of the decisions that settle it."""
    choices = dict.fromkeys(choice for claim in lines if (choice := detail(claim, "choice")))
    settling = [claim for claim in view.everything if _settled_by(claim, view) is lines[0]]
    if settling and not choices:
        choices[CHOSEN] = None
    names = ((choice,) for choice in choices)
    records = (_record(claim, view) for claim in settling)
    return tree.in_turn((*names, *records), ", ") or (words.text("not_said"),)


def _settled_by(decision: Claim, view: SectionView) -> Claim | None:
    """The first line of the option that a decision is about, of those that were weighed before."""
    if decision.kind != "decision" or detail(decision, "choice") == REJECTED:
        return None
    options = _options(claim for claim in view.everything if claim.step != decision.step)
    wanted = _short_name(_name(decision))
    named = [lines[0] for name, lines in options.items() if _short_name(name) == wanted] or [
        lines[0] for name, lines in options.items() if _is_named(name, decision.text)
    ]
    if len(named) == 1:
        return named[0]
    near = akin(_name(decision) or decision.text, [lines[0] for lines in options.values()])
    return near or _chosen_with_it(decision, options.values())


def _chosen_with_it(decision: Claim, options: Iterable[list[Claim]]) -> Claim | None:
    """The one option that was chosen in the very answer in which this was decided."""
    chosen = [
        lines[0]
        for lines in options
        if any(detail(line, "choice") == CHOSEN and _share_source(line, decision) for line in lines)
    ]
    return chosen[0] if len(chosen) == 1 else None


def _share_source(claim: Claim, other: Claim) -> bool:
    return not set(claim.sources).isdisjoint(other.sources)


def _record(decision: Claim, view: SectionView) -> Inline:
    """A decision's name, as a link where there is a file of it."""
    ref = decision.ref or ""
    has_file = view.has_record(decision) or any(map(is_decision_file, view.step.outputs))
    return (Span(ref, "", f"{ref.lower()}.md") if ref and has_file else ref,)


# ── tech-stack-decision.md ─────────────────────────────────────────────────────────────────────


def reason_of(claim: Claim) -> str:
    """Why, as the brain found it; else what stands after "because"."""
    because = None if is_code(claim.text) else _BECAUSE.search(claim.text)
    return detail(claim, "reason") or (because[1] if because else "")


def decision_blocks(view: SectionView) -> Blocks:
    """Each decision with its reason and its record, then what was said beside them."""
    decisions = [
        claim
        for claim in view.own
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
            _record(claim, view) if has_record else "",
        )
        for claim in decisions
    )
    table = view.table("decision", rows) or tree.paragraph(words.text("no_decision"))
    return view.table_and_lines(table, [claim for claim in view.own if claim not in decisions])


# ── adr-001.md … ───────────────────────────────────────────────────────────────────────────────


def records(view: SectionView) -> dict[str, Blocks]:
    """`adr-001.md`…: each decision of the step; a withdrawn one says so."""
    made = _decisions(view.own)
    withdrawn = _decisions(view.request.previous).keys() - made
    files = {f"{ref.lower()}.md": _record_blocks(claim, view) for ref, claim in made.items()}
    files |= {f"{ref.lower()}.md": tree.paragraph(words.text("withdrawn")) for ref in withdrawn}
    files.setdefault("adr-001.md", tree.paragraph(words.text("no_decision")))
    return dict(sorted(files.items()))


def _decisions(claims: Claims) -> dict[str, Claim]:
    return {claim.ref: claim for claim in claims if claim.kind == "decision" and claim.ref}


def _record_blocks(decision: Claim, view: SectionView) -> Blocks:
    beside = _said_with_it(decision, view)
    status = "disputed" if conflicting(decision, view.everything) else "decided"
    by = view.sources.line_source(decision)
    context = [claim for claim in beside if _place(claim) == "context"]
    rejected = [claim for claim in beside if _place(claim) == "alternatives"]
    consequences = [claim for claim in beside if _place(claim) == "consequences"]
    alternatives = [*rejected, *_other_options(decision, rejected, view)]

    def lines(claims: list[Claim], nothing: str) -> Blocks:
        return view.sources.items(claims) or tree.paragraph(words.text(nothing))

    parts = {
        "status": tree.paragraph(words.text(status), by),
        "context": lines(context, "no_context"),
        "decision": tree.listing([view.full_item(decision)]),
        "alternatives": lines(alternatives, "no_alternative"),
        "consequences": lines(consequences, "no_consequence"),
        "sources": _sources([decision, *beside], view),
    }
    return tree.joined(tree.titled(words.text(name), blocks) for name, blocks in parts.items())


def _said_with_it(decision: Claim, view: SectionView) -> list[Claim]:
    """What was said in the same messages, or of the same option; all, of a decision alone."""
    alone = sum(claim.kind == "decision" for claim in view.own) == 1
    return [
        claim
        for claim in view.own
        if claim.kind != "decision"
        and not is_assumed(claim)
        and (
            alone
            or _share_source(claim, decision)
            or (_name(claim) and _name(claim) == _name(decision))
        )
    ]


def _place(claim: Claim) -> str:
    """The part of a record that a line stands in."""
    if claim.kind == "option" or detail(claim, "choice") == REJECTED:
        return "alternatives"
    return "consequences" if claim.kind == "risk" or _FOLLOWS.match(claim.text) else "context"


def _other_options(decision: Claim, beside: list[Claim], view: SectionView) -> list[Claim]:
    """If the decision settles an option, the ones that it was weighed against."""
    settled = _settled_by(decision, view)
    if settled is None:
        return []
    chosen = _name(settled).casefold()
    return [
        claim
        for claim in view.everything
        if claim.kind == "option"
        and claim.step == settled.step
        and _name(claim).casefold() not in ("", chosen)
        and claim not in beside
    ]


def _sources(claims: list[Claim], view: SectionView) -> Blocks:
    voices = [("", voice) for claim in claims for voice in view.sources.voices(claim)]
    rows = [(who, links) for who, _, links in voice_rows(voices)]
    return tree.table(words.columns("source"), rows)
