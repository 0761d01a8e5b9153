"""Whether a sentence chooses something: words of choosing by somebody who decides, here and now.

Nothing is chosen in a sentence that is a question, modal, negated, conditional, habitual, or about
what is in use or was once taken; nor by people who do not decide on the item.
"""

from typing import Final

from core import patterns
from core.brains import lexicon

_ROWS: Final = lexicon.table("evidence")
_CUE: Final = lexicon.compiled(_ROWS["choosing"]["cue"])
_PLAIN: Final = tuple(
    lexicon.compiled(_ROWS["choosing"][name]) for name in ("decided", "it-is", "closes", "passive")
)
_UNDECIDED: Final = lexicon.compiled(_ROWS["choosing"]["undecided"])
_UNSURE: Final = lexicon.compiled(_ROWS["unsure"])
_MONTH: Final = lexicon.compiled(_ROWS["month-of-may"])
_HABIT: Final = lexicon.compiled(_ROWS["habit"])
_CHOOSER: Final = lexicon.compiled(_ROWS["chooser"])
_NO_OPTION: Final = lexicon.compiled(_ROWS["no-option"])
_BARE: Final = lexicon.compiled(_ROWS["bare"])
_ORDER: Final = lexicon.compiled(_ROWS["choosing"]["order"])
_OWN_DEED: Final = lexicon.compiled(_ROWS["own-deed"])
_OTHERS_DEED: Final = lexicon.compiled(_ROWS["others-deed"])
_RELATIVE: Final = lexicon.compiled(_ROWS["relative"])
_DEPENDS: Final = lexicon.compiled(_ROWS["depends"])
_CLAUSE: Final = patterns.compile(r"[,;:–—]")
_ADVERBS: Final = frozenset(
    {"finally", "now", "then", "all", "both", "just", "have", "will", "are", "were", "also", "so"}
    | {"therefore", "thus", "simply", "clearly", "hereby", "ok", "okay", "well", "and", "but"}
    | {"unanimously", "instead", "again", "been", "actually"}
)
_ENDS: Final = ("'ve", "’ve", "'ll", "’ll", "'re", "’re")


def chosen_in(line: str) -> str:
    """What the sentence chooses, in its own words; nothing where it chooses nothing."""
    if not is_plain(line, ""):
        return ""
    for pattern in _PLAIN:
        match = pattern.search(line)
        sure = match and not _UNSURE.search(line[: match.end()])
        is_open = match and is_undecided(match["a"])
        if match and sure and not (is_open or _RELATIVE.search(match["a"])):
            return str(match["a"])
    match = _CUE.search(line)
    if not match or _NO_OPTION.match(match["a"]) or _DEPENDS.search(match["a"]):
        return ""
    if _OWN_DEED.match(line):
        return ""
    before, option = line[: match.start()], str(match["a"])
    if _UNSURE.search(_clause_of(before)) or _opens_a_condition(before):
        return ""
    if not _clause_of(before) and _BARE.match(match[0]):
        return ""  # "take one of them" is said to somebody
    if _OTHERS_DEED.match(before) and not _subject_of(_clause_of(before)):
        return ""
    return option if match["bound"] or _decides(_clause_of(before)) else ""


def is_plain(line: str, option: str) -> bool:
    """True for a statement on what is to be: no question, no habit, and nothing open of it."""
    asks = line.rstrip("\"'”’) ").endswith("?")
    undated = _MONTH.sub("", option)
    return not (asks or _HABIT.search(line) or _UNSURE.search(undated))


def is_order(line: str) -> bool:
    """True for words of choosing without anybody who chooses: "use the old one"."""
    return bool(_ORDER.match(line))


def is_undecided(option: str) -> bool:
    """ "Decision: open": a label of which nobody has filled in the rest."""
    return bool(_UNDECIDED.match(option))


def is_unsure(before: str) -> bool:
    """True if the words before a choice take it back: "might be", "not", "if we"."""
    return bool(_UNSURE.search(_clause_of(before)))


def _clause_of(before: str) -> str:
    return str(_CLAUSE.split(before)[-1].strip())


def _opens_a_condition(before: str) -> bool:
    return before.lstrip().casefold().startswith(("if ", "unless ", "when ", "in case "))


def _subject_of(clause: str) -> list[str]:
    """Its words before the verb, without adverbs and conjunctions around them."""
    words = clause.split()
    while words and (words[-1].casefold() in _ADVERBS or words[-1].casefold().endswith("ly")):
        words.pop()
    while words and words[0].casefold() in _ADVERBS:
        words.pop(0)
    return words


def _decides(subject: str) -> bool:
    """True if those who choose decide on the item: we, I, a name, a group that decides."""
    words = _subject_of(subject)
    if words and words[-1].casefold().endswith(_ENDS):
        words[-1] = words[-1][:-3]
    plain = " ".join(words)
    if not plain or _CHOOSER.match(plain) or plain.casefold() in ("in the end", "at last"):
        return True
    return len(words) == 1 and plain[:1].isupper() and not plain.endswith("s")
