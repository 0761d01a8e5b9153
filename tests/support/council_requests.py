"""A council for tests: the shipped party, answers of people, one turn, or a whole phase."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from core.brains.script.council.vision import merged
from core.brains.script.performing import consult
from core.brains.tasks import NumberedQuestions
from core.brains.text.wording import plain
from core.content.library import default_steps_dir
from core.content.party_file import read
from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId, PersonaKey, PhaseKey, Slug, StepId, TaskId, Ts, UserId
from core.domain.party import Member, Party, PartyPhase
from core.domain.party.contributions import ConsultRequest, Contribution, Want, in_order

PRIYA, SAM = UserId("U1"), UserId("U2")
NAMES: Final = {PRIYA: "Priya", SAM: "Sam"}
VISION, STACK, BLUEPRINT = (
    PhaseKey(key) for key in ("01-vision-council", "02-stack-debate", "03-blueprint")
)
NADIA, OSCAR, TESSA = (
    PersonaKey(key) for key in ("product-analyst", "domain-researcher", "technical-scout")
)
LIAM, ZARA, FELIX = (
    PersonaKey(key) for key in ("solution-architect", "security-advisor", "devops-pragmatist")
)
DRAWS, MODELS, TESTS = (
    PersonaKey(key) for key in ("architecture-designer", "data-model-designer", "test-strategist")
)
LAST: Final[tuple[Want, ...]] = ("position", "revision", "final")  # the rounds that claim
_QUOTED: Final = re.compile(r"“([^“”]*)”")


def _shipped() -> Party:
    root = default_steps_dir() / "inception"
    found = read(str(root / "party.yaml"), root)
    assert isinstance(found, Party)
    return found


PARTY: Final = _shipped()

# In the first phase: a line for most of what is asked there, by number and freely.
ANSWERED: Final = (
    "1: accountants in small firms\n2) a day less every month\n3. reading one receipt\n"
    "Q4: a full bookkeeping suite",
    "5. They type receipts into a spreadsheet.\n6: A voucher is a receipt.\n"
    "7: Receipts must be kept for ten years, by law.",
    "It has to work with our Postgres, because we run it already. Nobody here has built text "
    "recognition before.",
)


def said(phase: PhaseKey, *texts: str | tuple[UserId, str]) -> tuple[Answer, ...]:
    """Answers in a phase: by Priya and Sam in turn, unless a pair says otherwise."""
    pairs = [
        one if isinstance(one, tuple) else ((PRIYA, SAM)[place % 2], one)
        for place, one in enumerate(texts)
    ]
    number = phase[:2]
    return tuple(
        Answer(
            AnswerId(f"{number}:{place}"),
            StepId(f"{number}-01"),
            by,
            text,
            Ts(f"17000{number}{place:03d}.000100"),
            Ts("1700000000.000000"),
            f"https://acme.slack.com/archives/C1/p{number}{place}",
        )
        for place, (by, text) in enumerate(pairs)
    )


def request(persona: PersonaKey, want: Want, *answers: Answer, **more: Any) -> ConsultRequest:
    """What a member of the shipped party is asked; `phase` and `member` may be others."""
    member: Member = more.pop("member", None) or PARTY.member(persona)
    phase: PartyPhase = more.pop("phase", None) or PARTY.phase(member.phase)
    made = ConsultRequest(
        task=TaskId("t1"),
        title=more.pop("title", "Receipts"),
        text=more.pop("text", ""),
        slug=Slug("receipts"),
        phase=phase,
        member=member,
        want=want,
        answers=answers,
        names=more.pop("names", NAMES),
        claims=tuple(more.pop("claims", ())),
        said=tuple(more.pop("said", ())),
        personas=tuple(persona.name for persona in PARTY.personas),
    )
    return replace(made, **more)


def united(contributions: Iterable[Contribution], order: Sequence[PersonaKey]) -> tuple[Claim, ...]:
    """The claims of several members, each once, with all its sources.

    A line keeps its id; one whose id is another line's by then gets the next number of its step.
    """
    found: dict[tuple[object, ...], Claim] = {}
    for each in in_order(contributions, order):
        for claim in each.claims:
            names = claim.data.get("option"), claim.data.get("module")
            same = (claim.step, claim.kind, plain(claim.text), names)
            if known := found.get(same):
                sources = tuple(dict.fromkeys((*known.sources, *claim.sources)))
                data = {**claim.data, **known.data}
                found[same] = replace(known, sources=sources, data=data)
            else:
                taken = {one.id for one in found.values()}
                found[same] = claim if claim.id not in taken else _renumbered(claim, taken)
    return tuple(found.values())


def _renumbered(claim: Claim, taken: set[str]) -> Claim:
    number = 1
    while (candidate := f"{claim.step}/{number}") in taken:
        number += 1
    return replace(claim, id=candidate)


@dataclass
class Held:
    """A phase that was held: what was asked and said, and what came of it."""

    phase: PartyPhase
    asked: NumberedQuestions = ()
    said: list[Contribution] = field(default_factory=list)

    def of(self, want: Want) -> list[Contribution]:
        return [one for one in self.said if one.want == want]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Of the last round that claims anything."""
        for want in LAST:
            if found := self.of(want):
                return united(found, self.phase.members)
        return ()


# Who is asked in each round, and whom it is about: everybody, the first, the others, or a ring.
_ROUNDS: Final[dict[str, tuple[tuple[Want, str], ...]]] = {
    VISION: (
        ("interpretation", "all"), ("cross-question", "all"), ("reply", "asked"),
        ("position", "all"),
    ),
    STACK: (("proposal", "first"), ("critique", "others"), ("revision", "first"), ("vote", "all")),
    BLUEPRINT: (("draft", "all"), ("review", "ring"), ("final", "all")),
}  # fmt: skip


_AGAIN: Final[dict[str, tuple[Want, ...]]] = {
    VISION: ("position",), STACK: ("revision", "vote"), BLUEPRINT: ("final",),
}  # fmt: skip


def hold(
    key: PhaseKey,
    answers: Sequence[Answer] = (),
    claims: Iterable[Claim] = (),
    away: Iterable[PersonaKey] = (),
    changes: Sequence[Answer] = (),
) -> Held:
    """All rounds of a phase, with the members that are there; the last again after `changes`."""
    phase, known = PARTY.phase(key), tuple(claims)
    there = [one for one in phase.members if one not in away]
    held = Held(phase)
    if key == VISION:
        held.said = [consult(request(one, "questions")) for one in there]
        held.asked = merged(held.said, phase.members)
    for want, who in _ROUNDS[key]:
        _round(held, want, _called(who, there, held), tuple(answers), claims=known)
    if changes:
        every = (*answers, *changes)
        for want, who in _ROUNDS[key]:
            if want in _AGAIN[key]:
                held.said = [one for one in held.said if one.want != want]
                pairs = _called(who, there, held)
                _round(held, want, pairs, every, claims=known, changes=tuple(changes))
    return held


def _round(
    held: Held,
    want: Want,
    pairs: list[tuple[PersonaKey, PersonaKey | None]],
    answers: tuple[Answer, ...],
    **more: Any,
) -> None:
    """All of a round hear the same; what they say is heard after it."""
    before = {"said": tuple(held.said), "questions": held.asked, **more}
    given = [
        consult(request(persona, want, *answers, neighbour=other, **before))
        for persona, other in pairs
    ]
    if want != "questions" and not held.asked and any(one.questions for one in given):
        held.asked = merged(given, held.phase.members)  # people say nothing more, and go on
        _round(held, want, pairs, answers, **more)
        return
    held.said += given


def _called(
    who: str, there: list[PersonaKey], held: Held
) -> list[tuple[PersonaKey, PersonaKey | None]]:
    first, others = there[0], there[1:]
    match who:
        case "first":
            return [(first, None)]
        case "others":
            return [(one, first) for one in others]
        case "ring":
            return list(zip(there, (*others, first), strict=True)) if others else []
        case "asked":
            asks = {one.to: one.persona for one in reversed(held.of("cross-question")) if one.to}
            return [(one, asks[one]) for one in there if one in asks]
        case _:
            return [(one, None) for one in there]


def quotes_of(contribution: Contribution) -> list[str]:
    return _QUOTED.findall(contribution.text)


def flat(text: str) -> str:
    return " ".join(text.split())
