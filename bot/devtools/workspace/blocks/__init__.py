"""Block Kit as the local workspace knows it: one row for each block and each element.

`rules` checks single fields, `elements` and `table` are the rows, `limits` walks messages and
views. Forms, payloads, readers and the page take what they need from the rows.
"""
