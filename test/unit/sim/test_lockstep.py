import pytest

from usv_energy.sim.lockstep import PATIENCE, AnswerLag, Lockstep


def test_the_last_answer_of_all_completes_a_step():
    lockstep = Lockstep({'command', 'power', 'recorded'})
    lockstep.begin(20)
    assert [lockstep.answer(who, 20) for who in ('power', 'command', 'recorded')] == [False, False, True]
    assert not lockstep.missing and lockstep.answered_once
    assert not lockstep.answer('power', 20)  # said again, after the step was complete


def test_an_answer_said_twice_or_to_another_step_counts_for_nothing():
    lockstep = Lockstep({'command', 'power'})
    lockstep.begin(20)
    assert not any(lockstep.answer('command', stamp) for stamp in (20, 20, 0, 40))
    assert lockstep.missing == {'power'} and lockstep.stamp == 20
    assert lockstep.answer('power', 20)
    lockstep.begin(40)
    assert not lockstep.answer('power', 20) and lockstep.missing == {'command', 'power'}


def test_a_step_that_is_said_again_is_answered_anew():
    """The simulator sends its odometry again; everybody answers it again."""
    lockstep = Lockstep({'command', 'power'})
    lockstep.begin(20)
    lockstep.answer('command', 20)
    lockstep.begin(20)
    assert lockstep.missing == {'command', 'power'}
    assert [lockstep.answer(who, 20) for who in ('command', 'power')] == [False, True]


def test_stamps_of_another_simulation_come_with_the_first_answer():
    lockstep = Lockstep({('a', 'command'), ('b', 'command')}, stamps_come_with_answers=True)
    lockstep.begin()
    assert lockstep.stamp_unknown
    assert not lockstep.answer(('a', 'command'), 5) and not lockstep.stamp_unknown
    assert lockstep.answer(('b', 'command'), 5) and lockstep.stamp == 5
    lockstep.begin()
    assert not lockstep.answer(('a', 'command'), 5) and lockstep.stamp_unknown  # late, to the step before
    assert not lockstep.answer(('b', 'command'), 10)
    assert not lockstep.answer(('a', 'command'), 15)  # a step further: what was answered before is of no use
    assert lockstep.missing == {('b', 'command')}
    assert lockstep.answer(('b', 'command'), 15)


@pytest.mark.parametrize('answered, complete', [(('a',), True), ((), False)])
def test_those_who_leave_are_no_longer_waited_for(answered, complete):
    lockstep = Lockstep('abc')
    assert not lockstep.leave('c')  # before the first step
    lockstep.begin(1)
    for who in answered:
        lockstep.answer(who, 1)
    assert lockstep.leave('b') == complete
    lockstep.begin(2)
    assert lockstep.missing == {'a'}


def test_a_step_that_nobody_has_heard_of_is_not_complete_because_somebody_left():
    lockstep = Lockstep('ab', stamps_come_with_answers=True)
    lockstep.begin()
    assert not lockstep.leave('ab')


def test_waiting_is_worth_a_warning_after_a_while_and_ends_with_the_step():
    lockstep = Lockstep('a')
    lockstep.begin(1)
    assert [lockstep.wait(0.5 * PATIENCE) for _ in range(3)] == [False, False, True]
    lockstep.answer('a', 1)
    assert lockstep.waited == 0.0 and not lockstep.wait(0.5 * PATIENCE)


def test_an_answer_lag_names_who_is_behind_by_more_than_the_slack():
    lag = AnswerLag(['power', 'command'], 0)
    assert lag.behind(100_000_000, 0.1) == set()
    lag.answer('power', 80_000_000)
    assert lag.behind(120_000_000, 0.1) == {'command'}
    lag.answer('command', 120_000_000)
    lag.answer('somebody', 0)
    assert lag.behind(170_000_000, 0.1) == set()
    assert lag.behind(230_000_000, 0.1) == {'power', 'command'}
