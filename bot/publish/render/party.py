"""The party: which mode, what a council asks and says, and what it came to."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.publish.message_targets import in_thread
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.kit.identity import author_of
from bot.views.kit.rich_text import Block
from bot.views.thread import council as council_view
from core.domain.effects import PostQuestions, SayContribution, ShowMode
from core.domain.ids import PhaseKey
from core.domain.session import Session
from core.ports import Gone

# Whose role somebody else takes when they are missing: the proposer's, everybody's in a ring.
ROLES: Final[Mapping[str, str]] = {
    "propose-critique-converge": "first",
    "produce-cross-review-finalize": "ring",
}


@draws(ShowMode, in_thread("mode:{menu}"))
def mode(commit: LastCommit, session: Session, effect: ShowMode) -> Scene:
    """The menu of modes. Raises `Gone` if it is not there."""
    menu = commit.reader.menu(effect.menu)
    if menu is None:
        raise Gone(effect.menu)
    names = commit.names(session, [menu.used_by] if menu.used_by else [])
    return Scene(council_view.mode_menu(menu, names))


@draws(PostQuestions, in_thread("prompt:{step}:{revision}:{thread}", of_step=True))
def questions(commit: LastCommit, session: Session, effect: PostQuestions) -> Scene:
    council = session.party.council
    every = council.questions if council else ()
    persona = commit.persona(session, effect.thread)
    mine = [(number, question) for number, key, question in every if key == effect.thread]
    seats = council.present if council else ()
    others = [
        commit.persona(session, seat.persona).name
        for seat in seats
        if seat.persona != effect.thread
    ]
    message = council_view.questions(
        persona,
        mine,
        others,
        mention=effect.mention,
        menu=commit.menu_of(session.menus.prompt, effect.step),
    )
    return Scene(message, author_of(persona))


@draws(SayContribution, in_thread("said:{phase}:{place}"))
def contribution(commit: LastCommit, session: Session, effect: SayContribution) -> Scene:
    turn = commit.reader.contribution(session.id, effect.phase, effect.place)
    to = commit.persona(session, turn.to).name if turn.to else ""
    return Scene(council_view.turn(turn, to), commit.author(session, turn.persona))


def verdict(commit: LastCommit, session: Session, key: PhaseKey) -> list[Block]:
    if session.mode != "party":
        return []
    from core.brains.bookkeeping.agreement import consensus, trade_offs

    turns = commit.reader.contributions(session.id, key)
    votes = {turn.persona: turn for turn in turns if turn.want == "vote"}
    record = next((record for record in session.party.records if record.phase == key), None)
    if record is None:
        return []
    verdict = council_view.Verdict(
        consensus=consensus(tuple(votes.values())) if votes else "",
        dissenters=[
            commit.persona(session, who).name for who, vote in votes.items() if not vote.agrees
        ],
        trade_offs=[
            f"{commit.persona(session, who).name}: {cost}" for who, cost in trade_offs(turns)
        ],
        away=record.unavailable,
        stand_ins=_stand_ins(commit, session, key, record.unavailable),
        unwritten=record.unwritten,
    )
    return council_view.verdict_blocks(verdict)


def _stand_ins(
    commit: LastCommit, session: Session, key: PhaseKey, away: Sequence[str]
) -> list[tuple[str, str]]:
    """A role that was missing, and the next in declared order who took it."""
    party = commit.reader.party(session)
    phase = next((phase for phase in party.phases if phase.key == key), None) if party else None
    if phase is None or phase.protocol not in ROLES:
        return []
    names = [commit.persona(session, member).name for member in phase.members]
    roles = names[:1] if ROLES[phase.protocol] == "first" else names
    stand_ins = []
    for role in roles:
        place = names.index(role)
        after = [name for name in names[place + 1 :] + names[:place] if name not in away]
        if role in away and after:
            stand_ins.append((after[0], role))
    return stand_ins
