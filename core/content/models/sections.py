"""A step file's body, cut at its headings."""


def sections_of(body: str) -> dict[str, str]:
    """The text under each `## Heading` that stands outside of code. A repeated one goes on."""
    opening, *chunks = f"\n{body}".split("\n## ")
    fences = "```" in body or "~~~" in body
    fence = _fence_after("", opening) if fences else ""
    heading: str | None = None
    sections: dict[str, str] = {}
    for chunk in chunks:
        if fence:  # what looked like a heading is a line of code
            text = f"\n## {chunk}"
        else:
            title, _, text = chunk.partition("\n")
            heading = _heading_of(title)
            text = f"\n\n{text.strip()}" if heading in sections else text
        fence = _fence_after(fence, chunk) if fences else ""
        if heading is not None:
            sections[heading] = sections.get(heading, "") + text
    return {heading: text.strip() for heading, text in sections.items()}


def _heading_of(line: str) -> str:
    """The words of a heading. Markdown allows it to end in ##, which is no part of them."""
    text = line.rstrip(" \t")
    words = text.rstrip("#")
    return (words if words.endswith((" ", "\t")) else text).strip()


def _fence_after(fence: str, text: str) -> str:
    """The code fence that is open after `text`, where `fence` was open before it; or nothing."""
    for line in text.split("\n"):
        mark = line.strip()
        if not mark.startswith(("```", "~~~")):
            continue
        run = mark[: len(mark) - len(mark.lstrip(mark[0]))]
        if not fence:
            fence = run
        elif run == mark and run.startswith(fence):
            fence = ""
    return fence
