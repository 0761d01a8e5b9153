"""Councils: members asked side by side, their debate, and who is missing."""
