"""From the last commit to messages: what each visible effect has to show, and who says it.

Reads, never writes, never sends. What it finds is put into views; how that looks is theirs.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from bot.links import permalink
from bot.views import card, differences, lines, phase, proposals, recovery, reminder, step
from bot.views import council as council_view
from bot.views.blocks import Block, Message
from bot.views.faults import fault_message
from bot.views.identity import Author, author_of
from bot.views.names import Names, name_of
from bot.wording import people_in, place_of, worded
from core.domain.effects import (
    Greet,
    HandOver,
    OpenThread,
    PaintCard,
    PaintPrompt,
    PaintReminder,
    PaintStep,
    PostCard,
    PostPrompt,
    PostQuestions,
    PostReminder,
    Reply,
    Say,
    SayContribution,
    SayTurn,
    ShowFault,
    ShowMode,
    ShowPhase,
    ShowProposals,
    ShowRecovery,
    ShowStep,
    TellOperators,
)
from core.domain.ids import Depth, MenuId, PersonaKey, PhaseKey, StepId, UserId
from core.domain.playbook import BUILT_IN, FACILITATOR, Persona, Step
from core.domain.session import Menu, Session, StepState
from core.domain.stances import views_on
from core.ports import Directory, Gone, Post, SessionReader
from core.taxonomy.catalogue import CATALOGUE, Severity

# What stands in a message of its own or is edited later; the rest of the visible effects is not.
Shown = (
    PostCard
    | PaintCard
    | OpenThread
    | Greet
    | HandOver
    | PostPrompt
    | PaintPrompt
    | ShowStep
    | PaintStep
    | ShowPhase
    | ShowFault
    | ShowRecovery
    | ShowMode
    | PostReminder
    | PaintReminder
    | PostQuestions
    | ShowProposals
    | SayContribution
    | Say
    | SayTurn
)
# Whose role somebody else takes when they are missing: the proposer's, everybody's in a ring.
ROLES: Final[Mapping[str, str]] = {
    "propose-critique-converge": "first",
    "produce-cross-review-finalize": "ring",
}
UNKNOWN_SEVERITY: Final[Severity] = "WARNING"


@dataclass(frozen=True, slots=True)
class Scene:
    message: Message
    author: Author | None = None  # None: the app itself


class Scenes:
    def __init__(self, reader: SessionReader, directory: Directory) -> None:
        self._reader = reader
        self._directory = directory

    def of(self, session: Session, effect: Shown) -> Scene:
        match effect:
            case PostCard() | PaintCard():
                return Scene(self._card(session))
            case OpenThread(persona):
                return self._root(session, persona)
            case Greet():
                return self._greeting(session, effect)
            case HandOver():
                return self._handover(session, effect)
            case PostPrompt():
                return self._prompt(session, effect.step, effect.mention)
            case PaintPrompt():
                return self._prompt(session, effect.step, ())
            case ShowStep() | PaintStep():
                return self._step(session, effect.step)
            case ShowPhase():
                return self._phase(session, effect)
            case ShowFault():
                return self._fault(session, effect)
            case ShowRecovery():
                return self._recovery(session, effect)
            case ShowMode(menu):
                return self._mode(session, menu)
            case PostReminder():
                return self._reminder(session, effect)
            case PaintReminder(menu, about):
                return self._reminded(session, menu, about)
            case PostQuestions():
                return self._questions(session, effect)
            case ShowProposals():
                return self._proposals(session, effect)
            case SayContribution():
                return self._contribution(session, effect)
            case Say():
                return self._line(session, effect)
            case SayTurn():
                return self._turn(session, effect)
            case _:
                assert_never(effect)

    def reply(self, session: Session, reply: Reply) -> Message:
        names = self._directory.names(session.team, people_in(reply))
        workspace = self._reader.workspace(session.team)
        return worded(reply, names, place_of(reply, session.id, self._reader, workspace))

    def url(self, session: Session, post: Post | None) -> str:
        if post is None:
            return ""
        workspace = self._reader.workspace(session.team)
        return permalink(workspace.url, post.channel, post.ts, post.thread_ts)

    def open_menu(self, menu: MenuId | None) -> Menu | None:
        found = self._reader.menu(menu) if menu else None
        return found if found and found.state == "open" else None

    # ── the card and the personas ──

    def _card(self, session: Session) -> Message:
        return card.card(
            session,
            self._names(session, (*session.awaited, *_deciders(session))),
            leader=self._leader(session),
            table=self._at_the_table(session),
            threads=self._threads(session),
            steps=self._reader.all_steps(session.id),
        )

    def _at_the_table(self, session: Session) -> tuple[str, ...]:
        council = session.council
        seats = council.present if council else ()
        return tuple(self._persona(session, seat.persona).name for seat in seats)

    def _threads(self, session: Session) -> tuple[card.ThreadLink, ...]:
        posts = {key: self._reader.post(session.id, f"thread:{key}") for key in session.met}
        return tuple(
            card.ThreadLink(self._persona(session, key).name, self.url(session, post))
            for key, post in posts.items()
            if post is not None
        )

    def _root(self, session: Session, key: PersonaKey) -> Scene:
        persona = self._persona(session, key)
        phases = [each.label for each in session.phases if each.persona == key]
        return Scene(lines.root(persona, session.title, phases), author_of(persona))

    def _greeting(self, session: Session, effect: Greet) -> Scene:
        persona = self._persona(session, effect.persona)
        label = self._label(session, effect.phase)
        taken = self._taken_over(session, effect.taken_over_from)
        if self._led_before(session, effect.persona):
            return Scene(lines.return_greeting(label, taken), author_of(persona))
        return Scene(lines.greeting(persona, label, taken), author_of(persona))

    def _led_before(self, session: Session, key: PersonaKey) -> bool:
        led = {each.key for each in session.phases if each.persona == key}
        return any(
            state.revision > 0 and state.phase in led and state.id != session.step
            for state in self._reader.all_steps(session.id)
        )

    def _taken_over(self, session: Session, key: PersonaKey | None) -> lines.TakenOver | None:
        if key is None:
            return None
        files = dict.fromkeys(section.file for section in self._reader.sections(session.id))
        steps = self._reader.all_steps(session.id)
        return lines.TakenOver(
            name=self._persona(session, key).name,
            phases=tuple(p.label for p in session.phases if p.status == "completed"),
            files=tuple(files),
            open_questions=sum(len(state.gaps) for state in steps),
        )

    def _handover(self, session: Session, effect: HandOver) -> Scene:
        coming = self._persona(session, effect.coming)
        post = self._reader.post(session.id, f"thread:{effect.coming}")
        leads = session.phase if self._leads_now(session, effect.coming) else None
        said = lines.handover(coming.name, self._label(session, leads), self.url(session, post))
        return Scene(said, author_of(self._persona(session, effect.leaving)))

    # ── steps and phases ──

    def _prompt(self, session: Session, step_id: StepId, mention: tuple[UserId, ...]) -> Scene:
        state = self._state(session, step_id)
        content = self._reader.content(state.digest) if state.digest else None
        depth = state.depth or (content.depth if content else "standard")
        doubts = tuple(each for each in state.wrong if each.revision == state.revision)
        known = (state.chosen_by, *(each.by for each in doubts))
        names = self._names(session, [user for user in known if user])
        asked = step.Asked(
            step=state,
            text=_text_of(state, content, depth),
            phase=self._label(session, state.phase),
            depth=depth,
            place=self._place(session, state),
            answers=self._proposed(session, step_id)
            or (self._said(session, step_id) if state.revision > 1 else ()),
            mention=mention,
            menu=self.menu_of(session.prompt_menu, step_id),
            doubts=doubts,
        )
        return Scene(step.prompt(asked, names), self._voice(session, state))

    def _proposed(self, session: Session, step_id: StepId) -> tuple[step.Said, ...]:
        """What was said before a fall back to classic, where it can be taken over."""
        menu = self.menu_of(session.prompt_menu, step_id)
        if menu is None or "take-over" not in menu.choices:
            return ()
        names = self._names(session, [each.by for each in session.drafts])
        return tuple(step.Said(name_of(names, each.by), each.text) for each in session.drafts)

    def _turn(self, session: Session, effect: SayTurn) -> Scene:
        who, text = self._state(session, effect.step).turns[effect.number - 1]
        return Scene(lines.turn(text), author_of(self._persona(session, who)))

    def _step(self, session: Session, step_id: StepId) -> Scene:
        state = self._state(session, step_id)
        menu = None if session.summary else self.menu_of(session.menu, step_id)
        stale_menu = self.menu_of(session.stale_menu, step_id)
        voices = self._voices(session, step_id, waiting=menu is not None)
        names = self._names(session, voices.people)
        message = step.shown(
            state,
            self._names(session, [state.chosen_by] if state.chosen_by else []),
            menu=menu,
            following=self._following(session, state.phase),
            summary=self._summary(session, state.phase) if menu and menu.kind == "phase" else (),
            stale_menu=stale_menu,
            stale=self._stale(session) if stale_menu else (),
            voices=differences.blocks(voices, names),
            differing=differences.controls(voices, menu, state.settling),
        )
        return Scene(message, self._voice(session, state))

    def _voices(self, session: Session, step_id: StepId, *, waiting: bool) -> differences.Voices:
        """Who gave what to a step. `waiting`: its menu is open, so that silence means something."""
        every = self._reader.answers(session.id, step_id)
        answers = tuple(each for each in every if each.source != "confirmed")
        stances = self._reader.stances(session.id, step_id)
        settlements = self._reader.settlements(session.id, step_id) if stances else ()
        gave = {each.by for each in stances if each.view is not None}
        strangers = self._directory.strangers(session.team, gave) if gave else frozenset()
        views = views_on(answers, stances, settlements, strangers)
        answered = tuple(dict.fromkeys(each.by for each in answers))
        weighed = {each.answer.id for each in views}
        return differences.Voices(
            answered=answered,
            silent=tuple(each for each in session.awaited if each not in gave) if waiting else (),
            views=views,
            beside=tuple(each for each in answers if len(answered) > 1 and each.id not in weighed),
        )

    def _phase(self, session: Session, effect: ShowPhase) -> Scene:
        menu = self.open_menu(session.menu) if session.summary else None
        decided = self._decided(session, effect.phase)
        message = phase.phase_message(
            self._recorded(session, effect.phase),
            self._names(session, [decided.chosen_by] if decided and decided.chosen_by else []),
            menu=menu if menu and menu.phase == effect.phase else None,
            following=self._following(session, effect.phase),
            decided=decided,
            verdict=self._verdict(session, effect.phase),
        )
        return Scene(message, self._chair(session, effect.phase, effect.thread))

    def menu_of(self, menu: MenuId | None, step_id: StepId) -> Menu | None:
        """The menu, if it is open and this step's."""
        found = self.open_menu(menu)
        return found if found and found.step == step_id else None

    def _summary(self, session: Session, key: PhaseKey) -> tuple[Block, ...]:
        return tuple(phase.summary_blocks(self._recorded(session, key)))

    def _recorded(self, session: Session, key: PhaseKey) -> phase.Summary:
        steps = tuple(s for s in self._reader.all_steps(session.id) if s.phase == key)
        mine = {state.id for state in steps}
        claims = tuple(c for c in self._reader.claims(session.id) if c.step in mine)
        before = self._reader.baseline(session.id, key)
        menu = self.open_menu(session.assumed_menu)
        assumed = menu if menu and menu.phase == key else None
        dissent = self._dissent(session, steps)
        return phase.Summary(self._label(session, key), steps, claims, before, assumed, dissent)

    def _dissent(self, session: Session, steps: Sequence[StepState]) -> tuple[str, ...]:
        stances = [each for each in self._reader.stances(session.id) if each.is_open]
        strangers = self._directory.strangers(session.team, {each.by for each in stances})
        views = views_on(self._reader.answers(session.id), stances, (), strangers)
        differ = {each.answer.step for each in views if each.differ}
        return tuple(step.title for step in steps if step.id in differ)

    def _decided(self, session: Session, key: PhaseKey) -> StepState | None:
        """The step whose outcome is the phase's: the last one that has one."""
        steps = [s for s in self._reader.all_steps(session.id) if s.phase == key and s.outcome]
        accepted = next((each for each in session.phases if each.key == key), None)
        if steps and accepted and accepted.accepted_by:
            return replace(steps[-1], outcome="accept", chosen_by=accepted.accepted_by)
        return steps[-1] if steps else None

    def _said(self, session: Session, step_id: StepId) -> tuple[step.Said, ...]:
        every = self._reader.answers(session.id, step_id)
        answers = [answer for answer in every if answer.source != "confirmed"]
        names = self._names(session, [answer.by for answer in answers])
        return tuple(step.Said(name_of(names, answer.by), answer.text) for answer in answers)

    def _place(self, session: Session, state: StepState) -> tuple[int, int] | None:
        """Which of all steps this is; a phase before it counts with all files it was found with."""
        before = 0
        for each in session.phases:
            if each.key == state.phase:
                steps = [s for s in self._reader.all_steps(session.id) if s.phase == each.key]
                number = next((n for n, s in enumerate(steps, 1) if s.id == state.id), None)
                total = sum(phase.count for phase in session.phases)
                return None if number is None else (before + number, total)
            before += each.count
        return None

    def _stale(self, session: Session) -> list[StepState]:
        states = [self._reader.step_state(session.id, each) for each in session.stale]
        return [state for state in states if state is not None]

    def _following(self, session: Session, key: PhaseKey) -> str | None:
        """The phase that opens when this one is accepted: the first that is not closed."""
        left = [each for each in session.phases if each.key != key]
        return next((each.label for each in left if each.status in ("pending", "open")), None)

    # ── faults and lines ──

    def _fault(self, session: Session, effect: ShowFault) -> Scene:
        fault = self._reader.fault(effect.fault)
        severity = _severity(fault.code)
        mention = (session.owner,) if severity == "FATAL" else ()
        if effect.thread is None:
            return Scene(fault_message(fault, severity, mention))
        author = self._author(session, fault.persona) if fault.persona else None
        chair = self._chair(session, fault.phase, effect.thread)
        return Scene(fault_message(fault, severity, mention), author or chair)

    def _recovery(self, session: Session, effect: ShowRecovery) -> Scene:
        menu = self._reader.menu(effect.menu)
        if menu is None or menu.fault is None:
            raise Gone(effect.menu)
        fault = self._reader.fault(menu.fault)
        names = self._names(session, [menu.used_by] if menu.used_by else [])
        message = recovery.recovery(
            menu,
            fault,
            _severity(fault.code),
            names,
            mention=(session.owner,),
            leader=self._persona(session, fault.persona).name if fault.persona else "them",
        )
        return Scene(message, author_of(FACILITATOR) if menu.kind == "fatal" else None)

    def _reminder(self, session: Session, effect: PostReminder) -> Scene:
        menu = self._reader.menu(effect.menu)
        if menu is None or menu.state != "open":
            return self._reminded(session, effect.menu, effect.step)
        message = reminder.reminder(
            self._asked_about(session, menu, effect.step),
            menu,
            mention=effect.mention,
            since=effect.since,
            at=effect.at,
            url=self.url(session, self._asking(session, effect.step)),
            last=effect.last,
        )
        return Scene(message, self._chair(session, menu.phase, effect.thread))

    def _reminded(self, session: Session, menu_id: MenuId, about: StepId) -> Scene:
        menu = self._reader.menu(menu_id)
        if menu is None:
            raise Gone(menu_id)
        names = self._names(session, [menu.used_by] if menu.used_by else [])
        title = self._asked_about(session, menu, about)
        return Scene(reminder.settled(title, menu, names), self._chair(session, menu.phase, None))

    def _asked_about(self, session: Session, menu: Menu, about: StepId) -> str:
        """The step's title; of a phase's summary the phase."""
        return self._state(session, about).title if menu.step else self._label(session, menu.phase)

    def _asking(self, session: Session, about: StepId) -> Post | None:
        """Where people are asked: at the prompt, or at the phase's summary."""
        if session.summary and session.phase:
            return self._reader.last_post(session.id, f"phase:{session.phase}:")
        return self._reader.last_post(session.id, f"prompt:{about}:")

    def _proposals(self, session: Session, effect: ShowProposals) -> Scene:
        known = {answer.id: answer for answer in self._reader.proposed(session)}
        decided = [each.chosen_by for each in session.proposals if each.chosen_by]
        names = self._names(session, [*(each.by for each in session.proposals), *decided])
        shown = [(each, known[each.answer]) for each in session.proposals if each.answer in known]
        said = proposals.proposals(shown, names, more=session.unproposed)
        return Scene(said, self._author(session, effect.thread))

    # ── the party ──

    def _mode(self, session: Session, menu: MenuId) -> Scene:
        found = self._reader.menu(menu)
        if found is None:
            raise Gone(menu)
        names = self._names(session, [found.used_by] if found.used_by else [])
        return Scene(council_view.mode_menu(found, names))

    def _questions(self, session: Session, effect: PostQuestions) -> Scene:
        council = session.council
        every = council.questions if council else ()
        persona = self._persona(session, effect.thread)
        mine = [(number, each) for number, key, each in every if key == effect.thread]
        seats = council.present if council else ()
        others = [
            self._persona(session, seat.persona).name
            for seat in seats
            if seat.persona != effect.thread
        ]
        message = council_view.questions(
            persona,
            mine,
            others,
            mention=effect.mention,
            menu=self.menu_of(session.prompt_menu, effect.step),
        )
        return Scene(message, author_of(persona))

    def _contribution(self, session: Session, effect: SayContribution) -> Scene:
        given = self._reader.contribution(session.id, effect.phase, effect.place)
        to = self._persona(session, given.to).name if given.to else ""
        return Scene(council_view.turn(given, to), self._author(session, given.persona))

    def _verdict(self, session: Session, key: PhaseKey) -> list[Block]:
        if session.mode != "party":
            return []
        from core.brains.council.converging import consensus, trade_offs

        given = self._reader.contributions(session.id, key)
        votes = {each.persona: each for each in given if each.want == "vote"}
        record = next((each for each in session.councils if each.phase == key), None)
        if record is None:
            return []
        council = session.council
        verdict = council_view.Verdict(
            consensus=consensus(tuple(votes.values())) if votes else "",
            dissenters=[
                self._persona(session, who).name for who, vote in votes.items() if not vote.agrees
            ],
            trade_offs=[
                f"{self._persona(session, who).name}: {cost}" for who, cost in trade_offs(given)
            ],
            away=record.unavailable,
            stand_ins=self._stand_ins(session, key, record.unavailable),
            unwritten=council.unwritten if council else (),
        )
        return council_view.verdict_blocks(verdict)

    def _stand_ins(
        self, session: Session, key: PhaseKey, away: Sequence[str]
    ) -> list[tuple[str, str]]:
        """A role that was missing, and the next in declared order who took it."""
        party = self._reader.party(session)
        phase = next((each for each in party.phases if each.key == key), None) if party else None
        if phase is None or phase.protocol not in ROLES:
            return []
        names = [self._persona(session, member).name for member in phase.members]
        roles = names[:1] if ROLES[phase.protocol] == "first" else names
        found = []
        for role in roles:
            place = names.index(role)
            after = [name for name in names[place + 1 :] + names[:place] if name not in away]
            if role in away and after:
                found.append((after[0], role))
        return found

    def notice(self, session: Session, effect: TellOperators) -> Message:
        """What the operators' channel is told."""
        found = self._reader.fault(effect.fault)
        url = self.url(session, self._reader.post(session.id, "card"))
        return recovery.operators_notice(
            found, _severity(found.code), session.title, url, kept=effect.kept
        )

    def _line(self, session: Session, effect: Say) -> Scene:
        by = UserId(effect.args.get("by", ""))
        names = self._names(session, [by] if by else [])
        args = {"title": session.title, "slug": session.slug} | dict(effect.args)
        message = lines.spoken(effect.kind, {**args, "by": names.get(by, "")}, effect.mention)
        chair = self._chair(session, session.phase, effect.thread) if effect.thread else None
        return Scene(message, chair)

    # ── who speaks ──

    def _voice(self, session: Session, state: StepState) -> Author | None:
        """A step is led by the persona its file names, whose thread ever it is in."""
        if state.persona is None:
            return self._chair(session, state.phase, None)
        return self._author(session, state.persona)

    def _chair(
        self, session: Session, key: PhaseKey | None, thread: PersonaKey | None
    ) -> Author | None:
        """Who leads a phase: its persona, or the facilitator after that one failed."""
        led = next((each for each in session.phases if each.key == key), None)
        if led is not None and led.facilitated:
            return author_of(FACILITATOR)
        key_of = thread or (led.persona if led else None)
        return self._author(session, key_of) if key_of else None

    def _author(self, session: Session, key: PersonaKey) -> Author:
        return author_of(self._persona(session, key))

    def _leader(self, session: Session) -> Persona | None:
        if session.phase is None:
            return None
        led = session.current_phase
        return FACILITATOR if led.facilitated else self._persona(session, led.persona)

    def _persona(self, session: Session, key: PersonaKey) -> Persona:
        known = (*self._reader.personas(session), FACILITATOR, *BUILT_IN)
        return next((persona for persona in known if persona.key == key), BUILT_IN[0])

    def _leads_now(self, session: Session, key: PersonaKey) -> bool:
        return session.phase is not None and session.current_phase.persona == key

    # ── look-ups ──

    def _state(self, session: Session, step_id: StepId) -> StepState:
        state = self._reader.step_state(session.id, step_id)
        if state is None:
            raise Gone(step_id)
        return state

    def _label(self, session: Session, key: PhaseKey | None) -> str:
        return next((each.label for each in session.phases if each.key == key), "")

    def _names(self, session: Session, users: Collection[UserId]) -> Names:
        return self._directory.names(session.team, users)


def _deciders(session: Session) -> tuple[UserId, ...]:
    """The owner and whom they named, where they named anybody."""
    return (session.owner, session.decider) if session.decider else ()


def _severity(code: str) -> Severity:
    entry = CATALOGUE.get(code)
    return entry.severity if entry else UNKNOWN_SEVERITY


def _text_of(state: StepState, content: Step | None, depth: Depth) -> str:
    if content is None:
        return state.title
    return content.short if state.short and content.short else content.prompt(depth)[0]
