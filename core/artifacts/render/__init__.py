"""Document trees as text: Markdown, HTML, and files of data."""
