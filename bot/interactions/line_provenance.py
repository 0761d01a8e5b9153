"""Looking up why a line is there: by its name, in the sessions of one channel. Writes nothing."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.payloads.links import post_link
from bot.views.private.why import Resting, Traced
from core import patterns
from core.artifacts.compose.lines.claim_links import (
    ClaimIndex,
    goals_of,
    ranked,
    requirements_of,
    stories_of,
)
from core.artifacts.compose.lines.claims import conflicting
from core.domain.answers import Claim
from core.domain.ids import SessionId, UserId
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.stances import AnswerStances, views_on
from core.domain.steps.playbook import BUILT_IN
from core.ports import SessionReader, Workspace
from core.store.documents import CorruptError

NEAREST_MAX: Final = 5
WORD_CHARS_MIN: Final = 3  # a shorter word tells no line from another
SESSIONS_LOOKED_AT_MAX: Final = 20
_NAME: Final = patterns.compile(r"\s*([A-Za-z]{1,12})\s*[-_#]?\s*0*([0-9]{1,6})\s*")
# What people may call them, where no line has such a name itself.
ALIASES: Final = {
    **dict.fromkeys(("REQ", "REQUIREMENT"), "FR"),
    **dict.fromkeys(("STORY",), "US"),
    **dict.fromkeys(("DEC", "DECISION"), "ADR"),
    **dict.fromkeys(("ARTICLE",), "ART"),
    **dict.fromkeys(("QUALITY",), "NFR"),
}

Name = tuple[str, int]
Strangers = Callable[[Collection[UserId]], frozenset[UserId]]  # bots, and people from elsewhere


def _nobody(_users: Collection[UserId]) -> frozenset[UserId]:
    return frozenset()


def traced(
    reader: SessionReader,
    workspace: Workspace,
    sessions: Sequence[SessionId],
    ref: str,
    strangers: Strangers = _nobody,
) -> Traced | tuple[str, ...]:
    """The line of that name in the first session that has one; else the nearest names of the first.

    `sessions`: those of one channel, the likeliest first.
    """
    having = [
        (session, claim)
        for session in sessions[:SESSIONS_LOOKED_AT_MAX]
        if (claim := _named(ref, _claims(reader, session))) is not None
    ]
    if not having:
        return nearest(ref, _claims(reader, sessions[0])) if sessions else ()
    (session, claim), *others = having
    also = tuple(reader.load(session_id).slug for session_id, _ in others)
    line = _traced(reader, workspace, session, claim)
    return replace(line, also=also, views=_views(reader, session, line, strangers))


def _views(
    reader: SessionReader, session: SessionId, line: Traced, strangers: Strangers
) -> tuple[AnswerStances, ...]:
    """What others gave on the answers that the line rests on."""
    stances = reader.stances(session)
    if not stances:
        return ()
    unheard = strangers({stance.by for stance in stances})
    return views_on(line.answers, stances, reader.settlements(session), unheard)


def _claims(reader: SessionReader, session: SessionId) -> tuple[Claim, ...]:
    """None where they cannot be read: another session of the channel must not fail for it."""
    try:
        return reader.claims(session)
    except CorruptError:
        return ()


def _traced(
    reader: SessionReader, workspace: Workspace, session_id: SessionId, claim: Claim
) -> Traced:
    session = reader.load(session_id)
    everything = ClaimIndex(reader.claims(session_id))
    answers = {answer.id: answer for answer in reader.answers(session_id)}
    state = reader.step_state(session_id, claim.step)
    label = next(
        (phase.label for phase in session.course.phases if state and phase.key == state.phase), ""
    )
    post = reader.last_post(session_id, f"prompt:{claim.step}:")
    return Traced(
        claim,
        tuple(answers[source] for source in claim.sources if source in answers),
        state.title if state else claim.step,
        label,
        post_link(workspace.url, post),
        session.title,
        tuple(_resting(claim, everything)),
        persona=_persona(reader, session, state),
    )


def _persona(reader: SessionReader, session: Session, state: StepState | None) -> str:
    personas = (*reader.personas(session), *BUILT_IN)
    leads = (persona.name for persona in personas if state and persona.key == state.prompt.persona)
    return next(leads, "")


def nearest(ref: str, claims: Sequence[Claim]) -> tuple[str, ...]:
    """Names that are there: of the same kind first, then those whose number is close."""
    wanted = name_of(ref)
    prefix, number = wanted or ("", 0)
    kind = ALIASES.get(prefix, prefix)
    refs = list(dict.fromkeys(claim.ref for claim in claims if claim.ref))

    def distance(name: str) -> tuple[bool, int, str]:
        parts = name_of(name) or ("", 0)
        return parts[0] not in (prefix, kind), abs(parts[1] - number), name

    return tuple(sorted(refs, key=distance)[:NEAREST_MAX])


def name_of(ref: str) -> Name | None:
    """`fr-3`, `FR3` and `FR-003` are one name."""
    match = _NAME.fullmatch(ref)
    return (match[1].upper(), int(match[2])) if match else None


def _named(ref: str, claims: Sequence[Claim]) -> Claim | None:
    wanted = name_of(ref)
    if wanted is None:
        return None if any(sign.isdigit() for sign in ref) else _worded(ref, claims)
    by_name: dict[Name, Claim] = {}
    for claim in claims:
        name = name_of(claim.ref) if claim.ref else None
        if name is not None:
            by_name.setdefault(name, claim)
    prefix, number = wanted
    return by_name.get(wanted) or by_name.get((ALIASES.get(prefix, prefix), number))


def _worded(text: str, claims: Sequence[Claim]) -> Claim | None:
    """The one line that shares most words with what was typed: half of them at least.

    Of several it is the one that says no more than that.
    """
    wanted = _words(text)
    shared = [(len(wanted & _words(claim.text)), claim) for claim in claims]
    best = max((count for count, _ in shared), default=0)
    near = [claim for count, claim in shared if count == best]
    near = [claim for claim in near if _words(claim.text) == wanted] or near
    return near[0] if best and best * 2 >= len(wanted) and len(near) == 1 else None


def _words(text: str) -> frozenset[str]:
    spaced = "".join(sign if sign.isalnum() else " " for sign in text.casefold())
    return frozenset(word for word in spaced.split() if len(word) >= WORD_CHARS_MIN)


def _resting(claim: Claim, everything: ClaimIndex) -> Iterator[Resting]:
    """What is traced to it, ranks it, names it or disagrees with it, each once."""
    by_name = {line.ref or line.id: line for line in everything}
    listed: set[str] = {claim.id}
    linked = stories_of(claim, everything) if claim.kind == "requirement" else {}
    for name, status in linked.items():
        listed.add(by_name[name].id)
        yield Resting(_how("Story", status), _named_text(by_name[name]))
    for name, status in goals_of(claim, everything).items():
        listed.add(by_name[name].id)
        yield Resting(_how("Goal", status), _named_text(by_name[name]))
    if claim.kind == "story":
        for name, status in requirements_of(claim, everything).items():
            listed.add(by_name[name].id)
            yield Resting(_how("Requirement", status), _named_text(by_name[name]))
    for line in ranked(claim.ref, everything):
        listed.add(line.id)
        yield Resting("Priority", f"{line.data.get('priority', '')}: {line.text}")
    for line in conflicting(claim, everything):
        listed.add(line.id)
        yield Resting("Differs from", _named_text(line))
    for line in everything:
        if line.id not in listed and claim.ref and _names(line, claim.ref):
            yield Resting("Named in", _named_text(line))


def _how(kind: str, status: str) -> str:
    return f"{kind} (by its words)" if "inferred" in status else kind


def _named_text(claim: Claim) -> str:
    return f"{claim.ref} {claim.text}" if claim.ref else claim.text


def _names(claim: Claim, ref: str) -> bool:
    texts = (claim.text, *claim.data.values())
    return any(patterns.find_word(ref, text, beside="-") >= 0 for text in texts)
