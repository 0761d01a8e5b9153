"""What people give on each other's answers: agreement and difference, and how one was settled.

Never guessed: a stance is a reaction somebody put on an answer or a sentence they gave. Nobody has
a stance on their own answer. On the size of an item people differ by what each stated last.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId, StepId, Ts, UserId

View = Literal["agrees", "differs"]
Stands = Literal["answer", "other", "both"]

REACTIONS: Final[Mapping[str, View]] = {
    "+1": "agrees",
    "thumbsup": "agrees",
    "-1": "differs",
    "thumbsdown": "differs",
}
"""Slack's names of 👍 and 👎; a skin tone follows as `::skin-tone-2` … `::skin-tone-6`."""

STANDS_OF: Final[Mapping[str, Stands]] = {"answer": "answer", "other": "other", "both": "both"}
AGREED_BY: Final = "agreed_by"  # key of a claim's data: ids of those whose 👍 or word took it
_VIEW: Final = "view:"  # begins the id of an answer whose source is "view"
SKIN_TONES: Final = frozenset(f"skin-tone-{number}" for number in range(2, 7))
REASON_CHARS_MAX: Final = 1_000  # of what somebody types as their reason


def view_of(reaction: str) -> View | None:
    """What a reaction says; None for one that says nothing here."""
    name, parting, tone = reaction.partition("::")
    return REACTIONS.get(name) if not parting or tone in SKIN_TONES else None


@dataclass(frozen=True, slots=True)
class Reacted:
    """The newest that is known of one reaction of one person: put on, or taken off."""

    name: str
    event_ts: Ts
    on: bool
    revision: int  # of the answer as it stood then


@dataclass(frozen=True, slots=True)
class Stance:
    """All that one person gave on one answer. The latest of it counts."""

    answer: AnswerId
    step: StepId
    by: UserId
    reactions: tuple[Reacted, ...] = ()
    reason: str = ""  # one sentence, plain text
    reason_at: float = 0.0  # seconds since the epoch
    reason_revision: int = 0
    settled: bool = False  # the difference as it stands now was settled

    @property
    def view(self) -> View | None:
        """None where everything was taken back."""
        return self._latest()[1]

    @property
    def revision(self) -> int:
        """Of the answer, when that view was given."""
        return self._latest()[2]

    @property
    def is_open(self) -> bool:
        return self.view == "differs" and not self.settled

    def _latest(self) -> tuple[float, View | None, int]:
        views: list[tuple[float, View | None, int]] = [(-1.0, None, 0)]
        views += [
            (float(reaction.event_ts), view_of(reaction.name), reaction.revision)
            for reaction in self.reactions
            if reaction.on
        ]
        if self.reason:
            views.append((self.reason_at, "differs", self.reason_revision))
        return max(views, key=lambda view: view[0])


def after_reaction(stance: Stance, reaction: Reacted) -> Stance:
    """With that reaction; unchanged where something newer is known of it.

    A sentence falls when its author agrees later, or takes a 👎 off later.
    """
    earlier = next((old for old in stance.reactions if old.name == reaction.name), None)
    if earlier is not None and float(earlier.event_ts) >= float(reaction.event_ts):
        return stance
    others = tuple(old for old in stance.reactions if old.name != reaction.name)
    takes_back = (view_of(reaction.name) == "agrees") == reaction.on
    falls = takes_back and float(reaction.event_ts) > stance.reason_at
    changed = replace(
        stance, reactions=(*others, reaction), reason="" if falls else stance.reason, settled=False
    )
    return replace(changed, settled=stance.settled and _same(stance, changed))


def after_sentence(stance: Stance, reason: str, at: float, revision: int) -> Stance:
    return replace(stance, reason=reason, reason_at=at, reason_revision=revision, settled=False)


def _same(stance: Stance, other: Stance) -> bool:
    return (stance.view, stance.reason) == (other.view, other.reason)


@dataclass(frozen=True, slots=True)
class Agreement:
    """A 👍 that stands on an answer as it reads now. `decides`: its owner is asked for answers."""

    answer: AnswerId
    by: UserId
    decides: bool


def put_in(answer: AnswerId, claims: Iterable[Claim]) -> Claim | None:
    """The one option that an answer puts: the only line of that kind, or its only line."""
    lines = [claim for claim in claims if claim.sources[:1] == (answer,)]
    options = [
        line for line in lines if line.kind in ("option", "question") or AGREED_BY in line.data
    ]
    open_options = [line for line in options if AGREED_BY in line.data or "choice" not in line.data]
    is_one = len(open_options) == len(options) == 1
    is_put = is_one and (len(lines) == 1 or options[0].kind == "option")
    return options[0] if is_put else None


@dataclass(frozen=True, slots=True)
class Settlement:
    """How the differences on one answer were settled, and by whom."""

    answer: AnswerId
    step: StepId
    by: UserId
    at: float
    stands: Stands
    reason: str
    views: tuple[tuple[UserId, str], ...]  # who saw it differently, with the sentence if any
    revision: int = 1  # of the answer

    def quotes(self, answer: str) -> tuple[str, ...]:
        """The words that stand. `answer`: those of the answer."""
        views = tuple(sentence for _, sentence in self.views if sentence)
        own = (answer,) if self.stands in ("answer", "both") and answer.strip() else ()
        return own if self.stands == "answer" else (*own, *views)


def view_id(answer: AnswerId, by: UserId) -> AnswerId:
    """The id under which somebody's sentence on an answer counts, once it was settled."""
    return AnswerId(f"{_VIEW}{answer}:{by}")


def is_view_on(answer: AnswerId, source: AnswerId) -> bool:
    return source.startswith(f"{_VIEW}{answer}:")


@dataclass(frozen=True, slots=True)
class AnswerStances:
    """One answer with what others gave on it, in the order of their names' ids."""

    answer: Answer
    agree: tuple[Stance, ...] = ()
    differ: tuple[Stance, ...] = ()  # the open ones
    settled: tuple[Settlement, ...] = ()

    def is_earlier(self, stance: Stance) -> bool:
        """True if it was given to an earlier wording."""
        return stance.revision < self.answer.revision


def views_on(
    answers: Iterable[Answer],
    stances: Iterable[Stance],
    settlements: Iterable[Settlement],
    strangers: frozenset[UserId] = frozenset(),
) -> tuple[AnswerStances, ...]:
    """The answers that somebody took a stance on. `strangers`: bots and people from elsewhere.

    What was given on an answer that is withdrawn is gone with it: it is not among `answers`.
    """
    of_members = [stance for stance in stances if stance.by not in strangers]
    settlements = tuple(settlements)
    with_stances = []
    for answer in answers:
        of_answer = [stance for stance in of_members if stance.answer == answer.id]
        of_others = [stance for stance in of_answer if stance.by != answer.by]
        of_others.sort(key=lambda stance: stance.by)
        views = AnswerStances(
            answer,
            tuple(stance for stance in of_others if stance.view == "agrees"),
            tuple(stance for stance in of_others if stance.is_open),
            tuple(
                _without(settlement, strangers)
                for settlement in settlements
                if settlement.answer == answer.id
            ),
        )
        if views.agree or views.differ or views.settled:
            with_stances.append(views)
    return tuple(with_stances)


def contested(
    step: StepId,
    claims: Iterable[Claim],
    answers: Iterable[Answer],
    settlements: Iterable[Settlement],
) -> tuple[Stance, ...]:
    """Where two people's answers to a step say different things of one matter.

    Whoever said it later differs from whoever said it first. Nothing that was settled so already.
    """
    by = {answer.id: answer for answer in answers}
    stated = [claim for claim in claims if claim.step == step and claim.sources]
    at = {claim.id: place for place, claim in enumerate(stated)}
    closed = {(end.answer, user, text) for end in settlements for user, text in end.views}
    differences: dict[tuple[AnswerId, UserId], Stance] = {}
    for later in stated:
        for conflict in later.data.get("conflicts", "").split(", "):
            first, second = stated[at.get(conflict, at[later.id])], later
            first_answer, second_answer = by.get(first.sources[0]), by.get(second.sources[-1])
            if (
                at[first.id] >= at[second.id]
                or first_answer is None
                or second_answer is None
                or first_answer.by == second_answer.by
            ):
                continue
            view = any(is_view_on(first_answer.id, source) for source in second.sources)
            if not view and (first_answer.id, second_answer.by, second.text) not in closed:
                stance = Stance(first_answer.id, step, second_answer.by, reason=second.text)
                differences.setdefault((first_answer.id, second_answer.by), stance)
    return tuple(differences.values())


def _without(settlement: Settlement, strangers: frozenset[UserId]) -> Settlement:
    views = tuple(view for view in settlement.views if view[0] not in strangers)
    return replace(settlement, views=views)


PARTS: Final = ("scope", "complexity", "file_count", "confidence", "scope_by_files")
"""Keys of a claim's data that state a part of the size."""


def views_of_parts(
    claims: Iterable[Claim], people: Mapping[AnswerId, UserId]
) -> Mapping[str, Mapping[UserId, str]]:
    """The parts of the size on which people differ, and what each of them said of it last."""
    last: dict[str, dict[UserId, str]] = {}
    for claim in claims:
        speakers = {people[source] for source in claim.sources if source in people}
        for part in PARTS:
            if part in claim.data:
                last.setdefault(part, {}).update(dict.fromkeys(speakers, claim.data[part]))
    return {part: views for part, views in last.items() if len(set(views.values())) > 1}


def contested_parts(claims: Iterable[Claim], people: Mapping[AnswerId, UserId]) -> frozenset[str]:
    """The parts on which people differ by what each of them said last: nobody's wins silently."""
    contested = frozenset(views_of_parts(claims, people))
    if "scope" in contested:  # a number of files does not decide between two words for the size
        return contested | {"scope_by_files"}
    return contested
