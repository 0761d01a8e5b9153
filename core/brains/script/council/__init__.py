"""How the scripted personas of a council speak: they quote what people said, and ask."""
