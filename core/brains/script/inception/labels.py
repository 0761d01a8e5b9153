"""Labels with which people sort their own lines, by the topic of the step: "Database: …" is none.

A label names a reader of `kinds.py`, or what belongs to the line before it.
"""

from collections.abc import Mapping
from typing import Final, get_args

from core.brains.script.inception.topics import BRIEF, Topic
from core.brains.text.labels import WORDS_OF_LABEL as KNOWN
from core.brains.text.labels import Labels

BELONGS: Final = frozenset({"reason", "fields"})  # to the line before it

_EVERYWHERE: Final = frozenset(get_args(Topic)) - {"own"}
_STACK: Final = frozenset({"stack"})
_DRAWN: Final = frozenset({"architecture"})
_DATA: Final = frozenset({"data-model"})
_TESTS: Final = frozenset({"testing", "plan"})
_SKILLS: Final = frozenset({"skills"})
_WALK: Final = frozenset({"review", "plan"})

_ROWS: Final[tuple[tuple[str, str, frozenset[str]], ...]] = (
    ("out-of-scope", KNOWN["out-of-scope"], BRIEF),
    ("constraint", KNOWN["constraint"] + r"|dates?|deadlines?|budgets?", BRIEF),
    ("constraint", KNOWN["constraint"], _EVERYWHERE - BRIEF),
    ("open-question", KNOWN["open-question"], _EVERYWHERE),
    ("assumption", KNOWN["assumption"], _EVERYWHERE),
    ("risk", KNOWN["risk"], _EVERYWHERE),
    ("purpose", r"(?:the |our )?(?:purpose|why|goals?|mission|vision|reasons?|problems?)", BRIEF),
    ("user", KNOWN["user"] + r"|for whom", BRIEF),
    ("success", r"success(?: criteri(?:a|on)| measures?)?|measures? of success", BRIEF),
    ("scope", r"(?:in )?scope|(?:in )?(?:the )?first version|version (?:1|one)|mvp", BRIEF),
    (
        "law",
        r"laws?|legal|regulations?|compliance|contracts?|(?:house )?rules?|polic(?:y|ies)",
        BRIEF,
    ),
    ("domain", r"(?:the )?(?:domain|terms?|glossary|words?(?: of the trade)?)", BRIEF),
    ("stack", r"(?:our |the )?(?:decisions?|chosen|choices?)", _STACK),
    ("rejected", KNOWN["rejected"], _STACK),
    ("weighed", r"alternatives?|options?|weighed(?: against)?|considered|rivals?", _STACK),
    ("trade-off", r"trade-?offs?|(?:the )?(?:price|costs?|downsides?|drawbacks?)", _STACK),
    ("reason", KNOWN["reason"], _STACK | _DRAWN | {"constitution"}),
    ("module", r"components?|parts?|modules?|building blocks?", _DRAWN),
    ("interface", r"connections?|interfaces?|exchanges?", _DRAWN),
    ("option", KNOWN["option"], _DRAWN),
    ("decision", KNOWN["chosen"], _DRAWN),
    ("entity", r"entit(?:y|ies)|things?", _DATA),
    ("fields", r"fields?|attributes?|columns?", _DATA),
    ("relation", r"relations?(?:hips?)?|links?", _DATA),
    ("retention", r"retention|deletion|how long", _DATA),
    ("test-gap", r"(?:test |known )?gaps?|untested|not tested|missing tests?", _TESTS),
    ("article", r"(?:articles?|rules?|principles?)(?: ?[0-9]{1,3})?", frozenset({"constitution"})),
    ("has", r"(?:skills )?(?:we|the team) (?:have|has)|there|at hand", _SKILLS),
    ("missing", r"missing|gaps?|lacking|to (?:be )?learn(?:ed|t)?|we (?:lack|miss|need)", _SKILLS),
    ("constitution", r"(?:the )?constitution", _WALK),
    ("architecture", r"(?:the )?architecture", _WALK),
    ("permission", r"permissions?|access|rights", _WALK),
    ("iteration", r"iterations?(?: settings| length)?|sprints?|rhythm|cadence", _WALK),
    ("next-step", r"next(?: steps?)?|to-?dos?|first steps?", _WALK),
)

LABELS: Final[Mapping[str, Labels]] = {
    topic: Labels([(name, words) for name, words, where in _ROWS if topic in where])
    for topic in get_args(Topic)
}
