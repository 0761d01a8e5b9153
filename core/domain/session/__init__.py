"""A session and its parts, as frozen values."""
