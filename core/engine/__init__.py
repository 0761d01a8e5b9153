"""The engine: a pure function from a situation and an event to a transition."""
