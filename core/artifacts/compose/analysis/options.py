"""Options that were weighed: what each one is, what speaks for and against it, what was chosen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core import patterns
from core.artifacts.compose.lines.claims import (
    CHOSEN,
    REJECTED,
    akin,
    arguments,
    conflicting,
    detail,
    only_one_with,
)
from core.artifacts.compose.lines.english import pattern
from core.artifacts.document.plain import is_code, one_line
from core.domain.answers import Claim
from core.domain.assumptions import is_assumed
from core.domain.ids import StepId

JOINT: Final = " + "  # between the names of options that one line takes or turns down
_AGAINST: Final = pattern("against")
_FOR: Final = pattern("in_favour")


@dataclass(frozen=True, slots=True)
class WeighedOption:
    """An option that has a name, its lines, and those that argue for or against it."""

    name: str
    lines: tuple[Claim, ...]
    arguing: tuple[Claim, ...]

    @property
    def weighed(self) -> tuple[Claim, ...]:
        return (*self.lines, *self.arguing)

    @property
    def descriptions(self) -> list[str]:
        lines = [line for line in self.lines if line not in self._verdicts]
        own = (words_of_option(claim) for claim in lines if not _argues(claim) and _is_prose(claim))
        return [text for text in _texts(own) if text != one_line(self.name)]

    @property
    def _verdicts(self) -> tuple[Claim, ...]:
        """The later lines that choose or reject it."""
        return tuple(line for line in self.lines[1:] if detail(line, "choice"))

    @property
    def in_favour(self) -> list[str]:
        return self._arguments(CHOSEN, _FOR, "for")

    @property
    def against(self) -> list[str]:
        return self._arguments(REJECTED, _AGAINST, "against")

    @property
    def opposing(self) -> list[Claim]:
        """Its lines, and those on it, that say themselves what speaks against it."""
        return [line for line in self.weighed if _AGAINST.search(line.text) and _is_prose(line)]

    def _arguments(self, choice: str, sign: patterns.Pattern, side: str) -> list[str]:
        """What speaks for it is why it was chosen, stands under it as a pro, or says so itself."""
        argued = (text for claim in self.weighed for text in arguments(claim, side))
        reasons = (
            detail(claim, "reason") for claim in self.weighed if detail(claim, "choice") == choice
        )
        texts = (c.text for c in self.weighed if sign.search(c.text) and _is_prose(c))
        return _texts((*reasons, *argued, *texts))

    def choices(self, everything: Sequence[Claim]) -> list[str]:
        """What its lines say, or that a decision settles it; nothing where nobody chose."""
        own = detail(self.lines[0], "choice")
        verdicts = (f"{detail(line, 'choice')}: {line.text}" for line in self._verdicts)
        choices = _texts((own, *verdicts))
        return choices or ([CHOSEN] if self.settling(everything) else [])

    def settling(self, everything: Sequence[Claim]) -> list[Claim]:
        """The decisions that settle it."""
        return [claim for claim in everything if settled_by(claim, everything) is self.lines[0]]


def weighed_options(claims: Sequence[Claim]) -> list[WeighedOption]:
    """The options that have a name, with what was said for and against each."""
    options = _named_options(claims)
    heads = [lines[0] for lines in options.values()]
    arguing: dict[str, list[Claim]] = {name: [] for name in options}
    for claim in filter(_argues, claims):
        near = akin(claim.text, heads)
        names = [name for name in options if _is_named(name, claim.text)]
        for name in names or ([option_name(near)] if near else []):
            if claim not in options[name]:
                arguing[name].append(claim)
    return [WeighedOption(name, tuple(options[name]), tuple(arguing[name])) for name in options]


def alternatives_of(decision: Claim, everything: Sequence[Claim]) -> list[Claim]:
    """What a decision was weighed against: rejections, and the options that it does not take."""
    settled = settled_by(decision, everything)
    chosen = _short_name(option_name(settled or decision))
    alone = sum(line.kind == "decision" and line.step == decision.step for line in everything) == 1
    has_names = any(line.kind == "option" and option_name(line) for line in everything)

    def is_rival(claim: Claim) -> bool:
        if settled and claim.step == settled.step and claim.kind == "option":
            return _short_name(option_name(claim)) not in ("", chosen)
        if claim.kind == "option" and claim.step != decision.step:  # listed without a name
            return settled is None and bool(chosen) and not option_name(claim) and not has_names
        is_near = claim.step == decision.step and (alone or share_source(claim, decision))
        is_same = bool(chosen) and _short_name(option_name(claim)) == chosen
        is_other = claim.kind == "option" or detail(claim, "choice") == REJECTED
        return is_near and is_other and not is_same and detail(claim, "choice") != CHOSEN

    rivals = (claim for claim in everything if claim.id != decision.id and is_rival(claim))
    return [claim for claim in rivals if not is_assumed(claim)]


def is_weighed(decision: Claim, everything: Sequence[Claim]) -> bool:
    """True if it was weighed against something, if somebody questions it or answered what was asked
    about it, or if it came instead."""
    names = (decision.ref, decision.text)
    return bool(
        decision.supersedes
        or any("answers" in line.data and line.data["of"] in names for line in everything)
        or alternatives_of(decision, everything)
        or conflicting(decision, everything)
    )


def undecided_options(claims: Sequence[Claim]) -> list[WeighedOption]:
    """The options, where people weighed at least two and chose none."""
    options = weighed_options([claim for claim in claims if not is_assumed(claim)])
    is_open = len(options) > 1 and not any(option.choices(claims) for option in options)
    return options if is_open else []


def is_chosen(claim: Claim) -> bool:
    """True for a decision, and for a line that takes an option."""
    return claim.kind == "decision" or (
        claim.kind == "option" and detail(claim, "choice") == CHOSEN
    )


def taken_option(claim: Claim, options: Iterable[WeighedOption]) -> str:
    """What an option is, where a line of its step takes it by its letter or name; else nothing."""
    name = _short_name(option_name(claim))
    texts = (
        words_of_option(option.lines[0])
        for option in options
        if option.lines[0].step == claim.step and claim != option.lines[0]
        if _short_name(option.name) == name
    )
    return one_line(next(texts, "")).rstrip(".:; ")


def choices_elsewhere(step: StepId, everything: Sequence[Claim]) -> list[Claim]:
    """What was chosen at another step of several options; none that the step decides itself.

    As decisions of the step: the line that chose each, of several the one with most words.
    """
    options = {_short_name(option.name): option for option in weighed_options(everything)}
    own = [line for line in everything if line.step == step and line.kind == "decision"]
    settled = {option_name(line) for own_line in own if (line := settled_by(own_line, everything))}
    choices: dict[str, list[Claim]] = {}
    for claim in everything:
        is_taken = claim.kind in ("option", "decision") and detail(claim, "choice") == CHOSEN
        name = _short_name(option_name(claim))
        is_put_before = name in options and claim != options[name].lines[0]
        if is_taken and claim.step != step and is_put_before:
            choices.setdefault(name, []).append(claim)
    is_weighed_there = len(options) > 1
    return [
        replace(max(lines, key=_word_count), kind="decision", step=step)
        for name, lines in choices.items()
        if is_weighed_there and name not in map(_short_name, settled)
    ]


def _word_count(claim: Claim) -> int:
    return len(claim.text.split())


def fullest_choices(choices: Iterable[Claim]) -> list[Claim]:
    """The lines that choose; of those that take one option at a step the one with most words."""
    every = list(choices)
    alike: dict[tuple[str, str], list[Claim]] = {}
    for claim in every:
        if claim.kind == "option":
            key = claim.step, _short_name(option_name(claim))
            alike.setdefault(key, []).append(claim)
    fullest = [max(lines, key=_word_count) for lines in alike.values()]
    return [claim for claim in every if claim.kind != "option" or claim in fullest]


def settled_by(decision: Claim, everything: Sequence[Claim]) -> Claim | None:
    """The first line of the option that a decision is about, of those that were weighed before."""
    if decision.kind != "decision" or detail(decision, "choice") == REJECTED:
        return None
    options = _named_options(claim for claim in everything if claim.step < decision.step)
    wanted = _short_name(option_name(decision))
    named_lines = [
        lines[0]
        for name, lines in _named_options(everything).items()
        if _short_name(name) == wanted
    ] or [lines[0] for name, lines in options.items() if _is_named(name, decision.text)]
    if len(named_lines) == 1:
        return named_lines[0]
    heads = [lines[0] for lines in options.values()]
    near = akin(option_name(decision) or decision.text, heads)
    near = near or only_one_with(option_name(decision), heads)
    return near or _chosen_with_it(decision, options.values())


def words_of_option(claim: Claim) -> str:
    """Without the word for options before them: "options: A) … B) …"."""
    return detail(claim, "what") or claim.text


def option_name(claim: Claim) -> str:
    return detail(claim, "option")


def share_source(claim: Claim, other: Claim) -> bool:
    return not set(claim.sources).isdisjoint(other.sources)


def _named_options(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """The options that have a name, whatever its letters are, each with its lines."""
    options: dict[str, list[Claim]] = {}
    spelt: dict[str, str] = {}
    for claim in claims:
        name = option_name(claim) if claim.kind == "option" else ""
        names = name.split(JOINT) if detail(claim, "choice") == REJECTED else [name]
        if not all(_short_name(part) in spelt for part in names):
            names = [name]
        for part in filter(None, names):
            options.setdefault(spelt.setdefault(_short_name(part), part), []).append(claim)
    return options


def _short_name(name: str) -> str:
    """ "Option B" and "B" are one."""
    folded = name.casefold().strip()
    return folded.removeprefix("option ").strip() or folded


def _is_named(name: str, text: str) -> bool:
    """True if a text names an option by its whole name: "option B"."""
    return patterns.find_word(name.casefold(), text.casefold()) >= 0


def _argues(claim: Claim) -> bool:
    return bool(_FOR.search(claim.text) or _AGAINST.search(claim.text))


def _is_prose(claim: Claim) -> bool:
    return not is_code(claim.text)


def _texts(texts: Iterable[str]) -> list[str]:
    """The texts that say something, each once and in one line."""
    return list(dict.fromkeys(one_line(text) for text in texts if text))


def _chosen_with_it(decision: Claim, options: Iterable[list[Claim]]) -> Claim | None:
    """The one option that was chosen in the very answer in which this was decided."""
    chosen = [
        lines[0]
        for lines in options
        if any(detail(line, "choice") == CHOSEN and share_source(line, decision) for line in lines)
    ]
    return chosen[0] if len(chosen) == 1 else None
