"""How sessions, phases and parties begin."""
