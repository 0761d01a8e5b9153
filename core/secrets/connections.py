"""Passwords in addresses, connection strings and command lines: their place says what they are.

So a plain word is one, too, unless it is the word for it, a variable or a blank to be filled.
"""

from typing import Final

from core.secrets.patterns import SecretPattern, compiled, group

_DATABASES: Final = (
    r"postgres(?:ql)?|pgsql|redshift|timescale|mysql2?|mysqlx|mariadb|mongodb(?:\+srv)?|rediss?"
    r"|valkeys?|keydb|memcacheds?|amqps?|mssql|sqlserver|tds|sybase|oracle|db2|cockroach(?:db)?"
    r"|clickhouse|snowflake|trino|presto|hive2?|cassandra|scylla|couchdb|couchbases?|elasticsearch"
    r"|opensearch|neo4j|bolt|arangodb|influxdb|vertica|firebird|singlestore"
)
_LINKS: Final = (
    r"https?|s?ftps?|ssh|git|svn|hg|smb|cifs|ldaps?|smtps?|imaps?|pop3s?|wss?|socks[45]?h?|mqtts?"
    r"|nats|stomp|rtsps?|rtmps?|rdp|vnc|telnet|webdavs?|davs?|xmpp|sip|kafka|cloudinary"
)
_FILLED_IN: Final = (
    r"(?i)[-_*.%#!()]*(?:(?:my|your|db|the)[-_]?)?(?:pass(?:word|wd|wort)?|pwd?|secret|token|port"
    r"|user(?:name)?|redacted|masked|none|null|true|false)[-_*.%#!()]*|[$%{\[(&*<].*"
    r"|.*(?:x{4,}|\*{3,}|\.{3,}|…|example|change[-_]?me|redacted).*|your.*|\.{1,3}|…"
)
PASSWORD_DISTINCT_MIN: Final = 3


def is_filled(*groups: str) -> bool:
    """Not the word for it, a variable, a blank to be filled; nor guest:guest."""
    *others, value = groups
    return (
        len(set(value)) >= PASSWORD_DISTINCT_MIN
        and value not in others
        and compiled(_FILLED_IN).fullmatch(value.encode()) is None
    )


def _is_short_flag(*groups: str) -> bool:
    """`-p3306` is a port, `-p` of other programs a path."""
    return is_filled(*groups) and not groups[-1].isdigit()


def _in_link(kind: str, label: str, schemes: str) -> SecretPattern:
    scheme = rf"(?i)\b(?:{schemes})(?:\+\w+)?://"
    whole = rf"""{scheme}([^\s/:@<>"'`|]*):([^\s/<>"'`|]+)@"""
    return group(kind, label, rf"{scheme}[^\s/]*@", whole, is_filled)


def _database(sign: str, whole: str) -> SecretPattern:
    return group("database-password", "a database password", sign, whole, is_filled)


_KEY: Final = (
    r"server|data source|host(?:name)?|dsn|driver|database|dbname|initial catalog|uid|port"
    r"|user(?: ?id)?|user ?name|dbq|provider"
)
_SECOND: Final = r"(?:pwd|password|passwd)"
_CLI_OPTIONS: Final = r"""[^\n|;]{0,200}?\s"""

CONNECTIONS: Final = (
    _in_link("database-password", "a database password", _DATABASES),
    _in_link("link-password", "a password in a link", _LINKS),
    # ODBC, ADO.NET: Server=…;Uid=…;Pwd=…
    _database(
        r"(?i)(?:pwd|password|passwd)\s?=",
        rf"""(?i)\b(?:{_KEY})\s?=[^;=\n]{{1,80}};(?:[^\n"']{{0,200}};)?\s?{_SECOND}\s?=\s?([^;\n"'\s]+)""",
    ),
    # libpq: host=… user=… password=…
    _database(
        r"(?i)\spassword=",
        rf"""(?i)\b(?:{_KEY})=[^\s;=]*[^\s;=,][ \t]+"""
        rf"""(?:\w+=[^\s;=]*[^\s;=,][ \t]+){{0,6}}{_SECOND}=([^\s;"'()\[\]]+)""",
    ),
    # JDBC: ?user=…&password=…
    _database(
        r"(?i)[?&;]user(?:name)?=",
        rf"""(?i)[?&;]user(?:name)?=([^&\s;"']+)(?:&amp;|&|;){_SECOND}=([^&\s;"']+)""",
    ),
    # Oracle: user/password@//host, jdbc:oracle:thin:user/password@host
    _database(
        r"/[^\s/@]{3,64}@(?://|[\w.-]+:1[0-9]{3})",
        r"""(?:^|[\s"'`(=:])([\w$#.-]+)/([^\s/@"'`]+)@(?://)?[\w.-]+(?::[0-9]+)?[/:]?""",
    ),
    _database(
        r"(?i)jdbc:oracle:",
        r"""(?i)jdbc:oracle:\w{2,4}:([^\s/@"'`]+)/([^\s@"'`]+)@""",
    ),
    _database(
        r"(?i)\b(?:sqlplus|conn(?:ect)?|rman|expdp|impdp|sqlldr)\s",
        r"""(?i)\b(?:sqlplus|conn(?:ect)?|rman target|expdp|impdp|sqlldr)\s+(?:-\w+\s+)?"""
        r"""["']?([\w$#.-]+)/([^\s/@"'`]+)@\w""",
    ),
    _database(
        r"(?i)\bsqlplus\s",
        r"""(?i)\bsqlplus\s+(?:-\w+\s+)?["']?([\w$#.]+)/([^\s/@"'`]+)(?:\s|$|["'`])""",
    ),
    # .pgpass: host:port:database:user:password
    _database(
        r":5432:",
        r"""(?:^|[\s"'`])[\w.*-]+:5432:[\w*-]+:([\w.*-]+):([^\s:"'`]+)""",
    ),
    group(
        "password",
        "a password",
        r"(?i)\bmachine\s",
        r"(?i)\bmachine\s+\S+\s+login\s+(\S+)\s+password\s+(\S+)",
        is_filled,
    ),
    group(
        "password",
        "a password",
        r"(?i)\bcurl\b",
        rf"""(?i)\bcurl\b{_CLI_OPTIONS}(?:-u|--user)[ =]?\s?["']?([^\s:"']+):([^\s"']+)""",
        is_filled,
    ),
    group(
        "password",
        "a password",
        r"(?i)\b(?:mysql\w*|mariadb\w*|sshpass)\s",
        rf"""\b(?:mysql\w*|mariadb\w*|sshpass)\b(?:{_CLI_OPTIONS}|\s)-p\s?["']?([^\s"'-][^\s"']{{3,}})""",
        _is_short_flag,
    ),
    group(
        "password",
        "a password",
        r"(?i)\b(?:docker login|sqlcmd|redis-cli)\s",
        r"(?i)\b(?:docker login\b[^\n]{0,200}?\s-p|sqlcmd\b[^\n]{0,200}?\s-P"
        r"""|redis-cli\b[^\n]{0,200}?\s-a)\s?["']?([^\s"'-][^\s"']{3,})""",
        _is_short_flag,
    ),
)
