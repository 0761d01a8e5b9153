"""The way through a flow: the next step, pauses, reminders, the team and its seats."""
