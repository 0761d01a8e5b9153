"""Slack's Web API: the client behind the core's port, its errors, and what is looked up there."""
