"""What serves Slack: the composition root, settings, Socket Mode and HTTP."""
