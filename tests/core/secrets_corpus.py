"""What must be found in a text, and what must not: every value is put together when it is needed.

No credential here was ever valid. None stands in this file as a whole, so that no scanner of the
repository stops at it. `HELD_OUT` was written before the first pattern, from what people paste and
say, and the first patterns were not made for it; eight were missed then. Logins in prose, command
lines and tables were added later. `MISSED` names what is still not found.
"""

import base64
import json
import string
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.core.harmless_chat import CHAT

DIGITS: Final = string.digits
UPPER: Final = string.ascii_uppercase + "234567"
ALNUM: Final = string.ascii_letters + string.digits
BASE32: Final = string.ascii_uppercase + "234567"
BASE64: Final = ALNUM + "+/"
BASE64URL: Final = ALNUM + "_-"
HEX: Final = "0123456789abcdef"
BECH32: Final = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


@dataclass(frozen=True, slots=True)
class Sample:
    """A credential where people leave it. `form` has `{}` in its place."""

    kind: str
    form: str
    secret: str

    @property
    def text(self) -> str:
        return self.form.replace("{}", self.secret)


def made(signs: str, many: int) -> str:
    """As a machine makes it, and the same every time."""
    return "".join(Random(f"{signs} {many}").choices(signs, k=many))


def slack(prefix: str, *parts: int) -> str:
    """`xoxb-` and parts of so many signs; all but the last are numbers."""
    numbers = [str(10 ** (size - 1) + 7**11 % 10 ** (size - 1)) for size in parts[:-1]]
    return "-".join((prefix, *numbers, made(ALNUM, parts[-1])))


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234", "admin": True, "iat": 1_700_000_000})
    sealed = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts]
    return ".".join((*(part.rstrip("=") for part in sealed), made(BASE64URL, 43)))


def pem(name: str, lines: int = 6, head: str = "") -> str:
    body = "\n".join(made(BASE64, 64 - number % 2) for number in range(lines))
    return f"-----BEGIN {name}-----\n{head}{body}\n-----END {name}-----"


KEY: Final = "PRI" + "VATE KEY"
AWS_ID: Final = "AK" + "IA" + made(UPPER, 16)
GITHUB: Final = "gh" + "p_" + made(ALNUM, 36)
HOOKS: Final = "hooks.slack" + ".com"

SAMPLES: Final = (
    # Slack
    Sample("slack-bot-token", "{}", slack("xox" + "b", 12, 13, 24)),
    Sample("slack-bot-token", "SLACK_BOT_TOKEN={}\n", slack("xox" + "b", 11, 11, 24)),
    Sample("slack-bot-token", "our bot uses `{}`, don't tell", slack("xox" + "b", 12, 24)),
    Sample("slack-bot-token", "{}", "xoxe" + ".xoxb-1-" + made(ALNUM, 166)),
    Sample("slack-user-token", "mine is {} 🙈", slack("xox" + "p", 12, 12, 13, 32)),
    Sample("slack-user-token", "{}", "xoxe" + ".xoxp-1-" + made(ALNUM, 163)),
    Sample("slack-user-token", "legacy: {}", slack("xox" + "a-2", 12, 12, 12, 32)),
    Sample("slack-user-token", "cookie d={};", "xox" + "d-" + made(ALNUM, 60) + "%2B" + "%3D"),
    Sample("slack-refresh-token", "refresh with {}", "xox" + "e-1-" + made(ALNUM, 146)),
    Sample("slack-refresh-token", "{}", slack("xox" + "r", 12, 32)),
    Sample("slack-app-token", "«{}»", slack("xa" + "pp-1-A0" + made(UPPER, 9), 13, 64)),
    Sample(
        "slack-webhook",
        "curl -d @x <https://{}>",
        f"{HOOKS}/services/T0{made(UPPER, 9)}/B0{made(UPPER, 8)}/{made(ALNUM, 24)}",
    ),
    Sample(
        "slack-webhook",
        "<https://{}|the trigger>",
        f"{HOOKS}/triggers/T0{made(UPPER, 8)}/{made(DIGITS, 13)}/{made(HEX, 32)}",
    ),
    Sample(
        "slack-response-url",
        "response_url: https://{}",
        f"{HOOKS}/commands/T0{made(UPPER, 9)}/{made(DIGITS, 13)}/{made(ALNUM, 24)}",
    ),
    # Clouds
    Sample("aws-access-key", "the id is {}.", AWS_ID),
    Sample("aws-access-key", "*{}*", "AS" + "IA" + made(UPPER, 16)),
    Sample("aws-secret-key", 'AWS_SECRET_ACCESS_KEY="{}"', made(BASE64, 40)),
    Sample("aws-secret-key", "secret access key: {}\nand go", made(BASE64, 40)),
    Sample("aws-secret-key", '{"secretAccessKey": "{}"}', made(BASE64, 40)),
    Sample(
        "google-api-key", "maps/api/js?key={}&libraries=places", "AI" + "za" + made(BASE64URL, 35)
    ),
    Sample("google-client-secret", "`{}`", "GOC" + "SPX-" + made(BASE64URL, 28)),
    Sample(
        "azure-storage-key",
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={};EndpointSuffix=x",
        made(BASE64, 86) + "==",
    ),
    Sample(
        "azure-storage-key",
        "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey={}",
        made(BASE64, 43) + "=",
    ),
    Sample("digitalocean-token", "doctl auth init -t {}", "dop" + "_v1_" + made(HEX, 64)),
    Sample("databricks-token", "DATABRICKS_TOKEN {}", "da" + "pi" + made(HEX, 32)),
    Sample("vault-token", "VAULT_TOKEN={}", "hv" + "s." + made(BASE64URL, 95)),
    # Code and packages
    Sample("github-token", "{}", GITHUB),
    Sample("github-token", "Überall 🚀{}🚀 schon bekannt", "gh" + "o_" + made(ALNUM, 36)),
    Sample("github-token", "```\nexport GH_TOKEN={}\n```", "gh" + "s_" + made(ALNUM, 36)),
    Sample("github-token", "git clone https://{}@github.com/acme/x", "gh" + "u_" + made(ALNUM, 36)),
    Sample("github-token", "{}", "gh" + "r_" + made(ALNUM, 76)),
    Sample(
        "github-token",
        '"token": "{}"',
        "github" + "_pat_" + made(ALNUM, 22) + "_" + made(ALNUM, 59),
    ),
    Sample("gitlab-token", "use {} for the mirror", "gl" + "pat-" + made(BASE64URL, 20)),
    Sample("gitlab-token", "{}", "gl" + "pat-" + made(BASE64URL, 27) + ".01." + made(HEX, 9)),
    Sample("npm-token", "//registry/:_authToken={}", "np" + "m_" + made(ALNUM, 36)),
    Sample("pypi-token", "password = {}", "pypi-" + "AgEI" + made(BASE64URL, 160)),
    Sample("docker-token", "docker login -u acme -p {}", "dckr" + "_pat_" + made(BASE64URL, 27)),
    Sample(
        "atlassian-token",
        "jira: {}",
        "ATA" + "TT3xFfGF0" + made(BASE64URL, 170) + "=" + made(HEX, 8),
    ),
    Sample("linear-key", "{}", "lin" + "_api_" + made(ALNUM, 40)),
    Sample("age-key", "{}", "AGE-" + "SECRET-KEY-1" + made(BECH32, 58)),
    # Models
    Sample("openai-key", "{}", "s" + "k-" + made(ALNUM, 20) + "T3Blbk" + "FJ" + made(ALNUM, 20)),
    Sample(
        "openai-key",
        "key → {}",
        "s" + "k-proj-" + made(BASE64URL, 74) + "T3Blbk" + "FJ" + made(BASE64URL, 74),
    ),
    Sample("openai-key", "{}", "s" + "k-svcacct-" + made(BASE64URL, 60)),
    Sample(
        "anthropic-key", "ANTHROPIC_API_KEY={}", "s" + "k-ant-api03-" + made(BASE64URL, 93) + "AA"
    ),
    Sample("hugging-face-token", "login with {}", "h" + "f_" + made(string.ascii_letters, 34)),
    # Payments, mail, shops, chats
    Sample("stripe-key", "live: {}", "s" + "k_live_" + made(ALNUM, 24)),
    Sample("stripe-key", "and {} for tests", "s" + "k_test_" + made(ALNUM, 99)),
    Sample("stripe-webhook-secret", "{}", "wh" + "sec_" + made(ALNUM, 32)),
    Sample("square-token", "{}", "sq0" + "atp-" + made(BASE64URL, 22)),
    Sample("square-token", "{}", "EA" + "AA" + made(BASE64URL, 59) + "x"),
    Sample("shopify-token", "X-Shopify-Access-Token {}", "shp" + "at_" + made(HEX, 32)),
    Sample("sendgrid-key", "{}", "S" + "G." + made(BASE64URL, 22) + "." + made(BASE64URL, 43)),
    Sample("twilio-key", "sid {}", "S" + "K" + made(HEX, 32)),
    Sample("twilio-token", "TWILIO_AUTH_TOKEN={}", made(HEX, 32)),
    Sample("twilio-token", "A" + "C" + made("0123456789", 32) + ":{}", made(HEX, 32)),
    Sample(
        "telegram-token",
        "https://api.telegram.org/{}/getMe",
        "bot" + made(DIGITS, 10) + ":AA" + made(BASE64URL, 33),
    ),
    Sample(
        "discord-token",
        "{}",
        encoded(made("123456789", 18)) + "." + made(ALNUM, 6) + "." + made(BASE64URL, 38),
    ),
    # Keys and headers
    Sample("private-key", "here you are:\n{}\nthanks!", pem("RSA " + KEY)),
    Sample("private-key", "```\n{}\n```", pem("OPENSSH " + KEY, 5)),
    Sample("private-key", "{}", pem("EC " + KEY, 3)),
    Sample("private-key", "é {}", pem("ENCRYPTED " + KEY, 8)),
    Sample(
        "private-key",
        "{}",
        pem("RSA " + KEY, 4, "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B2C3D\n\n"),
    ),
    Sample("private-key", "{}", pem("PGP " + KEY + " BLOCK", 9, "Version: GnuPG v2\n\n")),
    Sample(
        "private-key",
        '{"type": "service_account", "private_key": "{}\\n"}',
        pem(KEY).replace("\n", "\\n"),
    ),
    Sample("google-api-key", "_{}_", "AI" + "za" + made(BASE64URL, 35)),
    Sample("aws-access-key", "_{}_ and ~{}~", AWS_ID),
    Sample("github-token", '{"log": "a\\n{}"}', GITHUB),
    Sample("private-key", "it was cut: {}", pem(KEY).partition("-----END")[0].strip()),
    Sample("jwt", "{}", jwt()),
    Sample("jwt", "Cookie: session={}; path=/", jwt()),
    Sample("authorization-header", "-H 'Authorization: Basic {}'", encoded("deploy:k7" + "Tundra")),
    Sample("authorization-header", "Authorization: Bearer {}", made(ALNUM, 40)),
    Sample("authorization-header", "with bearer {} it works", made(HEX, 40)),
    Sample("authorization-header", '"authorization": "token {}"', made(ALNUM, 32)),
    # Links
    Sample("link-password", "<https://deploy:{}@ci.acme.io|ci.acme.io>", "r0" + "sebud"),
    Sample("link-password", "ftp://anna:{}@files.acme.io/in", "p@ss" + "-Wort"),
    Sample("database-password", "`postgresql://app:{}@db.acme.io:5432/crm`", "tig" + "er-77"),
    Sample("database-password", "DATABASE_URL=mysql+pymysql://root:{}@10.0.0.7/x", "Berg" + "Werk"),
    Sample("database-password", "mongodb+srv://me:{}@cluster0.acme.io", "s3" + "nsible"),
    Sample("database-password", "redis://:{}@cache:6379/0", made(ALNUM, 20)),
    # Under a name
    Sample("password", "password: {}", "hun" + "ter2"),
    Sample("password", "DB_PASSWORD={}", "x8" + "Kq-pine"),
    Sample("password", "the password for staging is {}.", "Tr0ub" + "4dor&3"),
    Sample("password", "*Password:* `{}`", "Winter" + "-2024"),
    Sample("password", "Passwort: „{}“ 🤫", "Grö" + "ße12"),
    Sample("password", "I changed the pw to {}", "Mo" + "nd5chein"),
    Sample("password", "password (staging) = '{}'", "Corr" + "ect!Horse"),
    Sample("password", '{"user": "anna", "password": "{}"}', "s1lver" + "Fern"),
    Sample("password", '{\\"password\\": \\"{}\\"}', "s1lver" + "Fern"),
    Sample("password", "password: str = '{}'", "qw3" + "rtz99"),
    Sample(
        "database-password",
        "jdbc:mysql://db/x?user=me&amp;password={}&amp;ssl=true",
        "Ab1" + "&amp;cD2",
    ),
    Sample("password", "mot de passe : {}", "Fro" + "mage42!"),
    Sample("password", "<password>{}</password>", "a1b2" + "C3d4"),
    Sample("password", "CREATE USER app IDENTIFIED BY '{}'", "l0ng" + "Boat"),
    Sample("password", "data:\n  password: {}\n", encoded("m0untain" + "-lake!")),
    Sample("password", "deploy --password {} --force", "k1te" + "Surf"),
    Sample("password", "secret password: password: {}", "d0uble" + "Up"),
    Sample("named-key", "api_key={}", made(HEX, 32)),
    Sample("named-key", "api key: {}", "abc" + "123def456"),
    Sample("named-key", "SLACK_SIGNING_SECRET={}", made(HEX, 32)),
    Sample("named-key", "client_secret: '{}'", made(BASE64URL, 36)),
    Sample("named-key", "X-Api-Key: {}", made(ALNUM, 20)),
    Sample("named-key", "?access_token={}&user=me", made(ALNUM, 30)),
    Sample("named-key", "the token for the API is {}, it ends in May", made(HEX, 40)),
    Sample("named-key", "config['secret_key'] = \"{}\"", made(BASE64, 50)),
    Sample("named-key", "client secret: {}", "-".join(made(HEX, n) for n in (8, 4, 4, 4, 12))),
)

HELD_OUT: Final = (
    Sample("slack-bot-token", "🔑{} bitte nicht weitergeben", slack("xoxb", 12, 12, 24)),
    Sample(
        "github-token",
        "git clone https://oauth2:{}@github.com/acme/billing.git",
        "github" + "_pat_" + made(ALNUM, 22) + "_" + made(ALNUM, 59),
    ),
    Sample(
        "password", '      - name: DB_PASSWORD\n        value: "{}"', "vK4" + "!mossy" + "Lake9"
    ),
    Sample("password", "machine api.acme.io login deploy password {}", "Wq7r" + "Tz0LmQ2x"),
    Sample("password", "mysql -h db.acme.io -u root -p{} billing < dump.sql", "S3cr" + "et-Pa55"),
    Sample("password", "you get in as admin / {} until Friday", "Tr0ub" + "4dor&3"),
    Sample(
        "azure-storage-key",
        '"AzureWebJobsStorage": "DefaultEndpointsProtocol=https;AccountName=acmelogs;'
        'AccountKey={};EndpointSuffix=core.windows.net"',
        made(BASE64, 86) + "==",
    ),
    Sample(
        "password",
        "Server=tcp:db.acme.io,1433;Database=crm;User ID=sa;Password={};Encrypt=True;",
        "Vk9" + "!tundra" + "27",
    ),
    Sample(
        "private-key",
        '{"type": "service_account", "private_key": "-----BEGIN PRI'
        "VATE KEY-----\\n{}"
        "\\n-----END PRI"
        'VATE KEY-----\\n", "client_email": "x@acme.iam.gserviceaccount.com"}',
        made(BASE64, 64) + "\\n" + made(BASE64, 64),
    ),
    Sample("jwt", "<https://app.acme.io/callback?token={}|sign in here>", jwt()),
    Sample(
        "aws-secret-key",
        "[default]\naws_access_key_id = "
        + "AK"
        + "IA"
        + made(UPPER, 16)
        + "\naws_secret_access_key = {}\nregion = eu-west-1",
        made(BASE64, 40),
    ),
    Sample("openai-key", '{"OPENAI_API_KEY": "{}"}', "sk-" + "proj-" + made(BASE64URL, 120)),
    Sample(
        "password",
        "the staging database password was changed yesterday, it's now {}",
        "Blau7" + "!Walfisch",
    ),
    Sample(
        "private-key",
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: eddsa-key\n"
        "Public-Lines: 2\nAAAAC3NzaC1lZDI1NTE5AAAAI\nPrivate-Lines: 1\n{}",
        made(BASE64, 44),
    ),
    Sample("password", "curl -sS -u svc-bot:{} https://ci.acme.io/job/build", "9fK" + "qRt7wZ"),
    Sample(
        "password",
        "kind: Secret\ndata:\n  username: YWRtaW4=\n  password: {}",
        "TWFu" + "aWM0VHVu" + "ZHJhIQ==",
    ),
    Sample(
        "azure-sas",
        "https://acmelogs.blob.core.windows.net/in/a.csv?sv=2022-11-02&sr=b&sp=r"
        "&se=2030-01-01T00:00:00Z&sig={}",
        made(ALNUM, 41) + "%2B" + "%3D",
    ),
    Sample("totp", "otpauth://totp/Acme:bob?secret={}&issuer=Acme", made(BASE32, 32)),
    Sample("stripe-key", "```\nSTRIPE_KEY={}\n```", "rk" + "_live_" + made(ALNUM, 24)),
)

MISSED: Final = ("the staging database password was changed yesterday, it's now {}",)
"""How the held-out samples begin that are not found: a sentence lies between name and value."""

# One a line.
_LINES: Final = r"""
The password is reset by mail, within ten minutes.
password: required
Password: required, at least 12 characters
Password: 12 characters or more
password: 8-64 characters, no spaces
The password must be changed every 90days.
Forgot your password? Ask support@acme.io
password: see the vault
password: ask Bob
password: in 1Password, entry billing
password: same as before
password: changeme
password: changeme123
password: <your password>
password: &lt;your password&gt;
password: ********
password: ••••••••••
password: xxxxxxxx
password: ${DB_PASSWORD}
password: $DB_PASSWORD
password: {{ vault.db_password }}
password: %(password)s
password: %DB_PASSWORD%
password=$(pass show db/prod1)
password = os.environ["DB_PASSWORD_2"]
password = getpass.getpass("Password: ")
password = self.password1
password = settings.db.password2
password = input("Password, 8 characters: ")
password = hash_password(password, rounds=12)
password: str | None = None
password: SecretStr = Field(min_length=12)
password1 = forms.CharField(max_length=128)
if password == confirm_password: return
assert password != "password"
Password hash: argon2id, 19 MiB
Password hashing: bcrypt12
password: PBKDF2-SHA256
password: SHA-256
password: bcrypt-hashed
password: must-be-changed
password: one-time-2024
The password is base64-encoded.
The password is AES-256-GCM encrypted at rest.
The password is v2-hashed now
Password reset takes 24hours at most
Why is the password 64chars long?
passwords: never in chat
Passphrase: optional
passcode: sent by SMS
Passwort: siehe Tresor
Passwort vergessen? Link kommt per Mail.
mot de passe oublié : voir le coffre
pwd: /home/deploy/app1
PWD=/srv/app2
pw: tbd
pass: test_login2
PASS: TestLogin2 (0.31s)
Compass: north-east 45
bypass=true
by-pass: 3 lanes
token: see vault
token: <token>
token: &lt;token&gt;
token: "<your-token-here>"
token: your-token-here-123
token: ${TOKEN}
token: $GITHUB_TOKEN
token = process.env.TOKEN
token: process.env.SLACK_TOKEN_V2,
const token = await getToken2(user)
token = response.json()["access_token"]
token = os.getenv("GITHUB_TOKEN_2")
token: ${{ secrets.GITHUB_TOKEN }}
token: refresh_token_v2
token: RS256
Token: OAuth2.0
token: JWT, RS256, one hour
The token is JWT-based and lives 3600s.
The token is one-time.
token: 123e4567-e89b-42d3-a456-426614174000
idempotency token: 9fceb02d0ae598e95dc970b74767f19372d61af8
next_page_token: 9fceb02d0ae598e95dc970b74767f193
page_token=CAESDAoKMTIzNDU2Nzg5MAab12cd34
csrf_token: a94a8fe5ccb19ba61c4c0873d391e987
cancellation token: a94a8fe5ccb19ba61c4c0873d391e987
max_tokens=4096
tokens: 128000
token_type: bearer
tokenizer: cl100k_base
tokens_used: 81234
The token expires in 3600 seconds.
A token for each user, please.
Is the token rotated every 30days?
token: PROJ-1234
token: U024BE7LH
token: C024BE91L1
token: 2026-03-09
token: 2026-03-09T12:30:00Z
token: 1.24.3
secret: see above
secret: k8s-app-tls-2024
secret: projects/12345/secrets/db-prod/versions/1
secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC123
secret: op://vault/database/password1
secret/data/prod/db1
secretName: app-tls-cert-2024
secretKeyRef: {name: db-pass-2, key: password}
client_secret: <from the console>
client_secret = config.client_secret_2
Secret Santa: 24 December, 10 euros at most
secret santa list: https://docs.acme.io/santa2024
the secret to success: Practice2000
the secret is out since 2019!
It is no secret: the export takes 30seconds.
api key: <your key>
api_key: YOUR_API_KEY
api_key = "your-api-key-123456"
API_KEY=REPLACE_ME_1234
API_KEY=dummy-key-123456
api_key=os.environ["API_KEY"]
os.environ["API_KEY"]
apiKey: process.env.OPENAI_API_KEY2
apiKey: config.get('openai.key1')
api key: in the vault under billing/stripe1
API key rotation: every 90 days
api-key: x-api-key header
access key: press Alt+F5
Access key: Alt+Shift+F5+F6
secret_key = settings.SECRET_KEY_2
SECRET_KEY = get_random_secret_key()
encryption key: AES-256-GCM
signing key: ed25519
signing key: RSA-2048
private key: keep it in the HSM
private_key_path: ~/.ssh/id_ed25519
private_key_file = /etc/ssl/private/acme2024.key
credentials: see 1Password
credentials: ~/.aws/credentials2
GOOGLE_APPLICATION_CREDENTIALS=/etc/keys/service1.json
primary key: order_id2024
foreign key: customer_id
key: value
Key result 3: 40% fewer tickets
xoxb-...
xoxb-your-bot-token-here
xoxb-not-a-real-token-123456
xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx
xapp-1-...
xoxp-<your token>
Bot tokens begin with xoxb-, user tokens with xoxp-.
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
https://hooks.slack.com/services/...
AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
AKIAXXXXXXXXXXXXXXXX
AKIA...
ghp_xxxxxxxx
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ghp_yourTokenHere
github_pat_...
glpat-xxxxxxxxxxxxxxxxxxxx
sk-...
sk-proj-...
sk-ant-...
sk-your-api-key-here-please-fill-in-1
sk-learn, sk-video, sk-SK
task-force-2026-planning-of-the-next-quarter1
risk-assessment-of-the-new-payment-provider-2
desk-1234567890abcdefghij
sk-proj-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
npm_config_registry=https://registry.acme.io
npm_package_version=1.24.3
hf_hub_download(repo_id="acme/model", revision="a1b2c3d")
AIza...
pypi-AgEI...
dapi is short for Databricks API
hvs.<token>
pk_live_51H8abcdefghijklmnopqrstuv
AGE-SECRET-KEY-1...
eyJ...
-----BEGIN PRIVATE KEY-----
-----BEGIN RSA PRIVATE KEY----- ... -----END RSA PRIVATE KEY-----
-----BEGIN PUBLIC KEY-----MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA-----END PUBLIC KEY-----
-----BEGIN CERTIFICATE-----MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa-----END CERTIFICATE-----
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop
age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer {{access_token}}
-H "Authorization: Bearer ${GITHUB_TOKEN}"
Authorization: required for every call
authorization: role-based-access-control-v2
bearer of bad news
Bearer authentication-scheme-with-tokens-v2
The bearer token goes into the Authorization header.
basic functionality first, please
Basic understanding of the flow
Basic auth is enough for the start
postgres://user:password@localhost:5432/db
postgresql://postgres:postgres@localhost/test
mysql://root:${MYSQL_ROOT_PASSWORD}@db/x
postgres://<user>:<password>@<host>/<db>
redis://localhost:6379/0
mongodb://user:pass@host/db
amqp://guest:guest@rabbit:5672/
https://user:pass@example.com/
https://user:********@example.com/
https://USERNAME:PASSWORD@host/
https://{user}:{password}@host/
https://acme.io:8443/@anna/posts/12345
https://medium.com/@anna/how-we-use-tokens-1a2b3c4d5e6f
git@github.com:acme/billing.git
ssh://git@github.com:22/acme/billing.git
docker://alpine:3.19@sha256:c5b1261d6d3e43071626931fc004f70149baeba2c8ec672bd4f27761f8e1ad6b
mailto:anna@acme.io?subject=password
9fceb02d0ae598e95dc970b74767f19372d61af8
fixed in 9fceb02 and 1a2b3c4
commit 9fceb02d0ae598e95dc970b74767f19372d61af8 (HEAD -> main)
9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
123e4567-e89b-42d3-a456-426614174000
request id 123e4567-e89b-42d3-a456-426614174000 failed
"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
https://acme.slack.com/archives/C024BE91L/p1355517523000008
https://acme.slack.com/archives/C024BE91L/p1355517523000008?thread_ts=1355517523.000008&amp;cid=C024BE91L
<https://acme.slack.com/archives/C024BE91L/p1355517523000008|this thread>
<#C024BE91L|general> and <@U024BE7LH>, see <!subteam^S024BE7LH>
team T024BE7LD, channel C024BE91L, file F024BERPE, bot B024BE7LH
1355517523.000008
#ff8800, #1a2b3c and #fff
PROJ-1234, ABC-99 and INC0012345
+49 30 901820, (555) 010-9999, 0151-23456789
anna.lee+billing@acme.io, bob@mail.acme.co.uk
2026-03-09T12:30:00.000Z, 09.03.2026, 12:30:45
192.168.0.1:8080 and 2001:db8::ff00:42:8329
00:1A:2B:3C:4D:5E
DE89 3704 0044 0532 0130 00, GB29 NWBK 6016 1331 9268 19
4242 4242 4242 4242
v1.24.3-rc.1+build.20260309
node_modules/@acme/auth-token@1.2.3
image: ghcr.io/acme/app:1.24.3@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
arn:aws:iam::123456789012:role/Deploy2024
projects/acme-prod-1234/topics/billing
s3://acme-backup-2024/db/2026-03-09.dump
kubectl get secret app-tls -o yaml
vault kv get secret/billing/stripe
kubectl create secret generic db --from-literal=password=$DB_PASSWORD
docker login -u acme --password-stdin
psql --no-password -h db
openssl rand -base64 32
export TOKEN=$(gh auth token)
curl -H "Authorization: token $GITHUB_TOKEN" https://api.github.com/user
def token(self) -> str: return self._token1
for token in tokens[1:20]: print(token)
lambda token: token.text == "abc123def456"[0]
SELECT password_hash FROM users WHERE id = 42
UPDATE users SET password_hash = '$HASH' WHERE id = 42
{"token_type": "bearer", "expires_in": 3600}
{"password": null, "token": ""}
{"type": "password", "required": true, "minLength": 12}
<input type="password" name="password" minlength="12">
[redacted: Slack bot token]
password: [redacted: password]
https://anna:[redacted: password in a link]@acme.io
Finance exports the revenue dashboard as PDF at the end of each month, about 40 people.
Payment and invoice-payment calls made through the API turn automatic retries off.
One template prints UTC; the reader's zone is already in the profile.
We retry 3 times: after 2s, 4s and 8s; then an operator is told.
Who may see the report? Only people with the role billing_admin2.
Bitte die Rechnung R2026-00123 bis 31.03.2026 bezahlen.
パスワードはメールで届きます。
密码：请联系管理员
пароль: спросите Анну
"""  # noqa: E501

HARMLESS: Final = (*_LINES.strip().splitlines(), *CHAT)
