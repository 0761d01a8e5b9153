"""The course of a session as a value: each verb makes a new one, and says what goes with it."""

from dataclasses import replace

from core.domain.ids import PersonaKey, PhaseKey, StepId
from core.domain.session.course import ALL_PHASES, Course, PhaseState
from core.domain.session.step import StepState

FIRST, SECOND = PhaseKey("01-needs"), PhaseKey("02-design")
ONE, TWO, LATER = StepId("01-01"), StepId("01-02"), StepId("02-01")
MAYA = PersonaKey("maya")


def step(name: StepId, phase: PhaseKey = FIRST) -> StepState:
    return StepState(name, phase, f"{name}.md", name, None)


PHASES = (PhaseState(FIRST, "Needs", MAYA, 2), PhaseState(SECOND, "Design", MAYA, 1))
COURSE = Course(PHASES, FIRST, ONE, (step(ONE), step(TWO)))


def test_a_completed_step_counts_in_its_phase_once_and_stands_last() -> None:
    done = COURSE.step_completed(step(ONE)).step_completed(step(TWO)).step_completed(step(ONE))
    assert (done.done, done.current_phase.done) == ((TWO, ONE), 2)
    assert (COURSE.done, COURSE.current_phase.done) == ((), 0)


def test_a_step_that_is_asked_again_is_not_completed_any_more() -> None:
    again = COURSE.step_completed(step(ONE)).step_reopened(step(ONE))
    assert (again.done, again.current_phase.done) == ((), 0)


def test_a_step_of_another_phase_changes_no_count() -> None:
    done = COURSE.step_completed(step(LATER, SECOND))
    assert (done.done, [phase.done for phase in done.phases]) == ((LATER,), [0, 0])


def test_pinned_steps_say_how_many_there_are_and_which_were_completed() -> None:
    flawed = COURSE.phase_changed(COURSE.current_phase.flawed())
    pinned = flawed.steps_pinned((replace(step(ONE), status="completed"), step(TWO), step(LATER)))
    phase = pinned.current_phase
    assert (phase.count, phase.done, phase.faulty, pinned.done) == (3, 1, False, (ONE,))


def test_a_closed_phase_takes_what_was_stale_with_it() -> None:
    stale = COURSE.step_outdated(TWO).step_outdated(TWO)
    closed = stale.phase_closed(failed=False)
    assert (stale.stale, closed.stale, closed.current_phase.status) == ((TWO,), (), "completed")
    assert stale.phase_closed(failed=True).current_phase.status == "failed"


def test_what_is_settled_is_stale_no_more() -> None:
    stale = COURSE.step_outdated(ONE).step_outdated(TWO)
    assert stale.stale_settled([ONE]).stale == (TWO,)


def test_a_depth_for_all_phases_is_each_ones_once_they_are_known() -> None:
    chosen = Course(depths=((ALL_PHASES, "deep"),)).phases_listed(PHASES)
    assert dict(chosen.depths) == {FIRST: "deep", SECOND: "deep"}
    assert Course().phases_listed(PHASES).depths == ()


def test_a_depth_that_is_chosen_later_wins_and_one_of_a_folder_does_not() -> None:
    chosen = COURSE.depth_chosen([FIRST], "deep").depth_chosen([FIRST, SECOND], "brief")
    assert dict(chosen.depths) == {FIRST: "brief", SECOND: "brief"}
    folder = COURSE.depth_chosen([FIRST], "deep").depths_taken_up([(FIRST, "brief")])
    assert dict(folder.depths) == {FIRST: "deep"}
    assert dict(COURSE.depths_taken_up([(FIRST, "brief")]).depths) == {FIRST: "brief"}


def test_a_restart_forgets_all_but_that_the_session_is_resumed() -> None:
    course = COURSE.thread_opened(MAYA).thread_entered(MAYA).step_completed(step(ONE))
    assert course.restarted() == Course()
    assert course.resumed().restarted() == Course(is_resuming=True)
    assert course.resumed().resume_ended() == course


def test_a_repair_keeps_what_people_can_go_on_from() -> None:
    broken = replace(COURSE, done=(ONE, TWO, ONE))
    assert broken.repaired() == replace(COURSE, done=(ONE, TWO))
    lost = replace(COURSE, phase=PhaseKey("99-nowhere")).repaired()
    assert (lost.phase, lost.step) == (None, None)
    assert Course(step=ONE).repaired() == Course(step=ONE)


def test_a_lost_thread_is_opened_once_more() -> None:
    course = COURSE.thread_opened(MAYA)
    assert (course.threads, course.thread_lost(MAYA).threads) == ((MAYA,), ())


def test_a_phase_that_was_open_at_a_cancel_begins_once_more_and_no_other() -> None:
    assert PHASES[0].opened().interrupted().status == "pending"
    assert replace(PHASES[0], status="failed").interrupted().status == "failed"


def test_a_phase_that_is_opened_again_is_led_by_its_own_persona() -> None:
    taken_over = PHASES[0].taken_over()
    assert taken_over.facilitated
    assert not taken_over.reopened().facilitated
