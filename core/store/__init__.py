"""Where sessions are kept: SQLite behind values."""
