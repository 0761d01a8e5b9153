"""Menus: which click counts, and what each choice does."""
