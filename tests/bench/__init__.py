"""`make bench`: how good Roundtable is, as ratios to anchors that run beside it."""
