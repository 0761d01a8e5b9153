"""Python's notation of regular expressions, written for RE2 over `core.patterns.alphabet`.

Classes are written out as bytes. RE2 has no look-around: what stands in `(?=…)`, `(?!c)`, `(?<=c)`
or `(?<!c)` is matched as well, and an empty group beside it marks where the match proper begins
or ends. So look-around may only stand first or last on a way through the pattern; behind the match
and where it is negated it is of one character.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from core.patterns import alphabet

_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_HEX_DIGITS: Final = {"x": 2, "u": 4}
_BEHIND: Final = ("(?<=", "(?<!")
_AHEAD: Final = ("(?=", "(?!")


@dataclass(slots=True)
class Translated:
    """`groups`: for each group of the pattern, by number, its number for RE2; 0 is the whole.

    `starts` and `ends`: the groups for RE2 that mark where a match begins and ends.
    """

    pattern: str = ""
    groups: list[int] = field(default_factory=lambda: [0])
    names: dict[str, int] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


def translate(pattern: str, *, folded: bool) -> Translated:
    """`pattern` for RE2. Raises `ValueError` for what it cannot say."""
    return _Translation(pattern, folded).whole()


class _Translation:
    def __init__(self, pattern: str, folded: bool) -> None:
        self._pattern, self._folded = pattern, folded
        self._at = 0
        self._count = 0  # groups for RE2 so far
        self._open: list[str] = []  # groups that are not closed yet
        self._behind_in = 0  # open groups around the last look behind
        self._anchored = False  # to the start of a text or line
        self._branch_at = 0  # where the present one of the outermost branches begins
        self._result = Translated()

    def whole(self) -> Translated:
        parts = [self._branch_opening()]
        while self._at < len(self._pattern):
            parts.append(self._next())
        self._result.pattern = "".join(parts)
        if self._result.starts and self._anchored:
            raise ValueError(f"a look behind and ^ in {self._pattern!r}")
        return self._result

    def _branch_opening(self) -> str:
        """Nothing; but where another branch looks behind, the character before the match."""
        self._branch_at = self._at
        if not any(sign in self._pattern for sign in _BEHIND):
            return ""
        if self._pattern[self._at :].replace("(?:", "").startswith(_BEHIND):
            return ""
        self._count += 1
        self._result.starts.append(self._count)
        return r"[\x00-\xff]()"

    def _next(self) -> str:
        ahead = self._pattern[self._at : self._at + 4]
        if ahead[0].isascii() and ahead[0].isalnum():  # most of a pattern is words
            self._at += 1
            return ahead[0].lower() if self._folded else ahead[0]
        opening = next((sign for sign in (*_BEHIND, *_AHEAD) if ahead.startswith(sign)), None)
        if opening:
            return self._around(opening)
        if ahead.startswith("("):
            return self._group()
        if ahead.startswith("["):
            return _written(self._class())
        if ahead.startswith("\\"):
            return self._escape()
        if ahead.startswith("{"):
            return self._repetition()
        self._at += 1
        self._anchored |= ahead[0] == "^"
        if ahead[0] == "|" and self._behind_in > 0:
            raise ValueError(f"only some ways of a group in {self._pattern!r} look behind")
        if ahead[0] == "|" and not self._open:
            return f"|{self._branch_opening()}"
        if ahead[0] == ")":
            self._open.pop()
            self._behind_in = min(self._behind_in, len(self._open))
        return ahead[0] if ahead[0] in "^$.|)*+?" else _written(self._bytes(ahead[0]))

    def _repetition(self) -> str:
        """`{2}`, `{2,}`, `{2,5}` and `{,5}`; any other brace stands for itself."""
        counts = self._pattern[self._at + 1 : self._pattern.find("}", self._at)]
        numbers = counts.split(",")
        if len(numbers) > 2 or not any(numbers) or any(set(n) - set("0123456789") for n in numbers):
            self._at += 1
            return r"\{"
        self._at += len(counts) + 2
        return f"{{{'0' if counts.startswith(',') else ''}{counts}}}"

    def _group(self) -> str:
        ahead = self._pattern[self._at :]
        if ahead.startswith("(?:"):
            self._at += 3
            self._open.append("(?:")
            return "(?:"
        self._open.append("(")
        self._count += 1
        self._result.groups.append(self._count)
        if ahead.startswith("(?P<"):
            name = ahead[4 : ahead.index(">")]
            self._result.names[name] = len(self._result.groups) - 1
            self._at += len(name) + 5
        elif ahead.startswith("(?"):
            raise ValueError(f"unknown group in {self._pattern!r}")
        else:
            self._at += 1
        return "("

    # ── what stands beside a match ─────────────────────────────────────────────────────────────

    def _around(self, opening: str) -> str:
        ahead, negated = opening in _AHEAD, opening.endswith("!")
        before = self._pattern[self._branch_at : self._at].replace("(?:", "")
        if "(" in self._open or (before and not ahead):
            raise ValueError(f"{opening} inside of a match in {self._pattern!r}")
        begin = self._at + len(opening)
        self._at = begin
        inner = self._until_closed(opening)
        body = self._pattern[begin : self._at - 1]
        if ahead and self._pattern[self._at :].lstrip(")")[:1] not in ("", "|"):
            raise ValueError(f"{opening} in the middle of {self._pattern!r}")
        if negated and ahead:
            inner = rf"\z|{_written(alphabet.ALL - self._one_of(body))}"
        elif not ahead:
            members = self._one_of(body) - {*alphabet.BEFORE_TEXT}
            inner = _written(alphabet.ALL - members if negated else members)
        if not ahead:
            self._behind_in = len(self._open)
        self._count += 1
        (self._result.ends if ahead else self._result.starts).append(self._count)
        return f"()(?:{inner})" if ahead else f"(?:{inner})()"

    def _until_closed(self, opening: str) -> str:
        """What stands up to the parenthesis that closes this one, for RE2."""
        self._open.append(opening)
        depth = len(self._open)
        parts: list[str] = []
        while len(self._open) >= depth:
            parts.append(self._next())
        return "".join(parts[:-1])

    def _one_of(self, body: str) -> frozenset[int]:
        """The bytes of a pattern of one character."""
        inner = _Translation(body, self._folded)
        members = inner._class() if body.startswith("[") else inner._bytes(inner._member())
        if inner._at != len(body):
            raise ValueError(f"{body!r} in {self._pattern!r} is longer than one character")
        return members

    # ── characters ─────────────────────────────────────────────────────────────────────────────

    def _escape(self) -> str:
        sign = self._pattern[self._at + 1]
        edges = {"A": r"\A", "Z": r"\z", **({"b": r"\b", "B": r"\B"} if self._folded else {})}
        if sign in edges:
            self._anchored |= sign == "A"
            self._at += 2
            return edges[sign]
        return _written(self._bytes(self._member()))

    def _class(self) -> frozenset[int]:
        self._at += 1
        negated = self._pattern.startswith("^", self._at)
        self._at += negated
        members = self._range()
        while not self._pattern.startswith("]", self._at):
            members |= self._range()
        self._at += 1
        return alphabet.ALL - members if negated else members

    def _range(self) -> frozenset[int]:
        low = self._member()
        after = self._pattern[self._at : self._at + 2]
        if len(after) < 2 or after[0] != "-" or after[1] == "]":
            return self._bytes(low)
        self._at += 1
        high = self._member()
        if not (isinstance(low, str) and isinstance(high, str) and (low + high).isascii()):
            raise ValueError(f"range from {low!r} to {high!r} in {self._pattern!r}")
        between = map(chr, range(ord(low), ord(high) + 1))
        return frozenset[int]().union(*map(self._bytes, between))

    def _member(self) -> str | frozenset[int]:
        """The next character, or the class that stands there."""
        sign = self._pattern[self._at]
        self._at += 1
        if sign != "\\":
            return sign
        sign = self._pattern[self._at]
        self._at += 1
        if sign.lower() in "wds":
            return self._named_class(sign)
        if sign in _HEX_DIGITS:
            start, self._at = self._at, self._at + _HEX_DIGITS[sign]
            return chr(int(self._pattern[start : self._at], 16))
        if sign.isalnum() and sign not in _ESCAPES:
            raise ValueError(f"\\{sign} in {self._pattern!r}")
        return _ESCAPES.get(sign, sign)

    def _named_class(self, sign: str) -> frozenset[int]:
        classes = {
            "w": alphabet.words(folded=self._folded),
            "d": alphabet.digits(folded=self._folded),
            "s": alphabet.SPACES,
        }
        members = classes[sign.lower()]
        return alphabet.ALL - members if sign.isupper() else members

    def _bytes(self, member: str | frozenset[int]) -> frozenset[int]:
        """The bytes of a class or of a character; in folded text a capital is its small letter."""
        if not isinstance(member, str):
            return member
        if member.isascii():
            return frozenset({ord(member.lower() if self._folded else member)})
        if member not in alphabet.BYTE_OF_SIGN:
            raise ValueError(f"{member!r} in {self._pattern!r} has no byte")
        return frozenset({alphabet.BYTE_OF_SIGN[member]})


@cache
def _written(members: frozenset[int]) -> str:
    """A class for RE2, in ranges of bytes; of one printable character itself."""
    if len(members) == 1:
        (byte,) = members
        return chr(byte) if chr(byte).isascii() and chr(byte).isalnum() else f"\\x{byte:02x}"
    if not members:
        return r"[^\x00-\xff]"
    ranges: list[list[int]] = []
    for byte in sorted(members):
        if ranges and ranges[-1][1] == byte - 1:
            ranges[-1][1] = byte
        else:
            ranges.append([byte, byte])
    written = "".join(rf"\x{low:02x}-\x{high:02x}" for low, high in ranges)
    return f"[{written}]"
