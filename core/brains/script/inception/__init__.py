"""How the scripted brain reads the inception flow: the same answers, sorted for other files."""
