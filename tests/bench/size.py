"""How much is measured: the whole of it, enough to judge a change, or just that it runs."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Size:
    """Turns are short and many: what disturbs the machine for a moment spoils few of them."""

    sessions: int  # that answers go to; one each in a turn
    pairs: int  # of answer turns, for each ratio
    worn_in: int  # plain commits before row 1, until the log is written over
    crowds: int  # pairs of one thread and eight
    crowd_answers: int  # to each session in such a turn
    clickers: int  # sessions whose Continue is clicked; once each in a turn
    clicks: int  # pairs of such turns
    step_files: int  # in the tree that is checked
    checks: int  # pairs of such turns
    scans: int  # of one text
    parties: int  # pairs of parties, at once and in turn
    call_s: float  # what a call of a brain takes there
    analyses: int  # played from the first step to the last
    browsed: int  # the same, clicked through in a browser; 0: left out
    own_sessions: int  # of one person, on their Home tab
    open_sessions: int  # that wait for an answer
    steps: int  # pairs of them, among many sessions and among few
    long_phase: int  # steps in each of the ten phases of a long session
    grown: int  # analyses whose rows are measured
    starts: int  # pairs of them, with many open sessions and with none
    imports: int  # pairs
    limited_steps: int  # of each session under Slack's limits, 45 seconds each; 0: left out
    searched_files: int  # in the repository of row 21; 0: left out
    searches: int  # of it
    events: int  # of row 24, twenty a second
    idle_s: float  # that a worker is watched
    returns: int  # of a server that was away, and of workers that are killed
    web_pairs: int  # of turns at one process and at two
    workspaces: int  # of row 31


FULL: Final = Size(
    sessions=16,
    pairs=300,
    worn_in=3_000,
    crowds=40,
    crowd_answers=6,
    clickers=8,
    clicks=60,
    step_files=2_400,
    checks=15,
    scans=500,
    parties=3,
    call_s=0.3,
    analyses=5,
    browsed=3,
    own_sessions=300,
    open_sessions=10_000,
    steps=24,
    long_phase=24,
    grown=3,
    starts=7,
    imports=9,
    limited_steps=4,
    searched_files=20_000,
    searches=40,
    events=400,
    idle_s=40.0,
    returns=5,
    web_pairs=40,
    workspaces=1_000,
)
QUICK: Final = Size(
    sessions=16,
    pairs=60,
    worn_in=3_000,
    crowds=11,
    crowd_answers=4,
    clickers=6,
    clicks=15,
    step_files=600,
    checks=7,
    scans=100,
    parties=1,
    call_s=0.3,
    analyses=1,
    browsed=1,
    own_sessions=300,
    open_sessions=10_000,
    steps=9,
    long_phase=24,
    grown=1,
    starts=3,
    imports=5,
    limited_steps=2,
    searched_files=20_000,
    searches=10,
    events=200,
    idle_s=20.0,
    returns=3,
    web_pairs=12,
    workspaces=1_000,
)
TINY: Final = Size(
    sessions=2,
    pairs=1,
    worn_in=1,
    crowds=1,
    crowd_answers=4,
    clickers=1,
    clicks=1,
    step_files=24,
    checks=1,
    scans=5,
    parties=1,
    call_s=0.01,
    analyses=1,
    browsed=0,
    own_sessions=30,
    open_sessions=12,
    steps=1,
    long_phase=2,
    grown=1,
    starts=1,
    imports=1,
    limited_steps=0,
    searched_files=0,
    searches=0,
    events=4,
    idle_s=1.0,
    returns=1,
    web_pairs=1,
    workspaces=2,
)
