"""Which claims belong together: the ranks, checks, answers, stories and goals of a line.

Each line is asked of all others, so they are found by the names that they have in them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Final

from core.artifacts.compose.lines.claims import (
    GOALS,
    INFERRED,
    LINKED,
    MUST,
    checked_refs,
    detail,
    long_words,
    of_kind,
    refs_in,
)
from core.domain.answers import Claim, ClaimKind
from core.domain.ids import StepId
from core.domain.lines import RANKED, differs_from, newest_of

SAME_WORDS_MIN: Final = 3
SAME_WORDS_SHARE_MIN: Final = 0.75  # of the line with fewer words
LOOSE_MAX: Final = 8  # requirements
FEW_OF: Final = 10  # of so many requirements one that is linked is nearly none
_LINK_KEYS: Final = ("requirements", "stories", "goals")
_BY_WORDS: Final = "by_words"
_PASSED_TO: Final = "passed_to"  # key of the line that came instead of the one that a rank is of

Places = Mapping[str | None, list[int]]  # in an index, by the name of a line


class ClaimIndex(tuple[Claim, ...]):
    """Claims in order, found by the names of lines. Whatever is found is in that order."""

    @cached_property
    def ranks(self) -> Places:
        """By the line that they rank."""
        return self._places(
            lambda claim: (
                filter(None, map(claim.data.get, ("requirement", _PASSED_TO)))
                if claim.kind == "priority"
                else ()
            )
        )

    @cached_property
    def checks(self) -> Places:
        """By the line that they are of."""
        return self._places(lambda claim: checked_refs(claim) if claim.kind == "check" else ())

    @cached_property
    def answers(self) -> Places:
        """By the name or the text of the line that people were asked about."""
        return self._places(lambda claim: [claim.data["of"]] if "answers" in claim.data else ())

    @cached_property
    def differing_ids(self) -> frozenset[str]:
        """The lines that differ from another one, whichever of the two says so."""
        marked = [claim for claim in self if differs_from(claim)]
        return frozenset(id_ for claim in marked for id_ in (claim.id, *differs_from(claim)))

    @cached_property
    def steps(self) -> frozenset[StepId]:
        """The steps that have a claim."""
        return frozenset(claim.step for claim in self)

    @cached_property
    def requirements(self) -> list[Claim]:
        """Without those that are assumed."""
        return of_kind(self, "requirement")

    @cached_property
    def requirement_words(self) -> Mapping[frozenset[str], list[int]]:
        """Places among the requirements, by the words that those have."""
        places: dict[frozenset[str], list[int]] = {}
        for place, claim in enumerate(self.requirements):
            places.setdefault(long_words(claim.text), []).append(place)
        return places

    @cached_property
    def requirement_refs(self) -> list[str | None]:
        return [claim.ref for claim in self.requirements]

    @cached_property
    def has_musts(self) -> bool:
        return any(is_must(claim, self) for claim in of_kind(self, *RANKED))

    @cached_property
    def unplaced_musts(self) -> list[Claim]:
        """What people ranked a must by a name that no line has, or several have."""
        return [
            claim
            for claim in of_kind(self, "priority")
            if detail(claim, "priority") == "must" and not detail(claim, "requirement")
        ]

    @cached_property
    def has_purpose(self) -> bool:
        """True if somebody told a story or a goal."""
        return any(claim.kind in ("story", *GOALS) for claim in self)

    @cached_property
    def nearly_all_loose(self) -> bool:
        """True where too many requirements serve no story or goal to name each of them."""
        if len(self.requirements) <= LOOSE_MAX or not self.has_purpose:
            return False
        few = len(self.requirements) // FEW_OF
        linked = (claim for claim in self.requirements if not serves_nothing(claim, self))
        return len(list(islice(linked, few + 1))) <= few

    def at(self, places: Iterable[int]) -> list[Claim]:
        """The claims at these places, each once."""
        return [self[place] for place in sorted({*places})]

    def near(self, line: Claim, *kinds: ClaimKind) -> list[Claim]:
        """The claims of these kinds that a line names, or that name it, or that people linked."""
        naming = self._naming.get(line.ref, ()) if line.ref else ()
        names = {*_names_in(line), *(_name_of(self[place]) for place in naming)}
        names |= self.linked.get(line.ref, frozenset())
        claims = self.at(place for name in names for place in self._named.get(name, ()))
        return [claim for claim in claims if claim.kind in kinds]

    @cached_property
    def linked(self) -> Mapping[str | None, frozenset[str]]:
        """Name → the names that lines of people's own link it to: "US-001: 2, 5"."""
        names: dict[str | None, frozenset[str]] = {}
        for claim in self:
            if claim.kind == "link":
                held = refs_in(claim.data.get("requirements", ""))
                holders = [
                    ref for key in ("stories", "goals") for ref in refs_in(claim.data.get(key, ""))
                ]
                for refs, others in ((held, holders), (holders, held)):
                    for ref in refs:
                        names[ref] = names.get(ref, frozenset()) | {*others}
        return names

    @cached_property
    def _named(self) -> Places:
        return self._places(lambda claim: [_name_of(claim)])

    @cached_property
    def _naming(self) -> Places:
        return self._places(_names_in)

    def _places(self, names: Callable[[Claim], Iterable[str | None]]) -> Places:
        places: dict[str | None, list[int]] = {}
        for place, claim in enumerate(self):
            for name in names(claim):
                places.setdefault(name, []).append(place)
        return places


def standing_index(claims: Iterable[Claim], replaced: Mapping[str, Claim]) -> ClaimIndex:
    """The claims that nothing stands in place of; a rank of a line is one of what replaced it."""
    every = tuple(claims)
    newest = {claim.ref: newest_of(claim, replaced).ref for claim in every if claim.id in replaced}
    return ClaimIndex(_passed_on(claim, newest) for claim in every if claim.id not in replaced)


def _passed_on(claim: Claim, newest: Mapping[str | None, str | None]) -> Claim:
    of = claim.data.get("requirement") if claim.kind == "priority" else None
    ref = newest.get(of) if of else None
    return replace(claim, data={**claim.data, _PASSED_TO: ref}) if ref else claim


def ranked(ref: str | None, everything: ClaimIndex) -> list[Claim]:
    """What people said of how important a requirement or story is."""
    return everything.at(everything.ranks.get(ref, ())) if ref else []


def ranks(ref: str | None, everything: ClaimIndex) -> list[str]:
    values = (claim.data.get("priority", "") for claim in ranked(ref, everything))
    return list(dict.fromkeys(filter(None, values)))


def is_must(requirement: Claim, everything: ClaimIndex) -> bool:
    """True if somebody said that it must be."""
    priorities = (*ranks(requirement.ref, everything), detail(requirement, "priority"))
    return MUST in priorities


def _may_be_must(requirement: Claim, everything: ClaimIndex) -> bool:
    ranked_at_all = ranks(requirement.ref, everything) or detail(requirement, "priority")
    return not ranked_at_all or is_must(requirement, everything)


def checks_of(line: Claim, everything: ClaimIndex) -> list[Claim]:
    """The acceptance checks of a line, as somebody said them."""
    return everything.at(everything.checks.get(line.ref, ())) if line.ref else []


def answers_to(line: Claim, everything: ClaimIndex) -> list[Claim]:
    """What people said of a line when they were asked about it, but for its checks."""
    names = (line.ref, line.text)
    return everything.at(place for name in names for place in everything.answers.get(name, ()))


def lacks_check(requirement: Claim, everything: ClaimIndex) -> bool:
    """True for a requirement of which nobody said how to see that it works.

    What people ranked lower than a must may go without. A check of a story counts for the
    requirements that people linked to the story.
    """
    if requirement.kind != "requirement" or not _may_be_must(requirement, everything):
        return False
    stories = stories_of(requirement, everything).items()
    refs = (requirement.ref, *(ref for ref, status in stories if status == LINKED))
    return not any(ref in everything.checks for ref in refs)


def requirements_of(line: Claim, everything: ClaimIndex) -> dict[str, str]:
    """Requirement → status of its link to a story, a part or a decision."""
    requirements = everything.near(line, "requirement")
    return _links(line, [claim for claim in requirements if claim.ref], everything)


def stories_of(requirement: Claim, everything: ClaimIndex) -> dict[str, str]:
    """Story → status of its link to the requirement."""
    return _links(requirement, everything.near(requirement, "story"), everything)


def goals_of(line: Claim, everything: ClaimIndex) -> dict[str, str]:
    """Goal → status of its link to a requirement or story."""
    return _links(line, of_kind(everything.near(line, *GOALS), *GOALS), everything)


def serves_nothing(requirement: Claim, everything: ClaimIndex) -> bool:
    """True for a requirement that belongs to no story and to no goal."""
    return not (stories_of(requirement, everything) or goals_of(requirement, everything))


def loose_requirements(claims: Iterable[Claim], everything: ClaimIndex) -> list[Claim]:
    """The requirements that serve no story and no goal; none where nobody named either."""
    if not everything.has_purpose:
        return []
    requirements = of_kind(claims, "requirement")
    agreed = (claim for claim in requirements if claim.confidence != "proposed")
    return [claim for claim in agreed if serves_nothing(claim, everything)]


def _name_of(claim: Claim) -> str:
    return claim.ref or claim.id


def _links(line: Claim, others: Iterable[Claim], everything: ClaimIndex) -> dict[str, str]:
    statuses = {_name_of(other): link_status(line, other, everything) for other in others}
    return {name: status for name, status in statuses.items() if status}


def link_status(claim: Claim, other: Claim, everything: ClaimIndex) -> str:
    """Linked, where one of the two names the other or people said so; inferred by words."""
    is_said = other.ref in everything.linked.get(claim.ref, ())
    if is_said or _names(claim, other) or _names(other, claim):
        return LINKED
    return INFERRED if _is_near(claim, other) or _is_near(other, claim) else ""


def _names(claim: Claim, other: Claim) -> bool:
    was_guessed = claim.data.get("link") == "inferred"  # as sessions before 0.2 have it
    if other.ref in refs_in(claim.text):
        return True
    return not was_guessed and any(
        other.ref in refs_in(claim.data.get(key, "")) for key in _LINK_KEYS
    )


def _is_near(claim: Claim, other: Claim) -> bool:
    return other.ref in refs_in(claim.data.get(_BY_WORDS, ""))


def _names_in(claim: Claim) -> Iterator[str]:
    """The names of lines that a claim has anywhere."""
    texts = (claim.text, *(claim.data.get(key, "") for key in (*_LINK_KEYS, _BY_WORDS)))
    return (ref for text in texts for ref in refs_in(text))


def same_words(requirement: Claim, everything: ClaimIndex) -> list[Claim]:
    """The requirements before it, of other messages, that it has most words of."""
    own_words, refs = long_words(requirement.text), everything.requirement_refs
    end = refs.index(requirement.ref) if requirement.ref in refs else len(refs)
    places = (
        place
        for their_words, of_words in everything.requirement_words.items()
        if _are_alike(own_words, their_words)
        for place in of_words
        if place < end
    )
    alike = (everything.requirements[place] for place in sorted(places))
    return [other for other in alike if set(other.sources).isdisjoint(requirement.sources)]


def _are_alike(words: frozenset[str], others: frozenset[str]) -> bool:
    shared, shorter = len(words & others), min(len(words), len(others))
    return shared >= SAME_WORDS_MIN and shared >= SAME_WORDS_SHARE_MIN * shorter
