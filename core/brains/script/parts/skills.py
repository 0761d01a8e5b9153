"""Skills: which one a sentence names, and whether the team has it or lacks it, in its own words."""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts.choices import gist
from core.brains.script.parts.phrases import Parts, is_short, on_one_line, trimmed
from core.brains.script.parts.things import named_in

_BETWEEN: Final = patterns.compile(r"\s*[,&+]\s*|\s+and\s+")
_CLAUSE_END: Final = patterns.compile(r"\s*[,;]\s+(?:and |but )?|\s+(?:but|while)\s+")
_OWNS, _LACKS = lexicon.pattern("owns"), lexicon.pattern("lacks")


def skills_in(text: str, status: str = "") -> list[Parts]:
    """The skills of a line: each of "me: Go, Postgres", which their author has; one for each clause
    of "we use Go, nobody knows Rust"; else the one that `skill_in` gives."""
    line = on_one_line(text)
    own = lexicon.pattern("own-skills").fullmatch(line)
    if own and not status:
        return [{"status": "has", "skill": name} for name in _BETWEEN.split(own["skills"]) if name]
    is_whole = status or named_in(line) or not is_short(line)
    clauses = [] if is_whole else _CLAUSE_END.split(line)
    if len(clauses) > 1 and all(
        _OWNS.search(clause) or _LACKS.search(clause) for clause in clauses
    ):
        return [skill_in(clause) for clause in clauses]
    return [skill_in(text, status)]


def skill_in(text: str, status: str = "") -> Parts:
    """A skill, and whether the team has it, lacks it, or nobody said which."""
    line = on_one_line(text)
    if not is_short(line):
        return {"status": status or "said"}
    if _LACKS.search(line):
        status = "gap"
    elif not status:
        status = "has" if _OWNS.search(line) else "said"
    name_and_text = named_in(line)
    match = lexicon.pattern("is-missing").match(line) or lexicon.pattern("skill").search(line)
    skill = name_and_text[0] if name_and_text else trimmed(match["skill"]) if match else gist(line)
    return {"status": status} | ({"skill": skill} if skill else {})
