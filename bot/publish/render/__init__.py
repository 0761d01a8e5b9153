"""From the last commit to messages: what each visible effect has to show, and who says it."""
