"""An answer of any Unicode, as long as Slack lets a message be, from the reply to the artifact."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.chaos.looking import Looks
from tests.chaos.stormy import SimWorld
from tests.support.fakes import DEV, ReadingBrain
from tests.support.harness import Harness, small_table

CHARS_MAX: Final = 40_000
PIECES: Final = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        ["<!channel>", "<@UDEV>", "@here", "```", "* _ ~ `", "\u202e", "\u0000", "| a | b |", "---",
         "<!-- roundtable:section 01-01 -->", "](https://example.com)", "{placeholder}", "FR-001"]
    ),
)  # fmt: skip


@st.composite
def answers(draw: st.DrawFn) -> str:
    """A few pieces, now and then so often that it is as long as a message can be."""
    text = draw(st.lists(PIECES, min_size=1, max_size=8).map(" ".join))
    often = CHARS_MAX // max(len(text), 1) if draw(st.integers(0, 4)) == 0 else 1
    return (text * often)[:CHARS_MAX]


class Fuzzed:
    """A session in a calm world: nothing but the answer is out of the ordinary."""

    def __init__(self, folder: Path) -> None:
        self.world = SimWorld()
        self.disk = self  # nothing was spoiled
        self.spoiled: set[str] = set()
        self.table: Harness = small_table(
            folder, stage=self.world.stage, brains={None: ReadingBrain()}
        )


@example("x" * CHARS_MAX)
@example("<!channel> " * (CHARS_MAX // 11))
@example("𝔘" * CHARS_MAX)
@example("a \x00 b")
@given(answers())
@settings(max_examples=10)
def test_an_answer_of_any_kind_is_kept_whole_and_breaks_nothing(text: str) -> None:
    with TemporaryDirectory() as folder:
        play = Fuzzed(Path(folder))
        play.table.start()
        ts = play.table.say(text, by=DEV)
        play.table.say("It is small: three files.")
        play.table.forward()
        looks = Looks(play)  # type: ignore[arg-type]
        looks.look()
        answers_kept = play.table.runtime.reader.answers(play.table.id)
        is_answer = bool(text.strip()) and not text.lstrip().startswith("//")
        assert [each.text for each in answers_kept if each.ts == ts] == [text] * is_answer
        assert play.table.codes == ["ERR-DEPTH-001"]
        looks.look_at_the_end()
        play.table.close()
