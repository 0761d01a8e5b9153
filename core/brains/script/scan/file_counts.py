"""The number of files that an answer, or all answers of a step together, come to.

Lines of a list add up, or are parts of the number above them; files that are named one by one count
as well: there are at least as many.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from core.brains.script.parts.counts import count_in
from core.brains.script.parts.phrases import files_listed
from core.brains.script.readers import Readings
from core.brains.script.scan.sizes import of_files
from core.brains.text.questions import Fragment
from core.domain.answers import Claim, Claims

OF_FILES: Final = ("file_count", "scope_by_files", "files_said")


def together(fragments: Sequence[Fragment], read: Sequence[Readings]) -> list[Readings]:
    """The readings of an answer, of which one line holds the number of files of all of them."""
    stated = {
        place: int(reading.data["file_count"])
        for place, readings in enumerate(read)
        for reading in readings
        if "file_count" in reading.data
    }
    if len(stated) < 2:
        return list(read)
    counts = _of_first_question(fragments, stated)
    heads = [place for place in counts if _is_head(fragments, place)]
    listed = [place for place in counts if place not in heads]
    number, place, in_words = _total(counts, heads, listed, read)
    return [
        _stating(claim, of_files(number, in_words) if at == place else {})
        if at in stated
        else claim
        for at, claim in enumerate(read)
    ]


def _of_first_question(fragments: Sequence[Fragment], stated: dict[int, int]) -> dict[int, int]:
    """The numbers of the first question that has one, by the places of their lines.

    A later question ("how far up could it go?") asks for another number.
    """
    numbers = [fragments[place].number for place in stated]
    first = next((number for number in numbers if number is not None), None)
    return {at: n for at, n in stated.items() if fragments[at].number in (first, None)}


def _is_head(fragments: Sequence[Fragment], place: int) -> bool:
    """True for a line that stands over a list, or in none. "9 tests" is of a list of such."""
    line = fragments[place]
    count = count_in(line.text, counting=True)
    if count is not None and count.sort == "kind" and line.number is None:
        return False
    if count is not None and count.sort == "bare" and count.said == line.text.strip(" ."):
        return True  # a number alone is no part of a list
    opens = place == 0 or fragments[place - 1].number != line.number
    return not line.item or (line.number is not None and opens)


def _total(
    counts: dict[int, int], heads: list[int], listed: list[int], read: Sequence[Readings]
) -> tuple[int, int, str]:
    """The number, the line that states it, and its words.

    The last number that stands in no list counts; a list of more than it corrects it.
    """
    of_list = sum(counts[place] for place in listed)
    if heads and counts[heads[-1]] >= of_list:
        place = heads[-1]
        return counts[place], place, _words_said(read[place])
    if listed and counts[listed[-1]] * 2 == of_list:  # "9 tests, 3 settings, 12 in all"
        return counts[listed[-1]], listed[-1], ""
    return of_list, listed[-1], " + ".join(filter(None, (_words(read[place]) for place in listed)))


def _words_said(readings: Readings) -> str:
    return next((r.data["files_said"] for r in readings if "files_said" in r.data), "")


def _words(readings: Readings) -> str:
    return _words_said(readings) or next((r.data["file_count"] for r in readings), "")


def _stating(readings: Readings, parts: dict[str, str]) -> Readings:
    """The readings with these parts in place of what they said of the number of files."""
    return tuple(
        replace(
            reading,
            data={key: value for key, value in reading.data.items() if key not in OF_FILES} | parts,
        )
        if "file_count" in reading.data
        else reading
        for reading in readings
    )


def with_named(claims: Claims) -> Claims:
    """The lines of a step; where they name more files than anybody counted, the last says so."""
    naming = [claim for claim in claims if "file" in claim.data and not claim.is_confirmed_draft]
    named_count = len({name for claim in naming for name in files_listed(claim.data["file"])})
    stated = _count_in_claims(claims)
    if not named_count or (stated is not None and stated >= named_count):
        return claims
    last = naming[-1]
    data = {key: value for key, value in last.data.items() if key not in OF_FILES}
    more = {**data, **of_files(named_count), "files_named": str(named_count)}
    return tuple(replace(claim, data=more) if claim is last else claim for claim in claims)


def _count_in_claims(claims: Iterable[Claim]) -> int | None:
    return max(
        (int(line.data["file_count"]) for line in claims if "file_count" in line.data), default=None
    )
