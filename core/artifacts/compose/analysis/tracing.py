"""`traceability-matrix.csv`: from goal to requirement, story, check, part and decision."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from core.artifacts.compose.analysis.modules import module_in
from core.artifacts.compose.analysis.stories import check_text, spaced, story_ranks
from core.artifacts.compose.data_files import Head, Parts, all_of
from core.artifacts.compose.lines.claim_links import (
    ClaimIndex,
    checks_of,
    goals_of,
    lacks_check,
    link_status,
    ranks,
    requirements_of,
    stories_of,
)
from core.artifacts.compose.lines.claims import (
    INFERRED,
    LINKED,
    LOOSE,
    NO_REQUIREMENT,
    detail,
    of_kind,
    text_of,
)
from core.artifacts.compose.view import SectionView
from core.artifacts.document import words
from core.artifacts.render.data import Fragment, Rows
from core.domain.answers import Claim, ClaimKind
from core.domain.lines import REMOVES

# Stored rows are lists in this order: a new column comes last, and older rows lack it.
MATRIX_COLUMNS: Final = (
    *("goal", "requirement", "story", "check", "component", "decision"),
    *("priority", "status", "source"),
    *("goal_text", "requirement_text", "story_text", "check_text"),
)
NAME_WORDS_MAX: Final = 2  # of a module: more are the subject of a sentence
_COMPONENTS: Final[tuple[ClaimKind, ...]] = ("module", "entry-point")

Row = Mapping[str, str]  # by the names of the columns; a column that is absent is empty


def matrix_fragment(view: SectionView) -> Fragment:
    """Every requirement with its stories, every story that belongs to none, what was replaced."""
    matrix = _Matrix(view)
    rows = (*matrix.requirements(), *matrix.lone_stories(), *matrix.replaced())
    return {"rows": [[row.get(column, "") for column in MATRIX_COLUMNS] for row in rows]}


def matrix_rows(head: Head, parts: Parts) -> Rows:
    """The rows of all sections; of those for one requirement and story the last made."""
    last = {}
    for cells in all_of(parts, "rows"):
        cells = (*cells, *[""] * (len(MATRIX_COLUMNS) - len(cells)))
        row = dict(zip(MATRIX_COLUMNS, cells, strict=True))
        last[row["requirement"], row["story"], row["story_text"]] = cells
    return [MATRIX_COLUMNS, *last.values()]


@dataclass(frozen=True)
class _Matrix:
    view: SectionView

    @cached_property
    def _by_name(self) -> Mapping[str, Claim]:
        return {claim.ref or claim.id: claim for claim in self.view.everything}

    def requirements(self) -> Iterable[Row]:
        for requirement in of_kind(self.view.everything, "requirement"):
            stories = stories_of(requirement, self.view.everything)
            for story in stories or [None]:
                yield self._requirement(requirement, self._by_name[story] if story else None)

    def lone_stories(self) -> Iterable[Row]:
        every = self.view.everything
        for story in of_kind(every, "story"):
            if not requirements_of(story, every):
                goals = goals_of(story, every)
                yield {
                    **self._said((story,), goals),
                    "goal": _listed(goals),
                    "check": "; ".join(_checks(story, self.view)),
                    "status": NO_REQUIREMENT,
                }

    def replaced(self) -> Iterable[Row]:
        """The requirements and stories that another line stands in place of."""
        by_id = self.view.sources.replaced
        for line in of_kind((*self.view.request.claims, *self.view.own), "requirement", "story"):
            if newer := by_id.get(line.id):
                replaced = f"{words.text('replaced_by').lower()} {newer.ref or text_of(newer)}"
                status = words.text("taken_out") if REMOVES in newer.data else replaced
                yield {**self._said((line,), ()), "status": status}

    def _requirement(self, requirement: Claim, story: Claim | None) -> Row:
        every = self.view.everything
        goals = self._goals(requirement, story)
        lines = (requirement, *([story] if story else []))
        checks = list(dict.fromkeys(check for line in lines for check in _checks(line, self.view)))
        unchecked = [words.text("unchecked")] if lacks_check(requirement, every) else []
        return {
            **self._said(lines, goals),
            "goal": _listed(goals),
            "check": "; ".join(checks or unchecked),
            "component": _listed(self._components(requirement)),
            "decision": _listed(self._decisions(requirement)),
            "status": self._status(requirement, story, goals),
        }

    def _goals(self, requirement: Claim, story: Claim | None) -> dict[str, str]:
        """The goals of a requirement, else those of its story."""
        own = goals_of(requirement, self.view.everything)
        return own or (goals_of(story, self.view.everything) if story else {})

    def _status(self, requirement: Claim, story: Claim | None, goals: Mapping[str, str]) -> str:
        if story is not None:
            return stories_of(requirement, self.view.everything)[story.ref or story.id]
        if not goals:
            return LOOSE
        return LINKED if LINKED in goals.values() else INFERRED

    def _components(self, requirement: Claim) -> dict[str, str]:
        """The modules that it names; modules and entry points that it belongs to."""
        statuses: dict[str, str] = {}
        linked = _links(requirement, self.view.everything, *_COMPONENTS)
        links = {part.id: status for part, status in linked}
        line = spaced(requirement.text).removeprefix(" the")
        for part, name in self._parts:
            is_named = name and _names_module(requirement, line, part, name)
            status = LINKED if is_named else links.get(part.id)
            # an entry point's words, where they are not the requirement's own
            is_module = part.kind == "module" or part.text == requirement.text
            if status and (shown := name if is_module else text_of(part)):
                statuses.setdefault(shown, status)
        return statuses

    @cached_property
    def _parts(self) -> list[tuple[Claim, str]]:
        """Modules and entry points, each with the name that a module is declared with."""
        parts = of_kind(self.view.everything, *_COMPONENTS)
        return [(part, _module_name(part)) for part in parts]

    def _decisions(self, requirement: Claim) -> dict[str, str]:
        statuses: dict[str, str] = {}
        links = _links(requirement, self.view.everything, "decision")
        for decision, status in links:
            statuses.setdefault(decision.ref or text_of(decision), status)
        return statuses

    def _said(self, lines: tuple[Claim, ...], goals: Iterable[str]) -> Row:
        """Names, rank, sources and words of a requirement, a story or both, and their goals'."""
        rows = (row for claim in lines for row in self.view.sources.rows(claim))
        sources = dict.fromkeys(f"{row['by']} {row['permalink']}".strip() for row in rows)
        checks = (check for line in lines for check in checks_of(line, self.view.everything))
        return {
            **{line.kind: line.ref or line.id for line in lines},
            **{f"{line.kind}_text": text_of(line) for line in lines},
            "priority": " / ".join(_ranks(lines[0], self.view)),
            "source": "; ".join(sources),
            "goal_text": "; ".join(text_of(self._by_name[goal]) for goal in goals),
            "check_text": "; ".join(dict.fromkeys(map(check_text, checks))),
        }


def _ranks(line: Claim, view: SectionView) -> list[str]:
    every = view.everything
    own = story_ranks(line, every) if line.kind == "story" else ranks(line.ref, every)
    return own or list(filter(None, [detail(line, "priority")]))


def _checks(line: Claim, view: SectionView) -> list[str]:
    """The names of a line's checks; the words of one that has no name."""
    return [check.ref or text_of(check) for check in checks_of(line, view.everything)]


def _links(
    requirement: Claim, everything: ClaimIndex, *kinds: ClaimKind
) -> list[tuple[Claim, str]]:
    """The parts or decisions that belong to a requirement, each with the status of its link."""
    others = of_kind(everything.near(requirement, *kinds), *kinds) if requirement.ref else ()
    links = ((other, link_status(other, requirement, everything)) for other in others)
    return [(other, status) for other, status in links if status]


def _module_name(claim: Claim) -> str:
    """The name that a module is declared with; empty for a sentence with a long subject."""
    module = module_in(claim)
    name = module[0].strip("`") if module else ""
    return name if len(name.split()) <= NAME_WORDS_MAX else ""


def _names_module(requirement: Claim, line: str, module: Claim, name: str) -> bool:
    """True if a line opens with a module's name, has it as code, or was said where it was declared.

    Elsewhere the name of a module may be any word ("log", "orders").
    """
    is_near = requirement.step == module.step and spaced(name) in line
    return is_near or line.startswith(spaced(name)) or f"`{name}`" in requirement.text


def _listed(statuses: Mapping[str, str]) -> str:
    """Names one after the other; those that belong there by their words say so."""
    mark = " (inferred)"
    return "; ".join(f"{name}{mark if s == INFERRED else ''}" for name, s in statuses.items())
