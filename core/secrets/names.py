"""What people call a credential before its value, in the languages that people write in."""

from typing import Final


def any_case(names: str) -> str:
    """Alternatives for RE2 in bytes, where `(?i)` knows ASCII only: ö stands for Ö as well."""
    return "".join(
        f"(?:{sign}|{sign.upper()})" if not sign.isascii() and sign.upper() != sign else sign
        for sign in names
    )


# Latin letters stand for either case by `(?i)`, all others by `any_case`.
_EVERYWHERE: Final = (
    r"passw(?:or)?ds?|pass[ _-]?phrase|passcode|(?:\b|_)pwd|\bpw|[_-]pass|(?-i:[a-z0-9]P)ass\b"
    r"|\bidentified by"
)
_EUROPE: Final = (
    r"passw(?:ort|örter)|kennw(?:ort|örter)|contrase(?:ñ|ny|n)as?|contrasinal|\bclave"
    r"|mots? de passe|\bmdp|\bsenha|palavra[- ]passe|\bparol(?:a(?: d\W{1,3}ordine)?\b|e\b|ă)"
    r"|wachtwoord|l(?:ö|o)senord(?:et)?"
    r"|\bpassord(?:et)?|adgangskoden?|kodeord(?:et)?|salasana|lykilorð|hasł(?:o|a)|\bhaslo\b|\bheslo"
    r"|zaporka|lozinka"
    r"|\bgeslo|jelsz(?:ó|o)|\bparool|slaptažodis|ş(?:i|İ)fre|\bsifre\b"
    r"|парол(?:ь|я|ю|и|е)|парола|лозинка|κωδικός|συνθηματικό"
)
_ASIA: Final = (
    r"密码|密碼|口令|暗証番号|パスワード|パスフレーズ|비밀번호|패스워드|암호"
    r"|كلمة (?:المرور|السر)|رمز عبور|گذرواژه"
    r"|סיסמ(?:ה|א)|पासवर्ड|รหัสผ่าน|mật khẩu|kata sandi|kata laluan"
)
CHOSEN: Final = any_case(f"{_EVERYWHERE}|{_EUROPE}|{_ASIA}")
"""What people choose: passwords."""

ISSUED: Final = any_case(
    r"(?:access|account|secret|auth|signing|encryption|private|master|shared|service|app|deploy)"
    r"[ _-]?key|api[ _.-]?key|secret|token|credentials?|api[- ]?schlüssel|clé (?:d')?api"
    r"|chave (?:de )?api|токен|密钥|密鑰|令牌|トークン|apiキー|토큰"
)
"""What machines issue: keys and tokens."""
