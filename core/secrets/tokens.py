"""Credentials that say themselves what they are: by a prefix, a label of their maker, a header.

Bodies are a little looser than the makers' present lengths, which grow. AWS's documented examples
(`AKIAIOSFODNN7EXAMPLE` and what else has EXAMPLE in it) are none. Stripe's test keys are: they open
an account, if only its test data; publishable keys (`pk_…`) open nothing.
"""

import base64
import binascii
from collections.abc import Iterator
from typing import Final

from core.secrets.patterns import Check, Pattern, Span, compiled, group, mixed, random

# A token may follow an escaped line end, or an escaped sign of an address; Slack's _italics_ too.
_BEFORE: Final = r"(?:\b|_|\\[nrt]|%[0-9A-Fa-f]{2})"
_AFTER: Final = r"_?(?:[^\w-]|$)"
_SEP: Final = r"""\\?["'`*]{0,3}\]?\s{0,3}(?:is|:=|=>|[:=])\s{0,3}\\?["'`*]{0,3}"""

_DATABASES: Final = (
    r"postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|valkeys?|amqps?|mssql|sqlserver"
    r"|oracle|cockroach(?:db)?|clickhouse|snowflake|cassandra|couchdb|elasticsearch|neo4j|bolt"
)
_LINKS: Final = r"https?|s?ftps?|ssh|git|svn|smb|ldaps?|smtps?|imaps?|wss?|socks[45]h?|mqtts?|nats"
_FILLED_IN: Final = (
    r"(?i)[-_*.%#!()]*(?:(?:my|your)[-_]?)?(?:pass(?:word|wd|wort)?|pwd?|secret|token|port|user"
    r"(?:name)?|redacted|masked)[-_*.%#!()]*|[$%{\[(&*].*|.*(?:x{4,}|\*{3,}|\.{3,}|example"
    r"|change[-_]?me).*|your.*"
)
LINK_PASSWORD_DISTINCT_MIN: Final = 3


def _token(kind: str, label: str, sign: str, body: str, check: Check = random) -> Pattern:
    before = f"{_BEFORE}{sign}"
    return group(kind, label, before, f"{_BEFORE}({sign}{body})", check)


def _exact(kind: str, label: str, sign: str, body: str, check: Check = random) -> Pattern:
    return group(kind, label, f"{_BEFORE}{sign}", f"{_BEFORE}({sign}{body}){_AFTER}", check)


def _in_link(kind: str, label: str, schemes: str) -> Pattern:
    scheme = rf"(?i)\b(?:{schemes})(?:\+\w+)?://"
    whole = rf"""{scheme}([^\s/:@<>"'`|]*):([^\s/<>"'`|]+)@"""
    return group(kind, label, rf"{scheme}[^\s/]*@", whole, _is_link_password)


def _is_link_password(user: str, value: str) -> bool:
    """Not the word for it, a variable, a blank to be filled; nor guest:guest."""
    return (
        len(set(value)) >= LINK_PASSWORD_DISTINCT_MIN
        and value != user
        and compiled(_FILLED_IN).fullmatch(value.encode()) is None
    )


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


def _is_login(value: str) -> bool:
    """Whether Base64 holds `user:password`."""
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


def _is_bot(value: str) -> bool:
    """Whether a Discord token begins with the number of its bot."""
    head = value.partition(".")[0]
    try:
        return base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except binascii.Error:
        return False


TOKENS: Final = (
    _token("slack-bot-token", "a Slack bot token", r"(?:xoxe\.)?xoxb-[0-9]", r"[\w%-]{9,}", mixed),
    _token(
        "slack-user-token",
        "a Slack user token",
        r"(?:(?:(?:xoxe\.)?xoxp|xox[acs])-[0-9]|xoxd-)",
        r"[\w%+/=-]{9,}",
        mixed,
    ),
    _token("slack-refresh-token", "a Slack refresh token", r"xox[er]-[0-9]", r"[\w%-]{9,}", mixed),
    _token("slack-app-token", "a Slack app token", r"xapp-[0-9]", r"[\w-]{9,}", mixed),
    _token(
        "slack-webhook",
        "a Slack webhook address",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/",
        r"[\w/-]{16,}",
        mixed,
    ),
    _token(
        "slack-response-url",
        "a Slack reply address",
        r"hooks\.slack(?:-gov)?\.com/(?:commands|actions|app)/",
        r"[\w/-]{16,}",
        mixed,
    ),
    _exact("aws-access-key", "an AWS access key", r"A(?:KIA|SIA|BIA|CCA)", r"[A-Z0-9]{16}"),
    group(
        "aws-secret-key",
        "an AWS secret key",
        r"(?i)secret[ _-]?(?:access[ _-]?)?key",
        rf"(?i)secret[ _-]?(?:access[ _-]?)?key{_SEP}([A-Za-z0-9/+]{{40}})(?:[^\w/+=]|$)",
        mixed,
    ),
    _token("github-token", "a GitHub token", r"gh[pousr]_", r"(?:[0-9]+_eyJ[\w.-]{30,}|\w{30,})"),
    _token("github-token", "a GitHub token", r"github_pat_", r"\w{40,}"),
    _token("gitlab-token", "a GitLab token", r"gl[a-z]{2,5}-", r"[\w-]{20,}(?:\.[\w-]+)*", mixed),
    _token("anthropic-key", "an Anthropic key", r"sk-ant-", r"[\w-]{20,}", mixed),
    _token(
        "openai-key",
        "an OpenAI key",
        r"sk-",
        r"(?:(?:proj|svcacct|admin|None|or-v1)-[\w-]{20,}|[A-Za-z0-9]{20,}|[\w-]+T3BlbkFJ[\w-]{16,})",
        mixed,
    ),
    _exact("google-api-key", "a Google API key", r"AIza", r"[\w-]{35}"),
    _token("google-client-secret", "a Google client secret", r"GOCSPX-", r"[\w-]{20,}"),
    _token("stripe-key", "a Stripe key", r"[sr]k_(?:live|test)_", r"[A-Za-z0-9]{16,}"),
    _token("stripe-webhook-secret", "a Stripe webhook secret", r"whsec_", r"[\w+/=]{24,}"),
    _exact("twilio-key", "a Twilio key", r"SK[0-9a-f]{4}", r"[0-9a-f]{28}"),
    group(
        "twilio-token",
        "a Twilio auth token",
        r"(?i)twilio",
        rf"(?i)twilio[\w .-]{{0,40}}{_SEP}([0-9a-f]{{32}})\b",
        mixed,
    ),
    group(
        "twilio-token",
        "a Twilio auth token",
        r"\bAC[0-9a-f]{8}",
        r"""\bAC[0-9a-f]{32}["'`]?(?:[\s:/,;|&]{1,3}|[\s,;&]+["'`]?\w*token["'`]?\s?[:=]\s?["'`]?)"""
        r"([0-9a-f]{32})\b",
        mixed,
    ),
    _token("sendgrid-key", "a SendGrid key", r"SG\.", r"[\w-]{16,32}\.[\w-]{32,64}", mixed),
    _exact("npm-token", "an npm token", r"npm_", r"[A-Za-z0-9]{36}"),
    _token("pypi-token", "a PyPI token", r"pypi-AgE", r"[\w-]{50,}"),
    _token("docker-token", "a Docker Hub token", r"dckr_[op]at_", r"[\w-]{20,}"),
    _exact("hugging-face-token", "a Hugging Face token", r"hf_", r"[A-Za-z0-9]{34}"),
    _exact("digitalocean-token", "a DigitalOcean token", r"do[oprt]_v1_", r"[a-f0-9]{64}"),
    _exact("shopify-token", "a Shopify token", r"shp(?:at|ca|pa|ss|ua)_", r"[a-fA-F0-9]{32}"),
    _token("square-token", "a Square token", r"sq0(?:atp|csp)-", r"[\w-]{22,}"),
    group(
        "square-token",
        "a Square token",
        r"EAAA[\w-]{4}",
        r"(?:^|[^\w+/-])(EAAA[\w-]{60})(?:[^\w+/=-]|$)",  # pictures in Base64 are full of As
        mixed,
    ),
    _exact("telegram-token", "a Telegram bot token", r"(?:bot)?[0-9]{8,10}:", r"[\w-]{35}", mixed),
    _exact(
        "discord-token",
        "a Discord bot token",
        r"[MNO][\w-]{23,27}\.",
        r"[\w-]{6}\.[\w-]{27,40}",
        _is_bot,
    ),
    group(
        "azure-storage-key",
        "an Azure storage key",
        r"(?:Account|SharedAccess)Key=",
        r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,}={0,2})",
        mixed,
    ),
    _token("databricks-token", "a Databricks token", r"dapi[a-f0-9]{4}", r"[a-f0-9]{28}(?:-\d)?\b"),
    _token("atlassian-token", "an Atlassian token", r"AT[AC]TT3", r"[\w=-]{60,}"),
    _token("linear-key", "a Linear key", r"lin_(?:api|oauth)_", r"[A-Za-z0-9]{32,}"),
    _token("vault-token", "a Vault token", r"hv[bsr]\.", r"[\w-]{24,}", mixed),
    _token("age-key", "an age secret key", r"AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}"),
    Pattern("private-key", "a private key", r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY", _key_blocks),
    _token("jwt", "a signed web token", r"eyJ", r"[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)*"),
    _in_link("database-password", "a database password", _DATABASES),
    _in_link("link-password", "a password in a link", _LINKS),
    group(
        "authorization-header",
        "an authorization header",
        r"(?i)\bbasic\s+[A-Za-z0-9+/]{8}",
        r"(?i)\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})",
        _is_login,
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
