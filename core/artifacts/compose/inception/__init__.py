"""The artifacts of the inception flow, in both of its modes: pages, and the context as JSON."""
