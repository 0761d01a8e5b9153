"""The workspaces that installed the app: whether each token opens with the keys that are set."""

from collections.abc import Iterator
from contextlib import closing

from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.settings import Setup
from bot.views.kit.names import counted
from core.secrets.token_keys import TokenKeys, UnreadableTokenError
from core.store.connection.database import StoreError
from core.store.connection.opening import open_database
from core.store.maintenance.upgrade import standing
from core.store.repository.installations import Installation, Installations

TOKENS: DoctorCheck = DoctorCheck("tokens", "tokens", "opening each token with the keys")


def checks(setup: Setup) -> Iterator[Check]:
    """Nothing where the bot is of one workspace."""
    if setup.settings.serves_installations:
        yield _tokens(setup)


def _tokens(setup: Setup) -> Check:
    settings = setup.settings
    if unusable := setup.unusable("ROUNDTABLE_TOKEN_KEYS"):
        return TOKENS.unasked(unusable)
    try:
        if not standing(settings.database_url).is_usable:
            return TOKENS.unasked("the database is not there, or not at the newest schema")
        with closing(open_database(settings.database_url)) as database:
            rows = [row for row in Installations(database).all() if row.sealed is not None]
    except StoreError as error:
        return TOKENS.unasked(str(error))
    keys = TokenKeys(settings.token_keys)
    lost = [row.team for row in rows if not _opens(keys, row)]
    if lost:
        return TOKENS.fail(f"no key opens those of {', '.join(lost)}", REMEDIES["lost-key"])
    keys_set = counted(len(settings.token_keys), "key")
    return TOKENS.ok(f"{counted(len(rows), 'workspace')} installed; {keys_set}")


def _opens(keys: TokenKeys, row: Installation) -> bool:
    assert row.sealed is not None
    try:
        keys.open(row.team, row.sealed)
    except UnreadableTokenError:
        return False
    return True
