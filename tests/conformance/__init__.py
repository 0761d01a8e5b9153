"""What Slack's documentation says, as cases that run against the local workspace and a real one."""
