"""Credentials that say what they are without a maker: private keys, signed tokens, headers."""

import base64
import binascii
from collections.abc import Iterator
from typing import Final

from core.secrets.patterns import SecretPattern, Span, compiled, group, mixed, token

# Private keys


_KEY_LINE: Final = r"-----(BEGIN|END) (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
# The body follows its BEGIN line and its headers at once: people write about BEGIN lines.
_BETWEEN: Final = r"""(?:\\+[nrt]|[\s>|"'`+*,-])*"""
_KEY_HEAD: Final = rf"{_BETWEEN}(?:[A-Za-z][\w-]{{1,30}}: [^\n\\]{{1,120}}{_BETWEEN}){{0,6}}"
_WHOLE_KEY: Final = rf"{_KEY_HEAD}[A-Za-z0-9+/]{{16}}"
_CUT_KEY: Final = rf"{_KEY_HEAD}[A-Za-z0-9+/]{{40}}"  # without an end it must look like a key


def _key_blocks(data: bytes) -> Iterator[Span]:
    """From each BEGIN to its END. A key that was cut ends where the next one begins, or the text.

    One walk over the lines that begin or end a key: nothing is looked for twice.
    """
    begin: Span | None = None
    for line in compiled(_KEY_LINE).finditer(data):
        is_end = line[1] == b"END"
        if begin is not None:
            end = line.end() if is_end else line.start()
            yield from _filled(data, begin, end, _WHOLE_KEY if is_end else _CUT_KEY)
        begin = None if is_end else line.span()
    if begin is not None:
        yield from _filled(data, begin, len(data), _CUT_KEY)


def _filled(data: bytes, begin: Span, end: int, body: str) -> Iterator[Span]:
    if compiled(body).match(data, begin[1], end) is not None:
        yield begin[0], end


# Headers


def is_login(value: str) -> bool:
    """True if Base64 holds `user:password`."""
    try:
        pair = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in pair.strip(":") and pair.isprintable()


def _is_bearer(value: str) -> bool:
    return (
        mixed(value)
        and compiled(r"^[a-z]+(?:[-_./][a-z0-9]{1,12})*$").search(value.encode()) is None
    )


TOKENS: Final = (
    SecretPattern("private-key", "a private key", r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY", _key_blocks),
    group(
        "private-key",
        "a private key",
        r"Private-Lines: [0-9]",
        r"Private-Lines: [0-9]{1,3}(?:\\[rn]|\s)+((?:[A-Za-z0-9+/=]{2,76}(?:\\[rn]|\s)*)+)",
        mixed,
    ),
    group(
        "private-key",
        "a private key",
        r"client-key-data",
        r"""client-key-data["']?\s{0,2}:\s{0,4}["']?([A-Za-z0-9+/]{40,}={0,2})""",
        mixed,
    ),
    token("jwt", "a signed web token", r"eyJ", r"[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)*"),
    group(
        "docker-login",
        "a Docker login",
        r"""["']auth["']\s{0,2}:""",
        r"""["']auth["']\s{0,2}:\s{0,2}["']([A-Za-z0-9+/]{8,}={0,2})["']""",
        is_login,
    ),
    group(
        "authorization-header",
        "an authorization header",
        r"(?i)\bbasic\s+[A-Za-z0-9+/]{8}",
        r"(?i)\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})",
        is_login,
    ),
    group(
        "authorization-header",
        "an authorization header",
        r"(?i)\b(?:authorization|bearer)\b",
        r"""(?i)\b(?:authorization\\?["'`]?\s{0,3}[:=]\s{0,3}\\?["'`]?(?:[a-z-]{2,12}\s+)?"""
        r"""|bearer["'`:=\s]{1,4})([\w.~+/=-]{16,})""",
        _is_bearer,
    ),
)
