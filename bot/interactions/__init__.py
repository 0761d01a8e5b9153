"""What people do in Slack, turned into events of the core, and the answers to it."""
