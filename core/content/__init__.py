"""Reads the step tree: `library` for a session, `check` for whoever writes the files."""
