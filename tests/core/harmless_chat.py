"""Untidy chat that halts nobody: people talk about passwords, paste ids, and mean no harm.

Written before the patterns of the same day, and never changed to please one. One text a line.
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

CHAT: Final = (*_CHAT.strip().splitlines(),)
