"""Whether a value under a telling name looks like a credential.

Not a word, a reference, a placeholder, a date, a version, a ticket or the name of an algorithm.
What people chose as a password has letters and digits, or signs of three classes; what a machine
made is longer, and mixes letters and digits throughout. Where only words around it say what it is,
it must look like nothing else: `is_strong`.
"""

from typing import Final

from core.secrets.patterns import PLACEHOLDER, compiled, has_both, has_turns

PASSWORD_CHARS_MIN: Final = 6
KEY_CHARS_MIN: Final = 10
STRONG_CHARS_MIN: Final = 8
LONG_KEY_CHARS_MIN: Final = 16  # of a key that no separator stands before
HEX_KEY_CHARS_MIN: Final = 32  # of one in two classes only
CLASSES_MIN: Final = 3  # of small letters, capitals, digits and other signs
WITHOUT_DIGIT_CHARS_MIN: Final = 8
DISTINCT_MIN: Final = 5
MIXED_SHARE_MIN: Final = 0.5  # of a key: in parts that mix letters and digits

_ALGORITHMS: Final = (
    r"oauth|oidc|saml|jw[tsek]|tls|ssl|ssh|https?|sha|hmac|aes|rsa|ec|dsa|ecdsa|ed|[xp][0-9]{3,5}"
    r"|[reph]s|md|bcrypt|scrypt|argon|pbkdf|kdf|utf|base|iso|rfc|pkcs|fips|nist|fido|u2f|2fa|mfa"
    r"|t?otp|k8s|gcm|cbc|ctr|chacha|poly|blake|crc|id|[id]|url|encoded|hashed|signed|salted|based"
)
_UNITS: Final = (
    r"h|hours?|hrs?|d|days?|min\w*|m|m?s|secs?|seconds?|weeks?|months?|years?|chars?|characters?"
    r"|signs?|digits?|letters?|words?|bits?|bytes?|[kmg]b?|x|times|th|st|nd|rd|[ap]m|users?|px|pt"
)
_ORDERS: Final = r"step|level|option|phase|version|sprint|page|type|part|chapter|section|table"
_TYPES: Final = r"(?:n?(?:var)?char|string|text|str|int|uint|bytes?|binary|blob|utf|sha|bcrypt|md)"

_NO_CREDENTIAL: Final = "(?i)" + "|".join(
    (
        r"(?:[<\[({*]|&lt;|\$[{(]|%\(|\.\.|…|/|~|\\|[a-z]:\\).*",  # to be filled, or a path
        r"\$[a-z_]\w*(?:[/.:].*)?|%\w+%?",  # a variable
        r"(?:true|false|null|none|nil|undefined)\b.*",
        r"[@#:][\w.:-]+",  # a mention, a channel, an emoji
        r"[a-z][a-z0-9+.-]*://.*|arn:.*|(?:www|mailto)[.:].*",
        r"[\w.+-]+@[\w-]+\.[\w.-]+",
        r"[a-z_][\w.]*[(\[{].*",  # a call, an item
        r"[a-z_]+(?:(?:\.|->|::)[a-z_]\w*)+",  # settings.api_key2
        r"[a-z]\w*_(?:key|token|secret|password|pass|pwd|id|name|var)\w{0,3}",
        r"(?:sha[0-9]+|md5|blake\w*)[-:$=].*",
        r"v?[0-9]+(?:[._:/-][0-9]+)+[a-z]{0,4}[0-9]{0,3}",  # a version, a date, a time
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}t[0-9:.,z+-]*",
        rf"[0-9]{{1,6}}[-+]?(?:{_UNITS})\+?",
        r"(?-i:[A-Z][A-Z0-9]{0,9}-[0-9]{1,7})",  # PROJ-1234
        r"(?-i:[ABCDEGTUW]0[0-9A-Z]{7,9})",  # a channel or a person of Slack
        rf"(?:{_ORDERS})[_-]?[0-9]{{1,4}}[a-z]?",
        rf"(?:(?:{_ALGORITHMS}|v?[0-9]{{1,5}})[-_./:+]?)+",
    )
)
# app-tls-2024: words and numbers, each by itself. In one case only: Winter-2024 is a password.
_PART: Final = r"(?:[a-z]+|v?[0-9]{1,4}|[a-z]{1,3}[0-9]{1,2})"
_WORDS: Final = rf"{_PART}(?:[-_./:#+,]{_PART})+"
# accessTokenV2, Practice2000; ed25519.PrivateKey
_NAME: Final = (
    r"(?:[A-Z]?[a-z]{2,}|[A-Z]{2,5})+[0-9]{0,4}"
    r"|(?:[A-Z]?[a-z]{2,}|[0-9]{1,5})+(?:\.(?:[A-Z]?[a-z]{2,}|[0-9]{1,5})+)+"
)
_UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# What stands in prose as well: Settings2, iPhone15, Q3-Report, 2FA-token, user_id=48213, 30MB/s
_SPOKEN_PART: Final = (
    r"(?:[0-9]{0,5}(?:[A-Z]?[a-z]+|[A-Z]+)*[0-9]{0,5}"
    r"|(?:[A-Z]?[a-z]{2,})+[0-9]{1,2}(?:[A-Z]?[a-z]{2,})+)"  # Helm3Chart
)
_SPOKEN: Final = rf"{_SPOKEN_PART}(?:[-_./:,'’+#%&]{{1,2}}{_SPOKEN_PART})*|-*\w[\w.-]*=.*"
_CODE: Final = frozenset("(){}[]\\")

_STOPS: Final = frozenset("-_.,:/'’")


def is_password(value: str) -> bool:
    """True if what is assigned to a password could be one: long and no plain word."""
    strong = has_both(value) or (
        len(value) >= WITHOUT_DIGIT_CHARS_MIN and _classes(value) >= CLASSES_MIN
    )
    return strong and len(value) >= PASSWORD_CHARS_MIN and not _is_ordinary(value)


def is_strong(value: str) -> bool:
    """True if it looks like a password wherever it stands: nothing that people write in prose."""
    return (
        len(value) >= STRONG_CHARS_MIN
        and (_classes(value) >= CLASSES_MIN or has_turns(value))
        and not _is_ordinary(value)
        and not _is_whole(_SPOKEN, value)
        and _CODE.isdisjoint(value)
    )


def is_cell(value: str) -> bool:
    """True if a cell of a table that is headed as a password holds one, and no type."""
    return is_password(value) and not _is_whole(rf"(?i){_TYPES}\W?[0-9]+\W?", value)


def is_key(value: str) -> bool:
    """True if what is assigned to a key could be one: most of it letters mixed with digits."""
    if len(value) < KEY_CHARS_MIN or not has_both(value):
        return False
    parts = compiled(r"%[0-9A-Fa-f]{2}|[-_./:+=]").split(value.encode())
    mixed = sum(len(part) for part in parts if has_both(part.decode()))
    return (
        mixed >= MIXED_SHARE_MIN * len(value)
        and not _is_whole(_NAME, value)
        and not _is_ordinary(value)
    )


def is_long_key(value: str) -> bool:
    """True if it looks like a key although nothing stands between it and its name."""
    enough = LONG_KEY_CHARS_MIN if _classes(value) >= CLASSES_MIN else HEX_KEY_CHARS_MIN
    return len(value) >= enough and is_key(value)


def is_uuid(value: str) -> bool:
    return _is_whole(_UUID, value.lower())


def _is_ordinary(value: str) -> bool:
    return (
        len(set(value)) < DISTINCT_MIN
        or any(map(str.isspace, value))
        or _is_whole(_NO_CREDENTIAL, value)
        or ((value.islower() or value.isupper()) and _is_whole(_WORDS, value.lower()))
        or compiled(PLACEHOLDER).search(value.encode()) is not None
    )


def _is_whole(pattern: str, value: str) -> bool:
    return compiled(pattern).fullmatch(value.encode()) is not None


def _classes(value: str) -> int:
    """Of small letters, capitals, digits and signs that are no stops: how many there are."""
    signs = set(value)
    return sum(
        (
            any(map(str.islower, signs)),
            any(map(str.isupper, signs)),
            any(map(str.isdigit, signs)),
            any(not sign.isalnum() and sign not in _STOPS for sign in signs),
        )
    )
