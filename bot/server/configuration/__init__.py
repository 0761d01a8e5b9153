"""Settings of the bot: their forms and values, what must be together, and what is said of each."""
