"""Credentials as people really leave them: in prose, tables, other languages, strange letters.

None was ever valid; each is put together when it is needed.
"""

# ruff: noqa: E501
import base64
from typing import Final

from tests.core.secrets_corpus import (
    ALNUM,
    BASE64,
    BASE64URL,
    GITHUB,
    HEX,
    KEY,
    Sample,
    encoded,
    made,
    pem,
    slack,
)
from tests.core.secrets_makers import uuid

PW: Final = "Xk29" + "!fge"
LONG_PW: Final = "hunter2" + "XY9!"
PLAIN_PW: Final = "tig" + "er"
BOT: Final = slack("xox" + "b", 12, 13, 24)

PROSE: Final = tuple(
    Sample("password", form, PW)
    for form in (
        "log in with admin and {}",
        "Log in as deploy with {} please",
        "you can log into staging with admin and {} until friday",
        "login: admin / {}",
        "logins: admin, {}",
        "creds: admin/{}",
        "Credentials are `admin` / `{}`",
        "sign in with anna@acme.io and {} ok?",
        "signed in using bob, {} and it worked",
        "you get in as admin / {} until Friday",
        "use admin and {} for the demo",
        "anmelden mit admin und {}",
        "Zugangsdaten: admin / {}",
        "connecte-toi avec admin et {}",
        "inicia sesión con admin y {}",
        "entra com admin e {}",
        "accedi con admin e {}",
        "inloggen met admin en {}",
        "zaloguj się jako admin i {}",
        "войти: admin и {}",
        "登录用 admin 和 {}",
        "{} is the password",
        "**{}** is our password, don't share",
        "`{}` is the admin password for staging",
        "I think {} was the db password.",
        "use {} as the password",
        "{} ist das Passwort",
        "{} est le mot de passe",
        "{} es la contraseña",
        "{} é a senha",
        "{} è la password",
        "{} is het wachtwoord",
        "wachtwoord van de database: {}",
        "{} to hasło",
        "{} это пароль",
        "{} 是密码",
        "{} がパスワードです",
        "the password {} works for me",
        "password - {}",
        "Password – {}",
        "passwd {}",
        "machine api.acme.io login deploy password {}",
        "pass: {}",
        "user: admin pass: {}",
        'pass="{}"',
        "pass = '{}'",
        '{"user": "admin", "pass": "{}"}',
        "{'pass': '{}'}",
        '"dbPass": "{}"',
        "DB_PASS={}",
        "PASS={}",
        "passwd: {}",
        "passwd={}",
        "pwd: {}",
        "PWD is {}",
        "pw: {}",
        "pw = {}",
        "pw is {} btw",
        "passphrase: {}",
        "passcode is {}",
        "user=admin\npassword={}\n",
        "```\npassword: {}\n```",
        "*password* is *{}*",
        "> password: {}",
        "password (prod) → {}",
        "password=>{}",
        "password := {}",
        '      - name: DB_PASSWORD\n        value: "{}"',
        '{"name": "DB_PASSWORD", "value": "{}"}',
        "mysql -h db.acme.io -u root -p{} billing < dump.sql",
        "curl -sS -u svc-bot:{} https://ci.acme.io/job/build",
        "sshpass -p {} ssh deploy@10.0.0.7",
        "PASS: {}",
        "user bob pass {}",
        "le mdp c'est {}",
        "admin/{}",
        "admin:{}",
        "root / {} on the jumphost",
        "my password's {}",
        "the password's now {}",
        "parola d'ordine: {}",
        "hasło do bazy: {}",
        "пароль от базы: {}",
        "| **user** | admin |\n| **pass** | {} |",
        '<add key="DbPassword" value="{}" />',
        "changed the password from old to {}",
        "docker login ghcr.io -u deploy -p {}",
    )
)

TABLES: Final = (
    *(
        Sample("password", form, LONG_PW)
        for form in (
            "| password | {} |",
            "| user | admin |\n| password | {} |",
            "|password|{}|",
            "| **Password** | `{}` |",
            "| user | password |\n|---|---|\n| admin | {} |",
            "| env | user | password | note |\n| :-- | --- | --- | --: |\n| dev | a | none | x |\n| prod | b | {} | y |",
            "user | password\n---- | ----\nadmin | {}",
            "| Passwort | {} |",
            "| pass | {} |",
            "| DB password | {} |",
        )
    ),
    Sample("named-key", "| API key | {} |", made(ALNUM, 32)),
    Sample("named-key", "| token | {} |", made(HEX, 40)),
    Sample("named-key", "| service | api key |\n|---|---|\n| maps | {} |", made(ALNUM, 32)),
    Sample("github-token", "| gh | {} |", GITHUB),
)  # fmt: skip

LANGUAGES: Final = tuple(
    Sample("password", f"{word}{colon}{{}}", PW)
    for word, colon in (
        ("Contraseña", ": "), ("CONTRASEÑA", ": "), ("contrasena", " = "), ("clave", ": "),
        ("contrasenya", ": "), ("mot de passe", " : "), ("Mot de passe", "："), ("mdp", ": "),
        ("Passwort", ": "), ("Kennwort", ": "), ("KENNWORT", "="), ("Passwörter", ": "),
        ("senha", ": "), ("palavra-passe", ": "), ("wachtwoord", ": "), ("hasło", ": "),
        ("HASŁO", ": "), ("haslo", ": "), ("heslo", ": "), ("lozinka", ": "), ("geslo", ": "),
        ("пароль", ": "), ("ПАРОЛЬ", "："), ("Пароль", " - "), ("парола", ": "), ("parola", ": "),
        ("parolă", ": "), ("şifre", ": "), ("ŞİFRE", ": "), ("Şifre", ": "), ("lösenord", ": "),
        ("LÖSENORD", ": "), ("passord", ": "), ("adgangskode", ": "), ("kodeord", ": "),
        ("salasana", ": "), ("jelszó", ": "), ("slaptažodis", ": "), ("parool", ": "),
        ("lykilorð", ": "), ("κωδικός", ": "), ("密码", "："), ("密码", ": "), ("密码是", " "),
        ("密碼", "："), ("口令", ": "), ("パスワード", "："), ("パスワード", ": "), ("パスワードは", " "),
        ("비밀번호", ": "), ("비밀번호", "："), ("비밀번호는 ", ""), ("패스워드", ": "), ("암호", ": "),
        ("كلمة المرور", ": "), ("סיסמה", ": "), ("पासवर्ड", ": "), ("รหัสผ่าน", ": "),
        ("mật khẩu", ": "), ("kata sandi", ": "), ("password", "："), ("Ｐａｓｓｗｏｒｄ", "："),
        ("password", "＝"), ("Das Passwort lautet", " "), ("la contraseña es", " "),
        ("le mot de passe est", " "), ("a senha é", " "), ("het wachtwoord is", " "),
        ("lösenordet är", " "), ("hasło to", " "), ("пароль это", " - "),
    )
)  # fmt: skip

CONNECTIONS: Final = tuple(
    Sample("database-password", form, PLAIN_PW)
    for form in (
        "sqlplus scott/{}@//db.acme.io:1521/ORCLPDB1",
        "scott/{}@//db.acme.io/XE",
        "scott/{}@db.acme.io:1521/XE",
        "sqlplus -s scott/{}@ORCL @report.sql",
        "conn scott/{}@orcl",
        "sqlplus scott/{}",
        "jdbc:oracle:thin:scott/{}@db.acme.io:1521:XE",
        "jdbc:oracle:thin:scott/{}@//db.acme.io:1521/XE",
        "Driver={ODBC Driver 18 for SQL Server};Server=db;Uid=sa;Pwd={};Encrypt=yes",
        "Server=db;Database=crm;User Id=sa;Password={};",
        "Data Source=db;User ID=sa;Password={}",
        "jdbc:sqlserver://db:1433;user=sa;password={};encrypt=true",
        "jdbc:postgresql://db/crm?user=app&password={}&ssl=true",
        "host=db port=5432 dbname=crm user=app password={}",
        "db.acme.io:5432:crm:app:{}",
        "mongodb+srv://app:{}@cluster0.ab1cd.mongodb.net/crm",
        "mongodb://app:{}@a:27017,b:27017/?replicaSet=rs0",
        "redis://:{}@cache:6379/0",
        "rediss://default:{}@cache.acme.io:6380",
        "amqp://app:{}@rabbit:5672/vhost",
        "amqps://app:{}@mq.acme.io",
        "mssql+pyodbc://sa:{}@db/crm?driver=x",
        "sqlserver://sa:{}@db:1433",
        "mysql2://root:{}@db/crm",
        "clickhouse://app:{}@ch:9000/x",
        "snowflake://app:{}@acme/crm",
        "couchbase://app:{}@cb",
        "oracle+cx_oracle://scott:{}@db/x",
    )
)
LINKS: Final = tuple(
    Sample("link-password", form, PLAIN_PW)
    for form in (
        "cloudinary://123456789012345:{}@acme", "sftp://app:{}@files.acme.io", "nats://app:{}@nats:4222",
        "rtsp://admin:{}@10.0.0.12/stream", "smtp://mailer:{}@mail.acme.io:587", "https://bot:{}@acme.io/x.git",
    )
)  # fmt: skip


def full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def split(text: str, sign: str) -> str:
    """`sign` after each third letter, never at the end."""
    return sign.join(text[at : at + 3] for at in range(0, len(text), 3))


DISGUISED: Final = (
    *(Sample("github-token", "use {} now", split(GITHUB, sign)) for sign in ("\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d", "\u202e")),
    *(Sample("slack-bot-token", "{}", split(BOT, sign)) for sign in ("\u200b", "\u00ad")),
    Sample("github-token", "Größe 🚀 {} 🚀", full_width(GITHUB)),
    Sample("slack-bot-token", "{}", full_width(BOT)),
    Sample("password", "ｐａｓｓｗｏｒｄ：{}", full_width(PW)),
    Sample("password", "pass\u200bword: {}", PW),
    Sample("password", "p\u00ada\u00ads\u00ads\u00adw\u00ado\u00adr\u00add = {}", split(PW, "\u200c")),
    Sample("password", "contrasen\u0303a: {}", PW),
    Sample("password", "ﾊﾟｽﾜｰﾄﾞ: {}", PW),
)  # fmt: skip

ENCODED: Final = (
    Sample("github-token", "{}", encoded(f"export GH_TOKEN={GITHUB}")),
    Sample("github-token", "data:\n  token: x\n  b: {}", encoded(GITHUB)),
    Sample("password", "echo {} | base64 -d", encoded(f"password: {LONG_PW}")),
    Sample("password", "{}", base64.urlsafe_b64encode(f"ключ? пароль: {PW}".encode()).decode()),
    Sample("password", "powershell -e {}", base64.b64encode(f"$pw = '{PW}'; net use".encode("utf-16-le")).decode()),
    Sample("database-password", "<{}|link>", encoded("postgres://app:" + PLAIN_PW + "@db.acme.io/crm")),
    Sample("private-key", "{}", encoded(pem(KEY, 3))),
    Sample("slack-bot-token", "```\n{}\n```", base64.encodebytes(f"SLACK_BOT_TOKEN={BOT}; also some words".encode()).decode().strip()),
    Sample("aws-secret-key", "user data: {}", encoded("AWS_SECRET_ACCESS_KEY=" + made(BASE64, 40))),
)  # fmt: skip

NAMED: Final = (
    Sample("heroku-key", "heroku {}", uuid()),
    Sample("named-key", "datadog api key {}", made(HEX, 32)),
    Sample("named-key", "our mistral key: {}", made(ALNUM, 32)),
    Sample("named-key", "cohere: {}", made(ALNUM, 40)),
    Sample("named-key", "hetzner {}", made(ALNUM, 64)),
    Sample("named-key", "pagerduty: {}", "u+" + made(ALNUM, 18)),
    Sample("named-key", "snyk token {}", uuid()),
    Sample("named-key", "circle token {}", made(HEX, 40)),
    Sample("named-key", "my key: {}", made(ALNUM, 32)),
    Sample("named-key", "https://maps.acme.io/x?key={}&v=2", made(ALNUM, 39)),
    Sample("twilio-token", "twilio auth token {}", made(HEX, 32)),
    Sample("vault-token", "vault token {}", "s" + "." + made(ALNUM, 24)),
    Sample("named-key", "credentials: {}", f"admin:{PW}"),
    Sample("named-key", "api key {} is for maps", made(ALNUM, 32)),
    Sample("named-key", "the token {} expires in May", made(ALNUM, 32)),
    Sample("named-key", "API-Schlüssel: {}", made(ALNUM, 32)),
    Sample("named-key", "токен: {}", made(ALNUM, 32)),
    Sample("named-key", "トークン：{}", made(BASE64URL, 32)),
    Sample("named-key", "密钥：{}", made(ALNUM, 32)),
    Sample("named-key", "{} is the api key", made(ALNUM, 32)),
    Sample("named-key", "datadog app key: {}", made(HEX, 40)),
)

UNTIDY: Final = (*PROSE, *TABLES, *LANGUAGES, *CONNECTIONS, *LINKS, *DISGUISED, *ENCODED, *NAMED)
