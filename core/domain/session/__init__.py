"""A session and its parts, as frozen values."""

# Star imports: a part is known here by being written in one of these files.
from core.domain.session.council import *  # noqa: F403
from core.domain.session.course import *  # noqa: F403
from core.domain.session.halt import *  # noqa: F403
from core.domain.session.menu import *  # noqa: F403
from core.domain.session.party_state import *  # noqa: F403
from core.domain.session.people import *  # noqa: F403
from core.domain.session.reading import *  # noqa: F403
from core.domain.session.session import *  # noqa: F403
from core.domain.session.start import *  # noqa: F403
from core.domain.session.step import *  # noqa: F403
