"""Effects of the core, published in Slack: rendered, addressed, paced and sent."""
