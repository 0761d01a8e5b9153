"""Runs brains, language models and code searches: a request, and the event that comes of it."""
