"""Credentials by the words around them: "log in with admin and …", "… is the password", tables.

Prose is full of such words, so what they stand for must look like nothing but a credential.
"""

from collections.abc import Iterator
from typing import Final

from core.secrets import values
from core.secrets.assigned import value_at
from core.secrets.patterns import SecretPattern, Span, compiled
from core.secrets.words import WORDS

WINDOW_BYTES_MAX: Final = 120  # after "log in": where a user and a password are looked for
VALUE_BYTES_MAX: Final = 160
ROWS_MAX: Final = 50  # of a table, below its head

# ── log in with admin and … ──

_PAIR: Final = (
    rf"""(?i)["'`*]{{0,3}}[\w@+-][\w.@+-]{{0,60}}["'`*]{{0,3}}(?:{WORDS["then"]})"""
    r"""(?:(?:the|das|le|la|el|password|passwort|pw)\s+){0,2}["'`*]{0,3}"""
)
_TIGHT_PAIR: Final = (  # only right after the word: creds: admin/…
    r"""(?i)^[ \t]{0,3}(?:[:=]|are|is|sind|ist)?[ \t]{0,3}["'`*]{0,3}"""
    r"""(?:[\w+-]+(?:@[\w.-]+)?)\s?[/:]\s?["'`*]{0,3}"""
)


_USERS_PAIR: Final = (
    r"""(?i)^["'`*]{0,3}(?:\s{0,2}/\s{0,2}|:|\s+(?:with|and|mit|und|avec|con|com)\s+)["'`*]{0,3}"""
)
_FILE: Final = r".*(?:/.*|\.[a-z]{2,5})"


def _user_pairs(data: bytes) -> Iterator[Span]:
    """admin/…, root with …: users whom everybody has."""
    for user in compiled(rf"(?i){WORDS['user']}").finditer(data):
        pair = compiled(_USERS_PAIR).search(data[user.end() : user.end() + WINDOW_BYTES_MAX])
        if pair is None or data[user.start() - 1 : user.start()] in (b"/", b".", b"-", b"_"):
            continue
        start, value = value_at(data, user.end() + pair.end())
        bare = value.rstrip(".,:)!?*_~")
        if values.is_strong(bare) and compiled(_FILE).fullmatch(bare.encode()) is None:
            yield start, start + len(value.encode())


def _logins(data: bytes) -> Iterator[Span]:
    done = 0
    for word in compiled(rf"(?i)(?:{WORDS['login']})").finditer(data):
        begin = max(done, word.start() if b" " in word[0].strip() else word.end())
        window = data[begin : word.end() + WINDOW_BYTES_MAX].partition(b"\n")[0]
        pairs = [*compiled(_TIGHT_PAIR).finditer(data[word.end() : word.end() + WINDOW_BYTES_MAX])]
        ends = [word.end() + pair.end() for pair in pairs]
        ends += [begin + pair.end() for pair in compiled(_PAIR).finditer(window)]
        for end in ends:
            start, value = value_at(data, end)
            if end > done and values.is_strong(value.rstrip(".,:)!?*_~")):
                done = start + len(value.encode())
                yield start, done


# ── … is the password ──

_BACKWARDS: Final = rf"(?i)(?:{WORDS['is']})(?i:{WORDS['article']})((?:[\w-]+\s+){{0,3}})(?:%s)"
_CLAUSE_ENDS: Final = (
    r"""^["'`*_)]*\s*(?:[,;.!?)\n]|$|for\b|für\b|pour\b|para\b|to\b|です|입니다)"""
)
_OPENING: Final = "\"'`“„‘«»(*_~["
_CLOSING: Final = "\"'`”“’»)*_~:,] \t\n"


def _word_before(data: bytes, end: int) -> tuple[int, str]:
    """The word that ends at `end`, without its quotes, and where it begins."""
    text = data[max(0, end - VALUE_BYTES_MAX) : end].decode("utf-8", "ignore")
    begin = 1 + max(text.rstrip().rfind(sign) for sign in " \t\n\u3000|<>")
    word = text[begin:].lstrip(_OPENING)
    return end - len(word.encode()), word.rstrip(_CLOSING)


def _is_the(kind: str, label: str, names: str) -> SecretPattern:
    def spans(data: bytes) -> Iterator[Span]:
        for phrase in compiled(_BACKWARDS % names).finditer(data):
            if data[phrase.end() : phrase.end() + 1].isalnum():
                continue  # passwordless, tokens
            start, word = _word_before(data, phrase.start())
            ends = compiled(_CLAUSE_ENDS).search(data[phrase.end() : phrase.end() + 16]) is not None
            exact = ends and not phrase[1].strip()
            if kind == "password":
                matches = values.is_password(word) if exact else values.is_strong(word)
            else:
                matches = values.is_long_key(word)
            if matches:
                yield start, start + len(word.encode())

    return SecretPattern(kind, label, rf"(?i)(?:{names})", spans)


# ── | user | password | ──

_RULE: Final = r"[\s|:+-]*-[\s|:+-]*"


def _columns(kind: str, label: str, names: str) -> SecretPattern:
    """The cells below a head that names a credential."""
    head = rf"(?im)^[^\n]*(?:{names})[^\n]*\n"
    cell_head = rf"(?i)[\s*_`\"]*(?:[\w-]+[ _-])?(?:{names})[\s*_`\"]*"
    check = values.is_cell if kind == "password" else values.is_key

    def spans(data: bytes) -> Iterator[Span]:
        for line in compiled(head).finditer(data):
            if b"|" not in line[0]:
                continue
            cells = line[0].rstrip(b"\n").split(b"|")
            wanted = [
                number
                for number, cell in enumerate(cells)
                if compiled(cell_head).fullmatch(cell) is not None
            ]
            if wanted:
                yield from _rows(data, line.end(), wanted)

    def _rows(data: bytes, at: int, wanted: list[int]) -> Iterator[Span]:
        for number in range(ROWS_MAX + 1):
            end = data.find(b"\n", at)
            row = data[at : end if end >= 0 else len(data)]
            if number == 0 and compiled(_RULE).fullmatch(row) is None:
                return
            if b"|" not in row and number:
                return
            yield from _cells(row, at, wanted)
            if end < 0:
                return
            at = end + 1

    def _cells(row: bytes, at: int, wanted: list[int]) -> Iterator[Span]:
        for number, cell in enumerate(row.split(b"|")):
            words = cell.split() if number in wanted else []
            value = words[0].strip(b"`*_\"'") if words else b""
            alone = check if len(words) == 1 else values.is_strong
            if value and alone(value.decode("utf-8", "replace")):
                start = at + cell.find(value)
                yield start, start + len(value)
            at += len(cell) + 1

    return SecretPattern(kind, label, rf"(?i)(?:{names})", spans)


PHRASES: Final = (
    SecretPattern("password", "a password", rf"(?i)(?:{WORDS['login']})", _logins),
    SecretPattern(
        "password", "a password", rf"(?i){WORDS['user']}[\"'`*]{{0,3}}\s{{0,4}}[\w/:]", _user_pairs
    ),
    _is_the("password", "a password", WORDS["chosen"]),
    _is_the("named-key", "a key or token", WORDS["issued"]),
    _columns("password", "a password", rf"{WORDS['chosen']}|\bpass\b"),
    _columns("named-key", "a key or token", WORDS["issued"]),
)
