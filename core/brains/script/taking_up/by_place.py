"""What a line chooses by its place alone: a thing, where its step asks what is chosen."""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import choices, choosing, verbs
from core.brains.script.parts.phrases import trimmed
from core.brains.script.taking_up.forms import Before, Choice
from core.domain.answers import Answer, Claim

FIRST_QUESTION: Final = ("", "1")
_ROWS: Final = {
    name: lexicon.compiled(row) for name, row in lexicon.table("evidence")["by-place"].items()
}
_ASIDE: Final = patterns.compile(r"\s*\([^)]*\)")
_CODE: Final = patterns.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")
_NAME: Final = patterns.compile(r"[A-Z]{2}|[a-z][A-Z0-9]|[a-z]\.[a-z]|`")
_CLAUSE_END: Final = patterns.compile(r"[,;!]|\.(?:\s|$)|\s[–—-]\s")


def named_when_asked(line: str, before: Before) -> Choice | None:
    """ "Go, Postgres 16", "labels through the shop's printer", "for that we use passkeys"."""
    bare = _ASIDE.sub("", line)
    head = trimmed(_CLAUSE_END.split(_CODE.sub("Xx", bare))[0])
    if not before.asked or line.rstrip().endswith("?") or _ROWS["no-answer"].match(line):
        return None
    if _ROWS["weighs"].search(_CODE.sub("x", bare)) or not choosing.is_plain(head, head):
        return None
    if evidence.is_aside(line) or verbs.is_command(head):
        return None
    told = verbs.told_by(head)
    is_ours = told == "does" and _ROWS["ours"].search(head)
    is_thing = not told and (_ROWS["serves"].search(bare) or _is_named(bare, before))
    return Choice(choices.gist(line), choices.reason_in(line)) if is_thing or is_ours else None


def _is_named(bare: str, before: Before) -> bool:
    """A name or a list of things, of who speaks first; behind others it may be a remark."""
    is_list = _ROWS["lists"].search(bare) and not verbs.opens_with_article(bare)
    return not (before.others or before.question) and bool(is_list or _NAME.search(bare))


def is_asked_first(claim: Claim, answer: Answer) -> bool:
    """True for what answers the first question of its step: no other number and no head over it."""
    if claim.data.get("question", "") not in FIRST_QUESTION:
        return False
    block = answer.text[: max(answer.text.find(claim.text), 0)].rpartition("\n\n")[2]
    return not any(line.rstrip().endswith(":") for line in block.split("\n")[:-1])
