"""What people said before, in the thread that a session was taken from: proposed to its first step.

Each proposal waits for its own author: nobody else can make it an answer. Until then its words
stand in a row that does not count; they follow the message when it is edited or deleted.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer
from core.domain.ids import AnswerId, StepId, UserId
from core.domain.session.halt import CREDENTIAL
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.start import EarlierStatement, Proposal, ProposalOutcome
from core.domain.session.step import StepState
from core.engine.answers import collect
from core.engine.kernel.turn import Turn

KIND: Final[MenuKind] = "proposal"
CONFIRM: Final = "confirm-mine"
LEAVE_OUT: Final = "leave-out"
PROPOSALS_MAX: Final = 10  # what one message can show with its buttons


def thread_read(turn: Turn, event: on.ThreadRead) -> None:
    origin, state = turn.session.origin, turn.state(event.step)
    if origin is None or state is None or origin.task != event.task or turn.session.proposals:
        return
    persona = turn.phase_of(state).persona
    if event.why:
        turn.do(fx.Say("thread-unread", persona))
        return
    drafts = event.found[:PROPOSALS_MAX]
    if not any(draft.ts == origin.ts for draft in drafts):  # it is what this is about
        first = [draft for draft in event.found if draft.ts == origin.ts]
        drafts = (*first, *drafts)[:PROPOSALS_MAX]
    turn.proposals = tuple(_proposed(turn, state, draft) for draft in drafts)
    turn.unproposed = event.more or len(event.found) > len(drafts)
    if drafts:
        turn.do(fx.ShowProposals(persona))


def answer_of(draft: EarlierStatement, known_as: AnswerId, state: StepState) -> Answer:
    """What was said elsewhere as an answer to this step."""
    return Answer(
        id=known_as,
        step=state.id,
        by=draft.by,
        text=draft.text,
        ts=draft.ts,
        permalink=draft.permalink,
        files=draft.files,
        source="proposed",
    )


def _proposed(turn: Turn, state: StepState, draft: EarlierStatement) -> Proposal:
    """Its message's own id, so that edits and deletions reach it, if no other session has it."""
    own = f"{turn.session.channel}:{draft.ts}"
    free = own not in turn.situation.taken
    known_as = AnswerId(own if free else f"proposed:{turn.session.id}:{draft.ts}")
    answer = replace(answer_of(draft, known_as, state), withdrawn=True)
    turn.record(fx.AnswerSaved(answer))
    menu = turn.open_menu(KIND, (CONFIRM, LEAVE_OUT), state.id)
    return Proposal(answer.id, draft.by, menu, state.id)


# ── what is decided about it ───────────────────────────────────────────────────────────────────


def chosen(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    proposal = next(
        (candidate for candidate in turn.session.proposals if candidate.menu == menu.id), None
    )
    answer = turn.situation.answer
    if proposal is None or answer is None:
        turn.say_back(fx.Reply("unknown-choice"))
    elif event.choice == CONFIRM:
        _confirmed(turn, proposal, answer, event)
    else:
        _left_out(turn, proposal, event.by)


def _confirmed(turn: Turn, proposal: Proposal, answer: Answer, event: on.ChoiceMade) -> None:
    if event.by != proposal.by:
        turn.say_back(fx.Reply("not-your-words", {"by": proposal.by}))
        return
    state = turn.existing(answer.step)
    _decide(turn, proposal, "confirmed", event.by, CONFIRM)
    collect.save_answer(turn, state, replace(answer, withdrawn=False, revision=answer.revision + 1))
    turn.do(fx.Mark(event.channel, answer.ts, on=True))


def _left_out(turn: Turn, proposal: Proposal, by: UserId) -> None:
    if by not in (proposal.by, turn.session.owner):
        words = {"by": proposal.by, "owner": turn.session.owner}
        turn.say_back(fx.Reply("not-your-answer", words))
        return
    _decide(turn, proposal, "left-out", by, LEAVE_OUT)


def _decide(
    turn: Turn,
    proposal: Proposal,
    outcome: ProposalOutcome,
    by: UserId | None = None,
    choice: str | None = None,
) -> None:
    turn.end_menu(proposal.menu, by, choice)
    now = proposal.decided(outcome, by)
    turn.proposals = tuple(
        now if candidate.menu == now.menu else candidate for candidate in turn.proposals
    )
    _show(turn, proposal.step)


def _show(turn: Turn, step: StepId) -> None:
    turn.do(fx.ShowProposals(turn.phase_of(turn.existing(step)).persona))


# ── what becomes of its message ────────────────────────────────────────────────────────────────


def edited(turn: Turn, event: on.MessageEdited) -> bool:
    """True if it was the message of a proposal that waits: its new words wait in its place."""
    waiting = _waiting(turn)
    if waiting is None:
        return False
    proposal, answer = waiting
    if answer.edited_ts is not None and float(answer.edited_ts) >= float(event.edited_ts):
        return True  # an older edit that came late
    again = replace(
        answer, text=event.text, revision=answer.revision + 1, edited_ts=event.edited_ts
    )
    turn.record(fx.AnswerSaved(again))
    if collect.is_nothing(again):
        _decide(turn, proposal, "gone")
    else:
        _show(turn, proposal.step)
    return True


def deleted(turn: Turn, _: on.MessageDeleted) -> bool:
    waiting = _waiting(turn)
    if waiting is not None:
        _decide(turn, waiting[0], "gone")
    return waiting is not None


def taken_out(turn: Turn, event: on.AnswerTakenOut) -> bool:
    """Said of a message that is only proposed: it is left out."""
    waiting = _waiting(turn)
    if waiting is not None:
        turn.say_back(fx.Reply("left-out"))
        _left_out(turn, waiting[0], event.by)
    return waiting is not None


def secret_found(turn: Turn, event: on.SecretFound) -> bool:
    """A credential in a message that is only proposed: nothing of it came in, and nothing stops."""
    waiting = _waiting(turn) if isinstance(event.said, on.MessageEdited) else None
    if waiting is None:
        return False
    kinds = ", ".join(event.kinds)
    turn.fault(
        CREDENTIAL, step=turn.state(waiting[0].step), detail=f"proposed: {kinds}", show=False
    )
    _decide(turn, waiting[0], "gone")
    turn.say_back(fx.Reply("halted-now", {"what": kinds}))
    return True


def _waiting(turn: Turn) -> tuple[Proposal, Answer] | None:
    answer = turn.situation.answer
    for proposal in turn.session.proposals:
        if answer is not None and proposal.answer == answer.id and not proposal.outcome:
            return proposal, answer
    return None
