"""Untidy chat that halts nobody: people talk about passwords, paste ids, and mean no harm.

`_CHAT` was written before the patterns of the same day, and never changed to please one; `_LATER`
after them: four of its lines raised an alarm, which was mended. One text a line.
"""

from typing import Final

# ruff: noqa: E501
_CHAT: Final = r"""
honestly the password is the problem here, nobody can remember theirs
ok so the password is always the first thing people forget lol
the password is stored in 1Password under "billing (prod)"
The password is wrong again?? third time today
the password is Bob's business, not ours
is the password case-sensitive? asking for a friend
password is mandatory since v2.4.1
"password" is not a password, Kevin
What's the password policy? I read 12+ characters, 1 upper, 1 digit
password: min. 8 chars, max. 64 (see RFC-6749)
Password: TBD (Kevin knows)
Passwords are the #1 reason for tickets in Q3-2026
pass: 14, fail: 2, skipped: 3
pass: yes
pass rate: 98.7%
PASS: 214/214 tests (3m12s)
pass the salt, please: we hash with bcrypt
please pass user_id=48213 to the endpoint
boarding pass: gate B42, seat 17C
first pass: 12 findings; second pass: 3
| pass | 128 | 3.2s |
| password | string | required | min 12 chars |
| password | yes | no |
| Field | Type | Notes |
| user | password | token |
| --- | --- | --- |
| token | bearer | expires in 3600s |
| API key | per tenant | rotated every 90d |
| passwd | File | /etc/passwd |
passwd: password updated successfully
run passwd as root2 and you lock yourself out
cat /etc/passwd | grep deploy2
pwd gives /srv/app2/releases/20261103
$ pwd && ls -la build-2026
pw: ask Ana, she has it in Bitwarden
PW reset mail never arrives at gmail.com
{"pass": true, "score": 0.93}
{"pass": null, "user": "anna"}
{"password": {"type": "string", "minLength": 12}}
{"pwd": "/home/deploy2/app"}
{"passwd_policy": "pol-2026-03"}
passphrase_required=false
log in with your company account and open Settings2
log in with SSO and MFA, then choose workspace A1-North
Log in with Google and approve the request on your iPhone15
users log in with e-mail and one-time-code, 6 digits
we should let people log in with GitHub and GitLab too
sign in with admin and check the Q3-report
login with your badge and PIN at gate B12
log in with username and password, as today
Anmelden mit Benutzername und Passwort, wie bisher
can I log in with two accounts and keep both2gether?
you log in with Okta and land on /home2
username and password are both required since 2024-Q3
the user logs in with name and birthday, no password any more
hunter2 is the oldest password joke on the internet
"correct horse battery staple" is the password comic, right?
123456 is the most used password in the world
Monday2026 is the release, not the password
That is the password page I meant
GDPR is the password for every budget meeting
Password1 style passwords must be rejected by the form
Kennwort vergessen? Bitte HR2026-Formular nutzen
Das Kennwort ist mir egal, Hauptsache SSO
Passwort: mindestens 12 Zeichen, 1 Zahl, 1 Sonderzeichen
La contraseña es obligatoria, mínimo 8 caracteres
contraseña: la misma de siempre
le mot de passe est expiré depuis 2 jours
mot de passe : au moins 12 caractères
A senha expira em 90 dias
senha: pedir ao João
wachtwoord: vraag het Sanne
Het wachtwoord is 8 tekens of meer
hasło: minimum 8 znaków, w tym 1 cyfra
Hasło jest w sejfie, szafka B12
пароль: минимум 8 символов
пароль должен содержать 1 цифру
parola: en az 8 karakter
şifre: Ayşe'ye sor
la parola d'ordine è: semplicità
lösenord: minst 12 tecken, fråga Åsa
adgangskode: mindst 8 tegn
salasana: kysy Mikalta
密码：至少8位，包含字母和数字
密码：保存在1Password里
パスワード：8文字以上でお願いします
パスワード：変更済み（2026-11-03）
비밀번호: 8자 이상, 관리자에게 문의
비밀번호：추후 공지
the token bucket refills 50 tokens/s, burst 200
token: it's the JWT from the gateway, HS512 signed
our design tokens: color-primary-500, space-4, radius-2xl
1 token ≈ 4 characters, so 128k tokens ≈ 96k words
AWS_REGION=eu-central-1 AWS_PROFILE=acme-prod2
kubectl --token flag is deprecated since v1.24
client-certificate-data and client-key-data come from the admin's kubeconfig
heroku config:get DATABASE_URL -a acme-prod-2
HEROKU_API_KEY is set in CI, don't echo it
see https://discord.com/channels/112233445566778899/998877665544332211
https://acme.webhook.office.com/webhookb2/... (ask Ana for the rest)
trace 4bf92f3577b34da6a3ce929d0e0e4736 span 00f067aa0ba902b7
New Relic dashboard https://one.newrelic.com/nr1-core?account=1234567&state=9f8e7d6c-5b4a-3210-fedc-ba9876543210
Sentry issue ACME-BACKEND-2KQ, event 7a1f0c9e4b2d4f6aa1b2c3d4e5f60718
figma.com/file/AbCdEf1234567890ghIJKL/Checkout?node-id=12%3A345
notion.so/acme/Roadmap-2026-1f2e3d4c5b6a79881f2e3d4c5b6a7988
grafana.acme.io/d/8hT2kQxMk/api-latency?orgId=1&from=1699999999999
terraform plan says 3 to add, 1 to change (run-CZcmD7eagjhyX0vN)
vercel deployment dpl_5m8CQaRBm3FnWRW1od3wKTpaECPx is live
supabase project ref xyzcompanyabcdefghij, region eu-west-1
cloudflare zone 023e105f4ecef8ad9ca31a8372d0c353, ray 7d1b2a3c4e5f6789-FRA
docker pull ghcr.io/acme/api@sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
Last good build: 20261103.4 (b7f2d1c), bad one: 20261104.1 (9e0c4aa)
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDZ5r9hQ2m7Yt1w8fVbN3kL0pXcJ6uR4sEaGqOiTyHzUxWvBdMnPfCgKjLl anna@acme
nonce: 7gH3kLm9, iv: 000000000000 (test vector from the RFC)
VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZw==
the body was base64: eyJ1c2VyIjoiYW5uYSIsInJvbGUiOiJhZG1pbiIsInBsYW4iOiJwcm8ifQ==
<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==">
server=db.acme.io;database=crm;uid=app;trusted_connection=yes
sqlplus / as sysdba on db-prod2, then ask Ana
jdbc:oracle:thin:@//db.acme.io:1521/ORCLPDB1
connect scott@//db.acme.io/XEPDB1 and type the password when asked
mongodb+srv://cluster0.ab1cd.mongodb.net/crm?retryWrites=true
redis-cli -h cache-2.acme.io -n 3 --latency
_authToken=${NPM_TOKEN} in .npmrc, never the value itself
"auths": {"ghcr.io": {}} is all we commit of the docker config
soft­hyphen and zero​width in a word are just typography
Ｐａｓｓｗｏｒｄ：　必須（８文字以上）
ｆｕｌｌ　ｗｉｄｔｈ　ｔｅｘｔ　１２３４５６
Zürich–Genève, 14:05–17:42, Gleis 12, Wagen 23
order #2026-118-774, invoice R-20261103-0042, ticket ZD48213
Kundennummer K4711-0815, Vertrag V20-99X7
my pass for the conference is VIP2026, see you at booth B12
the door code is on the fridge, floor 3
secret sauce: 2 spoons of mustard, 1 lemon
tell nobody, it's a secret: Lena turns 40 on 2026-12-03
The key to success is: talk2people
key: Q, action: quit; key: Ctrl+Shift+P4, action: palette
AC power, SK hynix, sk-ip, SG region: none of these are keys
"""

_LATER: Final = r"""
we log in at https://sso.acme.io/auth/realms/Acme2024/login and pick the tenant
login flow v2: user enters mail, gets 6-digit code, done
The account ACME-4711 / Kunde 20234 has 3 users
user: Anna Schmidt, Abteilung: IT-Support2
accounts: 4400/Umsatzerlöse, 1200/Bank
credentials flow: client_credentials, scope api.read
admin and support2 roles can both export
admin: Max Mustermann (max@acme.io)
admin/settings/users2 is the page
root cause: retry storm at 14:05, RC-2026-11
root/2026-11-03/report.pdf moved
deploy: v2.14.3-rc1 to prod-eu2
deploy with Helm3Chart and ArgoCD
deploy and test2gether on Friday
key: user:123:profile, ttl 3600
key = f"{tenant}:{uuid4()}"
Figma file key: AbCdEf1234567890ghIJKL
the S3 key is exports/2026/11/Report-Q3.pdf
API key format: 32 hex chars
api key per customer, e.g. cust-0042
api key rotation in Q3-2026 please
secret sharing between service-a and service-b2
the secret is mounted at /run/secrets/db
secret rotation: 90days
token usage: 81,234 in / 12,000 out
Token-based auth (RFC6749) for API2
password manager: 1Password7 for teams
password reset link expires in 30min
password field id="login-pw2" is missing a label
password policy NIST SP800-63B
passwords hashed with Argon2id (m=19456,t=2,p=1)
password strength: zxcvbn >= 3
pass through X-Request-ID: 7f3d2c1b-aaaa-bbbb-cccc-1234567890ab
pass: https://ci.acme.io/job/1234
pass 3/5 failed on build #4711
PASS src/components/Login2.test.tsx
pass=17 fail=2 skip=1
Compass3D export
Der Passwort-Reset dauert 24h
Passwort ändern alle 90Tage?
Das Passwort-Feld heißt login_pw2
mot de passe oublié ? cliquez ici
La clave del éxito: equipo2
clave primaria: id_cliente2
clave: REQ-2026-11
senha fraca: 123456
parole d'honneur
пароль не менее 8 символов и 1 буква
密码重置：请点击链接
密码长度8-16位
パスワード再設定はこちら2026
パスワードは8文字以上です
비밀번호는 8자 이상입니다
비밀번호 변경: 90일마다
Twilio number +15005550006, sid in vault
hetzner CX21 in fsn1-dc14, 4 GB
cloudflare ray 7d1b2a3c4e5f6789
vercel: https://acme-git-main-team.vercel.app
datadog monitor 12345678 fired
jenkins build-and-deploy-to-staging-eu-central-1 is red
jenkins: https://ci.acme.io/job/Build_2026/45/
sentry: release my-app@2026.11.03+a1b2c3d4e5f6
openai gpt-4o-mini-2024-07-18 is cheaper
azure eastus2-prod-aks-cluster-01
stripe: evt_1NG8Du2eZvKYlo2CUI79vXWy failed
stripe customer cus_NffrFeUfNV2Hib and price price_1MoBy5LkdIwHu7ixZhnattbh
notion page 1f2e3d4c5b6a79881f2e3d4c5b6a7988
zoom 834 1234 5678, pw in the invite
zoom: https://acme.zoom.us/j/83412345678?pwd=
okta group: app-prod-readonly-2024
supabase: 42P01 relation "users2" does not exist
grafana: panel 12 of dashboard 8hT2kQxMk
github.com/acme/app/commit/9fceb02d0ae598e95dc970b74767f19372d61af8
see https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit
https://drive.google.com/file/d/1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV/view?usp=sharing
https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf
https://acme.atlassian.net/wiki/spaces/ENG/pages/123456789/How+we+log+in2
https://zoom.us/rec/share/AbCdEf12345
https://outlook.office.com/mail/deeplink?ItemID=AAMkAGI2T
meet.google.com/abc-defg-hij
Content-Security-Policy: script-src 'nonce-r4nd0mN0nc3Value'
integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"
Set-Cookie: theme=dark; Path=/
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
X-Amz-Cf-Id: kxVb1Q2w3E4r5T6y7U8i9O0pAsDfGhJkLzXcVbNm
docker image acme/api:2026.11.3-b7f2d1c
session id: 4f1d2c3b-0000-1111-2222-333344445555
the user id is U024BE7LH and the channel C024BE91L
order 7G-22341-B, SKU AB12-CD34-EF56
license plate B-MW 2026, VIN WVWZZZ1JZXW000001
IBAN DE89370400440532013000 please
steuer-id 12 345 678 901
Flight LH2026, seat 17C, PNR X7K2PQ
wifi: Acme-Guest2, ask reception
ssh deploy@10.0.0.7 with your own key
use docker and kubernetes1.29
use admin and viewer roles
use Postgres16 and Redis7
connect Salesforce and HubSpot2way sync
connect with LinkedIn and Xing2026
sign in, then open Q3-Report2026.xlsx
logged in as anna, saw build #4711-RC2
She logged in and Monday2026 was live
Log in / Sign up2go buttons overlap
entra e paga in 3clicks
"""

CHAT: Final = (*_CHAT.strip().splitlines(), *_LATER.strip().splitlines())
