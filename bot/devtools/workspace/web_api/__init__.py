"""Slack's Web API as the local workspace answers it, method by method."""
