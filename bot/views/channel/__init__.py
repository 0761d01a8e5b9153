"""Messages in the channel itself."""
