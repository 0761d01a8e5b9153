"""How a session begins: what lay in the files of its flow becomes its state."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol, TypeVar

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import (
    ChannelId,
    FaultId,
    Slug,
    UserId,
    numbered,
    slug_of,
)
from core.domain.session.course import ALL_PHASES, ENDED, Course, PhaseState
from core.domain.session.halt import Fault
from core.domain.session.model_reading import ModelUse
from core.domain.session.session import Session
from core.domain.steps.code import CodeLink
from core.domain.steps.playbook import Playbook
from core.engine.flow import navigation
from core.engine.kernel.situation import Situation, Transition
from core.engine.kernel.turn import Turn
from core.engine.start import folder_progress, party, roster
from core.taxonomy.catalogue import CATALOGUE, shown
from core.taxonomy.post_refusals import REFUSALS


class Item(Protocol):
    """What is known of a session of a channel, as far as another start needs it."""

    @property
    def channel(self) -> ChannelId: ...
    @property
    def status(self) -> str: ...
    @property
    def title(self) -> str: ...


SomeItem = TypeVar("SomeItem", bound=Item)


def under_way(sessions: Iterable[SomeItem], channel: ChannelId, title: str) -> SomeItem | None:
    """The session of that channel in which an item is under way already, if there is one."""
    slug = slug_of(title)
    return next(
        (
            session
            for session in sessions
            if session.channel == channel
            and session.status not in ENDED
            and slug_of(session.title) == slug
        ),
        None,
    )


def may_start_again(session: Session, by: UserId) -> bool:
    """True for a start that could not begin, and whoever wanted it: the form is filled in anew."""
    return session.status == "refused" and session.owner == by


def requested(situation: Situation, event: on.SessionRequested, playbook: Playbook) -> Transition:
    """A new session, or the offer to go on with the one that is already under way here."""
    base = slug_of(event.title)
    existing = under_way(situation.known, event.channel, event.title)
    if existing is not None:
        reply = fx.Reply("already-open", {"slug": existing.slug, "title": existing.title})
        return Transition(None, reply=reply)
    session = Session(
        id=event.session,
        run=event.run,
        team=event.team,
        channel=event.channel,
        owner=event.by,
        slug=event.adopted or numbered(base, frozenset(known.slug for known in situation.known)),
        title=event.title,
        text=event.text,
        seed=event.seed,
        created_at="",
        flow=event.flow,
        mode=event.mode,
        origin=event.origin,
        adopted=event.adopted is not None,
        unclaimed=event.unclaimed,
        model=ModelUse(
            script_only=event.script_only, waits_for_admin=situation.offer.waits_for_admin
        ),
        course=Course(depths=((ALL_PHASES, event.depth),) if event.depth else ()),
    )
    turn = Turn(session, situation, playbook, event.at)
    turn.created_at = turn.now
    turn.do(fx.OpenFlow(event.respond_to))
    turn.say_back(fx.Reply("starting", {"title": event.title}))
    return turn.result()


def flow_opened(turn: Turn, event: on.FlowOpened) -> None:
    session, respond_to = turn.session, event.respond_to
    if event.folder.state == "taken":
        turn.slug = _next_slug(turn, event)
        turn.do(fx.OpenFlow(respond_to))
        return
    waits = session.flow == "inception" and session.mode == ""
    phases = (
        ()
        if waits
        else tuple(
            PhaseState(phase.key, phase.label, phase.persona, count, mapped=phase.mapped)
            for phase, count in event.phases
        )
    )
    turn.course = turn.course.phases_listed(phases)
    turn.short_path = replace(turn.short_path, questions=event.short_questions)
    turn.roster = replace(turn.roster, file=event.agent)
    turn.missed = tuple(check for check in event.preflight if not check.ok)
    turn.party = replace(turn.party, file=event.party)
    if event.repository and not turn.code.repository:
        turn.code = CodeLink(event.repository)
    if event.script_only:
        turn.model = replace(turn.model, script_only=True)
    turn.do(fx.PostCard(respond_to))
    roster.opened(turn, event)
    if phases:
        turn.course = turn.course.moved_to(phases[0].key)
    if turn.course.is_resuming:  # nothing was asked: that its phases were passed by is no progress
        turn.course = turn.course.resume_ended()
    else:
        folder_progress.take_up(turn, event.folder)


def _next_slug(turn: Turn, event: on.FlowOpened) -> Slug:
    """The next number that neither a session nor a folder seen so far stands on."""
    base, slug = slug_of(turn.session.title), turn.session.slug
    slugs = {slug, *event.slugs, *(known.slug for known in turn.situation.known)}
    number = int(slug.removeprefix(f"{base}-")) if slug != base else 1
    passed = {base, *(Slug(f"{base}-{index}") for index in range(2, number + 1))}
    return numbered(base, frozenset(slugs | passed))


def card_posted(turn: Turn, _: on.CardPosted) -> None:
    if turn.session.flow == "inception":
        party.begin(turn)
    elif turn.roster.needs_choice:
        roster.ask(turn)
    else:
        navigation.begin(turn)


def refused(turn: Turn, event: on.PostRefused) -> None:
    """The card could not be posted: there is no session then, and its slug is free again."""
    again = {"again": turn.session.id}
    if event.reason in ("not_invited", "channel_unknown"):
        reply = fx.Reply("not-in-channel", again)
    else:
        words = REFUSALS.get(event.reason, REFUSALS["unknown"])
        reply = fx.Reply("cannot-post", {"what": words.what, "helps": words.helps, **again})
    turn.fault("ERR-SLACK-001", show=False, detail=f"PostCard: {event.error}")
    turn.status, turn.slug = "refused", Slug(f"refused-{turn.session.id}")
    if event.respond_to:
        turn.do(fx.Respond(event.respond_to, reply))


def refused_for_secret(event: on.SecretFound) -> Transition:
    """A credential in a title: nothing begins, and nothing of it is kept but that it happened."""
    assert isinstance(event.said, on.SessionRequested), "only a start has no session"
    entry = CATALOGUE["ERR-SEC-001"]
    fault = Fault(
        id=FaultId(f"{event.said.team}:refused-{event.said.session}"),
        code=entry.code,
        message=shown(entry.code),
        visible=True,
        at=event.at,
        detail=f"{event.where}: {', '.join(event.kinds)}",
        facts={
            "secret_type": ", ".join(event.kinds),
            "location": "a title",
            "halted_at": "start",
            "halt_reason": entry.title,
        },
    )
    return Transition(None, (fx.FaultRecorded(fault),), reply=fx.Reply("secret-title"))
