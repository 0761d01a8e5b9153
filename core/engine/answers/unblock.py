"""A reply to a blocked step that only lets it go on: nothing of it belongs into an artifact.

It is known by its words: a short one that is made of nothing but these says that a document is
there, or is not needed. Whatever else stands in a reply is content, and recorded.
"""

from typing import Final

WORDS_MAX: Final = 16
SIGNS: Final = ".,;:!?()[]\"'“”‘’„«»`*_~…–—-"
_LISTED: Final = """
    a about add added again ahead already an and any anymore are aren't at available be been but by
    can can't carry come comes continue could delete deleted did didn't do document does doesn't
    don't done drop exist existed exists file folder for forget found further get go goes gone good
    got has hasn't have haven't here i i've ignore in into is isn't it it's just leave lies longer
    lost maybe me mind more moved much need needed needs never next no nobody none nor not nothing
    now of off ok okay on one our out over please proceed put ready removed retry right same see
    skip skipped so some something sorry still step such sure thank thanks that that's the them
    then there there's these they this those to too try up upload uploaded us was wasn't we we'll
    we've were will with without won't work yes yet you
"""
WORDS: Final = frozenset(_LISTED.split())


def only_unblocks(text: str, missing: str) -> bool:
    """True if a reply says no more than that the step can go on.

    `missing` is the name of the document it waits for, which may be named.
    """
    words = text.casefold().replace("’", "'").split()
    if not words or len(words) > WORDS_MAX:
        return False
    empty = WORDS | {missing.casefold()}
    plain = (word.strip(SIGNS) for word in words)
    return all(word in empty or not word for word in plain)
