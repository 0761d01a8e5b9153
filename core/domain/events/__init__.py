"""What happened, in the past tense. Events with a `by` come from people; only they move a step."""

# Star imports: an event is known here by being written in one of these files, and in its union.
from core.domain.events.brains import *  # noqa: F403
from core.domain.events.files import *  # noqa: F403
from core.domain.events.people import *  # noqa: F403
from core.domain.events.slack import *  # noqa: F403

Event = FromPeople | SecretFound | FromBrains | FromFiles | FromSlack  # noqa: F405
