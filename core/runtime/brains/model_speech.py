"""What a language model is asked besides reading, and the event that its reply becomes."""

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from core.brains.model.prompts import Prompt
from core.brains.model.providers.exchange import WireReply
from core.brains.model.replies import (
    CauseReply,
    ContributionReply,
    Reply,
    ReplyError,
    TurnReply,
    parse,
)
from core.brains.model.requests import (
    PreparedRequest,
    RequestEnvelope,
    RequestLimits,
    cause_request,
    contribution_request,
    turn_request,
)
from core.brains.tasks import DiagnosisRequest
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import TurnRequest
from core.domain.party.contributions import ConsultRequest, Contribution
from core.runtime.brains.brain_requests import BrainRequests

log = structlog.get_logger(__name__)

Spoken = on.Consulted | on.PersonaSpoke | on.Diagnosed
Consult = Callable[[ConsultRequest], Contribution]


@dataclass(frozen=True, slots=True)
class Speech:
    """One request for a turn or a diagnosis; `scripted`: the turn of a council as the script has
    it."""

    effect: fx.AskModel
    request: ConsultRequest | TurnRequest | DiagnosisRequest
    scripted: Contribution | None = None

    def prepared(
        self, prompt: Prompt, limits: RequestLimits, envelope: RequestEnvelope
    ) -> PreparedRequest:
        """Raises `core.brains.model.requests.ContextOverflowError`."""
        match self.request:
            case ConsultRequest():
                return contribution_request(self.request, prompt, limits, envelope)
            case TurnRequest():
                return turn_request(self.request, prompt, limits, envelope)
            case DiagnosisRequest():
                return cause_request(self.request, prompt, limits, envelope)

    @property
    def asks_people(self) -> bool:
        """True where people are asked first, out of the member's own list: no model is needed."""
        scripted = self.scripted
        return bool(scripted and scripted.want != "questions" and scripted.questions)

    def taken_in(self, reply: WireReply, prepared: PreparedRequest, at: float) -> Spoken:
        """Raises `core.brains.model.taking_in.FlawedReplyError`."""
        # The rules that read a reply are loaded when the first one comes.
        from core.brains.model.taking_in import FlawedReplyError

        try:
            parsed = parse(self.effect.asks, reply.arguments)
        except ReplyError as error:
            raise FlawedReplyError("unexpected", str(error)) from None
        return self._event(parsed, reply, prepared, at)

    def _event(
        self, parsed: Reply, reply: WireReply, prepared: PreparedRequest, at: float
    ) -> Spoken:
        from core.brains.model.speaking import cause_of, contribution_of, turn_of

        effect, ids = self.effect, prepared.ids
        match self.request, parsed:
            case ConsultRequest() as council, ContributionReply():
                assert self.scripted is not None, effect
                turn = contribution_of(parsed, council, self.scripted, ids)
                return on.Consulted(at, effect.task, turn, effect.model, reply.usage)
            case TurnRequest() as talk, TurnReply():
                text = turn_of(parsed, talk, ids)
                return on.PersonaSpoke(
                    at, effect.task, effect.step, effect.persona, text, effect.model, reply.usage
                )
            case DiagnosisRequest() as failure, CauseReply():
                assert isinstance(effect.speech, fx.Diagnose), effect
                cause = cause_of(parsed, failure, ids)
                return on.Diagnosed(
                    at, effect.task, effect.step, effect.speech.tier, cause.fixed, cause.findings,
                    cause.corrections, effect.model, parsed.category, reply.usage,
                )  # fmt: skip
        raise AssertionError(effect)


def speech_of(effect: fx.AskModel, requests: BrainRequests, consult: Consult) -> Speech:
    """What an effect asks for, with all that it may rest on."""
    match effect.speech:
        case fx.Consult() as turn:
            council = requests.consultation(turn)
            return Speech(effect, council, _scripted(council, consult))
        case fx.Speak() as turn:
            return Speech(effect, requests.turn_request(turn))
        case fx.Diagnose() as failure:
            return Speech(effect, requests.failure(failure))
        case None:
            raise AssertionError(effect)


def _scripted(request: ConsultRequest, consult: Consult) -> Contribution:
    try:
        return consult(request)
    except Exception:  # a brain may fail in any way, and this one only adds
        log.warning("brain.crashed", persona=request.member.key, exc_info=True)
        return Contribution(request.member.key, request.want, "")
