"""Play files: what is understood, and every fault at once, in plain words, with its place."""

from pathlib import Path

import pytest

from bot.devtools.play.player import chosen
from bot.devtools.play.script.entries import (
    BrainFails,
    CleanupFails,
    Clicks,
    ClockMoves,
    Commands,
    Deletes,
    Edits,
    PlayReplies,
    Removes,
    Restarts,
    SlackFails,
    TeamRefuses,
    WriteFails,
    Writes,
)
from bot.devtools.play.script.file import parse, read
from bot.devtools.play.script.script import mode_of
from bot.devtools.yaml_file import FaultyFileError

EXAMPLES = sorted(Path("docs/examples").glob("*.yaml"))

HEAD = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Title"}
"""


def faults_of(text: str) -> tuple[str, ...]:
    with pytest.raises(FaultyFileError) as refused:
        parse(text)
    return refused.value.faults


def faults_with(more: str) -> tuple[str, ...]:
    return faults_of(HEAD + more)


def test_everything_the_format_knows_is_understood() -> None:
    script = parse(
        HEAD
        + """
steps:
  "00-01":
    - {by: pm, reply: "One"}
    - by: dev
      reply: |
        Two
        lines
    - {by: pm, edit: 1, text: "Once"}
    - {by: pm, delete: 1}
    - {by: dev, click: "depth:deep"}
    - {by: pm, command: "/roundtable resume"}
otherwise:
  - {by: pm, click: continue}
menus: {E-005: retry, default: cancel}
before:
  "01-03":
    - {slack: 429, method: chat.postMessage, retry_after: 2, times: 3}
    - {slack: accept-then-drop}
    - {write: "meta.json", text: "{broken"}
    - {remove: "steps/analysis/02-impact-analysis"}
    - {brain: silent, persona: business-analyst}
    - {restart: kill}
    - {clock: "+1h30m"}
"""
    )
    assert script.people == ("pm", "dev")
    assert script.start == Commands("pm", "/roundtable analyze Title")
    assert script.steps["00-01"] == (  # type: ignore[index]
        PlayReplies("pm", "One"),
        PlayReplies("dev", "Two\nlines"),
        Edits("pm", 1, "Once"),
        Deletes("pm", 1),
        Clicks("dev", "depth:deep"),
        Commands("pm", "/roundtable resume"),
    )
    assert script.otherwise == (Clicks("pm", "continue"),)
    assert script.menus == {"E-005": "retry", "default": "cancel"}
    assert script.before["01-03"] == (  # type: ignore[index]
        SlackFails("429", "chat.postMessage", 2.0, 3),
        SlackFails("accept-then-drop"),
        Writes("meta.json", "{broken"),
        Removes("steps/analysis/02-impact-analysis"),
        BrainFails("silent", "business-analyst"),  # type: ignore[arg-type]
        Restarts(),
        ClockMoves(5400),
    )


def test_steps_and_otherwise_may_both_be_absent() -> None:
    script = parse(HEAD)
    assert (script.steps, script.otherwise, script.before) == ({}, (), {})


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_have_no_fault(example: Path) -> None:
    assert read(example).people


def test_an_example_of_every_kind_is_there() -> None:
    large_and_small = {"export-dashboard-as-pdf", "local-timezone-small"}
    inceptions = {"classic", "party", "party-trouble"}
    assert large_and_small | inceptions <= {path.stem for path in EXAMPLES}


# The party


def test_a_party_is_understood() -> None:
    script = parse(
        """
people: [pm]
start: {by: pm, command: "/roundtable discover Title"}
steps:
  "01-vision-council":
    - {by: pm, click: party}
    - {by: pm, click: changes}
    - {by: pm, click: take-over}
  "05-walkthrough": [{by: pm, click: leave}, {by: pm, click: classic}]
menus: {E-001: classic, E-005: retry, E-008: leave}
before:
  "01-vision-council":
    - {team: refuse, times: 2}
    - {brain: refuse, persona: technical-scout}
    - {brain: chatty, persona: security-advisor, times: 9}
    - {write-fails: "state.json"}
    - {cleanup: fail, times: 3}
"""
    )
    assert [act.choice for acts in script.steps.values() for act in acts] == [  # type: ignore[union-attr]
        "party", "changes", "take-over", "leave", "classic",
    ]  # fmt: skip
    assert script.before["01-vision-council"] == (
        TeamRefuses(2),
        BrainFails("refuse", "technical-scout"),  # type: ignore[arg-type]
        BrainFails("chatty", "security-advisor", 9),  # type: ignore[arg-type]
        WriteFails("state.json"),
        CleanupFails(3),
    )
    assert [mishap.told() for mishap in script.before["01-vision-council"]] == [
        "the team cannot be made, 2 times",
        "the brain of technical-scout: refuse",
        "the brain of security-advisor: chatty, 9 times",
        "state.json cannot be written",
        "the team cannot be removed, 3 times",
    ]


def test_what_goes_wrong_at_a_party_has_its_own_faults() -> None:
    faults = faults_with(
        """
before:
  "01-vision-council":
    - {team: create}
    - {team: refuse, times: 0}
    - {cleanup: refuse}
    - {write-fails: "reports/x.md"}
    - {write-fails: "../state.json"}
    - {write-fails: "state.json", text: x}
    - {brain: refused}
"""
    )
    assert [fault.partition(": ")[0].partition("]")[0][-1] for fault in faults] == list("1234567")
    assert [fault.partition(": ")[2] for fault in faults[:4]] == [
        '"create" is not refuse.',
        "0 is no number from 1 on.",
        '"refuse" is not fail.',
        '"reports/x.md" is no file of the artifact folder.',
    ]


@pytest.mark.parametrize(
    ("command", "steps", "mode"),
    [
        ("/roundtable analyze Title --party", "", ""),
        ("/roundtable discover Title", "", "party"),
        ("/roundtable discover Title --party", "", "party"),
        ("@Roundtable discover Title --classic", "", "classic"),
        ("/roundtable discover Title", '"01-vision": [{by: pm, click: classic}]', "classic"),
        ("/roundtable discover Title", '"02-stack-debate": [], "01-01": [{by: pm, click: classic}]',
         "classic"),
        # answers to recovery menus, and a start that has chosen
        ("/roundtable discover Title",
         '"01-vision-council": [], "02-stack-debate": [{by: pm, click: classic}]', "party"),
        ("/roundtable discover Title",
         '"01-vision-council": [{by: pm, reply: x}, {by: pm, click: classic}]', "party"),
        ("/roundtable discover Title --party", '"01-01": [{by: pm, click: classic}]', "party"),
    ],
)  # fmt: skip
def test_the_mode_comes_from_a_flag_else_from_the_first_click(
    command: str, steps: str, mode: str
) -> None:
    start = f'people: [pm]\nstart: {{by: pm, command: "{command}"}}\nsteps: {{{steps}}}'
    assert mode_of(parse(start)) == mode


def test_all_faults_are_said_at_once_each_with_its_place() -> None:
    faults = faults_of(
        """
people: [pm, pm, "", here, 7]
start: {by: dev, command: "analyze Title", loud: yes}
stpes: {}
steps:
  "00-01":
    - {by: ghost, reply: "x"}
    - {by: pm, click: contineu}
    - {by: pm, edit: 1, text: "x"}
    - {by: pm, reply: 42}
    - {reply: "x"}
    - {by: pm}
    - {by: pm, reply: "x", click: continue}
    - nonsense
  first: []
otherwise: nothing
menus: {E-5: retry, E-005: 7}
before:
  "01-01":
    - {slack: 404, times: 0}
    - {slack: 429, retry_after: -1}
    - {slack: 429, method: post, wait: 3}
    - {brain: asleep}
    - {write: "/etc/passwd", text: "x"}
    - {write: "../other/meta.json", text: "x"}
    - {write: "steps/../../x", text: "x"}
    - {write: "meta.json"}
    - {remove: "steps"}
    - {restart: softly}
    - {clock: "5 minutes"}
    - {rain: heavy}
"""
    )
    places = [fault.partition(":")[0] for fault in faults]
    assert places == [
        "people[2]",
        "people[3]",
        "people[4]",
        "people[5]",
        "start.by",
        "start.command",
        "start.loud",
        "stpes",
        'steps."00-01"[1].by',
        'steps."00-01"[2].click',
        'steps."00-01"[3].edit',
        'steps."00-01"[4].reply',
        'steps."00-01"[5].by',
        'steps."00-01"[6]',
        'steps."00-01"[7]',
        'steps."00-01"[8]',
        "steps",
        "otherwise",
        "menus.E-5",
        "menus.E-005",
        'before."01-01"[1].slack',
        'before."01-01"[1].times',
        'before."01-01"[2].retry_after',
        'before."01-01"[3].method',
        'before."01-01"[3].wait',
        'before."01-01"[4].brain',
        'before."01-01"[5].write',
        'before."01-01"[6].write',
        'before."01-01"[7].write',
        'before."01-01"[8].text',
        'before."01-01"[9].remove',
        'before."01-01"[10].restart',
        'before."01-01"[11].clock',
        'before."01-01"[12]',
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "A play has people, start and steps; it is empty."),
        ("- a list", "A play has people, start and steps; it is not a mapping."),
        (
            "people: [pm",
            "It is not valid YAML. line 1: expected ',' or ']', but got '<stream end>'",
        ),
        ("people: [pm]\npeople: [dev]", 'Line 2: "people" stands twice in the same place.'),
        ("a: &x [*x]", "It is not valid YAML."),
        ("? [1, 2]\n: 3", "It is not valid YAML."),
    ],
)
def test_a_file_that_is_no_play_is_told_so(text: str, said: str) -> None:
    assert faults_of(text)[0].startswith(said)


def test_half_of_a_character_is_a_fault_and_an_escaped_pair_is_one_character() -> None:
    acts = 'steps: {"00-01": [{by: pm, reply: "half \\ud800 of one"}, {by: pm, reply: ok}]}'
    assert faults_with(acts) == (
        "Line 4: half of a character (a lone surrogate) stands in the text.",
    )
    whole = parse(HEAD + 'steps: {"00-01": [{by: pm, reply: "yes \\ud83d\\udc4d"}]}')
    assert whole.steps["00-01"] == (PlayReplies("pm", "yes 👍"),)


def test_aliases_of_aliases_are_looked_at_once() -> None:
    doubled = "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    assert faults_with(f"a0: &a0 [x]\n{doubled}")[0].startswith("a0: nothing of that name")


def test_an_act_list_that_stands_twice_is_not_lost_silently() -> None:
    faults = faults_with('steps: {"00-01": [], "00-01": []}')
    assert faults == ('Line 4: "00-01" stands twice in the same place.',)


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ("{by: dev, edit: 1, text: x}", "dev has no reply number 1 before this."),
        ("{by: pm, delete: 2}", "pm has no reply number 2 before this."),
        ("{by: pm, edit: 0, text: x}", "0 is no number from 1 on."),
        ("{by: pm, delete: yes}", "yes is no number from 1 on."),
    ],
)
def test_an_edit_speaks_of_a_reply_that_is_there(acts: str, said: str) -> None:
    (fault,) = faults_with(f"otherwise:\n  - {{by: pm, reply: x}}\n  - {acts}\n")
    assert fault.endswith(said)


def test_a_deleted_reply_cannot_be_edited() -> None:
    acts = "{by: pm, reply: x}, {by: pm, delete: 1}, {by: pm, edit: 1, text: y}"
    (fault,) = faults_with(f"otherwise: [{acts}]")
    assert fault == "otherwise[3].edit: pm's reply number 1 is deleted before this."


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(FaultyFileError):
            read(path)
    (tmp_path / "latin.yaml").write_bytes(b"people: [J\xfcrgen]")
    with pytest.raises(FaultyFileError) as refused:
        read(tmp_path / "latin.yaml")
    assert "it is not UTF-8 text" in refused.value.faults[0]


def test_what_happens_is_told_without_peoples_words() -> None:
    script = parse(
        """
people: [pm]
start: {by: pm, command: "/roundtable analyze SECRET words"}
otherwise:
  - {by: pm, reply: "SECRET"}
  - {by: pm, edit: 1, text: "SECRET"}
  - {by: pm, command: "@Roundtable SECRET"}
before:
  "00-01": [{write: "meta.json", text: "SECRET"}]
"""
    )
    lines = [act.told() for act in (script.start, *script.otherwise)]
    lines += [mishap.told() for mishaps in script.before.values() for mishap in mishaps]
    assert lines == [
        "pm types /roundtable analyze",
        "pm replies",
        "pm edits reply 1",
        "pm types @Roundtable",
        "meta.json is written",
    ]


def test_a_recovery_menu_is_answered_by_its_code_else_by_default_else_by_its_first_choice() -> None:
    choices = ("retry", "classic", "cancel")
    assert chosen({"E-005": "classic", "default": "cancel"}, "E-005", choices) == "classic"
    assert chosen({"E-005": "classic", "default": "cancel"}, "E-001", choices) == "cancel"
    assert chosen({}, "E-001", choices) == "retry"
    assert chosen({"default": "unheard-of"}, "E-001", choices) == "retry"


def test_what_is_otherwise_with_a_model_replaces_the_lists_of_its_steps() -> None:
    script = parse(
        HEAD
        + """
steps: {"00-01": [{by: pm, click: continue}], "00-02": [{by: pm, click: accept}]}
before: {"00-02": [{slack: 429}]}
with_model:
  tokens: 60000
  fallback: another
  steps: {"00-01": [{by: dev, click: take}, {by: pm, click: allow}]}
  before: {"00-01": [{provider: 429}]}
"""
    )

    assert list(script.before) == ["00-02"]
    with_model = script.as_models_read()
    assert [act.choice for act in with_model.acts("00-01")] == ["take", "allow"]  # type: ignore[union-attr]
    assert with_model.acts("00-02") == script.acts("00-02")
    assert list(with_model.before) == ["00-02", "00-01"]


def test_what_is_wrong_with_it_is_said_at_its_place() -> None:
    assert faults_with("with_model: 5\n") == (
        "with_model: what is otherwise with a model is needed, like {tokens: 60000}.",
    )
    faults = faults_with(
        """
with_model:
  tokens: none
  people: [ops]
  steps: {"00-01": [{by: pm, reply: "One", off: 1}], "first": []}
  before: {"00-01": [{provider: unwell}]}
"""
    )
    places = [fault.partition(": ")[0] for fault in faults]
    assert places == [
        "with_model.tokens",
        "with_model.people",
        'with_model.steps."00-01"[1].off',
        "with_model.steps",
        'with_model.before."00-01"[1].provider',
    ]
    assert "known are tokens, fallback, steps, before" in faults[1]
    assert "known are by, reply" in faults[2]
