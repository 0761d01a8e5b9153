"""Statements on requests to language models."""

from typing import Any, Final

from sqlalchemy import BindParameter, bindparam, func, literal_column, null, select

from core.store.schema import tables
from core.store.statements import statement as sql

calls: Final = tables.table_of(tables.CallRow)

SAVE: Final = sql.upsert(calls)
_USAGE: Final[dict[str, BindParameter[Any]]] = {
    name: bindparam(name) for name in ("input_tokens", "output_tokens", "usd", "is_estimate")
}
SAVE_REPLY: Final = sql.update_rows(
    calls, "session", "task", state=literal_column("'replied'"), reply=bindparam("reply"), **_USAGE
)
END: Final = sql.update_rows(
    calls, "session", "task", state=bindparam("state"), reply=null(), **_USAGE
)
REPLY: Final = sql.select_columns(
    calls, "reply", "input_tokens", "output_tokens", "usd", "is_estimate", keys=("session", "task")
)
CALL: Final = sql.select_columns(
    calls,
    *("step", "model", "input_tokens", "output_tokens", "usd", "is_estimate", "left_out"),
    keys=("session", "task"),
)
SPENT_SINCE: Final = sql.SqlStatement(
    select(func.coalesce(func.sum(calls.c.input_tokens + calls.c.output_tokens), 0)).where(
        sql.is_param(calls.c.team), calls.c.at >= bindparam("since")
    )
)
