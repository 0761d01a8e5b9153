"""Brains that ask a language model: what is asked, how it is sent, and what of the reply counts."""
