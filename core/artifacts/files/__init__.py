"""A session's folder on disk: atomic files, `meta.json`, `state.json`, archives."""
