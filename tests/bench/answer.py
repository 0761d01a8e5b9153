"""What people say in a measurement. It stands alone: who is compared imports nothing of ours."""

from typing import Final

ANSWER: Final = (
    "Finance exports the revenue dashboard as PDF at the end of each month, about 40 people, at "
    "most 20 pages; it must be done within 30 seconds and look the same as on the screen, with the "
    "filters named on page 1."
)
