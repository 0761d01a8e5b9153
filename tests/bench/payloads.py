"""An event's body, and a click as Socket Mode hands it to Bolt, in the shape of Slack's own."""

from typing import Any

from slack_bolt import BoltRequest

Body = dict[str, Any]


def message_event(team: str, channel: str, user: str, ts: str, thread_ts: str, text: str) -> Body:
    said = [{"type": "text", "text": text}]
    event: Body = {
        "type": "message",
        "user": user,
        "ts": ts,
        "client_msg_id": f"6e3bb4d5-3b6f-4c2b-9f5a-{ts.replace('.', '')[-12:]}",
        "text": text,
        "team": team,
        "thread_ts": thread_ts,
        "parent_user_id": "U0BOT",
        "blocks": [
            {
                "type": "rich_text",
                "block_id": "b1",
                "elements": [{"type": "rich_text_section", "elements": said}],
            }
        ],
        "channel": channel,
        "event_ts": ts,
        "channel_type": "channel",
    }
    return {
        "token": "verification",
        "team_id": team,
        "context_team_id": team,
        "context_enterprise_id": None,
        "api_app_id": "A1",
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{ts.replace('.', '')}",
        "event_time": int(float(ts)),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team,
                "user_id": "U0BOT",
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": f"4-{ts}",
    }


def button_click(team: str, channel: str, user: str, ts: str, menu: str) -> BoltRequest:
    action = {
        "type": "button",
        "action_id": "menu:continue",
        "block_id": menu,
        "text": {"type": "plain_text", "text": "Continue", "emoji": True},
        "value": menu,
        "style": "primary",
        "action_ts": ts,
    }
    message = {
        "type": "message",
        "user": "U0BOT",
        "ts": ts,
        "bot_id": "B1",
        "app_id": "A1",
        "text": "What was recorded",
        "team": team,
        "thread_ts": ts,
        "blocks": [{"type": "actions", "block_id": menu, "elements": [action]}],
    }
    body: Body = {
        "type": "block_actions",
        "user": {"id": user, "username": "pm", "name": "pm", "team_id": team},
        "api_app_id": "A1",
        "token": "verification",
        "container": {
            "type": "message",
            "message_ts": ts,
            "channel_id": channel,
            "is_ephemeral": False,
            "thread_ts": ts,
        },
        "trigger_id": f"trigger.{ts}",
        "team": {"id": team, "domain": "bench"},
        "enterprise": None,
        "is_enterprise_install": False,
        "channel": {"id": channel, "name": "general"},
        "message": message,
        "state": {"values": {}},
        "response_url": "https://hooks.slack.com/actions/T1/1/x",
        "actions": [action],
    }
    return BoltRequest(mode="socket_mode", body=body)
