"""Architecture and decisions: the options that were weighed, what was chosen, a record of each."""

from collections.abc import Iterable
from typing import Final

from core import patterns
from core.artifacts.compose.gathered import gathered, voice_rows
from core.artifacts.compose.links import akin, conflicting
from core.artifacts.compose.tables import module_table
from core.artifacts.compose.view import (
    SectionView,
    cell,
    claim_list,
    full_item,
    grouped,
    is_assumed,
    is_decision_file,
    is_open,
    or_not_said,
    said,
)
from core.artifacts.document import words
from core.artifacts.document.code import is_code
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import (
    Blocks,
    Inline,
    Span,
    StepPart,
    in_turn,
    joined,
    listing,
    paragraph,
    table,
    titled,
)
from core.domain.answers import Claim

CHOSEN, REJECTED = words.row("choices")
_FOLLOWS: Final = patterns.compile(
    r"(?:that|this|which) means|it follows|as a (?:result|consequence)|consequently|therefore"
    r"|from then on|the (?:price|cost|consequence)|so we (?:must|have to|need to)",
    patterns.IGNORECASE,
)
_BECAUSE: Final = patterns.compile(r"\b(?:because|since)\s+(\S.*?)[.!]*$", patterns.IGNORECASE)
_AGAINST: Final = patterns.compile(
    r"\b(?:speaks? against|drawbacks?|downsides?|disadvantages?|cons?\b(?=:)|against(?=:)"
    r"|the (?:catch|trouble|problem) (?:is|with)|no help)",
    patterns.IGNORECASE,
)
_FOR: Final = patterns.compile(
    r"\b(?:speaks? for|advantages?|upsides?|pros?\b(?=:)|for(?=:)|the good thing)",
    patterns.IGNORECASE,
)


# ── architecture-overview.md ───────────────────────────────────────────────────────────────────


def architecture_part(view: SectionView) -> StepPart:
    """The parts that were named, the options with what was said for and against, all lines."""
    options = _options(view.own)
    rows = [_option_row(name, lines, view) for name, lines in options.items()]
    lines = [claim for claim in view.own if not is_assumed(claim) and not is_open(claim)]
    nothing = words.text("all_at_the_end") if view.own else words.text("nothing")
    weighed = (*table(words.columns("option"), rows), *grouped(lines, view)) or paragraph(nothing)
    end = gathered(view, "architecture-overview.md")
    return StepPart((*module_table(view), *weighed), end)


def _name(claim: Claim) -> str:
    return said(claim, "option")


def _options(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """The options that have a name, whatever its letters are, each with its lines."""
    found: dict[str, list[Claim]] = {}
    spelt: dict[str, str] = {}
    for one in claims:
        if one.kind == "option" and (name := _name(one)):
            found.setdefault(spelt.setdefault(_short_name(name), name), []).append(one)
    return found


def _short_name(name: str) -> str:
    """ "Option B" and "B" are one."""
    folded = name.casefold().strip()
    return folded.removeprefix("option ").strip() or folded


def _option_row(name: str, lines: list[Claim], view: SectionView) -> list[str | Inline]:
    speaking = [claim for claim in view.own if _speaks_of(name, claim) and claim not in lines]
    weighed = [*lines, *speaking]
    what = [claim.text for claim in lines if not _argues(claim) and not is_code(claim.text)]
    by = dict.fromkeys(view.sources.said(claim, "cell") for claim in weighed)
    return [
        one_line(name),
        _cell_of(what),
        _arguments(weighed, CHOSEN, _FOR),
        _arguments(weighed, REJECTED, _AGAINST),
        _choice(lines, view),
        in_turn(((source,) for source in by), ", "),
    ]


def _speaks_of(name: str, claim: Claim) -> bool:
    """Whether a line argues for or against an option that it names."""
    named = patterns.find_word(name.casefold(), claim.text.casefold()) >= 0
    return named and _argues(claim)


def _argues(claim: Claim) -> bool:
    return bool(_FOR.search(claim.text) or _AGAINST.search(claim.text))


def _arguments(lines: list[Claim], choice: str, spoken: patterns.Pattern) -> Inline:
    """What speaks for an option is why it was chosen, or says so itself; against it likewise."""
    texts = [said(claim, "reason") for claim in lines if said(claim, "choice") == choice]
    texts += [c.text for c in lines if spoken.search(c.text) and not is_code(c.text)]
    return _cell_of(texts)


def _cell_of(texts: Iterable[str]) -> Inline:
    plain = dict.fromkeys(one_line(text) for text in texts if text)
    return in_turn(((text,) for text in plain), " / ") or (words.text("not_said"),)


def _choice(lines: list[Claim], view: SectionView) -> Inline:
    """What its lines say, and the records of the decisions that settle it."""
    choices = dict.fromkeys(choice for claim in lines if (choice := said(claim, "choice")))
    settling = [claim for claim in view.everything if _settled_by(claim, view) is lines[0]]
    if settling and not choices:
        choices[CHOSEN] = None
    names = ((choice,) for choice in choices)
    records = (_record(claim, view) for claim in settling)
    return in_turn((*names, *records), ", ") or (words.text("not_said"),)


def _settled_by(decision: Claim, view: SectionView) -> Claim | None:
    """The first line of the option that a decision is about, of those that were weighed before."""
    if decision.kind != "decision" or said(decision, "choice") == REJECTED:
        return None
    options = _options(one for one in view.everything if one.step != decision.step)
    wanted = _short_name(_name(decision))
    named = [lines for name, lines in options.items() if _short_name(name) == wanted]
    named = named or [lines for name, lines in options.items() if _is_named(name, decision.text)]
    if len(named) == 1:
        return named[0][0]
    near = akin(_name(decision) or decision.text, [lines[0] for lines in options.values()])
    return near or _chosen_with_it(decision, options.values())


def _is_named(name: str, text: str) -> bool:
    """Whether a text names an option by its whole name: "option B"."""
    return patterns.find_word(name.casefold(), text.casefold()) >= 0


def _chosen_with_it(decision: Claim, options: Iterable[list[Claim]]) -> Claim | None:
    """The one option that was chosen in the very answer in which this was decided."""
    found = [
        lines[0]
        for lines in options
        if any(
            said(one, "choice") == CHOSEN and set(one.sources) & set(decision.sources)
            for one in lines
        )
    ]
    return found[0] if len(found) == 1 else None


def _record(decision: Claim, view: SectionView) -> Inline:
    """A decision's name, as a link where there is a file of it."""
    ref = decision.ref or ""
    has_file = view.has_record(decision) or any(map(is_decision_file, view.step.outputs))
    return (Span(ref, "", f"{ref.lower()}.md") if ref and has_file else ref,)


# ── tech-stack-decision.md ─────────────────────────────────────────────────────────────────────


def reason_of(claim: Claim) -> str:
    """Why, as the brain found it; else what stands after "because"."""
    because = None if is_code(claim.text) else _BECAUSE.search(claim.text)
    return said(claim, "reason") or (because[1] if because else "")


def decisions_body(view: SectionView) -> Blocks:
    """Each decision with its reason and its record, then what was said beside them."""
    made = [claim for claim in view.own if claim.kind == "decision" and not is_assumed(claim)]
    shown = [claim for claim in made if not is_code(claim.text)]
    rows = [_decision_row(claim, view) for claim in shown]
    rest = [claim for claim in view.own if claim not in shown]
    written = table(words.columns("decision"), rows) or paragraph(words.text("no_decision"))
    return (*written, *grouped(rest, view, named=True))


def _decision_row(decision: Claim, view: SectionView) -> list[str | Inline]:
    has_record = any(map(is_decision_file, view.step.outputs))
    return [
        decision.ref or "",
        cell(decision, view),
        or_not_said(reason_of(decision)),
        or_not_said(said(decision, "choice")),
        _record(decision, view) if has_record else "",
        (view.sources.said(decision, "cell"),),
    ]


# ── adr-001.md … ───────────────────────────────────────────────────────────────────────────────


def records(view: SectionView, previous: tuple[Claim, ...]) -> dict[str, Blocks]:
    """`adr-001.md`…: each decision of the step; a withdrawn one says so."""
    made = {claim.ref: claim for claim in view.own if claim.kind == "decision" and claim.ref}
    withdrawn = {claim.ref for claim in previous if claim.kind == "decision" and claim.ref}
    files = {f"{ref.lower()}.md": _record_blocks(claim, view) for ref, claim in made.items()}
    for ref in withdrawn - set(made):
        files[f"{ref.lower()}.md"] = paragraph(words.text("withdrawn"))
    files.setdefault("adr-001.md", paragraph(words.text("no_decision")))
    return dict(sorted(files.items()))


def _record_blocks(decision: Claim, view: SectionView) -> Blocks:
    beside = _said_with_it(decision, view)
    status = (
        words.text("disputed") if conflicting(decision, view.everything) else words.text("decided")
    )

    def lines(place: str, nothing: str) -> Blocks:
        placed = [claim for claim in beside if _place(claim) == place]
        if place == words.text("alternatives"):
            placed += _other_options(decision, placed, view)
        return claim_list(placed, view.sources) or paragraph(nothing)

    parts = {
        words.text("status"): paragraph(status, view.sources.said(decision)),
        words.text("context"): lines(words.text("context"), words.text("no_context")),
        words.text("decision"): listing([full_item(decision, view)]),
        words.text("alternatives"): lines(words.text("alternatives"), words.text("no_alternative")),
        words.text("consequences"): lines(words.text("consequences"), words.text("no_consequence")),
        words.text("sources"): _sources([decision, *beside], view),
    }
    return joined(titled(title, blocks) for title, blocks in parts.items())


def _said_with_it(decision: Claim, view: SectionView) -> list[Claim]:
    """What was said in the same messages, or of the same option; all, of a decision alone."""
    alone = sum(one.kind == "decision" for one in view.own) == 1
    return [
        one
        for one in view.own
        if one.kind != "decision"
        and not is_assumed(one)
        and (
            alone
            or set(one.sources) & set(decision.sources)
            or (_name(one) and _name(one) == _name(decision))
        )
    ]


def _place(claim: Claim) -> str:
    if claim.kind == "option" or said(claim, "choice") == REJECTED:
        return words.text("alternatives")
    if claim.kind == "risk" or _FOLLOWS.match(claim.text):
        return words.text("consequences")
    return words.text("context")


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
        and _name(claim)
        and _name(claim).casefold() != chosen
        and claim not in beside
    ]


def _sources(claims: list[Claim], view: SectionView) -> Blocks:
    voices = [("", voice) for claim in claims for voice in view.sources.voices(claim)]
    return table(words.columns("source"), [(who, links) for who, _, links in voice_rows(voices)])
