"""What is left out is told by its form, at any step, in lines of several trades and languages."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import kinds, request

LEFT_OUT = [
    "Not in this round: the tap list, merch",
    "not now: a dark mode",
    "what we do NOT want: ratings, chat",
    "nicht in v1: Mehrsprachigkeit",
    "fuera: las facturas",
    "won't do: SMS",
    "leave out the weather feed",
    "leave the weather feed out of it",
    "let's skip the map for now",
    "phase two maybe, the kiosk screens",
    "editing menus on the wall maybe next year",
    "statistics later, not now",
    "tank gauges <- nothing automatic",
    "payroll export is somebody else's job",
    "Boiler checks are the depot's business.",
    "the dock list is the harbour master's job, not ours",
    "Delivery does not concern this system.",
    "We're not going to deal with pay slips here.",
    "we do not renumber 900 barrels",
    "the planner is out of the picture",
    "receipts stay outside of the system",
    "chat is a different project",
    "and no app for the drivers",
    "yep, no chat, phone only",
    "we can live without the map",
    "don't bother with refunds",
    "a wallet is overkill",
    "keep the boat list out of this",
    "the boat list doesn't belong here",
    "push messages (v2)",
    "courses some other time",
    "courses aren't part of it",
    "not for us: courses",
    "Kundenkarten brauchen wir nicht",
    "no queremos mapas",
    "kein Kundenportal",
    "Statistik lassen wir weg",
    "Kreditkarten kommen uns nicht ins Haus.",
    "las facturas quedan fuera",
    "the loyalty card can wait for the next round",
    "Reports per region are for next year",
    "not this season: rental skis",
    "we won't translate the menu",
    "Deliveries stay by hand",
    "the cash register isn't part of this",
    "no photos for now",
    "no coupons at first",
    "Gutscheine machen wir erst nächstes Jahr",
    "Kein Onlineshop in der ersten Version",
    "Die Kasse bleibt erst mal draußen",
    "ohne Rabatte",
    "Lieferdienst brauchen wir nicht",
    "das fällt erst mal weg",
    "Reservierungen kommen später",
    "Mahnungen gehören nicht dazu",
    "Statistik ist nicht unser Thema",
    "sin cupones por ahora",
    "los vales quedan fuera",
    "dejamos fuera las reservas",
    "las reservas no entran en esta versión",
    "no vamos a tocar la contabilidad",
    "nada de SMS",
    "por ahora no",
    "pas de bons pour l'instant",
    "on ne fait pas la livraison",
    "la compta, hors périmètre",
    "les statistiques plus tard",
    "on laisse tomber les bons",
    "I don't want a chat in there",
    "forget about the kiosk",
    "What it won't do: invoices",
    "we leave the invoices to the accountants",
    "tips stay with the waiters",
    "the archive is for another day",
    "payment remains with the bank",
    "weekly mails have to wait",
    "we keep the barcode printer out of it",
    "no integrations yet",
    "X-rays are somebody else's problem",
    "no need for a dark theme",
    "hands off the price list",
    "dogs are a separate project",
    "nobody asked for emojis",
    "cash is out",
    "merch goes out",
    "ratings: maybe next year",
    "ratings maybe later",
    "only for staff, guests come later",
    "that comes in version 2",
    "the calendar view is version 2",
    "not doing: refunds",
    "we park the map",
    "Lass uns die Karte erst mal weglassen",
    "eso no lo hacemos",
    "la caja no se toca",
]
NOT_LEFT_OUT = [
    "scan in, scan out",
    "Mira is out at the far stand when a call comes in",
    "The clerk prints the label and hands it out",
    "A ticket is out of stock",
    "the key is left out of the box",
    "the guest can leave the form out",
    "not good - people leave",
    "no lot without a photo",
    "no internet in the barn",
    "It's the nurse's job to count",
    "we do not ship on Sundays",
    "keep the dog out of the kitchen",
    "the sheet has a part for notes",
    "version 2 of the form is out there",
    "he needs nobody for that",
    "the app does not show prices to guests",
    "in version 3 of the firmware the beeper works",
    "the sheet is printed later",
    "what we need: scales",
    "no sale without a receipt",
    "no order goes out until it is paid",
    "no more than three bookings",
    "the ferry stays in port",
    "the box stays with the guest until he checks out",
    "the robot stops without a word",
    "a ticket is not valid twice",
    "nobody may see the code",
    "a guest can wait in the queue",
    "cars must wait until the barrier is up",
    "no dogs in the restaurant",
    "the light goes out after ten minutes",
    "the printer is out of paper",
    "rooms are out of order",
    "we don't need long",
    "let's not forget the fee",
    "the mail goes out at six",
    "ohne Ausweis keine Ausgabe",
    "ein Ticket ist nicht zweimal gültig",
    "sin DNI no se entrega",
    "no se puede pagar dos veces",
    "kein Rabatt ohne Karte",
    "pas de retrait sans pièce d'identité",
    "we want a receipt for every sale",
    "nothing is printed twice",
    "nothing may be sold before ten",
    "the tram stays in the depot when it snows",
    "stock is kept for later orders",
]


@pytest.mark.parametrize("step", ["01-04", "01-06", "02-04", "03-03", "04-05"])
@pytest.mark.parametrize("line", LEFT_OUT)
def test_a_line_that_leaves_something_out_is_out_of_scope_wherever_it_is_said(
    line: str, step: str
) -> None:
    assert kinds(read(request(step, line))) == [("exclusion", line)]


@pytest.mark.parametrize("step", ["01-03", "01-06", "02-04"])
@pytest.mark.parametrize("line", NOT_LEFT_OUT)
def test_a_line_that_only_sounds_like_it_leaves_nothing_out(line: str, step: str) -> None:
    assert "exclusion" not in dict(kinds(read(request(step, line))))


@pytest.mark.parametrize("line", ["W: the pilots' view", "**W** juniors", "won't: letters"])
def test_an_initial_among_ranks_stands_for_its_rank(line: str) -> None:
    assert kinds(read(request("01-08", line))) == [("exclusion", line)]


def test_a_letter_is_no_rank_where_lines_are_collected() -> None:
    assert "exclusion" not in dict(kinds(read(request("01-06", "W: the clerk prints a label"))))


def test_what_is_left_out_is_that_also_in_a_list_of_fixed_points() -> None:
    said = "fixed:\n- the barge list stays\n- no app for skippers\n- contract until 2028"
    assert [kind for kind, _ in kinds(read(request("01-04", said)))] == [
        "constraint",
        "exclusion",
        "constraint",
    ]
