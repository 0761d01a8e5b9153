"""Block Kit by surface: pure functions from values to blocks."""
