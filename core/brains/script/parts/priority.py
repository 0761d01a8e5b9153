"""Which requirement a sentence ranks as must, should, could or won't.

It is read clause by clause, so that a word never ranks a requirement of the clause beside it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.references.labels import with_listed_refs, with_ranked_refs
from core.brains.bookkeeping.references.names import with_refs
from core.brains.bookkeeping.references.nicknames import LINE_WORDS_MAX, lines_called, stems_of_name
from core.brains.text.labels import RANKS
from core.brains.text.wording import closest, ref_pattern, refs_in, refs_of, words_of
from core.domain.answers import Confidence

_CLAUSE_END: Final = patterns.compile(r"[,;\n]|\s/\s|\b(?:and|but|while)\b", patterns.IGNORECASE)
_TOO: Final = patterns.compile(
    r"\b(?:with (?:it|them)|too|as well|likewise)\b", patterns.IGNORECASE
)
_HEAD: Final = patterns.compile(
    r"\s*(?:must|should|could|won['’]?t)s?(?:[- ]haves?)?\s*[:=|]", patterns.IGNORECASE
)
_HEAD_IN_CAPITALS: Final = patterns.compile(r"(?P<rank>MUST|SHOULD|COULD) [^.;:?]*,[^.;:?]*$")
_SENTENCE_END: Final = patterns.compile(r"[.!\n]+(?:\s+|$)")
PIECE_WORDS_MAX: Final = 5  # of what a list under a rank calls a requirement
PIECES_MIN: Final = 2  # by which a list ranks what was said before, where nobody asks for ranks
_DENIES: Final = patterns.compile(r"\s*n['’o]t", patterns.IGNORECASE)
_ENDS_DENIED: Final = patterns.compile(r"(?:n['’]t| not)$", patterns.IGNORECASE)
_DENIED: Final = patterns.compile(
    r"\b(?:not an?|no) [\"'“”‘’]?$|\b(?:if|unless|whether)\b[^,;.]*$"
    r"|\b(?:after|before|behind|below) (?:all )?(?:the|our|your) $",
    patterns.IGNORECASE,
)
_MOSCOW: Final = patterns.compile(
    r"\b(must|should|could)s?\b|\b(won['’]?t|will not)\b",
    patterns.IGNORECASE,
    unless=lambda match: match[1] and _is_denied(match),
)
_LIST_FIRST: Final = patterns.compile(  # "cards, locking and offline: must, no discussion"
    r"(?P<list>[^:;?=.]{2,120}?)\s*:\s*(?P<rank>must|should|could|won['’]?t)s?(?:[- ]haves?)?"
    r"\s*(?:[,.;!].*)?",
    patterns.IGNORECASE | patterns.DOTALL,
    unless=lambda match: _MOSCOW.search(match["list"]) is not None,
)
_RANK_END: Final = patterns.compile(
    r":\s*(?:must|should|could|won['’]?t)[,;] ", patterns.IGNORECASE
)
_ALL_BUT: Final = patterns.compile(
    r"(?P<what>(?:everything|all|they all)\b.*?)"
    r"\b(?:except(?: for)?|but|apart from|besides|other than|save|minus|without)\b(?P<but>.+)",
    patterns.IGNORECASE | patterns.DOTALL,
)
_NUMBERS: Final = patterns.compile(r"[0-9]+")
_REST: Final = patterns.compile(
    r"\b(?:rest|others|remaining|everything else|all else)\b", patterns.IGNORECASE
)
_WORDS: Final = lexicon.pattern("ranking-words")
_ROWS: Final = lexicon.table("evidence")["ranks"]
# In capitals: "c: …" is a label of people's.
_LETTER: Final = patterns.compile(lexicon.expression(_ROWS["letter"]))
_AS_ANOTHER: Final = lexicon.compiled(_ROWS["as-another"])
_BY_NEED: Final = lexicon.compiled(_ROWS["by-need"])
_ARTICLE: Final = lexicon.compiled(_ROWS["article"])
_PREDICATE: Final = lexicon.compiled(_ROWS["predicate"])
_BARE_PREDICATE: Final = lexicon.compiled(_ROWS["bare-predicate"])
_UNPLACED: Final = (lexicon.compiled(_ROWS["heading"]), _PREDICATE)
_POINTS_BACK: Final = lexicon.compiled(_ROWS["points-back"])
_OPENS_WITHOUT: Final = patterns.compile(r"(?:without|i|you|we)\b", patterns.IGNORECASE)
_SUBJECT: Final = lexicon.compiled(_ROWS["subject"])
_WORD_OF: Final = {"M": "must", "S": "should", "C": "could", "W": "won't"}
# "take back | can't live without", "the sheet moves up to can't live without"
_IN_WORDS: Final = tuple(
    (
        rank,
        patterns.compile(
            rf"(?P<link>\| |\bto )(?:{words})(?P<end>$|[ ]?[|.,;!])", patterns.IGNORECASE
        ),
    )
    for rank, words in RANKS
)


@dataclass(frozen=True, slots=True)
class Rank:
    ref: str  # empty where nobody can tell which line is ranked
    word: str
    confidence: Confidence
    called: str = ""  # what people call the line, if they do not name it
    between: tuple[str, ...] = ()  # the lines that this fits equally, where `ref` is empty


def ranked(
    text: str,
    requirements: Mapping[str, str],
    *,
    in_words: bool = False,
    others: Sequence[Mapping[str, str]] = (),
) -> tuple[Rank, ...]:
    """The requirements a sentence ranks: by their names, else (inferred) by what it describes.

    "Everything but …" stands alone. Else, without a second rank for what has one: what each clause
    ranks, then "the rest", then pieces that fit one of the `others`. Only where nothing is ranked
    and the sentence has one rank word and no name: all of them, or the one that it describes.
    `in_words`: the pieces of a list under a rank may call them by words of their own. `others`: by
    ref, what a piece calls that fits no single requirement, the likeliest lines first.
    """
    text = with_refs(with_ranked_refs(text, requirements), requirements)
    if all_but := _ALL_BUT.match(text):
        return tuple(_all_but(all_but, requirements))
    every = list(_by_clause(text, requirements, in_words=in_words))
    ranks = {rank.ref: rank for rank in every if rank.ref in requirements}
    rest = _of_rest(text, requirements, _named_refs(text, requirements))
    ranks |= {rank.ref: rank for rank in rest if rank.ref not in ranks}
    unplaced = [_placed(rank, others) for rank in every if rank.called and not rank.ref]
    ranks |= {rank.ref: rank for rank in unplaced if rank.ref and rank.ref not in ranks}
    unclear = [rank for rank in unplaced if not rank.ref and rank.word != "won't"]
    words = {_word(match) for match in _MOSCOW.finditer(text)}
    if ranks or len(words) != 1 or refs_in("FR", text) or len(every) >= PIECES_MIN:
        return (*ranks.values(), *unclear)
    word = words.pop()
    if lexicon.pattern("all-of-them").match(text):
        return tuple(Rank(ref, word, "inferred") for ref in requirements)
    described = () if _REST.search(text) else _rank_described(text, word, requirements)
    return tuple(described) or tuple(unclear)


def is_rank(text: str) -> bool:
    """True for ranks and the names or numbers of lines, with nothing else but a reason: "24, 27
    must", "FR-018 actually won't, final", "FR-002 must, because the night crew has one tablet"."""
    ranks = lexicon.pattern("ranking-words")
    stated = lexicon.pattern("rank-ends").sub("", lexicon.pattern("rank-opens").sub("", text))
    plain = lexicon.pattern("rank-fillers").sub(" ", ranks.sub(" ", stated))
    rest = _NUMBERS.sub(" ", ref_pattern("FR").sub(" ", plain))
    return ranks.search(stated) is not None and not words_of(rest)


def lists_known(text: str, requirements: Mapping[str, str]) -> bool:
    """True for "must: a, b" if two pieces and more call one of the requirements each."""
    pieces = {rank.ref for rank in _by_clause(text, requirements, in_words=True) if rank.ref}
    return len(pieces) >= PIECES_MIN


def is_of_rest(text: str) -> bool:
    """True for "the rest is should", which names nothing itself."""
    ranks = _PREDICATE.match(text)
    return bool(ranks and _REST.search(ranks["a"]))


def ranked_or_unplaced(
    text: str,
    requirements: Mapping[str, str],
    text_before: str = "",
    others: Sequence[Mapping[str, str]] = (),
) -> tuple[Rank, ...]:
    """The ranks of a line where ranks are asked for; with no ref where it ranks something else.

    `text_before`: what stands before the line in its answer, for "the rest" and "it is a must".
    `others`: as `ranked` has them.
    """
    line = _LETTER.sub(
        lambda match: f" {match['link']} {_WORD_OF[match['letter']]}{match['end']}",
        _with_subject(text, text_before),
    )
    line = _AS_ANOTHER.sub(lambda match: f"{match['list']} is a {match['rank']}", line)
    line = _BY_NEED.sub(lambda match: f"{match['list']} is a must", line)
    for rank, in_words in _IN_WORDS:
        line = in_words.sub(partial(_in_one_word, rank), line)
    if head := _HEAD_IN_CAPITALS.match(line):
        line = f"{head['rank']}:{line[head.end('rank') :]}"
    ranks = _of_lists(line, requirements, others)
    ranks = ranks or ranked(line, requirements, in_words=True, others=others)
    ranks = ranks or tuple(_of_rest(line, requirements, _named_before(text_before, requirements)))
    if ranks or line.rstrip().endswith("?") or _ALL_BUT.match(line):
        return ranks
    word = _MOSCOW.search(line) if any(form.match(line) for form in _UNPLACED) else None
    if not word:
        return tuple(_ranked_barely(line, requirements))
    called = (_placed(rank, others) for rank in _rank_thing(line, _word(word), requirements))
    return tuple(called) or (Rank("", _word(word), "stated"),)


def _with_subject(line: str, text_before: str) -> str:
    """ "It is a must" with what the sentences before it speak of, the last one first."""
    pronoun = _POINTS_BACK.match(line)
    if pronoun:
        sentences = reversed(_SENTENCE_END.split(text_before))
        for subject in filter(None, map(_SUBJECT.match, sentences)):
            named = next(filter(None, subject.groupdict().values()))
            if stems_of_name(named) and not _OPENS_WITHOUT.match(named):
                return f"{named} is{line[pronoun.end() :]}"
    return line


def _in_one_word(rank: str, match: patterns.Match) -> str:
    return f"{match['link']}{rank}{match['end']}"


def _of_lists(
    line: str, requirements: Mapping[str, str], others: Sequence[Mapping[str, str]]
) -> tuple[Rank, ...]:
    """The ranks of "cards, locking: must", and of "cards: must, locking: could"."""
    if refs_in("FR", line):
        return ()
    pieces = _RANK_END.sub(lambda match: f"{match[0]}\n", line).splitlines()
    lists = [_LIST_FIRST.fullmatch(piece.strip()) for piece in pieces]
    lists = lists if all(lists) else [_LIST_FIRST.fullmatch(line)]
    return tuple(
        chain.from_iterable(
            ranked(f"{match['rank']}: {match['list']}", requirements, in_words=True, others=others)
            or _left_out(match)
            for match in lists
            if match
        )
    )


def _left_out(match: patterns.Match) -> tuple[Rank, ...]:
    is_left_out = match["rank"].casefold().startswith("won")
    return (Rank("", "won't", "stated", match["list"].strip()),) if is_left_out else ()


def _placed(rank: Rank, others: Iterable[Mapping[str, str]]) -> Rank:
    """A rank that matched no single requirement, with the line of `others` that it matches."""
    if rank.ref or not rank.called:
        return rank
    ranks = (_rank_of(rank.called, rank.word, lines) for lines in others)
    placed = next((other for other in ranks if other.ref or other.between), rank)
    if placed.ref.startswith("NFR-") and len(stems_of_name(rank.called)) == 1:
        # a quality names many things in passing
        return Rank("", rank.word, "stated", rank.called, (placed.ref,))
    return placed


def _of_rest(
    text: str, requirements: Mapping[str, str], named_refs: Collection[str]
) -> Iterator[Rank]:
    """ "R1 and R2 must, the rest could": whatever is not named."""
    clauses = (clause for clause in _CLAUSE_END.split(text) if _REST.search(clause))
    for word in filter(None, (_MOSCOW.search(clause) for clause in clauses if named_refs)):
        yield from (
            Rank(ref, _word(word), "inferred") for ref in requirements if ref not in named_refs
        )


def _named_refs(text: str, requirements: Mapping[str, str]) -> frozenset[str]:
    """The requirements that a text names; none where a piece of its list names no single one."""
    refs = frozenset(refs_in("FR", text))
    if not _HEAD.match(text):
        return refs
    listed = {rank.ref for rank in _by_clause(text, requirements, in_words=True)}
    return refs | listed if "" not in listed else frozenset()


def _named_before(text: str, requirements: Mapping[str, str]) -> frozenset[str]:
    """What the sentences that list ranks name; none where one of them cannot be placed."""
    lines = (with_refs(with_ranked_refs(sentence, requirements), requirements)
             for sentence in _SENTENCE_END.split(text))  # fmt: skip
    named_refs = [_named_refs(line, requirements) for line in lines if _MOSCOW.search(line)]
    return frozenset().union(*named_refs) if all(named_refs) else frozenset()


def _all_but(match: patterns.Match, requirements: Mapping[str, str]) -> Iterator[Rank]:
    """ "Everything must except the export": nothing is ranked where nobody can tell what is not."""
    word, other_word = _MOSCOW.search(match["what"]), _MOSCOW.search(match["but"])
    named_text = with_listed_refs(_WORDS.sub(" ", match["but"]), requirements)
    named_refs = refs_in("FR", named_text) or tuple(
        filter(None, (closest(named_text, requirements),))
    )
    if not word or not named_refs:
        return
    for ref in requirements:
        if ref not in named_refs:
            yield Rank(ref, _word(word), "inferred")
        elif other_word:
            yield Rank(ref, _word(other_word), "stated")


def _by_clause(text: str, requirements: Mapping[str, str], *, in_words: bool) -> Iterator[Rank]:
    """`FR-001 and FR-002 must` waits for its word; `Must: FR-001, FR-002` carries it on.

    A clause with names and a word ranks them. Names alone take the word that a head carries, else,
    with "too", the last one; else they wait. A word alone ranks the names that wait, else what the
    clause describes. With neither, a clause is a piece of the list under the word that is carried.
    A piece of a list in words that calls no single requirement has no ref.
    """
    waiting: tuple[str, ...] = ()
    carried: str | None = None
    last: str | None = None
    is_list = False
    for clause in _CLAUSE_END.split(text):
        refs = refs_in("FR", clause)
        matches = list(_MOSCOW.finditer(clause))
        is_list = in_words and bool(_HEAD.match(clause) or (is_list and not matches))
        if refs and matches:
            leads = matches[0].start() < _first_ref(clause)
            last = _word(matches[-1])
            carried = last if leads else None
            yield from _rank_stated(() if leads else waiting, _word(matches[0]))
            yield from _beside(clause, matches, leads=leads)
            waiting = ()
        elif refs and carried:
            yield from _rank_stated(refs, carried)
        elif refs and last and _TOO.search(clause):
            yield from _rank_stated(refs, last)
        elif refs:
            waiting += refs
        elif matches:
            word = _word(matches[0])
            yield from _rank_stated(waiting, word)
            about = words_of(_WORDS.sub(" ", clause))
            if is_list:
                yield from _rank_called(clause, word, requirements)
            elif about and not waiting and not _REST.search(clause):
                described = tuple(_rank_described(clause, word, requirements))
                yield from described or (
                    _rank_thing(clause, word, requirements) if in_words else ()
                )
            carried, waiting = (word if is_list or not (about or waiting) else None), ()
        elif carried and is_list and not _REST.search(clause):
            yield from _rank_called(clause, carried, requirements)


def _beside(clause: str, words: list[patterns.Match], *, leads: bool) -> Iterator[Rank]:
    """Each ref with the word before it, if a word leads the clause; else with the one after it."""
    for match in ref_pattern("FR").finditer(clause):
        before = [word for word in words if word.start() < match.start()]
        after = [word for word in words if word.start() > match.start()]
        for word in before[-1:] if leads else after[:1]:
            yield from _rank_stated(refs_of("FR", match), _word(word))


def _rank_stated(refs: tuple[str, ...], word: str) -> Iterator[Rank]:
    return (Rank(ref, word, "stated") for ref in refs)


def _rank_described(text: str, word: str, requirements: Mapping[str, str]) -> Iterator[Rank]:
    nearest = closest(_WORDS.sub(" ", text), dict(_of_one_thing(requirements)))
    if nearest:
        yield Rank(nearest, word, "inferred")


def _rank_thing(text: str, word: str, requirements: Mapping[str, str]) -> Iterator[Rank]:
    """ "The map is a must": the line that is called so."""
    thing = _PREDICATE.match(text)
    if thing and not _REST.search(thing["a"]) and not _ENDS_DENIED.search(thing["a"]):
        yield from _rank_called(thing["a"], word, requirements)


def _ranked_barely(line: str, requirements: Mapping[str, str]) -> Iterator[Rank]:
    """ "mobile must." ranks the one requirement that is called so; else it may say anything."""
    match = _BARE_PREDICATE.match(line)
    if match and not _REST.search(match["a"]):
        word = _word(matched) if (matched := _MOSCOW.search(match["rank"])) else "won't"
        yield from (it for it in _rank_called(match["a"], word, requirements) if it.ref)


def _rank_called(piece: str, word: str, requirements: Mapping[str, str]) -> Iterator[Rank]:
    """The one requirement that a piece calls by words of its own; else no ref."""
    piece = piece[head.end() :] if (head := _HEAD.match(piece)) else piece
    if len(piece.split()) > PIECE_WORDS_MAX:
        yield from _rank_described(piece, word, requirements)
    elif stems_of_name(piece):
        name = _ARTICLE.sub("", piece.strip(" .!*")).strip()
        yield Rank("", word, "stated") if ":" in piece else _rank_of(name, word, requirements)


def _rank_of(name: str, word: str, lines: Mapping[str, str]) -> Rank:
    refs = lines_called(name, lines)
    if len(refs) == 1:
        return Rank(refs[0], word, "inferred", name)
    return Rank("", word, "stated", name, refs)


def _of_one_thing(requirements: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((r, text) for r, text in requirements.items() if len(text.split()) <= LINE_WORDS_MAX)


def _first_ref(clause: str) -> int:
    match = ref_pattern("FR").search(clause)
    return match.start() if match else len(clause)


def _is_denied(match: patterns.Match) -> bool:
    """True if it stands in "not a must", "should not", "there is no “should”", "if 2 is a must"."""
    return bool(_DENIED.search(match.before) or _DENIES.match(match.after))


def _word(match: patterns.Match) -> str:
    return "won't" if match[2] else match[1].lower()
