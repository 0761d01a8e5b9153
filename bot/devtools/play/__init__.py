"""Plays: people from a script act through the real bot on the local workspace.

`script` reads the file, `player` performs it, `summary` says what came of it. docs/how-to/plays.md
is the format.
"""
