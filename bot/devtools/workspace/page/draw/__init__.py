"""Blocks and text drawn as HTML."""
