"""Skills: which one a sentence names, and whether the team has it or lacks it, in its own words."""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts.choices import gist
from core.brains.script.parts.phrases import Parts, is_short, on_one_line, trimmed
from core.brains.script.parts.things import named_in

_LACKS: Final = lexicon.pattern("lacks")
_OWNS: Final = lexicon.pattern("owns")
_NAME: Final = patterns.other_word(
    *("to", "not", "yet", "been", "it", "that", "this", "of", "from")
)
_SKILL: Final = patterns.compile(
    r"\b(?:ha(?:s|ve) (?:(?:ever|never|already) )?(?:used|run|written|built|done|learned|tried"
    r"|operated)|knows?|known|has|have|lacks?|learn|uses?|used|run|runs|ran|write|writes|wrote|built|done"
    r"|did|can|hire|new to|good at|fluent in|at home in|experience (?:with|in)|knowledge of"
    r"|skills? (?:for|in|with)|missing(?: is)?) "
    rf"(?:(?:the )?skills? (?:for|in) )?(?P<skill>(?:{_NAME}|[^\w,;.:])[^,;.:]*?)"
    r"(?=\s+(?:yet|well|already|every|daily|for years|because|since|but|here"
    r"|and (?:has|have|can|did|nobody))\b|[,;.:]|$)",
    patterns.IGNORECASE,
)
_IS_MISSING: Final = lexicon.pattern("is-missing")


def skill_in(text: str, status: str = "") -> Parts:
    """A skill, and whether the team has it, lacks it, or nobody said which."""
    line = on_one_line(text)
    if not is_short(line):
        return {"status": status or "said"}
    if _LACKS.search(line):
        status = "gap"
    elif not status:
        status = "has" if _OWNS.search(line) else "said"
    named = named_in(line)
    match = _IS_MISSING.match(line) or _SKILL.search(line)
    skill = named[0] if named else trimmed(match["skill"]) if match else gist(line)
    return {"status": status} | ({"skill": skill} if skill else {})
