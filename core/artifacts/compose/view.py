"""What a section is made from, and the lines and tables that all files share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from core import patterns
from core.artifacts.compose.lines.claim_links import (
    ClaimIndex,
    answers_to,
    checks_of,
    goals_of,
    is_must,
    lacks_check,
    ranked,
    same_words,
    stories_of,
)
from core.artifacts.compose.lines.claims import (
    GOALS,
    INFERRED,
    arguments,
    checked_refs,
    conflicting,
    detail,
    group_of,
    is_open,
    once,
)
from core.artifacts.compose.lines.passages import joined_items
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.document import tree, words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tables import told_table
from core.artifacts.document.tree import Blocks, Inline, Span
from core.domain.answers import Claim, ClaimKind, ReadRequest, Scan
from core.domain.assumptions import is_assumed
from core.domain.brief import asks
from core.domain.ids import StepId
from core.domain.lines import REMOVES
from core.domain.steps.playbook import Step

_QUESTION: Final = patterns.compile(r"^\s*([0-9]{1,2})[.)]\s+(\S.*)$", patterns.MULTILINE)
_NAMED_SECTION: Final = patterns.compile(r"`([^`\n]+)`\s*·\s*section\s+[\"“]([^\"”\n]+)[\"”]")
_TAG: Final = patterns.compile(r"\(([a-z]+): ([a-z, -]+)\)")
QUOTED: Final = "”: "  # between a line that a question quotes and what it asks of it
_ASKED_FOR: Final[frozenset[ClaimKind]] = frozenset(
    {"requirement", "quality", "story", "article", *GOALS}
)
_ASKED_NO_MORE: Final[frozenset[ClaimKind]] = frozenset({"exclusion", "question", "priority"})
_ASIDES: Final[frozenset[ClaimKind]] = frozenset({"note", "fact"})
_DECISION_FILE: Final = patterns.compile(r"adr-(?:\*|[0-9]{3,})\.md")


def is_decision_file(file: str) -> bool:
    return bool(_DECISION_FILE.fullmatch(file))


def tagged(step: Step, tag: str) -> tuple[str, ...]:
    """The words of a tag such as `(decides: quality)` in the step's `## Artifacts` section."""
    tags = _TAG.findall(step.sections.get("Artifacts", ""))
    return tuple(word.strip() for name, values in tags if name == tag for word in values.split(","))


@dataclass(frozen=True)
class SectionView:
    """The step's claims, all claims, who said them, and what was asked of the brain.

    Of all claims, those that nothing stands in place of; the step's own are complete, so that its
    sections show what was replaced.
    """

    own: tuple[Claim, ...]
    everything: ClaimIndex
    sources: Sources
    request: ReadRequest
    scan: Scan | None = None

    # ── the step and its files ────────────────────────────────────────────────────────────────

    @property
    def step(self) -> Step:
        return self.request.step

    @cached_property
    def steps(self) -> Mapping[StepId, Step]:
        """The steps that recorded something, and the one that is being written."""
        return {step.id: step for step in (*self.request.steps, self.step)}

    def writes(self, claim: Claim, file: str) -> bool:
        """True if the claim's step writes the file."""
        return claim.step in self.steps and file in self.steps[claim.step].outputs

    def writes_first(self, file: str) -> bool:
        """True if no earlier step has a line in the file: what all of it shares stands there."""
        return all(self.step.id <= step for step in self._writers(file))

    def has_record(self, decision: Claim) -> bool:
        """True if the decision's step writes a file for each decision."""
        step = self.steps.get(decision.step)
        return step is not None and any(map(is_decision_file, step.outputs))

    @cached_property
    def questions(self) -> Mapping[str, str]:
        """The questions that the step asked at this depth, by their numbers."""
        return dict(_QUESTION.findall(asks(self.step, self.request.depth)))

    def title(self, file: str) -> str:
        """What the step file calls its section of the file, else the step's title."""
        alike = is_decision_file(file)
        for name, title in _NAMED_SECTION.findall(self.step.sections.get("Artifacts", "")):
            if name == file or (alike and is_decision_file(name)):
                return one_line(title)
        return self.step.title

    def is_there(self, file: str) -> bool:
        return file in self.step.outputs or any(self._writers(file))

    def _writers(self, file: str) -> Iterator[StepId]:
        """The steps with a line that write the file."""
        steps = (self.steps[step] for step in self.everything.steps if step in self.steps)
        return (step.id for step in steps if file in step.outputs)

    # ── lines ─────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def standing(self) -> tuple[Claim, ...]:
        """The step's claims that nothing stands in place of."""
        return tuple(claim for claim in self.own if claim.id not in self.sources.replaced)

    @property
    def lines(self) -> list[Claim]:
        """The step's claims but for those that the end of the file gathers."""
        return [claim for claim in self.own if not is_assumed(claim) and not is_open(claim)]

    @property
    def nothing(self) -> Blocks:
        """What stands where the step has no line of its own in the file."""
        return tree.paragraph(words.text("all_at_the_end" if self.own else "nothing"))

    def differing_lines(self, claim: Claim) -> list[Claim]:
        """The lines that a line differs from; what holds beside it does not."""
        if claim.id not in self.everything.differing_ids:
            return []
        beside = [other for other, _ in self.sources.beside.get(claim.id, ())]
        others = conflicting(claim, self.everything)
        return [other for other in others if other not in beside]

    def difference(self, other: Claim) -> Blocks:
        """`Differs from: FR-004 text — said by Mia (message)`."""
        ref = (tree.strong(other.ref), " ") if other.ref else ()
        return tree.item(f"{words.text('differs')}: ", *ref, one_line(other.text), self._by(other))

    def full_items(self, claims: Iterable[Claim]) -> Iterator[tuple[Claim, Blocks]]:
        """The claims of a list, each with its item."""
        above = ""
        for claim in claims:
            yield claim, self.full_item(claim, above=above)
            above = claim.text

    def full_item(self, claim: Claim, *more: Blocks, above: str = "") -> Blocks:
        """The line of a claim, and below it what belongs to it; `above`: the line above it."""
        newest = self.sources.newest(claim)
        if _is_reworded(claim, newest):
            reworded = replace(newest, ref=newest.ref or claim.ref)
            return self.sources.item(reworded, below=self.sources.before(newest))
        if newest != claim:
            return self.sources.item(claim)
        if claim.kind == "check":
            return self.sources.item(claim, below=[_checked(claim)])
        accepted = (
            tree.item(f"{words.text('accepted_when')}: ", *check)
            for check in map(self._check, checks_of(claim, self.everything))
        )
        differs = map(self.difference, self.differing_lines(claim))
        argued = (
            tree.item(f"{words.mapping('argues')[side]}: ", text, self._by(claim))
            for side in ("for", "against")
            for text in arguments(claim, side)
        )
        below = (
            *self._before(claim),
            *accepted,
            *self._asked_of(claim),
            *argued,
            *self._belongings(claim),
            *differs,
            *more,
        )
        return self.sources.item(claim, above=above, below=below)

    def _before(self, claim: Claim) -> Iterator[Blocks]:
        """The older wordings of a line, each struck through."""
        if any(_is_reworded(old, claim) for old in self.sources.older.get(claim.id, ())):
            yield from self.sources.before(claim)

    def _asked_of(self, claim: Claim) -> Iterator[Blocks]:
        """Each question that was asked of a line, with its answers."""
        questions: dict[str, list[Claim]] = {}
        for answer in answers_to(claim, self.everything):
            questions.setdefault(detail(answer, "asked"), []).append(answer)
        for question, answers in questions.items():
            # The line that it quotes stands above it.
            question_text = question.rpartition(QUOTED)[2] or question
            replies = (
                tree.item(f"{words.text('answer')}: ", one_line(answer.text), self._by(answer))
                for answer in answers
            )
            yield tree.item(f"{words.text('asked')}: ", question_text, below=replies)

    def _check(self, check: Claim) -> Inline:
        ref = (tree.strong(check.ref), " ") if check.ref else ()
        return (*ref, detail(check, "what") or one_line(check.text), self._by(check))

    def _by(self, claim: Claim) -> tree.LineSource:
        return self.sources.line_source(claim)

    def _belongings(self, claim: Claim) -> list[Blocks]:
        """Of a requirement: how important it is, and the stories that need it."""
        if claim.kind != "requirement" or not claim.ref:
            return []
        ranks = (
            tree.item(f"{words.text('priority')}: ", detail(rank, "priority"), self._by(rank))
            for rank in ranked(claim.ref, self.everything)
        )
        alike = ", ".join(line.ref or "" for line in same_words(claim, self.everything))
        again = [tree.item(words.text("same_words").format(alike))] if alike else []
        return [*ranks, *again, *self._served_by(claim), *self._lacking(claim)]

    def _lacking(self, requirement: Claim) -> list[Blocks]:
        """That nobody has said how to check it, of a must; of each, where there is none."""
        lacks = not self._is_below_must(requirement) and lacks_check(requirement, self.everything)
        return [tree.item(words.text("no_check"))] if lacks else []

    def _is_below_must(self, requirement: Claim) -> bool:
        return self.everything.has_musts and not is_must(requirement, self.everything)

    def _served_by(self, requirement: Claim) -> list[Blocks]:
        """The stories and goals that need a requirement."""
        everything = self.everything
        stories = _inferred(stories_of(requirement, everything))
        goals = _inferred(goals_of(requirement, everything))
        file = "user-stories.json"
        where = Span(file, "", file) if self.is_there(file) else file
        return [
            *(
                [tree.item(f"{words.text('story')}: ", *stories, " (", where, ")")]
                if stories
                else []
            ),
            *([tree.item(f"{words.text('goal')}: ", *goals)] if goals else []),
        ]

    def grouped(
        self, claims: Iterable[Claim], *, lead: str = "", titled: bool = False, level: int = 3
    ) -> Blocks:
        """Lines under the name of their group.

        The lead's have none, nor have those of a group alone, unless `titled` says so.
        """
        groups: dict[str, list[Claim]] = {}
        for claim in self.each_once(once(claims)):
            group = group_of(claim)
            groups.setdefault(lead if lead and group == "fact" else group, []).append(claim)
        order = ["", lead, *words.GROUPS]
        alone = len(groups) == 1 and not titled and not {"assumption", "question"} & set(groups)
        parts = []
        for group in sorted(groups, key=lambda name: _place(name, order)):
            title = "" if alone or group == lead else words.GROUPS.get(group, words.GROUPS["fact"])
            parts.append(tree.titled(title, self.by_question(groups[group]), level))
        return tree.joined(parts)

    def each_once(self, lines: Sequence[Claim]) -> list[Claim]:
        """The lines that stand by themselves: none below another, no older wording of one."""
        return [
            line
            for line in lines
            if not (self._stands_below(line) or self._is_shown_as_another(line, lines))
        ]

    def _stands_below(self, claim: Claim) -> bool:
        """True for a check of a line of this step, or an answer on it: it stands below it."""
        if claim.id in self.sources.replaced:
            return False
        lines = [line for line in self.standing if line.kind != "check" and line != claim]
        if "answers" in claim.data:
            return any(claim.data["of"] in (line.ref, line.text) for line in lines)
        refs = checked_refs(claim) if claim.kind == "check" else ()
        return any(line.ref in refs for line in lines)

    def _is_shown_as_another(self, claim: Claim, lines: Sequence[Claim]) -> bool:
        """True for an older wording of a line of the same group, or one that has had another; and
        for an aside that stands as the new wording of one."""
        newest = self.sources.newest(claim)
        if _is_reworded(claim, newest):
            alike = [line for line in lines if self.sources.newest(line) == newest]
            first = next(line for line in alike if _is_reworded(line, newest))
            is_there = newest in lines and group_of(newest) == group_of(claim)
            return is_there or claim != first
        older = self.sources.older.get(claim.id, ()) if claim.kind in _ASIDES else ()
        return any(old in lines and _is_reworded(old, claim) for old in older)

    def by_question(self, claims: Sequence[Claim]) -> Blocks:
        """Lines under the question they answer, where that is known."""
        lines: dict[str, list[Claim]] = {}
        for claim in claims:
            question = self.questions.get(detail(claim, "question"), "")
            if claim.step != self.step.id or claim.ref:
                question = ""
            lines.setdefault(question, []).append(claim)
        items = {
            question: joined_items(self.full_items(alike), self.sources.answers)
            for question, alike in lines.items()
        }
        if set(items) == {""}:
            return tree.listing(items[""])
        order = [*self.questions.values(), ""]
        return tree.joined(
            (
                *tree.paragraph(tree.emphasis(question or words.text("beside"))),
                *tree.listing(items[question]),
            )
            for question in sorted(items, key=order.index)
        )

    # ── tables ────────────────────────────────────────────────────────────────────────────────

    def table(self, name: str, rows: Iterable[tuple[Claim, *tuple[str | Inline, ...]]]) -> Blocks:
        """A claim and its cells for each row, who said it in the last; nothing without a row."""
        cells = ((*row, (self.sources.line_source(claim, "cell"),)) for claim, *row in rows)
        return told_table(name, cells)

    def table_and_lines(self, rows: Blocks, lines: Iterable[Claim], nothing: Blocks = ()) -> Blocks:
        """Tables, and below them the lines that fit no row; `nothing` where there is neither."""
        return (*rows, *self.grouped(lines, titled=bool(rows))) or nothing

    def cell(self, claim: Claim, text: str | None = None) -> Inline:
        """A line's text for a table, with what it differs from."""
        cell_text = one_line(claim.text if text is None else text)
        return (cell_text, *self.differing(self.differing_lines(claim)))

    def differing(
        self, others: Iterable[Claim], name: Callable[[Claim], str] | None = None
    ) -> Inline:
        """` (differs from: …, Sam)`, or nothing; `name`: what another line is called there."""
        pairs = (
            (
                one_line(name(other) if name else other.ref or other.text),
                ", ",
                self.sources.names_of(other),
            )
            for other in others
        )
        listed = tree.in_turn(pairs, "; ")
        return (f" ({words.text('differs').lower()}: ", *listed, ")") if listed else ()


def _is_reworded(old: Claim, newest: Claim) -> bool:
    """True for what is still asked for in other words; what was left out or taken out is not."""
    is_gone = newest.kind in _ASKED_NO_MORE or REMOVES in newest.data
    return newest != old and old.kind in _ASKED_FOR and not is_gone


def _inferred(links: Mapping[str, str]) -> Inline:
    """Names of lines, those that belong there by their words marked as such."""
    return tree.in_turn(
        (
            (name, " ", tree.emphasis("(inferred)")) if status == INFERRED else (name,)
            for name, status in links.items()
        ),
        ", ",
    )


def _checked(check: Claim) -> Blocks:
    """Which lines an acceptance check is of, or that nobody said so."""
    refs = ", ".join(checked_refs(check))
    return tree.item(f"{words.text('checks')}: {refs}" if refs else words.text("checks_nothing"))


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


def list_blocks(view: SectionView) -> Blocks:
    """Every line of the step: what a Markdown file has that has no layout of its own."""
    return view.grouped(view.own) or tree.paragraph(words.text("nothing"))
