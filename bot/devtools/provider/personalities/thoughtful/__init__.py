"""Answers from the request's data alone, with true quotes: simple signs, no model.

It knows nothing of the scripted brain's rules.
"""
