"""What a line of an artifact is and shows: its words, its source, and what belongs to it."""
