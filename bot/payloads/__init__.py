"""Slack's payloads, validated and turned into values of the core."""
