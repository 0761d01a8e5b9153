"""Rows 2 and 3: a durable step beside other engines, in an environment of its own."""
