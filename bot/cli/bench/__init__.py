"""`roundtable bench`: how good it is, as ratios to anchors that run beside it."""
