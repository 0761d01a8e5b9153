"""Which lines are meant: by refs, labels, names and nicknames; and which belong together."""
