"""Lines that choose or rank only because of what was said before them."""
