"""Architecture and decisions: the options that were weighed, what was chosen, a record of each."""

from collections.abc import Iterable
from typing import Final

from core import patterns
from core.artifacts import words
from core.artifacts.links import akin, conflicting
from core.artifacts.markdown import (
    claim_line,
    escape,
    is_code,
    joined,
    messages,
    provenance,
    said_by,
    table,
    titled,
)
from core.artifacts.view import (
    View,
    cell,
    full_line,
    grouped,
    is_assumed,
    is_decision_file,
    is_open,
    or_not_said,
    said,
)
from core.domain.answers import Claim

CHOSEN, REJECTED = words.CHOICES
RECORDED_BY: Final = "03-02"  # the shipped step that writes a file for each decision
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


def architecture_body(view: View) -> str:
    """The options in a table, with what was said for and against each; then all lines in full."""
    options = _options(view.own)
    rows = [_option_row(name, mine, view) for name, mine in options.items()]
    kept = [one for one in view.own if not is_assumed(one) and not is_open(one)]
    nothing = words.ALL_AT_THE_END if view.own else words.NOTHING
    return joined((table(words.OPTION_COLUMNS, rows), grouped(kept, view))) or nothing


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


def _option_row(name: str, mine: list[Claim], view: View) -> list[str]:
    speaking = [one for one in view.own if _speaks_of(name, one) and one not in mine]
    weighed = [*mine, *speaking]
    what = [one.text for one in mine if not _argues(one) and not is_code(one.text)]
    by = dict.fromkeys(said_by(one, view.sources) for one in weighed)
    return [
        escape(name),
        _cell_of(what),
        _arguments(weighed, CHOSEN, _FOR),
        _arguments(weighed, REJECTED, _AGAINST),
        _choice(mine, view),
        ", ".join(by),
    ]


def _speaks_of(name: str, claim: Claim) -> bool:
    """Whether a line argues for or against an option that it names."""
    named = patterns.find_word(name.casefold(), claim.text.casefold()) >= 0
    return named and _argues(claim)


def _argues(claim: Claim) -> bool:
    return bool(_FOR.search(claim.text) or _AGAINST.search(claim.text))


def _arguments(mine: list[Claim], choice: str, spoken: patterns.Pattern) -> str:
    """What speaks for an option is why it was chosen, or says so itself; against it likewise."""
    found = [said(one, "reason") for one in mine if said(one, "choice") == choice]
    found += [one.text for one in mine if spoken.search(one.text) and not is_code(one.text)]
    return _cell_of(found)


def _cell_of(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(escape(each) for each in texts if each)) or words.NOT_SAID


def _choice(mine: list[Claim], view: View) -> str:
    """What its lines say, and the records of the decisions that settle it."""
    choices = dict.fromkeys(choice for one in mine if (choice := said(one, "choice")))
    records = [_record(one, view) for one in view.everything if _settled_by(one, view) is mine[0]]
    if records and not choices:
        choices[CHOSEN] = None
    return ", ".join((*map(escape, choices), *records)) or words.NOT_SAID


def _settled_by(decision: Claim, view: View) -> Claim | None:
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


def _record(decision: Claim, view: View) -> str:
    """A decision's name, as a link where there is a file of it."""
    ref = escape(decision.ref or "")
    has_file = decision.step == RECORDED_BY or any(map(is_decision_file, view.step.outputs))
    return f"[{ref}]({ref.lower()}.md)" if ref and has_file else ref


# ── tech-stack-decision.md ─────────────────────────────────────────────────────────────────────


def reason_of(claim: Claim) -> str:
    """Why, as the brain found it; else what stands after "because"."""
    because = None if is_code(claim.text) else _BECAUSE.search(claim.text)
    return said(claim, "reason") or (because[1] if because else "")


def decisions_body(view: View) -> str:
    """Each decision with its reason and its record, then what was said beside them."""
    made = [one for one in view.own if one.kind == "decision" and not is_assumed(one)]
    shown = [one for one in made if not is_code(one.text)]
    rows = [
        [
            escape(one.ref or ""),
            cell(one, view),
            or_not_said(reason_of(one)),
            or_not_said(said(one, "choice")),
            _record(one, view) if any(map(is_decision_file, view.step.outputs)) else "",
            said_by(one, view.sources),
        ]
        for one in shown
    ]
    rest = [one for one in view.own if one not in shown]
    return joined(
        (
            table(words.DECISION_COLUMNS, rows) or words.NO_DECISION,
            grouped(rest, view, named=True),
        )
    )


# ── adr-001.md … ───────────────────────────────────────────────────────────────────────────────


def records(view: View, previous: tuple[Claim, ...]) -> dict[str, str]:
    """`adr-001.md`…: each decision of the step; a withdrawn one says so."""
    made = {claim.ref: claim for claim in view.own if claim.kind == "decision" and claim.ref}
    withdrawn = {claim.ref for claim in previous if claim.kind == "decision" and claim.ref}
    bodies = {f"{ref.lower()}.md": _body(claim, view) for ref, claim in made.items()}
    for ref in withdrawn - set(made):
        bodies[f"{ref.lower()}.md"] = words.WITHDRAWN
    bodies.setdefault("adr-001.md", words.NO_DECISION)
    return dict(sorted(bodies.items()))


def _body(decision: Claim, view: View) -> str:
    beside = _said_with_it(decision, view)
    others = conflicting(decision, view.everything)
    parts = {
        words.STATUS: (words.DISPUTED if others else words.DECIDED)
        + provenance(decision, view.sources),
        words.CONTEXT: _lines([one for one in beside if _place(one) == words.CONTEXT], view)
        or words.NO_CONTEXT,
        words.DECISION: full_line(decision, view).strip("\n"),
        words.ALTERNATIVES: _lines(_alternatives(decision, beside, view), view)
        or words.NO_ALTERNATIVE,
        words.CONSEQUENCES: _lines(
            [one for one in beside if _place(one) == words.CONSEQUENCES], view
        )
        or words.NO_CONSEQUENCE,
        words.SOURCES: _sources([decision, *beside], view),
    }
    return joined(titled(title, body) for title, body in parts.items())


def _said_with_it(decision: Claim, view: View) -> list[Claim]:
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
        return words.ALTERNATIVES
    if claim.kind == "risk" or _FOLLOWS.match(claim.text):
        return words.CONSEQUENCES
    return words.CONTEXT


def _alternatives(decision: Claim, beside: list[Claim], view: View) -> list[Claim]:
    """What was turned down with it; and, if it settles an option, the other ones."""
    mine = [one for one in beside if _place(one) == words.ALTERNATIVES]
    settled = _settled_by(decision, view)
    if settled is None:
        return mine
    others = [
        one
        for one in view.everything
        if one.kind == "option" and one.step == settled.step and _name(one)
    ]
    chosen = _name(settled).casefold()
    return [*mine, *(one for one in others if _name(one).casefold() != chosen and one not in mine)]


def _lines(claims: list[Claim], view: View) -> str:
    return "\n".join(claim_line(one, view.sources) for one in claims).strip("\n")


def _sources(claims: list[Claim], view: View) -> str:
    links: dict[str, dict[str, None]] = {}
    for claim in claims:
        for voice in view.sources.voices(claim):
            links.setdefault(voice.by, {}).update(dict.fromkeys(voice.permalinks))
    rows = [[escape(who), messages(urls) or words.NOT_SAID] for who, urls in links.items()]
    return table(words.SOURCE_COLUMNS, rows)
