"""`roundtable demo`: the local workspace, the real bot and the page, until Ctrl-C.

`lobby` runs it, `place` keeps it between runs, `seeding` plays in what there is to look at.
"""
