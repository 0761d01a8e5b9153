"""The party: which mode, what a council asks and says, and what it came to."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.publish.render.last_commit import Look, Scene
from bot.views.kit.blocks import Block
from bot.views.kit.identity import author_of
from bot.views.thread import council as council_view
from core.domain.effects import PostQuestions, SayContribution
from core.domain.ids import MenuId, PhaseKey
from core.domain.session import Session
from core.ports import Gone

# Whose role somebody else takes when they are missing: the proposer's, everybody's in a ring.
ROLES: Final[Mapping[str, str]] = {
    "propose-critique-converge": "first",
    "produce-cross-review-finalize": "ring",
}


def mode(look: Look, session: Session, menu: MenuId) -> Scene:
    found = look.reader.menu(menu)
    if found is None:
        raise Gone(menu)
    names = look.names(session, [found.used_by] if found.used_by else [])
    return Scene(council_view.mode_menu(found, names))


def questions(look: Look, session: Session, effect: PostQuestions) -> Scene:
    council = session.party.council
    every = council.questions if council else ()
    persona = look.persona(session, effect.thread)
    mine = [(number, each) for number, key, each in every if key == effect.thread]
    seats = council.present if council else ()
    others = [
        look.persona(session, seat.persona).name for seat in seats if seat.persona != effect.thread
    ]
    message = council_view.questions(
        persona,
        mine,
        others,
        mention=effect.mention,
        menu=look.menu_of(session.menus.prompt, effect.step),
    )
    return Scene(message, author_of(persona))


def contribution(look: Look, session: Session, effect: SayContribution) -> Scene:
    given = look.reader.contribution(session.id, effect.phase, effect.place)
    to = look.persona(session, given.to).name if given.to else ""
    return Scene(council_view.turn(given, to), look.author(session, given.persona))


def verdict(look: Look, session: Session, key: PhaseKey) -> list[Block]:
    if session.mode != "party":
        return []
    from core.brains.bookkeeping.agreement import consensus, trade_offs

    given = look.reader.contributions(session.id, key)
    votes = {each.persona: each for each in given if each.want == "vote"}
    record = next((each for each in session.party.records if each.phase == key), None)
    if record is None:
        return []
    verdict = council_view.Verdict(
        consensus=consensus(tuple(votes.values())) if votes else "",
        dissenters=[
            look.persona(session, who).name for who, vote in votes.items() if not vote.agrees
        ],
        trade_offs=[
            f"{look.persona(session, who).name}: {cost}" for who, cost in trade_offs(given)
        ],
        away=record.unavailable,
        stand_ins=_stand_ins(look, session, key, record.unavailable),
        unwritten=record.unwritten,
    )
    return council_view.verdict_blocks(verdict)


def _stand_ins(
    look: Look, session: Session, key: PhaseKey, away: Sequence[str]
) -> list[tuple[str, str]]:
    """A role that was missing, and the next in declared order who took it."""
    party = look.reader.party(session)
    phase = next((each for each in party.phases if each.key == key), None) if party else None
    if phase is None or phase.protocol not in ROLES:
        return []
    names = [look.persona(session, member).name for member in phase.members]
    roles = names[:1] if ROLES[phase.protocol] == "first" else names
    found = []
    for role in roles:
        place = names.index(role)
        after = [name for name in names[place + 1 :] + names[:place] if name not in away]
        if role in away and after:
            found.append((after[0], role))
    return found
