"""`make facilitation`: untidy items played against the real bot, and what came of them, in figures.

docs/reference/facilitation.md is the format of an item and of the figures.
"""
