"""The shell around the engine: commits events, performs effects, reads what lies outside."""
