"""What is between Slack and the bot: kept, sent again, or sent as somebody else would."""

from bot.devtools.workspace.delivery.queue import Parcel
from bot.devtools.workspace.values import Json
from tests.support.served_bot import ServedBot


class Wiretap:
    """Keeps what Slack sends to the bot, and sends it again, byte for byte."""

    def __init__(self, table: ServedBot) -> None:
        self._table = table
        self._office = table.slack._office
        self._send = self._office.send
        self.parcels: list[Parcel] = []
        self.holding = False  # what is sent meanwhile never arrives
        self._office.send = self._keep  # type: ignore[method-assign] # between Slack and the bot

    def _keep(self, parcel: Parcel) -> None:
        self.parcels.append(parcel)
        if not self.holding:
            self._send(parcel)

    def last(self, kind: str) -> Parcel:
        return next(each for each in reversed(self.parcels) if each.type == kind)

    def send_again(self, parcel: Parcel) -> None:
        self._send(Parcel(parcel.kind, parcel.type, parcel.id, parcel.payload))
        self._table.settle()

    def send(self, parcel: Parcel, payload: Json) -> None:
        """Another payload in that parcel's place."""
        self._send(Parcel(parcel.kind, parcel.type, parcel.id, payload, parcel.settled))
        self._table.settle()
