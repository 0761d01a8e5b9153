"""Credentials of clouds, code hosts, package registries and builders, by their form.

A specific prefix is enough: what follows need not mix letters and digits. Bodies are a little
looser than the makers' present lengths, which grow. AWS's documented examples (what has EXAMPLE in
it) are none.
"""

from typing import Final

from core.secrets.patterns import (
    SEPARATOR,
    SecretPattern,
    compiled,
    exact,
    group,
    has_turns,
    mixed,
    random,
    token,
)

NAMED_MAKERS: Final = (
    r"heroku|cloudflare|vercel|datadog|mistral|cohere|algolia|pagerduty|deepgram|assemblyai|hetzner"
    r"|linode|vultr|circle(?:ci)?|jenkins|gitea|travis|fastly|twitch|zendesk|intercom|mixpanel"
    r"|amplitude|okta|auth0|twilio|netlify|openai|deepseek|azure|wandb|elastic|splunk|rollbar|bugsnag"
    r"|opsgenie|trello|dropbox|zoom|spotify|openweather(?:map)?|binance|coinbase|etherscan|infura"
    r"|alchemy|snyk|codecov|supabase|stripe|sendgrid|mailgun|postmark|sentry|grafana|notion|figma"
)
UUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


_ID: Final = r"[a-z]{2,10}_"  # evt_…, cus_…: what makers call their things


def is_made(value: str) -> bool:
    """Made by a machine, and no hash of Git's: small letters, capitals and digits."""
    classes = value.lower() != value != value.upper()
    return classes and mixed(value) and has_turns(value) and not compiled(_ID).match(value.encode())


CLOUDS: Final[tuple[SecretPattern, ...]] = (
    exact("aws-access-key", "an AWS access key", r"A(?:KIA|SIA|BIA|CCA)", r"[A-Z0-9]{16}"),
    group(
        "aws-secret-key",
        "an AWS secret key",
        r"(?i)secret[ _-]?(?:access[ _-]?)?key",
        rf"(?i)secret[ _-]?(?:access[ _-]?)?key{SEPARATOR}([A-Za-z0-9/+]{{40}})(?:[^\w/+=]|$)",
        mixed,
    ),
    token(
        "aws-session-token",
        "an AWS session token",
        r"(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)",
        r"[A-Za-z0-9+/=]{60,}",
    ),
    group(
        "aws-session-token",
        "an AWS session token",
        r"(?i)session[ _-]?token",
        r"(?i)(?:aws|amz)[\w -]{0,20}(?:session|security)[ _-]?token"
        rf"{SEPARATOR}([\w+/=-]{{60,}})",
        mixed,
    ),
    token("aws-bedrock-key", "an AWS Bedrock key", r"ABSK", r"[A-Za-z0-9+/]{100,}={0,2}"),
    token("aws-bedrock-key", "an AWS Bedrock key", r"bedrock-api-key-", r"[\w+/=-]{30,}"),
    token("aws-mws-key", "an Amazon MWS key", r"amzn\.mws\.", UUID),
    exact("google-api-key", "a Google API key", r"AIza", r"[\w-]{35}"),
    token("google-client-secret", "a Google client secret", r"GOCSPX-", r"[\w-]{20,}"),
    token("google-access-token", "a Google access token", r"ya29\.", r"[\w.-]{20,}"),
    token("google-refresh-token", "a Google refresh token", r"1//0", r"[\w-]{30,}"),
    token("google-auth-code", "a Google authorization code", r"4/0A", r"[\w-]{40,}"),
    token("firebase-key", "a Firebase server key", r"AAAA[\w-]{7}:", r"[\w-]{120,}"),
    group(
        "azure-client-secret",
        "an Azure client secret",
        r"[\w~.-]{3}[0-9]Q~",
        r"(?:^|[^\w~.-])([\w~.-]{3}[0-9]Q~[\w~.-]{31,34})(?:[^\w~-]|$)",
        random,
    ),
    group(
        "azure-storage-key",
        "an Azure storage key",
        r"(?:Account|SharedAccess)Key=",
        r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,}={0,2})",
        mixed,
    ),
    group(
        "azure-sas",
        "a signature of an Azure link",
        r"(?:[?&;]|%26)sig=",
        r"(?:[?&;]|%26)sig=([\w%+/-]{30,}=?)",
        mixed,
    ),
    group(
        "azure-devops-token",
        "an Azure DevOps token",
        r"AZDO",
        r"\b([A-Za-z0-9]{74,78}AZDO[A-Za-z0-9]{4})\b",
        random,
    ),
    group(
        "azure-key",
        "an Azure key",
        r"JQQJ99",
        r"\b([A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{20,}(?:={0,2}))",
        random,
    ),
    token("digitalocean-token", "a DigitalOcean token", r"do[oprt]_v1_", r"[a-f0-9]{60,}"),
    token("heroku-key", "a Heroku key", r"HRKU-", r"[\w-]{30,}"),
    group(
        "heroku-key",
        "a Heroku key",
        r"(?i)heroku",
        rf"(?i)heroku[\w .-]{{0,40}}(?:key|token|secret|auth)\w{{0,10}}{SEPARATOR}({UUID})\b",
        random,
    ),
    token("cloudflare-token", "a Cloudflare token", r"cf(?:k|ut|at)_", r"[\w-]{40,}"),
    token(
        "cloudflare-ca-key",
        "a Cloudflare origin CA key",
        r"v1\.0-[0-9a-f]{8}",
        r"[0-9a-f]{16}-[0-9a-f]{100,}",
    ),
    token("vercel-token", "a Vercel token", r"vc[picark]_", r"[\w-]{24,}", mixed),
    token("vercel-blob-token", "a Vercel Blob token", r"vercel_blob_rw_", r"\w{20,}"),
    token("netlify-token", "a Netlify token", r"nf[pcoub]_", r"[A-Za-z0-9]{36,}"),
    token("supabase-token", "a Supabase token", r"sb[pv]_(?:v[0-9]_)?", r"[a-f0-9]{40,}"),
    token("supabase-key", "a Supabase secret key", r"sb_secret_", r"[\w-]{20,}"),
    token("planetscale-token", "a PlanetScale token", r"pscale_(?:tkn|pw|oauth)_", r"[\w=.-]{32,}"),
    token("neon-key", "a Neon key", r"napi_", r"[a-z0-9]{60,}"),
    token("mongodb-atlas-secret", "a MongoDB Atlas secret", r"mdb_sa_sk_", r"[\w-]{30,}"),
    token("fly-token", "a Fly.io token", r"fm[12][ar]?_", r"[\w+/=,-]{60,}"),
    token("fly-token", "a Fly.io token", r"fo1_", r"[\w-]{40,}"),
    token("render-key", "a Render key", r"rnd_", r"[A-Za-z0-9]{28,}", mixed),
    token("scaleway-key", "a Scaleway key", r"SCW[A-Z0-9]{4}", r"[A-Z0-9]{13}\b", mixed),
    token("alibaba-key", "an Alibaba Cloud key", r"LTAI", r"[A-Za-z0-9]{17,22}\b", mixed),
    token("tencent-key", "a Tencent Cloud key", r"AKID", r"[A-Za-z0-9]{30,34}\b", mixed),
    token("yandex-key", "a Yandex Cloud key", r"AQVN", r"[\w-]{33,40}\b", mixed),
    token(
        "tailscale-key",
        "a Tailscale key",
        r"tskey-(?:api|auth|client|scim|webhook)-",
        r"[\w-]{20,}",
    ),
    token("databricks-token", "a Databricks token", r"dapi[a-f0-9]{4}", r"[a-f0-9]{28}(?:-\d)?\b"),
    token("databricks-token", "a Databricks token", r"dose[a-f0-9]{4}", r"[a-f0-9]{28}\b"),
    token("vault-token", "a Vault token", r"hv[bsr]\.", r"[\w-]{24,}"),
    group(
        "vault-token",
        "a Vault token",
        r"(?i)vault",
        r"""(?i)vault[\w .-]{0,20}token[\s:=|"'`*]{1,6}(s\.[A-Za-z0-9]{24})\b""",
        random,
    ),
    group(
        "terraform-token",
        "a Terraform token",
        r"\.atlasv1\.",
        r"\b([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,})",
        random,
    ),
    token("pulumi-token", "a Pulumi token", r"pul-", r"[a-f0-9]{40}"),
    token("doppler-token", "a Doppler token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"[\w.-]{36,}"),
    token("openshift-token", "an OpenShift token", r"sha256~", r"[\w-]{43}"),
    token("rancher-token", "a Rancher token", r"token-[a-z0-9]{5}:", r"[a-z0-9]{50,}"),
    token("onepassword-token", "a 1Password token", r"ops_eyJ", r"[\w+/=-]{100,}"),
    token(
        "onepassword-key",
        "a 1Password secret key",
        r"A3-[A-Z0-9]{6}-",
        r"(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}\b",
    ),
)

CODE: Final[tuple[SecretPattern, ...]] = (
    token("github-token", "a GitHub token", r"gh[pousr]_", r"(?:[0-9]+_eyJ[\w.-]{30,}|\w{30,})"),
    token("github-token", "a GitHub token", r"github_pat_", r"\w{40,}"),
    token(
        "gitlab-token",
        "a GitLab token",
        r"gl(?:pat|rt|rtr|dt|ptt|cbt|ft|imt|agent|soat|ffct|wt|oas)-",
        r"[\w-]{20,}(?:\.[\w-]+)*",
    ),
    token("gitlab-token", "a GitLab token", r"GR1348941", r"[\w-]{20,}"),
    token("bitbucket-password", "a Bitbucket app password", r"ATBB", r"[A-Za-z0-9]{28,}", mixed),
    token("atlassian-token", "an Atlassian token", r"AT[AC]TT3", r"[\w=-]{60,}"),
    token("trello-token", "a Trello token", r"ATTA", r"[a-f0-9]{60,}"),
    token("npm-token", "an npm token", r"npm_", r"[A-Za-z0-9]{36,}\b"),
    group(
        "npmrc-token",
        "a token of an .npmrc",
        r"[:\s]_(?:authToken|auth|password)",
        r"""(?:^|[:\s])_(?:authToken|auth|password)\s{0,2}=\s{0,2}["']?([\w+/=.-]{16,})""",
        random,
    ),
    token("pypi-token", "a PyPI token", r"pypi-AgE", r"[\w-]{50,}"),
    token("rubygems-key", "a RubyGems key", r"rubygems_", r"[a-f0-9]{40,}"),
    token("crates-token", "a crates.io token", r"cio", r"[A-Za-z0-9]{32}\b", mixed),
    token("nuget-key", "a NuGet key", r"oy2", r"[a-z0-9]{43}\b", mixed),
    token("packagist-token", "a Packagist token", r"packagist_[a-z]{3}_", r"[a-f0-9]{60,}"),
    token("clojars-token", "a Clojars token", r"CLOJARS_", r"[a-z0-9]{50,}"),
    token("jfrog-token", "an Artifactory token", r"AKCp[0-9A-Za-z]", r"[A-Za-z0-9]{60,}"),
    token("jfrog-token", "an Artifactory token", r"cmVmdGtuO", r"[\w+/=-]{40,}"),
    token("docker-token", "a Docker Hub token", r"dckr_[op]at_", r"[\w-]{20,}"),
    token("circleci-token", "a CircleCI token", r"CCIP(?:AT|RJ)_", r"\w{40,}"),
    token("buildkite-token", "a Buildkite token", r"bk(?:ua|ar|ct|as)_", r"[a-f0-9A-Z]{36,}"),
    token("sonar-token", "a Sonar token", r"sq[pua]_", r"[a-f0-9]{40}"),
    token(
        "sourcegraph-token",
        "a Sourcegraph token",
        r"sg[pd]_",
        r"(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40,}",
    ),
    token(
        "harness-token", "a Harness token", r"[ps]at\.", r"[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"
    ),
    token("octopus-key", "an Octopus Deploy key", r"API-", r"[A-Z0-9]{25,}", mixed),
    token("prefect-key", "a Prefect key", r"pnu_", r"[A-Za-z0-9]{36}", mixed),
    token("infracost-key", "an Infracost key", r"ico-", r"[A-Za-z0-9]{32}", mixed),
    token("age-key", "an age secret key", r"AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}"),
    group(
        "heroku-key",
        "a Heroku key",
        r"(?i)heroku[:= ]",
        rf"(?i)\bheroku\s{{0,2}}[:=]?\s{{0,2}}({UUID})\b",
        random,
    ),
)

# No form of their own: their maker's name beside them says what they are.
BESIDE_A_NAME: Final[tuple[SecretPattern, ...]] = (
    group(
        "named-key",
        "a key or token",
        rf"(?i)\b(?:{NAMED_MAKERS})\b",
        rf"(?i)\b(?:{NAMED_MAKERS})(?:[ _.-](?:api|admin|access|auth|personal|private|license|key"
        r"""|token|secret|pat|is|now)){0,5}["'`]?\s{0,3}[:=|]?\s{0,3}["'`*]{0,3}"""
        r"([\w~+.-]{20,100})(?:[^\w/~+.-]|$)",
        is_made,
    ),
    group(
        "named-key",
        "a key or token",
        r"(?i)(?:railway|snyk|codecov|postmark|scaleway|splunk|opsgenie|sonatype|linode)",
        r"(?i)\b(?:railway|snyk|codecov|postmark|scaleway|splunk|opsgenie|sonatype|linode)"
        rf"[\w .-]{{0,40}}(?:token|key|secret)\w{{0,10}}(?:{SEPARATOR}|\s{{1,3}})({UUID})\b",
        random,
    ),
)
