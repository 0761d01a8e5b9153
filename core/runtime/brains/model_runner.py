"""Sending the one request that an effect asks of a language model, and the event it comes to.

Nothing waits in a thread: a request is prepared and handed over, and its reply is taken in by a
thread of its own. Each is written down before it is sent, and with its reply when that comes, so
that a crash asks nobody a second time for what is there.
"""

import hashlib
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import structlog

from core.brains.model.prompts import Prompt
from core.brains.model.providers.exchange import Provider, ProviderError, WireReply, WireRequest
from core.brains.model.requests import (
    CONTEXT_TOKENS,
    ContextOverflowError,
    PreparedRequest,
    RequestEnvelope,
    RequestLimits,
    step_request,
)
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Draft, ReadRequest
from core.domain.ids import SessionId, TaskId
from core.domain.model_calls import NOTHING_USED, OVER_DAY, RESTS, ModelTask, Usage
from core.domain.party.contributions import Contribution
from core.domain.steps.glossary import Terms
from core.engine.model.needed import needed_tasks
from core.engine.model.voices import OVER_CONTEXT
from core.ports import Clock, Directory, Gone, SessionReader
from core.runtime.brains.brain_requests import BrainRequests, SessionDocuments, with_reads
from core.runtime.brains.language_models import Apply, Done
from core.runtime.brains.model_speech import Consult, Spoken, speech_of
from core.runtime.brains.provider_rests import ProviderRests, ProviderSlots
from core.secrets import redact
from core.store.repository.calls import CallLedger, end_call

DAY_S: Final = 86_400.0
PROMPT_CHARS: Final = 12  # of its digest: enough to tell prompts apart
LATE: Final = "nobody waits for it any more"

log = structlog.get_logger(__name__)

_Taken = on.ModelReplied | Spoken


def _in_a_thread(take: Callable[[], None]) -> None:
    threading.Thread(target=take, name="model", daemon=True).start()


class Sender(Protocol):
    """Whoever sends requests to providers: `core.brains.model.providers.wire.Wire`."""

    def send(self, provider: Provider, request: WireRequest) -> "Future[WireReply]": ...

    def estimate(self, provider: Provider, request: WireRequest) -> Usage: ...


@dataclass(slots=True)
class _InFlight:
    session: SessionId
    future: "Future[WireReply]"


@dataclass(slots=True)
class ModelRunner:
    """`read` and `consult`: the script's reading and turns, over which a model's are laid."""

    reader: SessionReader
    directory: Directory
    documents: SessionDocuments
    clock: Clock
    calls: CallLedger
    wire: Sender
    providers: Mapping[str, Provider]
    prompts: Callable[[], Mapping[ModelTask, Prompt]]
    read: Callable[[ReadRequest], Draft]
    consult: Consult = lambda request: Contribution(request.member.key, request.want, "")
    glossary: Callable[[], Terms] = tuple
    deadline_s: float = 60.0
    tokens_a_day: int = 0  # of a workspace; 0: no limit
    checkpoint: Callable[[str], None] = lambda _: None  # tests put a crash here
    rests: ProviderRests = field(default_factory=ProviderRests)
    slots: ProviderSlots | None = None  # None: one process, whose wire counts
    in_background: Callable[[Callable[[], None]], None] = _in_a_thread
    under_way: dict[TaskId, _InFlight] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _is_stopped: bool = False

    def begin(self, session: SessionId, effect: fx.AskModel, apply: Apply, done: Done) -> None:
        """Send the request; `apply` is called once, with what came of it, in whatever thread.

        `done` is called after that, with the error if it could not be stored. Neither is called
        where the bot is stopped meanwhile: the row is taken up after the start.
        """
        exchange = self._exchange(session, effect)
        if not isinstance(exchange, _Exchange):
            self._end(session, effect, exchange, apply)
            done(None)
            return
        kept = self.calls.kept_reply(session, effect.task)
        if kept is not None:
            self._take(session, effect, exchange, WireReply(kept.arguments, kept.usage), apply)
            done(None)
            return
        provider, wire = self.providers[effect.model], exchange.prepared.wire
        team, prompt = self.reader.load(session).team, exchange.prompt.digest[:PROMPT_CHARS]
        tokens, left_out = wire.estimate().tokens, exchange.prepared.left_out
        if lost := self.calls.lost_tokens(session, effect.task):
            count, tokens = lost // tokens, lost + tokens
            exchange = replace(exchange, lost=self.wire.estimate(provider, wire).times(count))
        self.calls.sent(session, team, effect, prompt, self.clock.now(), tokens, left_out)
        self.checkpoint("model-sent")
        future = self.wire.send(provider, wire)
        with self._lock:
            self.under_way[effect.task] = _InFlight(session, future)

        def take() -> None:
            if self._is_stopped:
                return
            failure: Exception | None = None
            try:
                self._came(session, effect, exchange, future, apply)
            except Exception as error:  # noqa: BLE001 - `done` passes it on
                failure = error
            done(failure)

        future.add_done_callback(lambda _: self.in_background(take))

    def cancel_unneeded(self, session: SessionId) -> None:
        """Cut off the requests of a session that nobody waits for any more."""
        with self._lock:
            requests = {
                task: request
                for task, request in self.under_way.items()
                if request.session == session
            }
        if not requests:
            return
        try:
            needed = self._needed(session)
        except Gone:
            needed = frozenset()
        for task, request in requests.items():
            if task not in needed:
                request.future.cancel()

    def free_at(self, effect: fx.AskModel) -> float:
        """When its provider may be asked again, by its own word."""
        provider = self.providers.get(effect.model)
        return self.rests.free_at(provider) if provider else 0.0

    def take_slot(self, session: SessionId, effect: fx.AskModel) -> float | None:
        """Take a place at its provider. When to come back, where there is none."""
        provider = self.providers.get(effect.model)
        if self.slots is None or provider is None:
            return None
        team = self.reader.load(session).team
        return self.slots.take(provider, team, session, effect, self.clock.now())

    def stop(self) -> None:
        """What is under way is left: its rows are taken up after the start."""
        self._is_stopped = True

    # ── before it is sent ──

    def _needed(self, session: SessionId) -> frozenset[str]:
        return frozenset(needed_tasks(self.reader.load(session), self.reader.all_steps(session)))

    def _exchange(
        self, session: SessionId, effect: fx.AskModel
    ) -> "_Exchange | on.ModelFailed | on.Consulted":
        if effect.task not in self._needed(session):
            return self._failed(effect, "permanent", LATE)
        stored = self.reader.load(session)
        if self._is_over_day(stored.team):
            return self._failed(effect, "permanent", "today's tokens are used up", OVER_DAY)
        provider = self.providers.get(effect.model)
        if provider is None:
            return self._failed(effect, "configuration", "it is in no setting", "model")
        if effect.speech is None and self.rests.is_used_up(provider, self.clock.now()):
            return self._failed(effect, "permanent", "it has failed others just now", RESTS)
        requests = BrainRequests(
            self.reader, self.directory, stored, self.documents, self.glossary()
        )
        try:
            if effect.speech is not None:
                return self._speech(effect, requests)
            return self._reading(effect, requests)
        except OSError as error:
            return self._failed(effect, "permanent", type(error).__name__)
        except ContextOverflowError as error:
            return self._failed(effect, "permanent", str(error), OVER_CONTEXT)

    def _reading(self, effect: fx.AskModel, requests: BrainRequests) -> "_Exchange":
        read = fx.ReadAnswers(effect.task, effect.step, effect.persona)
        request = requests.said_alone(with_reads(requests.request(read)))
        prompt, draft = self.prompts()[effect.asks], self.read(request)
        prepared = step_request(request, draft, prompt, self._limits(effect), _envelope(effect))
        return _Exchange(
            prompt, prepared, lambda reply: self._read(effect, request, draft, prepared, reply)
        )

    def _speech(self, effect: fx.AskModel, requests: BrainRequests) -> "_Exchange | on.Consulted":
        speech = speech_of(effect, requests, self.consult)
        if speech.asks_people and speech.scripted:
            return on.Consulted(self.clock.now(), effect.task, speech.scripted)
        prompt = self.prompts()[effect.asks]
        prepared = speech.prepared(prompt, self._limits(effect), _envelope(effect))
        return _Exchange(
            prompt, prepared, lambda reply: speech.taken_in(reply, prepared, self.clock.now())
        )

    def _limits(self, effect: fx.AskModel) -> RequestLimits:
        limits = RequestLimits(CONTEXT_TOKENS // 2 if effect.less else CONTEXT_TOKENS)
        return replace(limits, deadline_s=self.deadline_s)

    def _is_over_day(self, team: Any) -> bool:
        now = self.clock.now()
        today = now - now % DAY_S
        return bool(self.tokens_a_day) and self.calls.spent_since(team, today) >= self.tokens_a_day

    # ── what came of it ──

    def _came(
        self,
        session: SessionId,
        effect: fx.AskModel,
        exchange: "_Exchange",
        future: "Future[WireReply]",
        apply: Apply,
    ) -> None:
        try:
            reply = future.result()
            reply = replace(reply, usage=reply.usage + exchange.lost)
            self.calls.replied(session, effect.task, dict(reply.arguments), reply.usage)
            self.checkpoint("model-replied")
            self._take(session, effect, exchange, reply, apply)
        except (CancelledError, ProviderError) as error:
            self._end(session, effect, self._error(effect, exchange, error), apply)
        finally:
            with self._lock:
                self.under_way.pop(effect.task, None)

    def _error(
        self, effect: fx.AskModel, exchange: "_Exchange", error: BaseException
    ) -> on.ModelFailed:
        if isinstance(error, ProviderError):
            return replace(
                self._failed(effect, error.kind, str(error), error.config),
                status_code=error.status_code,
                retry_after=error.retry_after,
                usage=error.usage + exchange.lost,
                is_empty=error.flaw == "empty",
            )
        usage = self.wire.estimate(self.providers[effect.model], exchange.prepared.wire)
        return replace(self._failed(effect, "permanent", LATE), usage=usage + exchange.lost)

    def _take(
        self,
        session: SessionId,
        effect: fx.AskModel,
        exchange: "_Exchange",
        reply: WireReply,
        apply: Apply,
    ) -> None:
        from core.brains.model.taking_in import FlawedReplyError

        try:
            event: _Taken | on.ModelFailed = exchange.taken_in(reply)
        except FlawedReplyError as flawed:
            event = replace(
                self._failed(effect, flawed.kind, redact(str(flawed))),
                flaws=tuple(map(redact, flawed.flaws)),
                usage=reply.usage,
            )
        except Exception as error:  # what holds a reply to its rules must not be stuck over it
            log.warning("model.not_taken_in", session=session, task=effect.task, exc_info=True)
            failed = self._failed(effect, "unexpected", type(error).__name__)
            event = replace(failed, usage=reply.usage)
        self._end(session, effect, event, apply)

    def _read(
        self,
        effect: fx.AskModel,
        request: ReadRequest,
        draft: Draft,
        prepared: PreparedRequest,
        reply: WireReply,
    ) -> on.ModelReplied:
        # The rules that read a reply are loaded when the first one comes.
        from core.brains.model.taking_in import asked_in, lines_in

        parsed = (
            lines_in(reply.arguments, request, prepared.ids)
            if effect.asks == "read_answers"
            else asked_in(
                reply.arguments, request, draft, prepared.ids, is_repair=bool(effect.flaws)
            )
        )
        return on.ModelReplied(
            self.clock.now(), effect.task, effect.step, effect.model,
            reply.usage, parsed.lines, parsed.question, parsed.proposals,
            parsed.open_criteria, prepared.left_out,
        )  # fmt: skip

    def _end(
        self,
        session: SessionId,
        effect: fx.AskModel,
        event: "_Taken | on.ModelFailed",
        apply: Apply,
    ) -> None:
        state: Any = "failed" if isinstance(event, on.ModelFailed) else "done"
        if self.slots is not None:
            self.slots.give_back(session, effect)
        apply(event, lambda db: end_call(db, session, effect.task, event.usage, state))
        if provider := self.providers.get(effect.model):
            if isinstance(event, on.ModelFailed):
                self.rests.failed(provider, event, self.reader.load(session).model)
            else:
                self.rests.replied(provider)

    def _failed(
        self, effect: fx.AskModel, fault: Any, detail: str, config: str = ""
    ) -> on.ModelFailed:
        return on.ModelFailed(
            self.clock.now(), effect.task, effect.step, effect.model, fault,
            redact(detail), config=config, speech=effect.speech,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A request, and what its reply comes to. `taken_in` raises `FlawedReplyError`; `lost`: what
    it took before a crash."""

    prompt: Prompt
    prepared: PreparedRequest
    taken_in: "Callable[[WireReply], _Taken]"
    lost: Usage = NOTHING_USED


def _envelope(effect: fx.AskModel) -> RequestEnvelope:
    request, boundary = _drawn("request", effect.task), _drawn("boundary", effect.task)
    return RequestEnvelope(request, boundary, effect.flaws)


def _drawn(purpose: str, task: str) -> str:
    """Nobody who writes in the thread can foresee it, and a provider learns nothing from it."""
    return hashlib.sha256(f"{purpose}:{task}".encode()).hexdigest()[:32]
