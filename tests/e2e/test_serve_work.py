"""`roundtable serve --work`: one process on PostgreSQL that accepts and performs."""

import signal
import time
from pathlib import Path

from tests.support.fleet import fleet
from tests.support.postgres import Server
from tests.support.waiting import wait_until

STOP_S_MAX = 10.0


def test_one_process_serves_and_performs_and_ends_within_ten_seconds_of_sigterm(
    postgres_server: Server, tmp_path: Path
) -> None:
    with fleet(postgres_server, tmp_path, webs=1, workers=0, web_options=("--work",)) as running:
        (web,) = running.webs
        running.start("general")
        running.wait_for("general", "asking")
        running.say("general", "The export must hold every part.")
        running.wait_for("general", "choosing")
        running.say("general", "And it must be fast.")  # under way when it is told to stop
        began = time.monotonic()
        web.send(signal.SIGTERM)
        assert web.wait() == 0
        assert time.monotonic() - began < STOP_S_MAX
        web.start()
        web.wait_ready()
        (session,) = running.sessions("general")

        def texts() -> list[str]:
            return [answer.text for answer in running.reader.answers(session)]

        # What was not acknowledged any more comes again.
        wait_until(lambda: len(texts()) == 2)
        assert texts() == ["The export must hold every part.", "And it must be fast."]
        running.wait_for("general", "choosing")
        assert running.doubled_posts("general") == []
