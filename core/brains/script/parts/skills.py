"""Skills: which one a sentence names, and whether the team has it or lacks it, in its own words."""

from core.brains import lexicon
from core.brains.script.parts.choices import gist
from core.brains.script.parts.phrases import Parts, is_short, on_one_line, trimmed
from core.brains.script.parts.things import named_in


def skill_in(text: str, status: str = "") -> Parts:
    """A skill, and whether the team has it, lacks it, or nobody said which."""
    line = on_one_line(text)
    if not is_short(line):
        return {"status": status or "said"}
    if lexicon.pattern("lacks").search(line):
        status = "gap"
    elif not status:
        status = "has" if lexicon.pattern("owns").search(line) else "said"
    name_and_text = named_in(line)
    match = lexicon.pattern("is-missing").match(line) or lexicon.pattern("skill").search(line)
    skill = name_and_text[0] if name_and_text else trimmed(match["skill"]) if match else gist(line)
    return {"status": status} | ({"skill": skill} if skill else {})
