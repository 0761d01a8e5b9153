"""What a play file says: its acts and mishaps as values, and how it is read."""
