"""What people say of a stack, line by line: each line is kept, and takes or turns down what it says
it does."""

import pytest

from core.brains.script.parts.choices import stack_in
from tests.core.test_council_stack import debate, rows

HOSTING = "Hosting: Hetzner in Germany, because of GDPR."


# ── what is turned down ────────────────────────────────────────────────────────────────────────


def test_what_a_line_turns_down_is_rejected_for_its_area_and_the_choice_stays() -> None:
    held = debate("x", changes=(HOSTING, "Not AWS, the lawyer said no to US companies."))
    assert [row[:3] for row in rows(held)] == [
        ("chosen", "Hetzner in Germany", "Hosting"),
        ("rejected", "AWS", "Hosting"),
    ]
    assert [one.text for one in held.claims if one.kind == "stack"] == [
        HOSTING,
        "Not AWS, the lawyer said no to US companies.",
    ]


def test_a_line_that_only_turns_down_takes_nothing() -> None:
    assert stack_in("db: not MySQL, it is slow") == [
        {"choice": "rejected", "option": "MySQL", "area": "db"}
    ]
    assert [part["choice"] for part in stack_in("Vue, not React")] == ["chosen", "rejected"]


# ── several in one line ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("db - sqlite per phone + postgres on server", ["sqlite per phone + postgres on server"]),
        ("We run Postgres + Redis on Hetzner", ["We run Postgres + Redis on Hetzner"]),
        ("db: sqlite, postgres", ["sqlite", "postgres"]),
        ("go, postgres, svelte pwa, hetzner.", ["go", "postgres", "svelte pwa", "hetzner"]),
        ("Django, Celery and Postgres, because we know them", ["Django", "Celery", "Postgres"]),
    ],
)
def test_a_line_of_several_technologies_keeps_them_all(line: str, options: list[str]) -> None:
    held = debate("x", changes=(line,))
    assert [row[:2] for row in rows(held)] == [("chosen", option) for option in options]


def test_a_technology_that_a_line_of_several_names_is_no_rival_of_it() -> None:
    both = "db - sqlite per phone + postgres on server"
    held = debate("x", changes=(both, "go, postgres, svelte pwa, hetzner."))
    options = [row[1] for row in rows(held) if row[0] == "chosen"]
    assert options == [both[5:], "go", "postgres", "svelte pwa", "hetzner"]
    assert "for the language" in held.of("revision")[0].text
    assert not any("take for the language" in one.text for one in held.claims)


def test_what_a_list_names_beside_a_technology_is_of_no_area_of_its_neighbour() -> None:
    held = debate("x", changes=("python/django, postgres, htmx", "language: kotlin"))
    assert ("chosen", "htmx") in [row[:2] for row in rows(held)]


def test_what_people_want_instead_of_another_thing_is_a_choice() -> None:
    held = debate("x", changes=("an industrial pc now, not a pi", "I'd rather sleep"))
    assert [row[:2] for row in rows(held)] == [("chosen", "an industrial pc now")]


def test_of_an_earlier_phase_each_technology_of_a_line_is_proposed() -> None:
    held = debate("It has to work with our Postgres and the old Oracle.")
    assert [row[:2] for row in rows(held)] == [("chosen", "Postgres"), ("chosen", "Oracle")]


@pytest.mark.parametrize("line", ["ok, let's go. Postgres it is", "we go with Postgres"])
def test_to_go_is_no_language(line: str) -> None:
    held = debate("x", changes=(line,))
    assert any("take for the language" in one.text for one in held.claims)


def test_the_line_of_a_choice_that_was_changed_is_kept() -> None:
    held = debate("x", changes=("Database: Postgres, for the reports", "No, take MySQL."))
    texts = [one.text for one in held.claims if one.sources]
    assert "Database: Postgres, for the reports" in texts
    assert rows(held)[0][:2] == ("chosen", "MySQL")


# ── what is no technology ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "line",
    [
        "We must keep the temperature logs for 2 years",
        "GDPR: names are deleted after two years",
        "We keep the logs of the server",
        "correction to 7: the logs must be kept 1 year, not 2",
    ],
)
def test_what_must_be_kept_is_no_technology_and_people_are_asked_for_one(line: str) -> None:
    held = debate(line)
    assert rows(held) == []
    assert [question.key for _, _, question in held.asked] == ["technologies", "where-it-runs"]
    assert rows(debate("x", changes=(line,))) == []


@pytest.mark.parametrize(
    "line", ["Monitoring: the logs, kept for 2 weeks", "Hosting: the rack that our contract names"]
)
def test_what_is_said_for_an_area_is_a_choice_whatever_it_is(line: str) -> None:
    assert [row[0] for row in rows(debate("x", changes=(line,)))] == ["chosen"]


def test_what_somebody_says_is_no_technology_is_taken_out() -> None:
    held = debate(
        "Monitoring: temperature logs", changes=("lol temperature logs is no technology",)
    )
    assert rows(held) == []
    assert ("fact", "lol temperature logs is no technology") in [
        (one.kind, one.text) for one in held.claims
    ]


@pytest.mark.parametrize(
    "line",
    ["NOT Hetzner", "scratch hetzner", "Not Hetzner, Ben says it is slow", "no Hetzner please"],
)
def test_what_somebody_gives_up_is_turned_down_by_the_name_it_was_taken_by(line: str) -> None:
    held = debate("x", changes=("Hosting: Hetzner in Germany", line))
    assert [row[:2] for row in rows(held)] == [("rejected", "Hetzner in Germany")]
    texts = [one.text for one in held.claims if one.sources]
    assert sorted(texts) == sorted(["Hosting: Hetzner in Germany", line])


def test_what_is_turned_down_takes_no_other_technology_of_a_line_with_it() -> None:
    both = "sqlite per phone + postgres on server"
    held = debate("x", changes=(f"db: {both}", "no sqlite", "why not drop the postgres?"))
    assert ("chosen", both) in [row[:2] for row in rows(held)]


def test_what_nobody_took_is_turned_down_all_the_same() -> None:
    assert [row[:2] for row in rows(debate("x", changes=("no AWS please",)))] == [
        ("rejected", "AWS")
    ]


# ── one area beside another ────────────────────────────────────────────────────────────────────


def test_a_technology_of_another_area_is_no_rival() -> None:
    held = debate(
        "x",
        changes=(
            "mail: Postfix",
            "db: Postgres",
            "queue: Redis",
            "no AWS",
            "We will not use Gearman.",
        ),
    )
    assert [row[:3] for row in rows(held)] == [
        ("chosen", "Postfix", "mail"),
        ("chosen", "Postgres", "db"),
        ("chosen", "Redis", "queue"),
        ("rejected", "AWS", ""),
        ("rejected", "Gearman", ""),
    ]
    held = debate("x", changes=("db: Postgres", "Database: MySQL"))
    assert [row[:2] for row in rows(held)] == [("chosen", "MySQL"), ("rejected", "Postgres")]


def test_the_head_of_a_table_is_no_choice() -> None:
    table = "| area | choice |\n|---|---|\n| queue | Redis |\n| hosting | Hetzner |"
    held = debate("x", changes=(table,))
    assert [row[:3] for row in rows(held)] == [
        ("chosen", "Redis", "queue"),
        ("chosen", "Hetzner", "hosting"),
    ]


def test_what_an_area_does_without_is_turned_down_there() -> None:
    held = debate("x", changes=("sign-in: no passwords please, people forget them.",))
    assert [row[:3] for row in rows(held)] == [("rejected", "passwords", "sign-in")]


# ── what names none ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "said",
    [
        "Keys in a .env on the vm, not in git",
        "the addresses would go to the US",
        "| what | €/month |\n|---|---|\n| storage box | 4 |\n| sms | ca 15 in season |",
    ],
)
def test_what_is_kept_costs_or_happens_is_no_choice(said: str) -> None:
    assert not [row for row in rows(debate("x", changes=(said,))) if row[0] == "chosen"]


@pytest.mark.parametrize(
    ("said", "choice", "area"),
    [
        ("monitoring: uptimerobot pings /healthz, sms to me", "uptimerobot pings", "monitoring"),
        ("Liam: frontend = htmx, no react", "htmx", "frontend"),
        ("@Zara sign in: Keycloak for Gerda", "Keycloak", "sign in"),
        ("Nadia db: Postgres", "Postgres", "db"),
    ],
)
def test_a_choice_behind_its_area_is_one(said: str, choice: str, area: str) -> None:
    (row,) = [row for row in rows(debate("x", changes=(said,))) if row[0] == "chosen"]
    assert row[1].startswith(choice)
    assert row[2] == area


def test_what_somebody_does_not_want_is_turned_down() -> None:
    held = debate("x", changes=("monitoring: Sentry", "sentry I dont want"))
    assert [row[:2] for row in rows(held)] == [("rejected", "Sentry")]


def test_each_of_a_list_of_technologies_in_an_earlier_phase_is_proposed() -> None:
    held = debate("python/django, postgres + postgis, htmx. because I know it")
    options = [row[1] for row in rows(held)]
    assert options == ["python/django", "postgres", "postgis", "htmx"]
