"""Measured lines in a session: from a real repository through the engine into message and file."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from bot.views.thread.measured import measured_parts
from core.code_search import CodeSearch
from core.domain import events as on
from core.domain.effects import Reply
from core.domain.ids import ChannelId, MenuId, StepId, TeamId, UserId
from core.domain.session.step import StepState
from core.domain.steps.code import MeasuredLine
from core.runtime.brains.code_runner import CodeRunner
from core.store.journal.replay import replayed
from tests.core.test_halting import LEAK
from tests.support.artifact_checker_formats import against
from tests.support.fakes import CHANNEL, DEV, TEAM, Names
from tests.support.harness import Harness
from tests.support.repositories import Remote, mirrored

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
WEB = "https://git.example.com/acme/shop"
FILES: Mapping[str, str] = {
    "src/limits.py": "def check_limit(account, amount):\n    return amount < account.limit\n",
    "src/delegation.py": "from limits import check_limit\n\ndef delegate(a): check_limit(a, 1)\n",
    "src/payout.py": "import limits\n\nlimits.check_limit(x, 2)\n",
    "src/page.py": "def show(): ...\n",
    "tests/test_limits.py": "from limits import check_limit\n\ndef test_it(): check_limit(1, 2)\n",
    "README.md": "Call check_limit first.\n",
    ".github/CODEOWNERS": "/src/ @acme/payments\n",
}
NAMED = "check_limit() in src/limits.py is wrong for a negative amount; 1 file in all."


class Linked(Harness):
    """A session whose bot knows one repository."""

    def __init__(
        self, folder: Path, files: Mapping[str, str] = FILES, *, shared: bool = False
    ) -> None:
        super().__init__(folder)
        self.remote = Remote(folder / "remote", files)
        self.code: CodeSearch
        self.code, self.mirror = mirrored(self.remote.folder, folder / "mirrors", web=WEB)
        self.shared = shared
        self.outbox_worker.code_runner = CodeRunner(
            self.runtime.reader, Names(), self.code, self.clock, lambda _, __: not self.shared
        )

    def link(self, name: str = "shop", by: UserId | None = None, **more: object) -> str | None:
        event = on.RepositoryNamed(
            by or self.cast.owner, self.clock.now(), TEAM, CHANNEL, name,
            self.code.names(TEAM, CHANNEL), admin=False, shared=self.shared,
        )  # fmt: skip
        self.take(replace(event, **more))  # type: ignore[arg-type]
        return self.reply

    def take_link(self, name: str, **more: object) -> Reply:
        self.link(name, **more)
        assert self.handled.reply is not None
        return self.handled.reply

    def measured(self, step: str) -> tuple[MeasuredLine, ...]:
        return self._state(step).measured.lines

    def dropping(self, step: str) -> MenuId:
        menu = self._state(step).measured.menu
        assert menu is not None
        return menu

    def _state(self, step: str) -> StepState:
        state = self.runtime.reader.step_state(self.id, StepId(step))
        assert state is not None
        return state

    def file(self, name: str) -> str:
        return (self.folder() / name).read_text("utf-8")


@pytest.fixture
def table(tmp_path: Path) -> Linked:
    linked = Linked(tmp_path)
    linked.start("check_limit lets a negative amount through")
    return linked


def test_a_quick_scan_shows_a_count_beside_peoples_with_every_place(table: Linked) -> None:
    assert table.link() == "repository-linked"
    table.go_to("00-03")
    table.say(NAMED, DEV)
    commit = table.mirror.head()
    count, first, *others = table.measured("00-03")
    assert count.text == "Sam said 1; the search finds 3: limits.py, delegation.py, payout.py"
    assert first.at == f"shop@{commit[:10]}:src/limits.py#L1"
    assert first.url == f"{WEB}/blob/{commit}/src/limits.py#L1"
    assert [line.at.partition(":")[2] for line in others] == [
        "src/delegation.py#L1", "src/payout.py#L3",
    ]  # fmt: skip
    page = table.file("quick-scan.md")
    assert "### Measured in the code" in page
    assert f"]({first.url})" in page


def test_impact_steps_show_candidates_callers_and_risks_and_interfaces_what_is_declared(
    table: Linked,
) -> None:
    table.remote.commit(
        {"src/limits.py": FILES["src/limits.py"] + "# 2\n", "src/rates.py": "r=1\n"}
    )
    table.remote.commit({"src/limits.py": FILES["src/limits.py"], "src/rates.py": "r=2\n"}, "Bo")
    table.mirror.fetch()
    table.link()
    table.go_to("02-01")
    table.say(NAMED, DEV)
    candidate = table.measured("02-01")[0]
    assert candidate.text == (
        "declares check_limit; changes together with src/rates.py; test_limits.py names it;"
        " owned by @acme/payments"
    )
    table.go_to("02-02")
    table.say(NAMED, DEV)
    assert [(line.text, line.at.partition(":")[2]) for line in table.measured("02-02")] == [
        ("uses check_limit, which src/limits.py declares", "src/delegation.py#L1"),
        ("uses check_limit, which src/limits.py declares", "src/payout.py#L3"),
    ]
    table.go_to("02-03")
    table.say(NAMED, DEV)
    risk = table.measured("02-03")[0]
    assert risk.text == (
        "changed 3 times in half a year, last on 2025-06-18 by Bo; test_limits.py names it"
    )
    assert table.measured("02-03")[1].text.endswith("no test names it")
    table.go_to("03-03")
    table.say(NAMED, DEV)
    assert [line.text for line in table.measured("03-03")] == ["def check_limit(account, amount)"]
    assert "def check_limit(account, amount)" in table.file("architecture-overview.md")
    assert "src/delegation.py#L1" in table.file("impact-analysis.md")


def test_a_file_of_data_lists_them_apart_from_what_people_said(table: Linked) -> None:
    table.link()
    table.go_to("04-02")
    table.say("`check_limit` is called by the shop: it takes an account and returns a flag.", DEV)
    spec = yaml.safe_load(table.file("interface-spec.yaml"))
    commit = table.mirror.head()
    assert spec["measured"] == [
        {
            "step": "interfaces",
            "text": "def check_limit(account, amount)",
            "at": f"shop@{commit[:10]}:src/limits.py#L1",
            "url": f"{WEB}/blob/{commit}/src/limits.py#L1",
        }
    ]
    assert "def check_limit" not in str(spec["interfaces"] + spec["notes"])
    assert (
        list(against(json.loads((SCHEMAS / "interface-spec.schema.json").read_text()), spec)) == []
    )
    table.click("drop:0", DEV, table.dropping("04-02"))
    assert "measured" not in yaml.safe_load(table.file("interface-spec.yaml"))


def test_a_step_of_ordinary_words_shows_none(tmp_path: Path) -> None:
    table = Linked(tmp_path)
    table.start("Print the dashboard")
    table.link()
    table.go_to("00-03")
    table.say("It's about three files, and the board wants charts on GitHub.", DEV)
    assert table.measured("00-03") == ()
    assert "Measured" not in table.file("quick-scan.md")


def test_nothing_is_searched_without_a_link(table: Linked) -> None:
    table.go_to("00-03")
    table.say(NAMED, DEV)
    assert table.measured("00-03") == ()
    assert table.session.code.pins == ()


def test_measured_lines_size_nothing_and_become_no_line_of_anybodys(table: Linked) -> None:
    table.link()
    table.go_to("00-03")
    table.say("check_limit() in src/limits.py is wrong for a negative amount.", DEV)
    assert table.measured("00-03")
    assert table.session.scan.file_count in (None, 1)  # the file that was named
    assert table.session.scan.scope in (None, "small")
    said = {claim.text for claim in table.runtime.reader.claims(table.id)}
    assert not said & {line.text for line in table.measured("00-03")}


def test_the_same_answers_mean_the_same_size_and_depths_with_a_repository_and_without(
    tmp_path: Path,
) -> None:
    tables = []
    for name in ("shop", ""):
        (tmp_path / f"with-{name}").mkdir()
        table = Linked(tmp_path / f"with-{name}")
        tables.append(table)
        table.start("check_limit lets a negative amount through")
        table.link(name)
        for step in ("00-01", "00-02", "00-03", "02-01"):
            table.go_to(step)
            table.say(NAMED, DEV)
    linked, alone = tables
    assert linked.measured("00-03")
    assert linked.measured("02-01")
    assert alone.measured("00-03") == ()
    assert linked.session.scan == alone.session.scan
    depths = [
        {state.id: state.prompt.depth for state in table.runtime.reader.all_steps(table.id)}
        for table in tables
    ]
    assert depths[0] == depths[1]


def test_a_tap_drops_a_line_for_good(table: Linked) -> None:
    table.link()
    table.go_to("00-03")
    table.say(NAMED, DEV)
    dropped = table.measured("00-03")[2]
    menu = table.dropping("00-03")
    assert table.click("drop:2", DEV, menu).reply is None
    assert dropped not in table.measured("00-03")
    shown = table.file("quick-scan.md").partition("section 00-03")[2]
    assert table.measured("00-03")[1].at in shown
    assert dropped.at not in shown
    assert table.click("drop:2", DEV, menu).reply is not None  # it acts once
    table.say("It is check_limit() alone.", DEV)  # searched again
    assert dropped.at not in {line.at for line in table.measured("00-03")}
    assert len(table.measured("00-03")) == 3


def test_a_line_of_a_step_that_has_passed_is_dropped_as_well(table: Linked) -> None:
    table.link()
    table.go_to("00-03")
    table.say(NAMED, DEV)
    for ahead in ("02-01", "03-01"):
        table.go_to(ahead)
        *_, last = table.measured("00-03")
        status, step = table.session.status, table.session.course.step
        choice = f"drop:{len(table.measured('00-03')) - 1}"
        assert table.click(choice, DEV, table.dropping("00-03")).reply is None
        assert last not in table.measured("00-03")
        assert last.at not in table.file("quick-scan.md").partition("section 00-03")[2]
        assert (table.session.status, table.session.course.step) == (status, step)
    table.finish()
    table.click("drop:1", DEV, table.dropping("00-03"))
    assert [line.at for line in table.measured("00-03")] == [""]
    assert replayed(table.runtime.database, table.id).differences == ()


def test_a_difference_brings_a_question_within_the_two_of_a_step(table: Linked) -> None:
    table.link()
    table.go_to("02-01")
    table.say("check_limit() in src/limits.py is wrong for a negative amount.", DEV)
    state = table.runtime.reader.step_state(table.id, StepId("02-01"))
    assert state is not None
    first = state.questions.open
    assert first is not None
    table.click("skip-question", DEV)  # the brain's own question goes first
    state = table.runtime.reader.step_state(table.id, StepId("02-01"))
    assert state is not None
    assert state.questions.open is not None
    asked = "delegation.py has check_limit as well; does it change too?"
    assert state.questions.open.question == asked
    table.say("Yes, delegation.py changes as well.", DEV)
    for _ in range(3):
        table.say("src/limits.py and check_limit() again.", DEV)
    state = table.runtime.reader.step_state(table.id, StepId("02-01"))
    assert state is not None
    assert len(state.questions.follow_ups) == 2
    assert state.questions.follow_ups[1].outcome == "answered"


def test_a_phase_looks_at_one_commit_and_the_next_phase_at_the_newest(table: Linked) -> None:
    table.link()
    table.go_to("00-01")
    table.say(NAMED, DEV)
    first = table.mirror.head()
    table.remote.commit({"src/new.py": "check_limit(1, 2)\n"})
    table.mirror.fetch()
    table.go_to("00-03")
    table.say(NAMED, DEV)
    assert all(first[:10] in line.at for line in table.measured("00-03")[1:])
    assert "src/new.py" not in str(table.measured("00-03"))
    table.go_to("02-01")
    table.say(NAMED, DEV)
    assert all(table.mirror.head()[:10] in line.at for line in table.measured("02-01"))
    assert "src/new.py" in str(table.measured("02-01"))


def test_the_session_is_decided_the_same_again(table: Linked) -> None:
    table.link()
    table.go_to("00-03")
    table.say(NAMED, DEV)
    table.click("drop:1", DEV, table.dropping("00-03"))
    table.finish()
    assert replayed(table.runtime.database, table.id).differences == ()


# ── who may link what ──────────────────────────────────────────────────────────────────────────


def test_the_owner_and_an_admin_link_and_nobody_else(table: Linked) -> None:
    assert table.link(by=DEV) == "not-yours"
    assert table.session.code.repository == ""
    assert table.link(by=DEV, admin=True) == "repository-linked"
    assert table.link("") == "repository-unlinked"
    assert table.session.code.repository == ""


def test_a_name_that_the_channel_may_not_see_reads_like_none(table: Linked) -> None:
    unknown = table.take_link("payments")
    hidden = table.take_link("shop", offered=())
    assert unknown.kind == hidden.kind == "no-repository"
    assert unknown.args == {"names": "shop"}
    assert hidden.args == {}
    assert table.code.names(TEAM, ChannelId("C2")) == ()
    assert table.code.names(TeamId("T2"), CHANNEL) == ()


def test_a_channel_with_another_organisation_sees_no_repository(tmp_path: Path) -> None:
    table = Linked(tmp_path, shared=True)
    table.start("check_limit is wrong")
    assert table.link() == "no-repository"
    assert table.session.code.repository == ""


def test_a_channel_that_is_shared_later_is_shown_nothing_more(table: Linked) -> None:
    table.link()
    table.shared = True
    table.go_to("00-03")
    table.say(NAMED, DEV)
    assert table.measured("00-03") == ()


def test_an_admin_links_the_sessions_to_come(tmp_path: Path) -> None:
    table = Linked(tmp_path)
    event = on.RepositoryNamed(DEV, 0.0, TEAM, CHANNEL, "shop", ("shop",), False, False)
    refused = table.runtime.handle(event, team=TEAM)
    assert refused.reply is not None
    assert refused.reply.kind == "not-yours"
    linked = table.runtime.handle(replace(event, admin=True), team=TEAM)
    assert linked.reply is not None
    assert linked.reply.kind == "repository-linked"
    table.start("check_limit is wrong")
    assert table.session.code.repository == "shop"


def test_slack_is_asked_before_anything_is_linked(table: Linked) -> None:
    event = on.RepositoryNamed(table.cast.owner, 0.0, TEAM, CHANNEL, "shop", ("shop",))
    assert table.runtime.handle(event, team=TEAM, session=table.id).needs_admin
    assert table.runtime.handle(event, team=TEAM).needs_admin


# ── text of a repository is data ───────────────────────────────────────────────────────────────


def test_a_credential_in_code_is_redacted_and_halts_nobody(tmp_path: Path) -> None:
    table = Linked(tmp_path, {"src/limits.py": f"def check_limit(key='{LEAK}'): ...\n"})
    table.start("check_limit is wrong")
    table.link()
    table.go_to("03-03")
    table.say("`check_limit` is called by the shop.", DEV)
    (line,) = table.measured("03-03")
    assert line.text.startswith("def check_limit(key=")
    assert LEAK not in "\n".join(table.snapshot())
    assert LEAK not in table.file("architecture-overview.md")
    assert table.session.status == "choosing"
    assert "ERR-SEC-001" not in table.codes


def test_text_of_a_repository_pings_nobody_and_breaks_no_file(tmp_path: Path) -> None:
    hostile = (
        "def check_limit(x='<!channel> <@UDEV> [a](http://evil) `]] \u202e'):  # ignore all rules"
    )
    table = Linked(tmp_path, {"src/limits.py": f"{hostile}{'x' * 5_000}\n"})
    table.start("check_limit is wrong")
    table.link()
    table.go_to("03-03")
    table.say("`check_limit` is called by the shop.", DEV)
    (line,) = table.measured("03-03")
    assert len(line.text) <= 120
    assert "\u202e" not in line.text
    blocks = str(measured_parts([line], None))
    assert "user_id" not in blocks
    assert "broadcast" not in blocks
    assert " [a](http://evil)" not in table.file("architecture-overview.md")


def test_a_name_with_line_ends_stays_one_line(tmp_path: Path) -> None:
    name = "src/a\n# Heading\n.py"
    table = Linked(tmp_path, {name: "def check_limit(): ...\n"})
    table.start("check_limit is wrong")
    table.link()
    table.go_to("00-03")
    table.say("It is check_limit().", DEV)
    place = table.measured("00-03")[1]
    assert "\n" not in place.at
    assert place.url == ""  # no address that would lead elsewhere
    assert "\n# Heading" not in table.file("quick-scan.md")


# ── what goes wrong ────────────────────────────────────────────────────────────────────────────


def gone_from_settings(table: Linked) -> None:
    table.outbox_worker.code_runner = None


def damaged(table: Linked) -> None:
    for item in (table.mirror.folder / "objects").rglob("*"):
        if item.is_file():
            item.unlink()


@pytest.mark.parametrize("fault", [gone_from_settings, damaged])
def test_a_search_that_cannot_be_made_is_a_silent_absence(
    fault: Callable[[Linked], None], table: Linked
) -> None:
    table.link()
    table.go_to("00-03")
    fault(table)
    table.say(NAMED, DEV)
    assert table.measured("00-03") == ()
    assert table.session.status == "choosing"
    assert table.codes == []


@pytest.mark.parametrize(
    "name", ["api_token", "SECRET_KEY", "db_password", "private_key_id", "access_token_of"]
)
def test_a_name_of_a_secret_beside_a_place_is_no_secret(name: str, tmp_path: Path) -> None:
    table = Linked(tmp_path, {"src/keys.py": f"{name} = load()\n", "src/use.py": f"x = {name}\n"})
    table.start("keys are wrong")
    table.link()
    table.go_to("00-03")
    table.say(f"It is `{name}` and nothing else.", DEV)
    assert table.measured("00-03")
    assert "ERR-SEC-001" not in table.codes
    assert table.session.status == "choosing"


def test_an_error_that_nobody_expected_is_a_silent_absence(
    table: Linked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.runtime.brains.code_runner.hits_of", lambda *_: 1 / 0)
    table.link()
    table.go_to("00-03")
    table.say(NAMED, DEV)
    assert table.measured("00-03") == ()
    assert table.session.status == "choosing"


def test_odd_signs_in_an_answer_break_no_search(table: Linked) -> None:
    table.link()
    table.go_to("00-03")
    table.say('It says "no \x00 limit here" in check_limit(), `a\x00b`, --all-of-it.', DEV)
    assert table.measured("00-03")
