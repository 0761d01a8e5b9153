"""A session as one report to read: gathered once, then written as Markdown or as a page of HTML."""
