"""What a step tree says: flows, steps and words; and what a linked repository shows of a step."""
