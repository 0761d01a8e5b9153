"""What goes wrong on Slack's side, and the addresses that Slack gives for an answer."""

from typing import Any, Final

from tests.conformance.cases.building import MARK, SOMETHING, like, post
from tests.conformance.values import (
    CHANNEL,
    PERSON,
    Act,
    Call,
    Case,
    Expect,
    Post,
    Said,
    method_page,
    ok,
    refused,
)

LIMITS: Final = "apis/web-api/rate-limits"
ANSWERS: Final = "interactivity/handling-user-interaction"
ON_DEMAND: Final = "needs trouble on demand"
SECONDS: Final = like("whole seconds", r"^\d+$")
COMMAND: Final = Act("command", {"person": PERSON, "channel": CHANNEL, "line": "/roundtable"})
ANSWER: Final = Post(Said(0, "response_url"), {"text": MARK, "response_type": "ephemeral"})


def limited(**args: Any) -> Act:
    return Act("inject", {"kind": "429", "retry_after": 30, **args})


CASES: Final = (
    Case("limit", "too many calls: HTTP 429 and the seconds to wait", LIMITS, post(),
         Expect("ratelimited", status=429, headers={"retry-after": SECONDS}), (limited(),),
         only_local=ON_DEMAND),
    Case("limit.others", "other methods go on", LIMITS, Call("auth.test", sent="form"), ok(),
         (limited(method="chat.postMessage"),), only_local=ON_DEMAND),
    Case("token.revoked", "a token that was revoked", method_page("auth.test"),
         Call("auth.test", sent="form"), refused("token_revoked"),
         (Act("inject", {"kind": "revoke"}),), only_local=ON_DEMAND),
    Case("answer", "a response_url takes an answer without a token", ANSWERS, ANSWER,
         Expect(None), (COMMAND,)),
    Case("answer.sixth", "five times, and no more", ANSWERS, ANSWER,
         Expect("used_url", status=404), (COMMAND, *([ANSWER] * 5)),
         basis="our reading", note="the page has the number, not what the sixth is answered"),
    Case("answer.trigger", "a command brings a trigger for a modal", ANSWERS,
         Call("views.open",
              {"trigger_id": Said(0, "trigger_id"),
               "view": {"type": "modal", "title": {"type": "plain_text", "text": MARK},
                        "blocks": [{"type": "divider"}]}}),
         ok({"view.id": SOMETHING}), (COMMAND,)),
)  # fmt: skip
