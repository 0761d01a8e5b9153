"""What an operator declares: the repositories there are, and which channels may see them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import yaml

from core import patterns
from core.domain.ids import ChannelId, TeamId

REPOSITORIES_MAX: Final = 50
FIELDS: Final = ("url", "branch", "channels", "web")
_NAME: Final = patterns.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_CHANNEL: Final = patterns.compile(r"T[A-Z0-9]+/[CG][A-Z0-9]+")
_BRANCH: Final = patterns.compile(r"[A-Za-z0-9_][\w./-]{0,200}")
_SSH: Final = patterns.compile(r"\w[\w.-]*@\w[\w.-]*:[\w./~-]+")
_SAFE: Final = patterns.compile(r"[\x21-\x7e]{1,500}")
_PLACEHOLDERS: Final = ("{commit}", "{path}", "{line}")


class DeclarationError(Exception):
    """The declaration cannot be used. Its text names every fault, and no address."""


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository. `web`: an address with {commit}, {path} and {line}; empty: there is none."""

    name: str
    url: str
    channels: frozenset[tuple[TeamId, ChannelId]]
    branch: str = ""  # empty: the remote's own
    web: str = ""

    @property
    def protocol(self) -> str:
        """The one transport that git may use for it, in git's words."""
        if self.url.startswith("https://"):
            return "https"
        return "file" if self.url.startswith("/") else "ssh"


def read(setting: str) -> tuple[Repository, ...]:
    """The repositories of a setting: the path of a YAML file, or YAML itself.

    Raises `DeclarationError`.
    """
    text = setting
    if ":" not in setting or setting.startswith("/"):
        try:
            text = Path(setting).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DeclarationError("its file cannot be read") from error
    try:
        rows = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DeclarationError("it is no YAML") from error
    if not isinstance(rows, dict) or not 0 < len(rows) <= REPOSITORIES_MAX:
        raise DeclarationError(f"it names no repositories, or more than {REPOSITORIES_MAX}")
    if faults := list(_faults(rows)):
        raise DeclarationError("; ".join(faults))
    return tuple(_repository(name, row) for name, row in rows.items())


def _repository(name: str, row: Mapping[str, Any]) -> Repository:
    pairs = (channel.partition("/") for channel in row["channels"])
    channels = frozenset((TeamId(team), ChannelId(channel)) for team, _, channel in pairs)
    return Repository(name, row["url"], channels, row.get("branch", ""), _web(row.get("web", "")))


def _web(address: str) -> str:
    """An address without places for what changes is a project's page, as GitHub has it."""
    if not address or any(place in address for place in _PLACEHOLDERS):
        return address
    return f"{address.rstrip('/')}/blob/{{commit}}/{{path}}#L{{line}}"


def _faults(rows: Mapping[Any, Any]) -> Iterator[str]:
    for name, row in rows.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            yield "a name is not made of small letters, digits, dots and dashes"
        elif not isinstance(row, dict):
            yield f"{name} has no fields"
        else:
            yield from (f"{name}: {fault}" for fault in _faults_of(row))


def _faults_of(row: Mapping[Any, Any]) -> Iterator[str]:
    if any(field not in FIELDS for field in row):
        yield f"it has fields besides {', '.join(FIELDS)}"
    yield from _url_faults(row.get("url"))
    channels = row.get("channels")
    if not isinstance(channels, list) or not channels or not all(map(_is_channel, channels)):
        yield "channels is no list of T…/C…"
    branch = row.get("branch", "")
    if branch and not (
        isinstance(branch, str) and _BRANCH.fullmatch(branch) and ".." not in branch
    ):
        yield "branch is no name of a branch"
    web = row.get("web", "")
    if web and not (isinstance(web, str) and web.startswith("https://") and _SAFE.fullmatch(web)):
        yield "web is no https address"


def _is_channel(channel: object) -> bool:
    return isinstance(channel, str) and bool(_CHANNEL.fullmatch(channel))


def _url_faults(url: object) -> Iterator[str]:
    """https, ssh, or an absolute path; a credential belongs to git's own helpers."""
    if not isinstance(url, str) or not _SAFE.fullmatch(url):
        yield "url is missing, or has characters in it that no address has"
        return
    if url.startswith("/") or _SSH.fullmatch(url):
        return
    try:
        parts = urlsplit(url)
        host, user, password = parts.hostname, parts.username, parts.password
    except ValueError:
        host, user, password, parts = None, None, None, urlsplit("")
    if parts.scheme not in ("https", "ssh") or not host or host.startswith("-"):
        yield "url is neither https, ssh nor an absolute path"
    elif password is not None or (user and parts.scheme == "https") or parts.query:
        yield "url holds a credential; leave that to a credential helper of git's"
