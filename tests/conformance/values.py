"""A case as a value: what is sent, what the documentation says comes back, and where it says so.

Steps come before the call that is judged; what they answered is at hand as `Said`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

SITE: Final = "https://docs.slack.dev/"

Basis = Literal["documented", "observed", "our reading"]
"""`observed`: Slack was seen to do it, and the page is silent; `our reading`: nobody told us."""
SentAs = Literal["json", "form", "query", "raw"]
Token = Literal["bot", "app", "none", "wrong", "form", "query", "json"]
"""Which one, or none; the last three say where the bot's token stands instead of the header."""


# ── what stands in for a value that only the run knows ──


@dataclass(frozen=True, slots=True)
class Known:
    """The channel, a person in it, or the app's own user."""

    name: Literal["channel", "person", "me"]

    @property
    def words(self) -> str:
        return {"me": "the app itself"}.get(self.name, f"the {self.name}")


@dataclass(frozen=True, slots=True)
class Said:
    """What an earlier step answered at a dotted path; steps count from 0."""

    step: int
    path: str

    @property
    def words(self) -> str:
        return "the one before"


CHANNEL: Final = Known("channel")
PERSON: Final = Known("person")
ME: Final = Known("me")
LONG_AGO: Final = "1000000000.000100"
"""A ts that no message has."""
NO_CHANNEL: Final = "C0000000000"


# ── what is done ──


@dataclass(frozen=True, slots=True)
class Call:
    """One Web API call. `raw`: the body as it is, with `content_type` as its only description."""

    method: str
    args: Mapping[str, Any] = field(default_factory=dict)
    sent: SentAs = "json"
    token: Token = "bot"
    raw: str = ""
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A POST to an address that Slack gave: for a file's bytes, or for an answer in JSON."""

    url: Said
    content: str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Connect:
    """A WebSocket to the address of an earlier step; its answer is the first message, `hello`."""

    url: Said


@dataclass(frozen=True, slots=True)
class Receive:
    """The next message of the socket in which `path` holds `value`; others are acknowledged."""

    path: str
    value: str | Said


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """An envelope is acknowledged; the answer says how the workspace took it."""

    envelope: Said


@dataclass(frozen=True, slots=True)
class Serve:
    """An address over HTTP that takes everything from now on. `answers`: the first statuses."""

    answers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivered:
    """The next request to that address: its `headers`, its `body`, whether it is `signed`."""


@dataclass(frozen=True, slots=True)
class Act:
    """Somebody, or the workspace's keeper, does something: local only.

    `name` is a method of `LocalWorkspace`. The answer is {"ts": …} for what is said; for what
    tells the app at once, the payload; for anything else it is empty.
    """

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


Step = Call | Post | Connect | Receive | Acknowledge | Serve | Delivered | Act


# ── what is expected ──


@dataclass(frozen=True, slots=True)
class Check:
    """A condition in words and in code."""

    words: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Expect:
    """`fields`: dotted path → a value, a type or a `Check`.

    `error` None: the answer has no `ok`, as a socket's messages have none.
    """

    error: str | None = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """`page`: below `SITE`. `note`: whence an observation comes, or what the reading is.

    `only_local`: why a real workspace cannot be asked. An `Act` is reason enough by itself.
    """

    id: str
    what: str
    page: str
    call: Step
    expect: Expect
    before: tuple[Step, ...] = ()
    basis: Basis = "documented"
    note: str = ""
    only_local: str = ""

    @property
    def url(self) -> str:
        return SITE + self.page

    @property
    def steps(self) -> tuple[Step, ...]:
        return (*self.before, self.call)

    @property
    def not_live(self) -> str:
        """Why it runs against the local workspace alone, or ""."""
        if self.only_local:
            return self.only_local
        acts = any(isinstance(step, Act) for step in self.steps)
        return "needs a person's click" if acts else ""

    @property
    def methods(self) -> frozenset[str]:
        """The Web API method that is judged, if it is one."""
        return frozenset([self.call.method] if isinstance(self.call, Call) else [])


def ok(
    fields: Mapping[str, Any] | None = None, *, headers: Mapping[str, Any] | None = None
) -> Expect:
    return Expect("", fields or {}, headers=headers or {})


def refused(error: str, fields: Mapping[str, Any] | None = None) -> Expect:
    return Expect(error, fields or {})


def told(fields: Mapping[str, Any]) -> Expect:
    """A message of the socket, or a payload: it has no `ok`."""
    return Expect(None, fields)


def method_page(method: str) -> str:
    return f"reference/methods/{method}"
