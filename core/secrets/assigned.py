"""Credentials that stand under a name: `password: …`, `API_KEY=…`, "the token for staging is …".

A name proves nothing, people talk about passwords. What follows must look like one too:
`core.secrets.values` judges it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from core.secrets import values
from core.secrets.patterns import SecretPattern, Span, compiled
from core.secrets.words import WORDS

JUDGED_BYTES_MAX: Final = 160  # of a value; what was found to be one is taken to its end
BEFORE_BYTES_MAX: Final = 80  # of a name: what kind of token it is, whose password
AFTER_BYTES_MAX: Final = 16
PLAIN_KEY_CHARS_MIN: Final = 24

# What may stand between a name and its value, in this order.
_CLOSING: Final = r"""(?:\\?["'`]\]?|[*_~)])*"""
_OPENING: Final = r"""[\s*_~]{0,4}\\?["'`]{0,3}\s?"""
_FLAG: Final = r"""\s--[\w-]{0,20}"""
_LOOSE: Final = r"\s{0,12}\|\s{0,12}|[ \t]{1,3}(?:(?:--?|–|—)[ \t]{1,3})?"
_DIRECT: Final = r"""\\?["'`]?\s{0,4}(?::|=>?)"""

_WRITTEN_AS_DATA: Final = frozenset(b"\"'=")
_LINE_BEGINS: Final = r"(?:^|\n)[\s>*+-]*$"
_CLAUSE_ENDS: Final = r"""^["'`*_)]*\s*(?:[,;.!?\n]|$)"""

_QUOTES: Final = (b'"', b"'", b"`")
_OPENING_QUOTES: Final = "“„‘’«»「『【《\u00a0*_~"
_STOPS: Final = "\"'`<>|"
_FOREIGN_STOPS: Final = "“”„‘’«»…「」『』【】《》。、"
_ENTITIES: Final = ("&amp", "&lt", "&gt", "&quot", "&#39")
_ENDS: Final = r"(?:&(?:amp;)?|,)[A-Za-z_][\w.-]*=|&(?:lt;/|gt;|quot;)"
_TRAILING: Final = ".,:)]}\\"
_EMPHASIS: Final = f"*_~!?{_TRAILING}"  # may belong to the value, and says nothing of it
_IDEOGRAPHS: Final = (("\u3000", "\u9fff"), ("\uac00", "\ud7af"))


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name` goes up to the value; `before` and `after` are what is near, in bytes."""

    before: bytes
    name: bytes
    value: str
    after: bytes

    @property
    def bare_value(self) -> str:
        return self.value.rstrip(_EMPHASIS)


Check = Callable[[Assignment], bool]


def _pattern_of_values(
    kind: str, label: str, sign: str, pattern: str, check: Check
) -> SecretPattern:
    """What follows a match of `pattern`, if `check` agrees."""

    def spans(data: bytes) -> Iterator[Span]:
        search = compiled(pattern).search
        at = 0
        while match := search(data, at):
            name, at = match.span()
            start, value = value_at(data, at)
            end = start + len(value.encode())
            before = data[max(0, name - BEFORE_BYTES_MAX) : name]
            after = data[end : end + AFTER_BYTES_MAX]
            if check(Assignment(before, data[name:at], value, after)):
                at = _end(data, start, value)
                yield start, at

    return SecretPattern(kind, label, sign, spans)


def _assigned_pattern(kind: str, label: str, names: str, check: Check) -> SecretPattern:
    assignment = rf"(?i)(?:{names}){_CLOSING}{WORDS['where']}(?:{WORDS['separator']}){_OPENING}"
    flag = rf"""(?i){_FLAG}(?:{names})[ =]\s{{0,2}}["']?"""
    element = rf"(?i)(?:<|&lt;)[\w:.-]{{0,20}}(?:{names})(?:>|&gt;)"
    pair = (
        rf"""(?i)name["']?:\s{{0,4}}["']?[\w.-]{{0,40}}(?:{names})[\w.-]{{0,20}}["']?,?\s{{1,40}}"""
        r"""(?:-\s)?["']?value["']?:\s{0,4}["']?"""
    )
    attribute = (
        rf"""(?i)(?:name|key)=["'][\w.-]{{0,40}}(?:{names})[\w.-]{{0,20}}["']\s+value=["']"""
    )
    pattern = f"{assignment}|{flag}|{element}|{pair}|{attribute}"
    return _pattern_of_values(kind, label, rf"(?i)(?:{names})", pattern, check)


def _loose_pattern(kind: str, label: str, names: str, check: Check) -> SecretPattern:
    pattern = rf"(?i)(?:{names}){_CLOSING}(?:{_LOOSE}){_OPENING}"
    return _pattern_of_values(kind, label, rf"(?i)(?:{names})", pattern, check)


def value_at(data: bytes, at: int) -> tuple[int, str]:
    """What stands at `at`, up to a blank or the closing quote; and where it begins."""
    text = data[at : at + JUDGED_BYTES_MAX].decode("utf-8", "ignore")
    opening = data[at - 1 : at]
    if opening in _QUOTES and (end := text.find(opening.decode())) >= 0:
        return at, text[:end].rstrip("\\")
    bare = text.lstrip(_OPENING_QUOTES)
    start = at + len(text[: len(text) - len(bare)].encode())
    value = _bare(bare).encode()
    if cut := compiled(_ENDS).search(value):
        value = value[: cut.start()]
    return start, _without_emphasis(data[start - 1 : start], value.decode().rstrip(_TRAILING))


def _without_emphasis(before: bytes, value: str) -> str:
    """Slack's *bold* ends where it began."""
    sign = before[-1:].decode("ascii", "ignore")
    return value.removesuffix(sign) if sign and sign in "*_~" else value


def _bare(text: str) -> str:
    """Up to a blank, a quote or a bracket; Chinese, kana and Hangul go on without blanks."""
    word = "" if text[:1].isspace() else next(iter(text.split(maxsplit=1)), "")
    if not word.isascii():
        word = next((word[:at] for at, sign in enumerate(word) if _ends_word(sign)), word)
    for stop in _STOPS:
        word = word.partition(stop)[0]
    at = word.find(";")
    while at >= 0 and word[:at].endswith(_ENTITIES):
        at = word.find(";", at + 1)
    return word if at < 0 else word[:at]


@cache
def _ends_word(sign: str) -> bool:
    ideograph = any(first <= sign <= last for first, last in _IDEOGRAPHS)
    return ideograph or sign in _FOREIGN_STOPS


def _end(data: bytes, start: int, value: str) -> int:
    end = start + len(value.encode())
    if end - start < JUDGED_BYTES_MAX - len("…".encode()):
        return end
    run = compiled(r"""[^\s"'`<>|;]+""").match(data, end)
    return run.end() if run else end


def _is_password(assignment: Assignment) -> bool:
    # Spanish "clave" is a key of any kind.
    check = values.is_strong if b"clave" in assignment.name.lower() else values.is_password
    return check(assignment.bare_value)


def _is_pass(assignment: Assignment) -> bool:
    """`pass` is an English word: quoted, after a user, or by itself on a line it is a name.

    Tests pass as well: `pass: test_login2`.
    """
    value = assignment.bare_value
    if b"|" in assignment.name:
        return _is_loose_password(assignment)
    of_somebody = compiled(WORDS["somebody"]).search(assignment.before) is not None
    direct = compiled(_DIRECT).search(assignment.name) is not None
    if values.is_strong(value):
        return direct or of_somebody
    if not direct or not values.is_password(value):
        return False
    if not _WRITTEN_AS_DATA.isdisjoint(assignment.name):
        return True
    by_itself = of_somebody or compiled(_LINE_BEGINS).search(assignment.before) is not None
    is_word = value.islower() and "_" not in value and not assignment.name.startswith(b"PASS")
    return by_itself and is_word and compiled(_CLAUSE_ENDS).search(assignment.after) is not None


def _is_loose_password(assignment: Assignment) -> bool:
    if b"|" in assignment.name:
        ends = assignment.after.lstrip(b" \t`*_\"'").startswith(b"|")
        return (values.is_cell if ends else values.is_strong)(assignment.bare_value)
    return values.is_strong(assignment.bare_value)


def _is_key(assignment: Assignment) -> bool:
    if not values.is_key(assignment.bare_value):
        return False
    if b"token" not in assignment.name.lower():
        return True
    return not values.is_uuid(assignment.bare_value) and _opens(assignment)


def _is_loose_key(assignment: Assignment) -> bool:
    check = values.is_key if b"|" in assignment.name else values.is_long_key
    return (
        check(assignment.bare_value)
        and not values.is_uuid(assignment.bare_value)
        and _opens(assignment)
    )


def _is_plain_key(assignment: Assignment) -> bool:
    """Under `key` alone, which has many meanings: long, and of three classes."""
    value = assignment.bare_value
    long = len(value) >= PLAIN_KEY_CHARS_MIN and "/" not in value
    return long and values.is_long_key(value) and _opens(assignment)


def _opens(assignment: Assignment) -> bool:
    return compiled(WORDS["opens_nothing"]).search(assignment.before) is None


ASSIGNED: Final = (
    _assigned_pattern("password", "a password", WORDS["chosen"], _is_password),
    _loose_pattern("password", "a password", WORDS["chosen"], _is_loose_password),
    _pattern_of_values(
        "password",
        "a password",
        r"(?i)\bpass\b",
        rf"(?i)\bpass(?:{_DIRECT}|{_CLOSING}\s{{0,12}}\||[ \t]){_OPENING}",
        _is_pass,
    ),
    _assigned_pattern("named-key", "a key or token", WORDS["issued"], _is_key),
    _loose_pattern("named-key", "a key or token", WORDS["issued"], _is_loose_key),
    _pattern_of_values(
        "named-key",
        "a key or token",
        r"(?i)key[\"'`]?\s{0,4}(?::|=)",
        rf"""(?i)(?:\b|_)key{_DIRECT}{_OPENING}""",
        _is_plain_key,
    ),
)
