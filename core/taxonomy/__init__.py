"""Errors: codes, what is observed of a failure, its class, and what is done about it."""
