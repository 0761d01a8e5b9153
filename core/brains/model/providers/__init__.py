"""Providers of language models: what is sent to one, how, and what its answer or refusal means."""
