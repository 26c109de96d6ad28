"""One modem over time: its queue, and senders that die."""

import math

import pytest

from usv_energy.physics.acoustics import AcousticSea, Modem
from usv_energy.sim.acoustics.hearing import CUT_OFF, LONGEST_QUEUE, PATIENCE, RECEIVED, ModemQueue, Transmission

MODEM = Modem(177.0, 33e3, 6e3, 15.0, 20.0, power=4.0)
HERE, THERE = (0.0, 0.0, -1.0), (300.0, 0.0, -1.0)


def desk(**changes):
    return ModemQueue('own', MODEM._replace(**changes), AcousticSea())


def other(number=1, begin=0.0, size=5):
    return Transmission('other', number, b'x' * size, begin, 0.4 * size, THERE, 0.0, MODEM)


def test_messages_go_one_after_the_other_and_cost_power_by_time():
    one = desk(latency=0.5)
    receipts = [one.order(b'12345', 1.0), one.order(b'1234567890', 1.0)]
    assert [tuple(receipt) for receipt in receipts] == [(1, 2.0, 8.0), (2, 4.0, 16.0)]
    begun, sent = [], []
    for step in range(100):
        news = one.step(0.1 * step, HERE, 0.0)
        begun += news.begun
        sent += news.sent
    assert [one.begin for one in begun] == pytest.approx([1.5, 3.5])
    assert [one.number for one in sent] == [1, 2]


def test_a_long_step_sends_several_in_their_order():
    one = desk()
    one.order(b'12345', 0.0)
    one.order(b'12345', 0.0)
    news = one.step(100.0, HERE, 0.0)
    assert [(m.begin, m.duration) for m in news.begun] == [(0.0, 2.0), (2.0, 2.0)] and len(news.sent) == 2


def test_a_message_counts_when_its_sender_lived_to_its_end():
    one = desk()
    one.step(0.0, HERE, 0.0)
    one.tell(other())
    assert one.step(2.1, HERE, 0.0).heard == []  # The last has not come: 2 s and 0.2 s of way.
    assert one.step(2.3, HERE, 0.0).heard == []  # It has, but the sender's second word has not.
    one.tell_end('other', 1)
    (heard,) = one.step(2.4, HERE, 0.0).heard
    assert heard.outcome == RECEIVED


def test_a_sender_that_is_killed_says_no_second_word():
    one = desk()
    one.step(0.0, HERE, 0.0)
    one.tell(other())
    assert one.step(2.2 + PATIENCE - 0.1, HERE, 0.0).heard == []
    (heard,) = one.step(2.3 + PATIENCE, HERE, 0.0).heard
    assert heard.outcome == CUT_OFF


def test_a_sender_that_goes_down_says_so():
    one = desk()
    one.step(0.0, HERE, 0.0)
    one.tell(other())
    one.step(0.5, HERE, 0.0)
    one.tell_end('other', 1, 1.0)
    (heard,) = one.step(1.3, HERE, 0.0).heard
    assert heard.outcome == CUT_OFF and heard.end - heard.arrival == pytest.approx(1.0)
    assert math.isfinite(heard.level)


def test_the_queue_ends():
    one = desk()
    receipts = [one.order(b'1', 0.0) for _ in range(LONGEST_QUEUE + 1)]
    assert receipts[-1] is None and receipts[-2].number == LONGEST_QUEUE
