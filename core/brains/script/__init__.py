"""The scripted brain: rules and word lists, deterministic and offline."""
