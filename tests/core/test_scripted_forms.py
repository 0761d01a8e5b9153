"""What the form of a line shows, in every topic where it matters, whatever its words are."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.brains.script.rules.forms import is_past
from core.brains.text.split import split
from core.domain.answers import Claim, Draft
from tests.core.test_compose import made, page
from tests.core.test_scripted import request, shipped


def told(step: str, *said: str) -> tuple[Claim, ...]:
    """The claims of a shipped step, with its questions as they are asked at standard depth."""
    asked = request(step, *said)
    step_file = next(each for each in shipped() if each.id == asked.step.id)
    draft: Draft = read(replace(asked, step=step_file))
    return draft.claims


def lines(step: str, *said: str) -> list[tuple[str, str]]:
    return [(claim.kind, claim.text) for claim in told(step, *said)]


# ── lists on one line ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("8: no older than a day 9: sorted by room",
         ["8: no older than a day", "9: sorted by room"]),
        ("R1 guests book R2 seats are held R3 adults only",
         ["R1 guests book", "R2 seats are held", "R3 adults only"]),
        ("F1: open the gate, F2: count the cars, F3: close it",
         ["F1: open the gate,", "F2: count the cars,", "F3: close it"]),
        ("for me: 5) print it 6) mail it", ["for me:", "print it", "mail it"]),
        ("7. weigh the parcel 8. print the label 9. call the van",
         ["weigh the parcel", "print the label", "call the van"]),
        ("the gate opens at 9: the guard is there", ["the gate opens at 9: the guard is there"]),
        ("room 3 has 4 beds and 5 chairs", ["room 3 has 4 beds and 5 chairs"]),
    ],
)  # fmt: skip
def test_numbers_that_count_on_in_one_line_are_lines_of_their_own(
    said: str, texts: list[str]
) -> None:
    assert [fragment.text for fragment in split(said, question_count=3)] == texts
    assert [fragment.text for fragment in split(said)] == texts


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("Not the old lift (yes I know. it squeaks. sorry)",
         ["Not the old lift (yes I know. it squeaks. sorry)"]),
        ('Ida says "no. never. not us" and leaves. We stay.',
         ['Ida says "no. never. not us" and leaves.', "We stay."]),
        ('He wrote "we open. at nine." And left.', ['He wrote "we open. at nine."', "And left."]),
        ("one (that nobody closes. We stay. She goes", ["one (that nobody closes.", "We stay.",
         "She goes"]),
        ("but 1) who locks up on a holiday 2. who has the key",
         ["but", "who locks up on a holiday", "who has the key"]),
        ("- the lift fails -> stairs + mail. - the key is lost -> we ring. 20 approx. - or more",
         ["the lift fails -> stairs + mail.", "the key is lost -> we ring.",
          "20 approx. - or more"]),
        ("I take the bus... hm no, the train. Late... as ever",
         ["I take the bus...", "hm no, the train.", "Late... as ever"]),
        ("weekly too? no. - we stay daily. No. 5 is red",
         ["weekly too?", "no.", "we stay daily.", "No. 5 is red"]),
    ],
)  # fmt: skip
def test_a_line_is_cut_neither_in_a_bracket_nor_behind_a_list_number(
    said: str, texts: list[str]
) -> None:
    assert [fragment.text for fragment in split(said)] == texts


def test_a_bracket_or_quotation_mark_keeps_its_other_half() -> None:
    """Of "trays (oven)" the sign at its end belongs to the name."""
    flows = told("04-03", "till -> trays (oven) -> shelf")
    assert [flow.data["to"] for flow in flows] == ["trays (oven)", "shelf"]
    (error, *_) = [one for one in told("04-04", 'stale bread => "too old", kept off the shelf')
                   if one.kind == "error"]  # fmt: skip
    assert error.data["response"] == '"too old", kept off the shelf'


@pytest.mark.parametrize("no", ["dont", "don't", "do not", "never"])
def test_a_story_of_what_nobody_wants_keeps_its_no(no: str) -> None:
    (story,) = told("01-07", f"as whoever was off sick i {no} want to come back to 80 orders.")
    assert story.data["want"] == "not come back to 80 orders"


@pytest.mark.parametrize("asked", [0, 3])
def test_a_number_that_opens_an_answer_alone_is_no_list_sign(asked: int) -> None:
    said = "50. Below that nobody reads it."
    assert [part.text for part in split(said, asked)] == [said]
    listed = split("10. Hold a slot.\n11. Move it.", asked)
    assert [part.text for part in listed] == ["Hold a slot.", "Move it."]


@pytest.mark.parametrize(
    "said", ["1. two seconds 2. data lost 3. GDPR", "1) two seconds 2) data lost 3) GDPR",
             "1: two seconds 2: data lost 3: GDPR"],
)  # fmt: skip
def test_numbers_of_the_questions_on_one_line_are_answers_to_them(said: str) -> None:
    claims = told("01-05", said)
    assert [(claim.text, claim.data["question"]) for claim in claims] == [
        ("two seconds", "1"),
        ("data lost", "2"),
        ("GDPR", "3"),
    ]


# ── paths and arrows ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/practices/{id}/moves", "/v2/pens/{pen}/animals", "/w/{a}/{b}"])
def test_a_path_with_braces_is_an_endpoint_and_stands_in_the_artifact(path: str) -> None:
    (entry,) = told("02-02", f"web: `{path}`")
    assert (entry.kind, entry.data["path"]) == ("entry-point", path)
    (contract,) = told("04-02", f"{path} gives the list")
    assert (contract.kind, contract.data["path"]) == ("interface", path)
    (called,) = told("04-02", f"PUT {path} -> 204")
    assert (called.data["method"], called.data["path"]) == ("PUT", path)
    assert path in page(made("02-02", "impact-analysis.md", f"web: `{path}`"))


def test_what_an_endpoint_does_is_no_requirement_beside_it_unless_it_must() -> None:
    (gives,) = told("04-02", "GET /boats/{id} gives the trips of one boat and nothing else")
    assert gives.kind == "interface"
    demanded = told("04-02", "GET /boats/{id} must give the trips of one boat and nothing else")
    assert [claim.kind for claim in demanded] == ["requirement", "interface"]


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("badge -> locker opens -> light on", ["badge", "locker opens", "light on"]),
        ("ring the bell → nurse sees the room ⇒ she comes",
         ["ring the bell", "nurse sees the room", "she comes"]),
        ("cart => pay (card) => slip by mail", ["cart", "pay (card)", "slip by mail"]),
    ],
)  # fmt: skip
def test_a_chain_is_a_journey_in_its_steps_and_flows_where_data_are_asked_for(
    said: str, steps: list[str]
) -> None:
    (journey,) = told("01-03", said)
    assert journey.data["topic"] == "journey"
    assert journey.data["steps"].split("\n") == steps
    assert journey.text == said
    flows = told("04-03", "till => ledger → archive ⇒ auditor")
    assert [(flow.data["from"], flow.data["to"]) for flow in flows] == [
        ("till", "ledger"),
        ("ledger", "archive"),
        ("archive", "auditor"),
    ]


# ── arguments ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        ("A) One sheet per ward\n  + quick to fill\n  - 40 sheets a day\nB) A screen\n + clean",
         [("quick to fill", "40 sheets a day"), ("clean", "")]),
        ("Option A: a van. Pro: we own it. Con: 12 € a day\nOption B: bikes. Pros: free\nCon: rain",
         [("we own it.", "12 € a day"), ("free", "rain")]),
        ("A: Liste\ndafür: kennt jeder\ndagegen: 3 Leute tippen ab\nB: Scanner\nVorteile: genau",
         [("kennt jeder", "3 Leute tippen ab"), ("genau", "")]),
    ],
)  # fmt: skip
def test_pro_and_contra_belong_to_the_option_above_them(
    said: str, arguments: list[tuple[str, str]]
) -> None:
    options = told("03-01", said)
    assert [(one.data.get("for", ""), one.data.get("against", "")) for one in options] == arguments
    text = page(made("03-01", "architecture-overview.md", said))
    assert all(word in text for pair in arguments for word in pair)


def test_pros_and_cons_may_stand_under_headings_of_their_own() -> None:
    said = (
        "Option A: van\nPros:\n- we own it\n- fast\nCons:\n- 12 € a day\n"
        "Option B: bikes\nPros:\n- free"
    )
    one, other = told("03-01", said)
    assert (one.data["for"], one.data["against"]) == ("we own it\nfast", "12 € a day")
    assert (other.data["option"], other.data["for"]) == ("Option B", "free")


@pytest.mark.parametrize(
    "said",
    [
        "Two ways.\n*Own van* – parked here. + we own it. – 12 € a day.\n"
        "*Bikes*: rented. + free. - rain.",
        "Two ways:\n- Own van\n  + we own it.\n  - 12 € a day.\n- Bikes\n  + free.\n  - rain.",
        "**Own van** (parked here)\n+ we own it.\n- 12 € a day.\n"
        "**Bikes** (rented)\n+ free.\n- rain.",
    ],
)
def test_arguments_may_stand_behind_an_option_below_it_or_further_in(said: str) -> None:
    options = [one for one in told("03-01", said) if not one.text.startswith("Two ways")]
    assert [(one.data["for"], one.data["against"]) for one in options] == [
        ("we own it.", "12 € a day."),
        ("free.", "rain."),
    ]
    if "*" in said:
        assert [one.data["option"] for one in options] == ["Own van", "Bikes"]


def test_options_are_called_what_their_author_put_in_bold() -> None:
    options = told("03-01", "*Own van*, parked here\n*Bikes*: rented by the hour")
    assert [one.data for one in options] == [{"option": "Own van"}, {"option": "Bikes"}]
    (alone,) = told("03-01", "*Bikes* are what the others use")
    assert "option" not in alone.data


def test_options_of_a_plain_list_are_called_by_their_words_and_have_no_arguments() -> None:
    options = told("03-01", "- a van\n- bikes\n- the post")
    assert [one.data for one in options] == [{"option": one.text} for one in options]


# ── assumptions, history, dates ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("step", ["01-01", "01-04", "01-06", "02-02", "03-01", "04-03"])
@pytest.mark.parametrize(
    "said",
    [
        "I assume the vendor lets us call it 60 times a minute.",
        "so we presume that nobody prints on sundays",
        "Ich nehme an, dass die Waage bleibt.",
        "supongo que la impresora sigue",
        "assuming the crane is free",
        "My assumption: two people at the desk",
    ],
)
def test_what_somebody_assumes_is_their_assumption_and_no_fact(step: str, said: str) -> None:
    (claim,) = told(step, said)
    assert (claim.kind, claim.confidence, claim.text) == ("assumption", "assumed", said)
    assert claim.sources


@pytest.mark.parametrize(
    "said",
    ["I assume the till wins, but let's decide with Carla.", "we suppose ten a day, to be checked",
     "I assume 4 weeks. Well, we should ask legal, I assume."],
)  # fmt: skip
def test_an_assumption_that_is_to_be_settled_is_an_open_question_as_well(said: str) -> None:
    assert {"assumption", "question"} <= {kind for kind, _ in lines("04-03", said)}


@pytest.mark.parametrize(
    "said",
    [
        "the lockfile was forgotten last time",
        "Last year the labels were printed twice",
        "In 2019 somebody swapped the keys",
        "we had this in march 2022 with the oven",
        "two years ago the list got mixed up",
        "letztes Mal war der Schlüssel weg",
    ],
)
@pytest.mark.parametrize("step", ["01-06", "01-07", "03-02", "04-01"])
def test_what_was_once_is_no_requirement(step: str, said: str) -> None:
    (claim,) = told(step, said)
    assert claim.kind in ("note", "risk", "fact"), claim
    assert claim.text == said


@pytest.mark.parametrize(
    "said",
    [
        "The report shows what was booked last month.",
        "A guest sees which tickets were scanned in 2025.",
        "Keys that were lost last year must never open the gate again.",
    ],
)
def test_what_shall_be_is_not_past_for_a_date_behind_it(said: str) -> None:
    assert not is_past(said)


@pytest.mark.parametrize(
    "said",
    ["The report must show what was booked last month.", "Keys lost last year must stay locked."],
)
def test_a_requirement_on_what_is_past_stays_one(said: str) -> None:
    assert lines("01-06", said) == [("requirement", said)]


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("Must be live before October", "October"),
        ("needed by end of March", "end of March"),
        ("the licence runs until 9 December", "9 December"),
        ("has to be there on 3 May at the latest", "3 May"),
        ("bis Ende Juni muss das fertig sein", "Ende Juni"),
        ("go-live no later than Q3 2027", "Q3 2027"),
        ("tiene que estar listo antes de mayo", "mayo"),
        ("Deadline: 3 March", "3 March"),
        ("the export must be out by Friday", "Friday"),
    ],
)
@pytest.mark.parametrize("step", ["01-01", "01-03", "01-04", "02-04"])
def test_a_deadline_is_a_constraint_with_its_date(step: str, said: str, date: str) -> None:
    (claim,) = told(step, said)
    assert (claim.kind, claim.data.get("date")) == ("constraint", date)


@pytest.mark.parametrize(
    "said",
    ["Dr. Feld is away until 9 December", "she's out until Monday", "A guest can cancel before 6"],
)  # fmt: skip
def test_a_date_of_somebodys_or_of_what_can_be_done_is_no_deadline(said: str) -> None:
    assert {kind for kind, _ in lines("01-06", said)} != {"constraint"}
    assert "date" not in told("01-06", said)[0].data


# ── stories ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "role", "want"),
    [
        ("As night porter I want to see who is in, so that I can lock", "night porter",
         "see who is in"),
        ("as kitchen staff i need the list at 6", "kitchen staff", "the list at 6"),
        ("Als Hausmeister möchte ich die Schlüssel zählen, damit keiner fehlt", "Hausmeister",
         "die Schlüssel zählen"),
        ("Como conductora quiero ver la ruta para no llamar", "conductora", "ver la ruta"),
        ("want no calls within 2h of closing", "", "no calls within 2h of closing"),
        ("I want a list of the open keys on the 25th.", "", "a list of the open keys on the 25th"),
        ("Drivers see the new stop as soon as it is added", "Drivers",
         "see the new stop as soon as it is added"),
        ("ok for real, as a warden i want one key", "warden", "one key"),
        ("Fine, then as team lead I want a stand-in.", "team lead", "a stand-in"),
        ("as the shift lead I'd want to see the floor", "shift lead", "see the floor"),
        ("Als Hausmeister I want to see who is in", "Hausmeister", "see who is in"),
        ("As a night nurse i want to see whats still open for my beds", "night nurse",
         "see whats still open for my beds"),
    ],
)  # fmt: skip
def test_a_story_is_a_person_a_moment_and_what_happens(said: str, role: str, want: str) -> None:
    (claim,) = told("01-07", said)
    assert (claim.kind, claim.data["role"], claim.data["want"]) == ("story", role, want)


@pytest.mark.parametrize(
    "said",
    [
        "As far as I know I want nothing",
        "As we said, I like it",
        "no idea",
        "yes, as a rule I want it quick",
        "as a borrower I want... to be left alone, mostly.",
    ],
)
def test_a_turn_of_speech_is_no_story(said: str) -> None:
    assert "story" not in {kind for kind, _ in lines("01-06", said)}


# ── tables ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "said",
    [
        "risk | likely | harm\nwrong key | low | high\nlost van | rare | 9,000 €",
        "Risk\tLikelihood\tImpact\nwrong key\tlow\thigh\nlost van\trare\t9,000 €",
        "|what|how likely|how bad|\n| wrong key | low | high |\n| lost van | rare | 9,000 € |",
        "|risk|odds|impact|\n|---|---|---|\n| wrong key | low | high |\n|lost van|rare|9,000 €|",
    ],
)  # fmt: skip
def test_a_row_of_a_table_is_read_by_its_head_with_or_without_a_rule(said: str) -> None:
    head, *rows = told("01-05", said)
    assert head.kind == "fact"
    assert [(row.kind, row.data["likelihood"], row.data["impact"]) for row in rows] == [
        ("risk", "low", "high"),
        ("risk", "rare", "9,000 €"),
    ]


@pytest.mark.parametrize(
    "said", ["either a | b", "ls | wc", "one line - no table\nand another - here"]
)
def test_a_bar_alone_makes_no_table(said: str) -> None:
    assert {fragment.table for fragment in split(said)} == {""}


# ── numbers with their units, other languages ──────────────────────────────────────────────────


@pytest.mark.parametrize(
    "said",
    ["99.5 % available between 6 and 22", "max. 2.5 s p95 on 3 G", "ca. 1.200 € im Monat",
     "at most 0.5 % wrong, approx. 12 a day", "art. 28a gives us 14 days",
     "our manual ch. 7 says at most 3 m"],
)  # fmt: skip
def test_a_number_stays_with_its_unit_in_one_line(said: str) -> None:
    (claim,) = told("01-05", said)
    assert claim.text == said
    escaped = page(made("01-05", "requirements-spec.md", said)).replace("\\", "")
    assert said in escaped


@pytest.mark.parametrize(
    "said",
    [
        "Die Waage muss jeden Morgen um 6 Uhr geprüft sein, sonst steht der Betrieb.",
        "El pedido debe llegar en 24 horas o el cliente no paga nada por ello nunca.",
        "Le camion doit partir avant midi, sinon les clients attendent toute la journée.",
    ],
)
@pytest.mark.parametrize("step", ["01-01", "01-05", "01-06", "02-03", "04-04"])
def test_a_sentence_in_another_language_is_kept_and_never_lost(step: str, said: str) -> None:
    assert {text for _, text in lines(step, said)} == {said}


def test_a_sentence_in_another_language_does_not_end_the_asking() -> None:
    german = "Die Waage muss jeden Morgen um sechs Uhr geprüft sein, sonst steht alles."
    asked = request("01-02", "Clerks do it by hand.", german)
    step = next(each for each in shipped() if each.id == asked.step.id)
    assert read(replace(asked, step=step)).follow_up is not None


@pytest.mark.parametrize(
    ("said", "arrows"),
    [
        ("`draft` -> `sent`, or `sent` -> archived", ["draft > sent", "sent > archived"]),
        ("states: new -> held -> booked", ["new > held", "held > booked"]),
        ("also: open -> closed", ["open > closed"]),
        ("Or held -> new when time is up", ["held > new: when time is up"]),
        ("and then booked -> done, the auditor wants that", ["booked > done"]),
        ("the `orders` table -> bills", ["orders > bills"]),
        ("order desk -> till, printer", ["order desk > till, printer"]),
        ("till -> bank: the total", ["till > bank: the total"]),
    ],
)
def test_an_arrow_goes_between_names_without_the_words_around_them(
    said: str, arrows: list[str]
) -> None:
    flows = [claim.data for claim in read(request("04-03", said)).claims if "from" in claim.data]
    names = [f"{one['from']} > {one['to']}: {one.get('what', '')}".rstrip(": ") for one in flows]
    assert names == arrows
