"""From claims to document trees: a step's sections, and files made of sections. Pure."""
