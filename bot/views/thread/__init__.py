"""Messages in a persona's thread."""
