"""The manifest says what the code does: no scope, event or command more, and none less."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.interactions.command_line import SUBCOMMANDS
from bot.interactions.commands import COMMAND
from bot.interactions.listeners import ON_EVENT
from bot.interactions.shortcuts import SHORTCUTS
from bot.server.bolt_app import SCOPES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def manifest() -> Any:
    return yaml.safe_load((ROOT / "manifest.yml").read_text())


def events(manifest: Any) -> list[str]:
    subscribed: list[str] = manifest["settings"]["event_subscriptions"]["bot_events"]
    return subscribed


def test_the_scopes_are_those_the_code_has_a_reason_for(manifest: Any) -> None:
    assert manifest["oauth_config"]["scopes"] == {"bot": sorted(SCOPES)}
    assert all(SCOPES.values())


def test_the_events_are_those_the_code_reads(manifest: Any) -> None:
    subscribed = events(manifest)
    assert subscribed == sorted(subscribed)
    assert {event.partition(".")[0] for event in subscribed} == set(ON_EVENT)


def test_the_one_command_is_ours_and_its_hint_names_every_subcommand(manifest: Any) -> None:
    (command,) = manifest["features"]["slash_commands"]
    assert command["command"] == COMMAND
    hinted = {part.split()[0] for part in command["usage_hint"].split(" | ")}
    assert hinted == SUBCOMMANDS


def test_the_shortcuts_are_those_the_code_answers(manifest: Any) -> None:
    assert manifest["features"]["shortcuts"] == [
        {
            "name": row.name,
            "type": row.type,
            "callback_id": callback_id,
            "description": row.description,
        }
        for callback_id, row in SHORTCUTS.items()
    ]


MANIFEST_LIMITS = {
    "display_information.name": 35,
    "display_information.description": 140,
    "features.bot_user.display_name": 80,
    "features.slash_commands": 50,
    "features.slash_commands.command": 32,
    "features.slash_commands.description": 2_000,
    "features.slash_commands.usage_hint": 1_000,
    "features.shortcuts": 10,
    "features.shortcuts.name": 24,
    "features.shortcuts.callback_id": 255,
    "features.shortcuts.description": 150,
    "oauth_config.scopes.bot": 255,
    "settings.event_subscriptions.bot_events": 100,
}
"""The most characters, or the most entries of a list.

docs: reference/app-manifest; the name of a shortcut: Slack's schema of the manifest, which the page
leaves out (github.com/slackapi/manifest-schema, schemas/manifest.schema.1.0.0.json).
"""


def at(manifest: Any, path: str) -> list[Any]:
    """What stands at a dotted path; each entry of a list on the way is followed."""
    found = [manifest]
    for name in path.split("."):
        flat = [one for each in found for one in (each if isinstance(each, list) else [each])]
        found = [one[name] for one in flat]
    return found


@pytest.mark.parametrize(("path", "most"), MANIFEST_LIMITS.items(), ids=MANIFEST_LIMITS.keys())
def test_slack_takes_every_text_and_list_of_the_manifest(
    manifest: Any, path: str, most: int
) -> None:
    found = at(manifest, path)
    assert found
    assert [each for each in found if not 1 <= len(each) <= most] == []


def test_the_home_tab_is_there_for_its_event(manifest: Any) -> None:
    assert manifest["features"]["app_home"]["home_tab_enabled"] is True
    assert "app_home_opened" in events(manifest)


def test_every_event_has_the_scope_it_needs(manifest: Any) -> None:
    needed = {
        "app_mention": "app_mentions:read",
        "message.channels": "channels:history",
        "message.groups": "groups:history",
        "reaction_added": "reactions:read",
        "reaction_removed": "reactions:read",
    }
    # docs: reference/events/app_home_opened, app_uninstalled, tokens_revoked
    free = {"app_home_opened", "app_uninstalled", "tokens_revoked"}
    assert {needed[event] for event in set(events(manifest)) - free} <= set(SCOPES)


def test_buttons_work_and_the_app_is_named(manifest: Any) -> None:
    assert manifest["display_information"]["name"] == "Roundtable"
    assert manifest["features"]["bot_user"]["display_name"] == "Roundtable"
    assert manifest["settings"]["interactivity"] == {"is_enabled": True}
    assert manifest["settings"]["socket_mode_enabled"] is True


def test_the_procfile_starts_our_own_command() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert lines == {
        "release": "roundtable db upgrade",
        "web": "roundtable serve --http --host 0.0.0.0",
        "worker": "roundtable worker",
    }
