"""What happened, in the past tense. Events with a `by` come from people; only they move a step."""

# Star imports: events are named as `on.MessagePosted`. What there is say the unions; a list of them
# here would be the third.
from core.domain.events.brains import *  # noqa: F403
from core.domain.events.files import *  # noqa: F403
from core.domain.events.people import *  # noqa: F403
from core.domain.events.slack import *  # noqa: F403

Event = FromPeople | SecretFound | FromBrains | FromFiles | FromSlack  # noqa: F405
