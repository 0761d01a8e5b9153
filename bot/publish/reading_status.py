"""The line under a thread while a model reads: "Maya Chen is reading 3 answers".

Best effort: it is set beside the lane, whose posts never wait for it, and nothing is tried again.
What it says is looked up when it is set, so that one that comes late shows nothing that is over.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from bot.publish.background import guarded
from bot.publish.message_targets import thread_of
from bot.publish.render.last_commit import LastCommit
from bot.views.kit.names import counted
from bot.web_api.client import SlackClient
from core.domain.effects import ShowReading
from core.domain.session.session import Session
from core.engine.model.needed import needed_tasks


class ReadingStatus:
    def __init__(self, commit: LastCommit) -> None:
        self._commit = commit
        self._one_by_one = ThreadPoolExecutor(1, "reading-status")

    def show(self, client: SlackClient, session: Session, effect: ShowReading) -> None:
        """Have the line set, or taken away. Returns at once."""
        job = partial(self._set, client, session, effect)
        self._one_by_one.submit(guarded(job, "reading-status.failed"))

    def stop(self) -> None:
        """No line is set after this returns, which takes one call at most."""
        self._one_by_one.shutdown(wait=True, cancel_futures=True)

    def _set(self, client: SlackClient, session: Session, effect: ShowReading) -> None:
        thread_ts = thread_of(self._commit, session, effect.thread)
        if thread_ts is None:
            return
        session = self._commit.reader.load(session.id)
        state = self._commit.state(session, effect.step)
        is_read = state.model.is_held and needed_tasks(session, (state,))
        status = f"is reading {counted(len(state.model.basis), 'answer')}" if is_read else ""
        author = self._commit.voice(session, state)
        client.set_status(session.channel, thread_ts, status, author=author)
