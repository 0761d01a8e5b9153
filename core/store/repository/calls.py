"""The ledger of requests to language models: what was sent, what it took, a reply not yet used."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from core.domain.effects import AskModel
from core.domain.ids import SessionId, TaskId, TeamId
from core.domain.model_calls import Usage
from core.secrets import has_secret
from core.store.connection.database import Database
from core.store.statements import calls
from core.store.statements.statement import Connection


@dataclass(frozen=True, slots=True)
class KeptReply:
    """The reply to a request that nobody has used yet: a crash came between."""

    arguments: Any
    usage: Usage


class CallLedger:
    def __init__(self, database: Database) -> None:
        self._database = database

    def sent(
        self,
        session: SessionId,
        team: TeamId,
        effect: AskModel,
        prompt: str,
        at: float,
        tokens: int,
        left_out: tuple[str, ...] = (),
    ) -> None:
        """A request is about to be sent; `tokens`: an estimate, which counts until it is known;
        `left_out`: what it had no room for."""
        with self._database.write() as db:
            calls.SAVE(
                db,
                session=session,
                task=effect.task,
                team=team,
                step=effect.step,
                asks=effect.asks,
                tier=effect.tier,
                model=effect.model,
                prompt=prompt,
                at=at,
                state="sent",
                input_tokens=tokens,
                output_tokens=0,
                usd=None,
                is_estimate=1,
                reply=None,
                left_out="\n".join(left_out) or None,
            )

    def replied(self, session: SessionId, task: TaskId, arguments: Any, usage: Usage) -> None:
        """The reply came: kept until its outbox row is done, so that a crash asks nobody twice.

        One with a credential is not kept: it is asked for once more anyway.
        """
        with self._database.write() as db:
            text = json.dumps(arguments, ensure_ascii=False)
            reply = None if has_secret(text) else text
            calls.SAVE_REPLY(db, session=session, task=task, reply=reply, **_columns(usage))

    def kept_reply(self, session: SessionId, task: TaskId) -> KeptReply | None:
        rows = self._database.run(calls.REPLY, session=session, task=task)
        for reply, input_tokens, output_tokens, usd, is_estimate in rows:
            if reply is not None:
                usage = Usage(input_tokens, output_tokens, usd, bool(is_estimate))
                return KeptReply(json.loads(reply), usage)
        return None

    def lost_tokens(self, session: SessionId, task: TaskId) -> int:
        """What counts for a request that was sent before a crash, and whose reply nobody has."""
        rows = self._database.run(calls.REPLY, session=session, task=task)
        return sum(row[1] + row[2] for row in rows if row[0] is None)

    def spent_since(self, team: TeamId, since: float) -> int:
        """Tokens that a workspace has used since then, estimates included."""
        ((tokens,),) = self._database.run(calls.SPENT_SINCE, team=team, since=since)
        return int(tokens)


def end_call(
    db: Connection,
    session: SessionId,
    task: TaskId,
    usage: Usage,
    state: Literal["done", "failed"],
) -> None:
    """What a request came to, within the commit that takes its result in."""
    calls.END(db, session=session, task=task, state=state, **_columns(usage))


def call_of(db: Connection, session: SessionId, task: TaskId) -> dict[str, Any]:
    """What the row of a request says of it as its event does; nothing where there is none."""
    row = calls.CALL(db, session=session, task=task).fetchone()
    if row is None:
        return {}
    step, model, input_tokens, output_tokens, usd, is_estimate, left_out = row
    usage = Usage(input_tokens, output_tokens, usd, bool(is_estimate))
    lines = tuple(left_out.split("\n")) if left_out else ()
    return {"step": step, "model": model, "usage": usage, "left_out": lines}


def _columns(usage: Usage) -> dict[str, Any]:
    return {**asdict(usage), "is_estimate": int(usage.is_estimate)}
