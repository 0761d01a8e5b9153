"""Repositories that an operator linked: how they are declared, mirrored and searched."""
