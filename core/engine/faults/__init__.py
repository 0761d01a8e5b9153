"""Failures: how a brain fails, where a failure leads, and what halts a session."""
