"""When threads are read back: after a start, after a long outage, and seldom otherwise."""

from pytest_mock import MockerFixture

from bot.server.outage import LATE_EVERY_S, LateDeliveries, Outage


def test_a_start_counts_and_a_short_loss_of_connection_does_not(mocker: MockerFixture) -> None:
    returned = mocker.stub()
    outage = Outage(returned)
    for now, connected in ((0.0, True), (1.0, True), (2.0, False), (60.0, False), (60.5, True)):
        outage.look(now, connected=connected)
    assert returned.call_count == 1


def test_a_connection_that_was_away_for_over_a_minute_counts_once(mocker: MockerFixture) -> None:
    returned = mocker.stub()
    outage = Outage(returned)
    for now, connected in ((0.0, True), (30.0, False), (61.0, True), (62.0, True)):
        outage.look(now, connected=connected)
    assert returned.call_count == 2


def test_a_machine_that_slept_was_away(mocker: MockerFixture) -> None:
    returned = mocker.stub()
    outage = Outage(returned)
    for now in (0.0, 1.0, 3_600.0):
        outage.look(now, connected=True)
    assert returned.call_count == 2


def test_a_delivery_that_took_over_a_minute_counts_once_in_a_while(mocker: MockerFixture) -> None:
    returned, now = mocker.stub(), mocker.Mock(return_value=0.0)
    late = LateDeliveries(returned, now)
    for retry in ("", "1", "2", "3", "3"):
        late.look(retry)
    returned.assert_called_once()
    now.return_value = LATE_EVERY_S + 1
    late.look("2")
    assert returned.call_count == 2
