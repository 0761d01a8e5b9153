"""Credentials of models, chats, mail, payments, monitoring and other services, by their form.

Stripe's test keys count: they open an account, if only its test data. Publishable keys (`pk_…`,
`sb_publishable_…`, `phc_…`) open nothing and do not.
"""

import base64
import binascii
from typing import Final

from core.secrets.makers import UUID
from core.secrets.patterns import (
    SEPARATOR,
    SecretPattern,
    exact,
    group,
    has_both,
    mixed,
    random,
    token,
)

LONG_CHARS_MIN: Final = 40  # of what no word or file name has


def _is_openai(value: str) -> bool:
    """Long, or with letters and digits: `sk-` begins words of Slovak and of libraries as well."""
    long = "T3BlbkFJ" in value or (len(value) >= LONG_CHARS_MIN and value.count("-") < 6)
    return random(value) if long else mixed(value)


def _is_bot(value: str) -> bool:
    """Whether a Discord token begins with the number of its bot."""
    head = value.partition(".")[0]
    try:
        return base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except binascii.Error:
        return False


_TWILIO_ID: Final = r"\bA[CS][0-9a-f]{32}\b"

CHATS: Final[tuple[SecretPattern, ...]] = (
    token("slack-bot-token", "a Slack bot token", r"(?:xoxe\.)?xoxb-[0-9]", r"[\w%-]{9,}", mixed),
    token(
        "slack-user-token",
        "a Slack user token",
        r"(?:(?:(?:xoxe\.)?xoxp|xox[acs])-[0-9]|xoxd-)",
        r"[\w%+/=-]{9,}",
        mixed,
    ),
    token("slack-refresh-token", "a Slack refresh token", r"xox[er]-[0-9]", r"[\w%-]{9,}", mixed),
    token("slack-app-token", "a Slack app token", r"xapp-[0-9]", r"[\w-]{9,}", mixed),
    token(
        "slack-webhook",
        "a Slack webhook address",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/",
        r"[\w/-]{16,}",
        mixed,
    ),
    token(
        "slack-response-url",
        "a Slack reply address",
        r"hooks\.slack(?:-gov)?\.com/(?:commands|actions|app)/",
        r"[\w/-]{16,}",
        mixed,
    ),
    token(
        "discord-webhook",
        "a Discord webhook address",
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/",
        r"[0-9]{15,22}/[\w-]{40,}",
    ),
    exact(
        "discord-token",
        "a Discord bot token",
        r"[MNO][\w-]{23,27}\.",
        r"[\w-]{6}\.[\w-]{27,40}",
        _is_bot,
    ),
    token("discord-token", "a Discord token", r"mfa\.[\w-]{8}", r"[\w-]{70,}"),
    token(
        "teams-webhook",
        "a Teams webhook address",
        r"(?:[\w-]+\.webhook|outlook)\.office(?:365)?\.com/webhook(?:b2)?/",
        rf"(?i){UUID}@{UUID}/IncomingWebhook/[\w/-]{{30,}}",
    ),
    exact("telegram-token", "a Telegram bot token", r"(?:bot)?[0-9]{8,10}:", r"[\w-]{35}", mixed),
    token(
        "zapier-webhook",
        "a Zapier webhook address",
        r"hooks\.zapier\.com/hooks/catch/",
        r"[0-9]{4,}/\w{5,}",
        mixed,
    ),
    group(
        "twilio-token",
        "a Twilio auth token",
        r"(?i)twilio",
        r"(?i)twilio[\w .-]{0,40}?"
        rf"(?:{SEPARATOR}|(?:token|secret)\s{{1,3}})([0-9a-f]{{32}})\b",
        random,
    ),
    group(
        "twilio-token",
        "a Twilio auth token",
        _TWILIO_ID,
        rf"{_TWILIO_ID}(?s:.{{1,100}}?)\b([0-9a-f]{{32}})\b",
        random,
    ),
    group(
        "twilio-token",
        "a Twilio auth token",
        _TWILIO_ID,
        rf"\b([0-9a-f]{{32}})\b(?s:.{{1,60}}?){_TWILIO_ID}",
        random,
    ),
    exact("twilio-key", "a Twilio key", r"SK[0-9a-f]{4}", r"[0-9a-f]{28}"),
    group(
        "twilio-key",
        "a Twilio key",
        r"\bSK[0-9a-f]{32}\b",
        r"\bSK[0-9a-f]{32}\b(?s:.{1,60}?)\b([A-Za-z0-9]{32})\b",
        mixed,
    ),
)

MODELS: Final[tuple[SecretPattern, ...]] = (
    token(
        "anthropic-key",
        "an Anthropic key",
        r"sk-ant-",
        r"(?:(?:api|admin|oat|ort|sid)[0-9]{2}-[\w-]{20,}|[\w-]{40,})",
    ),
    token("anthropic-key", "an Anthropic key", r"sk-ant-", r"[\w-]{20,}", mixed),
    token("openrouter-key", "an OpenRouter key", r"sk-or-v[0-9]-", r"[\w-]{20,}"),
    token("langfuse-key", "a Langfuse key", r"sk-lf-", UUID),
    token(
        "openai-key",
        "an OpenAI key",
        r"sk-",
        r"(?:(?:proj|svcacct|admin|None)-[\w-]{20,}|[A-Za-z0-9]{20,}|[\w-]+T3BlbkFJ[\w-]{16,})",
        _is_openai,
    ),
    token("hugging-face-token", "a Hugging Face token", r"hf_", r"[A-Za-z0-9]{30,}"),
    token("hugging-face-token", "a Hugging Face token", r"api_org_", r"[A-Za-z0-9]{30,}"),
    token("groq-key", "a Groq key", r"gsk_", r"[A-Za-z0-9]{40,}"),
    token("xai-key", "an xAI key", r"xai-", r"[A-Za-z0-9]{60,}"),
    token("perplexity-key", "a Perplexity key", r"pplx-", r"[A-Za-z0-9]{40,}"),
    token("replicate-token", "a Replicate token", r"r8_", r"[A-Za-z0-9]{35,}"),
    token("cerebras-key", "a Cerebras key", r"csk-", r"[a-z0-9]{40,}"),
    token("fireworks-key", "a Fireworks key", r"fw_", r"[A-Za-z0-9]{20,}\b", mixed),
    token("together-key", "a Together key", r"tgp_v1_", r"[\w-]{36,}"),
    token("nvidia-key", "an NVIDIA key", r"nvapi-", r"[\w-]{50,}"),
    token("pinecone-key", "a Pinecone key", r"pcsk_", r"\w{50,}"),
    token("langsmith-key", "a LangSmith key", r"lsv2_(?:pt|sk)_", r"\w{40,}"),
    token("tavily-key", "a Tavily key", r"tvly-", r"[\w-]{28,}", mixed),
    token("jina-key", "a Jina key", r"jina_", r"[\w-]{50,}"),
    token("elevenlabs-key", "an ElevenLabs key", r"sk_", r"[a-f0-9]{48}\b"),
    token("firecrawl-key", "a Firecrawl key", r"fc-", r"[a-f0-9]{32}\b"),
    token("voyage-key", "a Voyage key", r"pa-", r"[\w-]{43}\b", mixed),
)

MONEY_AND_MAIL: Final[tuple[SecretPattern, ...]] = (
    token("stripe-key", "a Stripe key", r"[sr]k_(?:live|test|prod)_", r"[A-Za-z0-9]{16,}"),
    token("stripe-webhook-secret", "a Stripe webhook secret", r"whsec_", r"[\w+/=]{24,}"),
    token("square-token", "a Square token", r"sq0(?:atp|csp)-", r"[\w-]{22,}"),
    group(
        "square-token",
        "a Square token",
        r"EAAA[\w-]{4}",
        r"(?:^|[^\w+/-])(EAAA[\w-]{60})(?:[^\w+/=-]|$)",  # pictures in Base64 are full of As
        mixed,
    ),
    token(
        "braintree-token",
        "a Braintree token",
        r"access_token\$(?:production|sandbox)\$",
        r"[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    token("plaid-token", "a Plaid token", r"access-(?:sandbox|development|production)-", UUID),
    token("flutterwave-key", "a Flutterwave key", r"FLWSECK(?:_TEST)?-", r"[a-z0-9]{30,}(?:-X)?"),
    token("razorpay-key", "a Razorpay key", r"rzp_(?:live|test)_", r"[A-Za-z0-9]{14,}"),
    token("shopify-token", "a Shopify token", r"shp(?:at|ca|pa|ss|ua|tka)_", r"[a-fA-F0-9]{32}\b"),
    token("shippo-token", "a Shippo token", r"shippo_(?:live|test)_", r"[a-f0-9]{40}"),
    token("easypost-key", "an EasyPost key", r"EZ[AT]K[0-9A-Za-z]", r"[A-Za-z0-9]{50,}"),
    token("sendgrid-key", "a SendGrid key", r"SG\.", r"[\w-]{16,32}\.[\w-]{32,64}"),
    token("mailgun-key", "a Mailgun key", r"key-[0-9a-f]{8}", r"[0-9a-f]{24}\b"),
    group(
        "mailgun-key",
        "a Mailgun key",
        r"[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}\b",
        r"\b([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?:[^\w-]|$)",
        random,
    ),
    group(
        "mailchimp-key",
        "a Mailchimp key",
        r"[0-9a-f]{8}-us[0-9]{1,2}\b",
        r"\b([0-9a-f]{32}-us[0-9]{1,2})\b",
        random,
    ),
    token("brevo-key", "a Brevo key", r"x(?:keysib|smtpsib)-", r"[a-f0-9]{60,}-[A-Za-z0-9]{12,}"),
    token("resend-key", "a Resend key", r"re_[A-Za-z0-9]{6,8}_", r"[A-Za-z0-9]{20,}", mixed),
)

OTHERS: Final[tuple[SecretPattern, ...]] = (
    token("newrelic-key", "a New Relic key", r"NR(?:AK|II|IQ|AA|RA|SP|JS|BR)-", r"[\w-]{19,}"),
    group("newrelic-key", "a New Relic key", r"NRAL\b", r"\b([a-fA-F0-9]{36}NRAL)\b", random),
    token("grafana-token", "a Grafana token", r"gl(?:sa|c)_", r"[\w+/=-]{30,}"),
    token("grafana-token", "a Grafana token", r"eyJrIjoi", r"[\w=+/]{60,}"),
    token("sentry-token", "a Sentry token", r"sntry[sui]_", r"[\w+/=.-]{40,}"),
    token(
        "dynatrace-token",
        "a Dynatrace token",
        r"dt0[a-z][0-9]{2}\.",
        r"[A-Z0-9]{24}\.[A-Z0-9]{60,}",
    ),
    token("posthog-key", "a PostHog key", r"ph[xs]_", r"\w{32,}", mixed),
    token("launchdarkly-key", "a LaunchDarkly key", r"(?:sdk|api)-", UUID),
    token("segment-token", "a Segment token", r"sgp_", r"[A-Za-z0-9]{60,}"),
    token("notion-token", "a Notion token", r"ntn_", r"[A-Za-z0-9]{40,}"),
    token("notion-token", "a Notion token", r"secret_", r"[A-Za-z0-9]{43}\b", mixed),
    token("figma-token", "a Figma token", r"fig(?:d|[ou]h?|dr|oh|or|ur|uh)_", r"[\w-]{36,}", mixed),
    token("postman-key", "a Postman key", r"PMAK-", r"[a-fA-F0-9]{20,}-[a-fA-F0-9]{30,}"),
    token("postman-key", "a Postman key", r"PMAT-", r"[A-Z0-9]{24,}"),
    token("linear-key", "a Linear key", r"lin_(?:api|oauth|wh)_", r"[A-Za-z0-9]{32,}"),
    token("airtable-token", "an Airtable token", r"pat[A-Za-z0-9]{14}\.", r"[a-f0-9]{60,}"),
    token("asana-token", "an Asana token", r"[0-9]/[0-9]{16}(?:/[0-9]{16})?:", r"[a-f0-9]{32}\b"),
    token("clickup-token", "a ClickUp token", r"pk_[0-9]{5,}_", r"[A-Z0-9]{30,}"),
    token("hubspot-token", "a HubSpot token", r"pat-(?:na|eu|ap)[0-9]-", UUID),
    token(
        "salesforce-token",
        "a Salesforce token",
        r"00D[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?!",
        r"[\w.]{60,}",
    ),
    token("typeform-token", "a Typeform token", r"tfp_", r"[\w-]{40,}", mixed),
    token("contentful-token", "a Contentful token", r"CFPAT-", r"[\w-]{40,}"),
    token("mapbox-token", "a Mapbox secret token", r"sk\.eyJ", r"[\w-]{40,}\.[\w-]{20,}"),
    token("readme-key", "a ReadMe key", r"rdme_", r"[a-z0-9]{60,}"),
    token("dropbox-token", "a Dropbox token", r"sl\.(?:u\.)?", r"[\w-]{100,}", mixed),
    token("adobe-secret", "an Adobe client secret", r"p8e-", r"[a-z0-9]{32}", mixed),
    token("dbt-token", "a dbt token", r"dbt[uc]_", r"[\w-]{36,}"),
    group(
        "okta-token",
        "an Okta token",
        r"(?i)okta|SSWS",
        r"(?i:okta[^\n]{0,80}?[\s:=\"'`|]|SSWS\s{1,3})(00[\w-]{38,42})(?:[^\w-]|$)",
        mixed,
    ),
    token("facebook-token", "a Facebook token", r"EAA[A-Za-z0-9]{6}", r"[A-Za-z0-9]{90,}", mixed),
    token(
        "twitter-token",
        "a Twitter bearer token",
        r"AAAAAAAAAAAAAAAAAAAAA",
        r"[A-Za-z0-9%]{70,}",
        has_both,
    ),
)
