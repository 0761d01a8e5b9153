"""What tries Roundtable without Slack: the local workspace, plays and the demo."""
