"""Credentials that stand under a name: `password: …`, `API_KEY=…`, "the token for staging is …".

A name proves nothing, people talk about passwords. What follows must look like one too:
`core.secrets.values` judges it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from core.secrets import values
from core.secrets.patterns import Pattern, Span, compiled

JUDGED_BYTES_MAX: Final = 160  # of a value; what was found to be one is taken to its end
BEFORE_BYTES_MAX: Final = 16  # of a name: what kind of token it is

# Names of what people choose, and of what machines issue.
_CHOSEN: Final = (
    r"passw(?:or)?ds?|passphrase|passcode|passwort|kennwort|contraseña|mot de passe|\bsenha"
    r"|пароль|(?:\b|_)pwd|\bpw|[_-]pass|\bidentified by"
)
_ISSUED: Final = (
    r"(?:access|account|secret|auth|signing|encryption|private|master)[ _-]?key|api[ _.-]?key"
    r"|secret|token|credentials?"
)

# What may stand between a name and its value, in this order.
_CLOSING: Final = r"""(?:\\?["'`]\]?|[*_~)])*"""
_WHERE: Final = (
    r"(?:\s?\([^()\n]{1,40}\))?"
    r"""(?:\s+(?:for|of|on|to|at|in|für|de|pour|para)\s+[^\n:=>"'`]{1,40}?)??[*_~]*"""
)
_SEPARATOR: Final = "|".join(
    (
        r"\s{0,4}:\s{0,4}[a-z_][\w.]{0,30}(?:\[[\w., ]{1,30}\])?\s{1,4}=\s",  # a type between
        r"\s{0,4}(?::=|[=-](?:>|&gt;)|→|==?|:)",
        r"\s+(?:is|was|ist|lautet|est|es|to)(?:\s+now)?:?\s",
        r"""\s{1,4}\\?["'`]""",
    )
)
_OPENING: Final = r"""[\s*_~]{0,4}\\?["'`]{0,3}\s?"""
_FLAG: Final = r"""\s--[\w-]{0,20}"""

# Tokens that open nothing: they turn pages and tell repetitions apart.
_OPENS_NOTHING: Final = (
    r"(?i)(?:\b|_)(?:page|next|prev\w*|cont\w*|cursor|sync|csrf|xsrf|idempoten\w*|cancel\w*|request|device"
    r"|push|resume|lex\w*|design)['’]?[ _-]?$"
)

_BARE: Final = re.compile(r"""(?:[^\s"'`<>|;&“”„‘’«»…]+|&(?:amp|lt|gt|quot|#39);|&)*""")
_QUOTES: Final = (b'"', b"'", b"`")
_ENDS: Final = re.compile(r"(?:&(?:amp;)?|,)[A-Za-z_][\w.-]*=|&(?:lt;/|gt;|quot;)")
_TRAILING: Final = ".,:)]}\\"
_EMPHASIS: Final = f"*_~!?{_TRAILING}"  # may belong to the value, and says nothing of it

Check = Callable[[bytes, bytes, str], bool]
"""Of what stands before the name, the name up to its value, and the value."""


def _assigned(kind: str, label: str, names: str, check: Check) -> Pattern:
    named = rf"(?i)(?:{names}){_CLOSING}{_WHERE}(?:{_SEPARATOR}){_OPENING}"
    flag = rf"""(?i){_FLAG}(?:{names})[ =]\s{{0,2}}["']?"""
    element = rf"(?i)(?:<|&lt;)[\w:.-]{{0,20}}(?:{names})(?:>|&gt;)"

    def spans(data: bytes) -> Iterator[Span]:
        search = compiled(f"{named}|{flag}|{element}").search
        at = 0
        while found := search(data, at):
            name, at = found.span()
            start, value = _value(data, at)
            before = data[max(0, name - BEFORE_BYTES_MAX) : name]
            if check(before, data[name:at], value.rstrip(_EMPHASIS)):
                at = _end(data, start, value)
                yield start, at

    return Pattern(kind, label, rf"(?i)(?:{names})", spans)


def _value(data: bytes, at: int) -> tuple[int, str]:
    """What stands at `at`, up to a blank or the closing quote; and where it begins."""
    text = data[at : at + JUDGED_BYTES_MAX].decode("utf-8", "ignore")
    opening = data[at - 1 : at]
    if opening in _QUOTES and (end := text.find(opening.decode())) >= 0:
        return at, text[:end].rstrip("\\")
    bare = text.lstrip("“„‘’«»\u00a0\u200b*_~")
    start = at + len(text[: len(text) - len(bare)].encode())
    found = _BARE.match(bare)
    value = found[0] if found else ""
    if cut := _ENDS.search(value):
        value = value[: cut.start()]
    return start, value.rstrip(_TRAILING)


def _end(data: bytes, start: int, value: str) -> int:
    end = start + len(value.encode())
    if end - start < JUDGED_BYTES_MAX - len("…".encode()):
        return end
    rest = compiled(r"""[^\s"'`<>|;]+""").match(data, end)
    return rest.end() if rest else end


def _is_password(_before: bytes, _name: bytes, value: str) -> bool:
    return values.is_password(value)


def _is_key(before: bytes, name: bytes, value: str) -> bool:
    if not values.is_key(value):
        return False
    if b"token" not in name.lower():
        return True
    return not values.is_uuid(value) and compiled(_OPENS_NOTHING).search(before) is None


ASSIGNED: Final = (
    _assigned("password", "a password", _CHOSEN, _is_password),
    _assigned("named-key", "a key or token", _ISSUED, _is_key),
)
