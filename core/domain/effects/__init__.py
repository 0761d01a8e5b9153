"""What must be done, in the imperative, and which rows change.

Records are saved in the same commit as the session. Effects become outbox rows in that commit and
are performed afterwards: they name things and carry no rendered text. A class declares how its rows
are queued (`declaration`); a new one is written in the file of its subject, nowhere else here.
"""

# Star imports: effects are named as `fx.PostPrompt`, and a list of them here would be one more
# place that a new one has to be written in.
from core.domain.effects.declaration import *  # noqa: F403
from core.domain.effects.private import *  # noqa: F403
from core.domain.effects.records import *  # noqa: F403
from core.domain.effects.session_messages import *  # noqa: F403
from core.domain.effects.step_messages import *  # noqa: F403
from core.domain.effects.work import *  # noqa: F403
