"""What people did in a thread while the bot was away, as the events Slack would have delivered.

Pure: what was stored before the read began is compared with what the thread holds now. A thread
that was read is compared again after the next start, so nothing here may act twice: a message that
is stored already becomes no event, and an edit becomes one only if it is newer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer
from core.domain.ids import AnswerId, ChannelId, PersonaKey, Ts, UserId
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.stances import Stance, view_of
from core.domain.thread_range import ThreadMessage, ThreadRange
from core.engine.answers.collect import says_nothing
from core.engine.flow import navigation, seats, words
from core.engine.kernel.turn import Turn

UNFINISHED: Final = ("opening", "asking", "debating", "choosing", "paused")
"""Statuses in which a message is taken as an answer. A halted session refuses it with words."""

Change = on.MessagePosted | on.MessageEdited | on.MessageDeleted


@dataclass(frozen=True, slots=True)
class Stored:
    """What was known of a thread before its read began.

    `redacted`: messages that held a credential; their row has an id of its own, and the message
    itself is not taken in again. `proposed`: answers that wait for their authors to confirm them.
    """

    answers: Mapping[Ts, Answer]
    redacted: frozenset[Ts] = frozenset()
    proposed: frozenset[AnswerId] = frozenset()
    takes_answers: bool = True  # False: the thread a session was taken from


def current_threads(session: Session) -> tuple[PersonaKey, ...]:
    """The threads in which the current step is answered: several where a council sits."""
    if session.status not in UNFINISHED:
        return ()
    seats = session.party.council.seats if session.party.council else ()
    voice = (session.course.thread,) if session.course.thread else ()
    return tuple(dict.fromkeys((*(seat.persona for seat in seats), *voice)))


def message_changes(
    thread: ThreadRange, stored: Stored, *, at: float, settled_before: float, keys_since: float
) -> tuple[Change, ...]:
    """New messages and edits by ts, then withdrawals.

    `settled_before`: a younger answer that is absent is not judged, because Slack may need a
    moment to show it. `keys_since`: when the oldest delivery key was kept; an older word
    ("continue") may have acted already.
    """
    changes: list[Change] = []
    for message in sorted(thread.messages, key=lambda message: float(message.ts)):
        posted = message.posted
        if posted is None or message.ts in stored.redacted:
            continue
        answer = stored.answers.get(message.ts)
        if answer is not None:
            changes += _edited(answer, posted, at)
        elif stored.takes_answers and not _is_over(posted, keys_since):
            changes.append(posted)
    return (*changes, *_withdrawn(thread, stored, at, settled_before))


def _is_over(posted: on.MessagePosted, keys_since: float) -> bool:
    """True for what says nothing, and for a word that is too old to know whether it acted."""
    if says_nothing(posted.text, posted.files):
        return True
    return float(posted.ts) < keys_since and words.is_word(posted.text)


def _edited(answer: Answer, posted: on.MessagePosted, at: float) -> tuple[on.MessageEdited, ...]:
    if posted.edited_ts is None or posted.by != answer.by:
        return ()
    if answer.edited_ts is not None and float(answer.edited_ts) >= float(posted.edited_ts):
        return ()
    return (
        on.MessageEdited(posted.by, at, posted.channel, posted.ts, posted.edited_ts, posted.text),
    )


def _withdrawn(
    thread: ThreadRange, stored: Stored, at: float, settled_before: float
) -> tuple[on.MessageDeleted, ...]:
    """Answers whose message is gone; none where the range was not read to its end."""
    if not thread.is_whole:
        return ()
    present = {message.ts for message in thread.messages}
    return tuple(
        on.MessageDeleted(answer.by, at, channel_of(answer), answer.ts)
        for ts, answer in stored.answers.items()
        if ts not in present
        and _may_go(answer, stored)
        and float(thread.since) < float(ts) <= settled_before
    )


def _may_go(answer: Answer, stored: Stored) -> bool:
    """True if a deletion changes it: it counts, it is proposed, or it could be put back."""
    return not answer.withdrawn or answer.id in stored.proposed or answer.out_by is not None


def channel_of(answer: Answer) -> ChannelId:
    return ChannelId(answer.id.partition(":")[0])


# ── reactions ──────────────────────────────────────────────────────────────────────────────────


def reaction_changes(
    thread: ThreadRange,
    answers: Mapping[Ts, Answer],
    stances: Iterable[Stance],
    *,
    at: float,
    bot_user: UserId,
) -> tuple[on.ReactionChanged, ...]:
    """Reactions that were put on or taken off. `answers` and `stances` as they are stored now.

    Slack does not say when: each counts from the moment the read began, so that whatever was
    delivered since wins.
    """
    stored = {
        (stance.answer, stance.by, reacted.name)
        for stance in stances
        for reacted in stance.reactions
        if reacted.on
    }
    event_ts = Ts(f"{thread.read_at:.6f}")
    changes = []
    for message in thread.messages:
        answer = answers.get(message.ts)
        if answer is None or answer.withdrawn:
            continue
        views = _shown_views(message, (answer.by, bot_user))
        stood = {(by, name) for of, by, name in stored if of == answer.id}
        for by, name in sorted(views ^ stood):
            if (by, name) in stood and not _is_gone(message, name):
                continue
            changes.append(
                on.ReactionChanged(
                    by, at, channel_of(answer), answer.ts, name, event_ts, (by, name) in views
                )
            )
    return tuple(changes)


def _shown_views(message: ThreadMessage, without: tuple[UserId, ...]) -> set[tuple[UserId, str]]:
    return {
        (user, reaction.name)
        for reaction in message.reactions
        if view_of(reaction.name) is not None
        for user in reaction.users
        if user not in without
    }


def _is_gone(message: ThreadMessage, name: str) -> bool:
    """True if whoever is not named in that reaction has taken it off."""
    return all(reaction.is_complete for reaction in message.reactions if reaction.name == name)


# ── what is said of it ─────────────────────────────────────────────────────────────────────────


def read_back(turn: Turn, event: on.ThreadsReadBack) -> None:
    """One line on an open menu if people wrote meanwhile; one on the card if nobody can read."""
    if event.off != turn.session.read_back_off:
        turn.read_back_off = event.off
        turn.do(fx.PaintCard())
    state = turn.state(turn.course.step)
    if not event.wrote or state is None or state.prompt.missed_clicks:
        return
    if turn.session.status == "choosing":
        _note_missed_clicks(turn, state)


def _note_missed_clicks(turn: Turn, state: StepState) -> None:
    turn.save(replace(state, prompt=replace(state.prompt, missed_clicks=True)))
    if turn.council is not None and turn.menus.on_summary:
        seats.show_recommendation(turn)
    elif turn.menus.on_summary:
        turn.do(navigation.show_current_message(turn, state))
    else:
        turn.do(fx.PaintStep(state.id))
