import itertools

import pytest

from usv_energy.ros.framework.subscriptions import Pairing


@pytest.fixture
def pairs():
    """Return a Pairing of followers a and b, and the list of what it handed over: leader, a's value, b's value."""
    handed = []
    pairing = Pairing('ab', lambda value, heard: handed.append(
        (value, *(heard[name].value if heard[name] else None for name in 'ab'))), depth=4)
    return pairing, handed


def test_every_order_of_arrival_gives_the_same_pair():
    for order in itertools.permutations(('leader', 'a', 'b')):
        handed = []
        pairing = Pairing('ab', lambda value, heard, handed=handed: handed.append(
            (value, heard['a'].value, heard['b'].value)))
        for who in order:
            if who == 'leader':
                pairing.add_leader(7, 'L7')
            else:
                pairing.add_follower(who, 7, f'{who}7')
        assert handed == [('L7', 'a7', 'b7')]
        assert not pairing.waiting


def test_a_slow_follower_gives_its_latest_value_of_that_time(pairs):
    pairing, handed = pairs
    for stamp in (0, 10, 20):
        pairing.add_follower('a', stamp, f'a{stamp}')
    pairing.add_follower('b', 12, 'b12')
    pairing.add_leader(12, 'L12')
    assert handed == [('L12', 'a10', 'b12')]


def test_the_next_leader_does_not_wait_for_the_one_before(pairs):
    pairing, handed = pairs
    pairing.add_follower('a', 1, 'a1')
    pairing.add_leader(1, 'L1')
    assert pairing.waiting
    pairing.add_leader(2, 'L2')
    assert handed == [('L1', 'a1', None)]
    pairing.complete()
    assert handed[1:] == [('L2', 'a1', None)]
    pairing.complete()
    assert len(handed) == 2


def test_a_leader_said_again_while_it_waits_counts_once(pairs):
    pairing, handed = pairs
    pairing.add_leader(1, 'first')
    pairing.add_leader(1, 'again')
    pairing.add_follower('a', 1, 'a1')
    pairing.add_follower('b', 1, 'b1')
    assert handed == [('again', 'a1', 'b1')]


def test_after_a_step_back_the_other_future_is_forgotten(pairs):
    pairing, handed = pairs
    for name in 'ab':
        pairing.add_follower(name, 90, f'{name}90')
        pairing.add_follower(name, 100, f'{name}100')
    pairing.add_leader(100, 'L100')
    pairing.add_leader(50, 'L50')
    assert pairing.waiting, 'what was said at 90 and 100 is no answer to 50'
    pairing.add_follower('a', 50, 'a50')
    pairing.add_follower('b', 50, 'b50')
    assert handed == [('L100', 'a100', 'b100'), ('L50', 'a50', 'b50')]


def test_a_follower_may_step_back_before_its_leader(pairs):
    pairing, handed = pairs
    for name in 'ab':
        pairing.add_follower(name, 100, f'{name}100')
    pairing.add_leader(100, 'L100')
    for name in 'ab':
        pairing.add_follower(name, 50, f'{name}50')
    pairing.add_leader(50, 'L50')
    assert handed[1] == ('L50', 'a50', 'b50')


def test_memory_is_bounded(pairs):
    pairing, handed = pairs
    for stamp in range(1000):
        pairing.add_follower('a', stamp, stamp)
        pairing.add_follower('b', stamp, stamp)
    pairing.add_leader(500, 'L500')
    assert handed == [('L500', 996, 996)], 'the oldest of the four that are kept'
