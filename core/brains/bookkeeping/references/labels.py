"""What people call their own lines: "e)", "8.", "R6"; and the lines that a rank names by that.

A letter or a bare number names a line only in a list right beside a word that ranks: "SHOULD e",
"c becomes a must, and f with it", "8 is a must". Where people numbered no line of theirs, a number
means the requirement whose name has it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.references.names import numbering, own_numbers
from core.brains.text.questions import inline_numbers
from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId

LIST_ITEMS_MIN: Final = 2

_LABEL: Final = patterns.compile(
    r"(?:^|\n)[\s>*_•-]*\(?(?P<label>[A-Za-z]|[0-9]{1,3})[).:](?:[*_]{1,2})?\s+[*_]{0,2}$"
)
_BARE_LABEL: Final = patterns.compile(r"(?:^|\n)[\s>*_•-]*(?P<label>[0-9]{1,2})\s+$")
_IN_LIST_ON_ONE_LINE: Final = patterns.compile(r"(?P<label>[0-9]{1,3})[).:]?\s*")
_OPENS_LINE: Final = patterns.compile(
    r"[(*_\[]{0,2}(?P<label>[A-Za-z]|[0-9]{1,3})(?:[).:*_\]]{1,3}| ?[-–])\s+[^\W\d]",
    patterns.IGNORECASE,
)
_IN_LINE: Final = patterns.compile(r"\((?P<label>[a-z]|[0-9]{1,3})\)\s+\S")
_TOKEN: Final = patterns.compile(r"(?<![\w-])#?(?P<label>[A-Za-z]|[0-9]{1,3})(?![\w-])")

_RANGE: Final = patterns.compile(r"(?P<first>[A-Za-z]|[0-9]{1,3})[-–](?P<last>[A-Za-z]|[0-9]{1,3})")
_ONE: Final = r"\(?(?:\b[a-z](?:[-–][a-z])?\b|#?\b[0-9]{1,3}(?:[-–][0-9]{1,3})?\b)\)?"
_LIST: Final = rf"{_ONE}(?:(?:\s*[,+&]\s*(?:and\s+)?|\s+(?:and|und|y|plus)\s+|\s+){_ONE})*"
_ONLY_LIST: Final = patterns.compile(rf"\s*(?P<list>{_LIST})[\s.!]*", patterns.IGNORECASE)
_RANK: Final = r"(?:must|should|could|won['’]?t)(?:[- ]?haves?|s)?\b"
_OPENS: Final = (
    r"(?:^|[.,;:!–—/(]\s*|\b(?:ok|okay|so|then|and|but|yes|no|well|actually|make|makes|made|move|"
    r"moved|put|please|sorry|now|also|und|y)\s+)"
)
_LINK: Final = (
    r"(?:['’](?:s|re)\b|\s+(?:is|are|becomes?|joins?|stays?|remains?|goes|go|moves?|moved|back|up|down|as|to|into|"
    r"in|with|there|also|now|still|only|really|just|both|all|an?|the)"
    r"|\s*(?:->|→|=|:))+\s+"
)
_REASON: Final = r"because|since|bc|cos"
_ENDS: Final = (
    r"(?=\s*(?:$|[.,;!)/–—]|(?:then|please|too|for|now|also|as well|and|but|if"
    rf"|{_REASON})\b))"
)
_LINKED: Final = patterns.compile(rf"{_OPENS}(?P<list>{_LIST}){_LINK}{_RANK}", patterns.IGNORECASE)
_BEFORE: Final = patterns.compile(
    rf"{_OPENS}(?P<list>{_LIST})\s+{_RANK}{_ENDS}", patterns.IGNORECASE
)
_AFTER: Final = patterns.compile(
    rf"\b{_RANK}\s*[:=–-]?\s*(?P<list>{_LIST})(?=\s*(?:$|[.,;!()/]|(?:and|{_REASON})\b))",
    patterns.IGNORECASE,
)
_WITH: Final = patterns.compile(
    rf"\b(?:and|also|plus)\s+(?P<list>{_LIST})\s+(?:with (?:it|them)|too|as well|likewise)\b",
    patterns.IGNORECASE,
)
_ARTICLE: Final = patterns.compile(rf"(?:a|i)\s+{_RANK}", patterns.IGNORECASE)
_NUMBERS: Final[Mapping[str, str]] = {
    word: str(at) for at, word in enumerate(lexicon.table("english")["number-words"], start=1)
}
_SPELLED: Final = patterns.compile(
    rf"\b(?P<noun>number|item|point|line|rule) (?P<number>{'|'.join(_NUMBERS)})\b",
    patterns.IGNORECASE,
)
_NAMES: Final = patterns.compile(
    r"(?:^|[\s:])[\[(]?(?P<first>[a-z]|[0-9]{1,3})[\])]"
    r"|(?:^|\b(?:check|test|proof|ac|acceptance|for|of|line) )#?(?P<second>[a-z]|[0-9]{1,3})"
    r"\s*(?:[:.,)=]|→|->)\s"
    r"|^for #?(?P<third>[a-z]|[0-9]{1,3})(?:[:,]| (?:i|we|you|one)\b)"
    r"|^(?:zu|bei|la|fertig ist|to (?:see|check|test|try)|(?:how (?:do |would )?)?(?:you|we|i) know"
    r"|success (?:for|of))"
    r" #?(?P<fourth>[0-9]{1,3})\b"
    r"|^(?:(?:and|so|well|ok(?:ay)?|then|also|oh)[ ,]+)*(?:for |on |concerning |as (?:for|to) )?"
    r"(?:(?:number|item|point|line|rule) #?|no\.? ?#?|nr\.? ?#?|#)(?P<sixth>[0-9]{1,3})"
    r"\s*[:.,)=–—-]"
    r"|\b(?:for|on|with|concerning) (?:(?:number|item|point|line|rule) #?|no\.? ?#?|nr\.? ?#?|#)?"
    r"(?P<seventh>[0-9]{1,3})[:,]? (?:i|we|you|one)(?:['’]d| would)\b"
    r"|^(?:(?:number|item|point|line|rule) )?#?(?P<eighth>[0-9]{1,3})"
    r"(?: is|['’]s) (?:dead |really |quite )?(?:easy|simple|quick)\b"
    r"|^#?(?P<fifth>[0-9]{1,3})(?: ?(?:→|->|=>)"
    r"| (?:you|i|we|ok|okay|works?|passes|done|pr\wfen|testen)\b)",
    patterns.IGNORECASE,
)


def labels_in(text: str) -> tuple[str, ...]:
    """What may be labels of lines in a text about them: "(a) …", "b) is done when …", "for number
    three I'd …"."""
    text = _SPELLED.sub(
        lambda match: f"{match['noun']} {_NUMBERS[match['number'].casefold()]}", text
    )
    return tuple(next(filter(None, match.groups())).casefold() for match in _NAMES.finditer(text))


def with_labels(claims: Iterable[Claim], answers: Iterable[Answer]) -> dict[str, str]:
    """Ref → text of the requirements, each behind the label that its author gave it: "(e) …".

    Only the step in which most of them have one gives labels. Of two lines with one label the
    first has it: "4: two phones" behind it is about it.
    """
    by_id = {answer.id: answer for answer in answers}
    requirements = [claim for claim in claims if claim.kind == "requirement" and claim.ref]
    labels = {claim.ref or "": label_of(claim, by_id) for claim in requirements}
    steps = [claim.step for claim in requirements if labels[claim.ref or ""]]
    step = max(steps, key=steps.count, default=None)
    holders: dict[str, Claim] = {}
    for claim in requirements:
        label = labels[claim.ref or ""] if claim.step == step else ""
        if label:
            holders.setdefault(label, claim)
    of_ref = {claim.ref: label for label, claim in holders.items()}
    return {
        claim.ref or "": f"({of_ref[claim.ref]}) {claim.text}"
        if claim.ref in of_ref
        else claim.text
        for claim in requirements
    }


def label_of(claim: Claim, by_id: Mapping[AnswerId, Answer]) -> str:
    """The label of a list item; the number of a question that it takes up is none."""
    answer = next((by_id[source] for source in claim.sources if source in by_id), None)
    if answer is None or "question" in claim.data:
        return ""
    at = answer.text.find(claim.text)
    match = _OPENS_LINE.match(claim.text) or (at > 0 and _LABEL.search(answer.text[:at]))
    match = match or (at > 0 and _BARE_LABEL.search(answer.text[:at]))
    match = match or (at > 0 and _number_before(answer.text, at))
    return str(match["label"]).casefold() if match else ""


def _number_before(text: str, at: int) -> patterns.Match | None:
    """The number of an item of "1. … 2. …", all of which stand on one line."""
    starts = inline_numbers(text)
    number = max((start for start in starts if start < at), default=None)
    if number is None or len(starts) < LIST_ITEMS_MIN:
        return None
    return _IN_LIST_ON_ONE_LINE.fullmatch(text[number:at])


def own_labels(lines: Mapping[str, str]) -> dict[str, str]:
    """Label → ref of lines as `with_labels` gives them."""
    matches = ((ref, _IN_LINE.match(line)) for ref, line in lines.items())
    return {str(match["label"]): ref for ref, match in matches if match}


def with_ranked_refs(text: str, lines: Mapping[str, str]) -> str:
    """A text that ranks lines by their labels, with their refs instead: "FR-005 is a must"."""
    labels = own_labels(lines)
    if not own_numbers(lines):
        labels |= {str(number): ref for number, ref in numbering((), lines).items()}
    if not labels:
        return text
    for pattern in (_LINKED, _BEFORE, _AFTER):
        text = pattern.sub(lambda match: _with_list_as_refs(match, labels), text)
    return (
        _WITH.sub(lambda match: _with_list_as_refs(match, labels), text) if "FR-" in text else text
    )


def with_listed_refs(text: str, lines: Mapping[str, str]) -> str:
    """A text that is a list of labels and nothing else, as refs: "4 and 5"."""
    match = _ONLY_LIST.fullmatch(text)
    return _with_refs(match["list"], own_labels(lines)) if match else text


def _with_list_as_refs(match: patterns.Match, labels: Mapping[str, str]) -> str:
    begin, end = match.span("list")
    if _ARTICLE.match(match.string[begin:]):  # "a must": no line is meant
        return str(match[0])
    refs = _with_refs(match["list"], labels)
    return f"{match.string[match.start() : begin]}{refs}{match.string[end : match.end()]}"


def _with_refs(listed: str, labels: Mapping[str, str]) -> str:
    """A list with refs for its labels; with a number that labels no line its numbers are none."""
    numbers = {str(match["label"]) for match in _TOKEN.finditer(listed)}
    if any(number.isdecimal() and number not in labels for number in numbers):
        labels = {label: ref for label, ref in labels.items() if not label.isdecimal()}
    listed = _RANGE.sub(lambda match: _between(match, tuple(labels)), listed)
    return _TOKEN.sub(lambda match: labels.get(str(match["label"]).casefold(), match[0]), listed)


def _between(match: patterns.Match, labels: Sequence[str]) -> str:
    """ "a-e" as "a, b, c, d, e", in the order in which the lines have these labels."""
    first, last = match["first"].casefold(), match["last"].casefold()
    if first not in labels or last not in labels:
        return str(match[0])
    return ", ".join(labels[labels.index(first) : labels.index(last) + 1]) or str(match[0])
