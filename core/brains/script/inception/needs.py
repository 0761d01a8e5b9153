"""What each step of the inception flow should learn, and how to ask for it when nobody said it."""

from collections.abc import Mapping
from typing import Final

from core.brains.script.inception.topics import Topic
from core.brains.script.needs import Need

_NONE: Final = r"no(?:thing|ne|body| one)?\b|all of (?:it|them)\b"

NEEDS: Final[Mapping[Topic, tuple[Need, ...]]] = {
    "purpose": (
        Need("Why should this exist?", "nobody has said what it is for", kinds="purpose"),
        Need("Who will use it?", "nobody has said who will use it", r"who will use",
             kinds="user", anywhere="user"),
    ),
    "success": (
        Need("How will you know that it was a success?", "no measure of success is named",
             kinds="success"),
        Need("What belongs to the first version?", "the first version is not described",
             r"first version", kinds="scope", anywhere="scope"),
        Need("What stays out of the first version?", "nobody has said what stays out",
             r"stays out", r"stays? out|later|not (?:in|part)|only|" + _NONE,
             kinds="out-of-scope", anywhere="out-of-scope"),
    ),
    "domain": (
        Need("Which words of the trade should everybody know?", "no word of the trade is named",
             thin=True),
        Need("Which law, contract or house rule applies?", "no rule that applies is named",
             r"laws", _NONE, kinds="law"),
        Need("What is fixed from the start?", "nobody has said what is fixed", r"is fixed",
             _NONE, kinds="constraint", anywhere="constraint"),
    ),
    "stack": (
        Need("Which language or tool would you build it with?", "no technology is chosen yet",
             kinds="stack"),
        Need("What did you weigh these choices against?", "no alternative is named",
             r"weigh them against", _NONE + r"|instead of|over\b", kinds="weighed rejected"),
        Need("What do these choices cost later?", "nobody has said what the choices cost",
             r"cost us later", _NONE, kinds="trade-off"),
    ),
    "architecture": (
        Need("Which parts does it consist of?", "no part is named", kinds="module"),
        Need("Which part speaks to which?", "nobody has said which part speaks to which",
             r"speaks to which", r"speaks?|sends?|asks?|calls?|reads?", kinds="interface"),
        Need("Which decision shapes all of it?", "no decision is recorded yet",
             r"decision shapes", _NONE, kinds="decision"),
    ),
    "data-model": (
        Need("Which things do we keep, with which fields?", "no thing is named with its fields",
             kinds="entity"),
        Need("How do these things belong together?",
             "nobody has said how the things belong together", r"belong together",
             r"belongs?|each|many|" + _NONE, kinds="relation"),
        Need("How long is it kept?", "nobody has said how long it is kept", r"how long is each",
             r"for good|forever|" + _NONE, kinds="retention"),
    ),
    "testing": (
        Need("What gets tested, and at which level?", "no test is named", kinds="test"),
        Need("What must work before each release?",
             "nobody has said what must work before a release",
             r"before each release", r"release|before|must"),
        Need("Which gap in the tests stays open?", "no gap in the tests is named",
             r"which gap", _NONE, kinds="test-gap"),
    ),
    "constitution": (
        Need("Which rule holds for every change?", "no article is written yet", kinds="article"),
        Need("What must nobody ever do?", "nobody has said what is never done",
             r"nobody ever do", r"never|nobody|no\b|not\b"),
    ),
    "skills": (
        Need("Which skills does the team have?", "no skill is named", kinds="skill"),
        Need("Which skills are missing?", "nobody has said which skills are missing",
             r"skills are missing", r"missing|new to|learn|nobody|" + _NONE, kinds="gap"),
    ),
    "review": (
        Need("Which articles of the constitution hold, and which would you change?",
             "nobody has said that the constitution was read", kinds="constitution"),
        Need("Which part of the architecture worries you?",
             "nobody has spoken of the architecture", r"part of the architecture",
             kinds="architecture"),
        Need("Who may merge and release?", "nobody has said who may merge and release",
             r"who may merge", kinds="permission"),
    ),
    "plan": (
        Need("What is the next step, and who takes it?", "no next step is named",
             kinds="next-step"),
        Need("Which gap in the tests do you close first?",
             "nobody has spoken of the gaps in the tests", r"gaps in the tests",
             r"gaps?|tests?|" + _NONE, kinds="test-gap"),
        Need("How long is an iteration?", "nobody has said how long an iteration is",
             r"long is an iteration", _NONE, kinds="iteration"),
    ),
}  # fmt: skip
