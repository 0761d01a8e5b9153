"""The party that comes with Roundtable: who it is, and whether it is worth talking to."""

import re
from itertools import combinations

import pytest

from core.content import prose, questions
from core.content.check import check
from core.content.library import Library, default_steps_dir
from core.domain.ids import PhaseKey
from core.domain.party import Member, Party, Question

EASE_MIN = 60  # also for lists, which a strict check does not read
PHASES = {
    "01-vision-council": (["Nadia", "Oscar", "Tessa"], ["project-brief.md"]),
    "02-stack-debate": (["Liam", "Zara", "Felix"], ["tech-stack.md"]),
    "03-blueprint": (
        ["Architecture Designer", "Data Model Designer", "Test Strategist"],
        ["architecture-overview.md", "data-model.md", "test-strategy-outline.md"],
    ),
    "04-constitution": (
        ["Constitution Writer", "Skills Researcher"],
        ["constitution.md", "skills-report.md"],
    ),
    "05-walkthrough": (["Lead"], ["discovery-context.json"]),
}


def shipped() -> Party:
    found = Library(default_steps_dir()).read_party()
    assert isinstance(found, Party)
    return found


PARTY = shipped()
each_member = pytest.mark.parametrize("member", PARTY.members, ids=[m.key for m in PARTY.members])


def asked(key: str) -> list[tuple[Member, Question]]:
    return [(who, one) for who in PARTY.members_of(PhaseKey(key)) for one in who.questions]


def test_a_strict_check_finds_nothing_in_the_party_file() -> None:
    report = check(default_steps_dir() / "inception", strict=True)
    found = (*report.faults, *report.notes)
    assert [(one.field, one.message) for one in found if one.file == "party.yaml"] == []


def test_five_phases_with_their_people_and_their_files() -> None:
    assert {
        phase.key: (
            [member.persona.name for member in PARTY.members_of(phase.key)],
            list(phase.outputs),
        )
        for phase in PARTY.phases
    } == PHASES


def test_the_debates_have_three_voices_and_ten_messages() -> None:
    assert [(one.type, one.protocol, one.max_messages) for one in PARTY.phases] == [
        ("parallel", "question-broadcast-debate", 10),
        ("parallel", "propose-critique-converge", 10),
        ("parallel", "produce-cross-review-finalize", 10),
        ("sequential", "constitution", 0),
        ("sequential", "walkthrough", 0),
    ]


def test_the_roles_of_the_six_who_have_names() -> None:
    assert [one.role for one in PARTY.personas[:6]] == [
        "Product Analyst",
        "Domain Researcher",
        "Technical Scout",
        "Solution Architect",
        "Security Advisor",
        "DevOps Pragmatist",
    ]


def test_nobody_looks_or_sounds_like_another() -> None:
    for look in ("icon", "identity", "style"):
        assert len({getattr(one, look) for one in PARTY.personas}) == len(PARTY.personas)


@each_member
def test_a_persona_reads_well(member: Member) -> None:
    texts = [
        "\n".join(f"- {line}" for line in lines)
        for lines in (
            [one.text for one in member.questions],
            member.focus,
            member.checks,
            member.expertise,
            member.persona.principles,
        )
    ]
    eases = [prose.reading_ease(text) for text in texts]
    assert min(ease for ease in eases if ease is not None) >= EASE_MIN
    assert re.search(r"[{}<>]|TODO|TBD", "".join(texts)) is None


def test_each_of_the_council_asks_three_or_four_questions_of_its_own() -> None:
    for member in PARTY.members_of(PhaseKey("01-vision-council")):
        assert len(member.questions) in (3, 4)
        for one, other in combinations(member.questions, 2):
            assert questions.likeness(questions.meant(one.text), questions.meant(other.text)) < 0.3


def test_the_council_overlaps_once_by_key_and_once_by_words() -> None:
    """So that merging has something to do, and merges nothing that is not the same."""
    pairs = [
        (one, other)
        for (who, one), (else_, other) in combinations(asked("01-vision-council"), 2)
        if who is not else_
    ]
    by_key = {one.key for one, other in pairs if one.key == other.key}
    by_words = {
        (one.key, other.key)
        for one, other in pairs
        if one.key != other.key
        and questions.likeness(questions.meant(one.text), questions.meant(other.text))
        >= questions.ALIKE_FROM
    }
    assert by_key == {"first-users"}
    assert by_words == {("todays-way", "todays-tools")}


def test_what_is_alike_is_about_the_same() -> None:
    domains = {one.key: one.domain for _, one in asked("01-vision-council")}
    assert domains["todays-way"] == domains["todays-tools"]


def test_the_walkthrough_cannot_pass_the_constitution_over() -> None:
    first_steps = (
        "party/05-walkthrough/01-review.md",
        "classic/08-walkthrough/01-constitution-review.md",
    )
    for place in first_steps:
        text = (default_steps_dir() / "inception" / place).read_text(encoding="utf-8")
        assert "\nmandatory: true\n" in text.partition("\n---\n")[0] + "\n"


def test_the_lead_leads_eight_classic_phases() -> None:
    assert PARTY.classic.persona == "lead"
    assert [(one.key, one.label) for one in PARTY.classic.phases] == [
        ("01-vision", "Vision"),
        ("02-domain", "Domain"),
        ("03-stack", "Tech Stack"),
        ("04-architecture", "Architecture"),
        ("05-data-model", "Data Model"),
        ("06-test-strategy", "Test Strategy"),
        ("07-constitution", "Constitution"),
        ("08-walkthrough", "Walkthrough"),
    ]
