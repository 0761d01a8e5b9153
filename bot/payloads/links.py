"""Addresses in Slack, composed without asking it; and what people type, made plain text."""

from typing import Final

from core import patterns
from core.domain.ids import ChannelId, Ts
from core.ports import Post

TEXT_CHARS_MAX: Final = 40_000  # Slack's own limit of a message
_TOKEN: Final = patterns.compile(r"<([^<>\n]+)>")


def permalink(workspace_url: str, channel: ChannelId, ts: Ts, thread_ts: Ts | None = None) -> str:
    """As Slack composes it: the address of a reply, or of a root with its thread, names both."""
    base = workspace_url if workspace_url.endswith("/") else f"{workspace_url}/"
    place = f"{base}archives/{channel}/p{ts.replace('.', '')}"
    return f"{place}?thread_ts={thread_ts}&cid={channel}" if thread_ts else place


def post_link(workspace_url: str, post: Post | None) -> str:
    """The address of a message of ours; a persona's root opens its thread. Empty without one."""
    if post is None:
        return ""
    is_root = post.target.startswith("thread:")
    thread_ts = post.ts if is_root else post.thread_ts
    return permalink(workspace_url, post.channel, post.ts, thread_ts)


def channel_link(workspace_url: str, channel: ChannelId) -> str:
    """The address of a channel."""
    return f"{workspace_url.rstrip('/')}/archives/{channel}"


def readable(text: str) -> str:
    """Plain text as a person reads it, no longer than Slack lets a message be."""
    return plain(text)[:TEXT_CHARS_MAX]


def plain(text: str) -> str:
    """Slack's message text as its author would read it; no markup of Slack's is left in it."""
    return _unescaped(_TOKEN.sub(_read, text))


def _read(token: patterns.Match) -> str:
    target, _, label = token[1].partition("|")
    kind, name = target[:1], target[1:]
    if kind == "@":
        return f"@{label.removeprefix('@') or name}"
    if kind == "#":
        return f"#{label.removeprefix('#') or name}"
    if kind == "!":
        return _special(name, label)
    if target.startswith(("mailto:", "tel:")):
        return label or target.partition(":")[2]
    return f"{label} ({target})" if label and label != target else target


def _special(name: str, label: str) -> str:
    """`<!channel>`, `<!subteam^S1|@group>`, `<!date^…|fallback>`."""
    if name.startswith("subteam^"):
        return f"@{label.removeprefix('@') or name.removeprefix('subteam^')}"
    if name.startswith("date^"):
        return label
    return f"@{label.removeprefix('@') or name}"


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
