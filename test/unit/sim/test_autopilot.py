import pytest

from usv_energy.sim.autopilot import Autopilot
from usv_energy.sim.scenario import read_scenario


def test_an_autopilot_that_is_done_asks_for_nothing():
    autopilot = Autopilot(read_scenario('1'))
    assert autopilot.steer(0.0, 240.0, 95.0, 0.0, (0.0, 0.0, 0.0)).thrusts == pytest.approx((11.5, 11.5))
    assert not autopilot.done
    assert autopilot.steer(1.0, 269.0, 95.0, 0.0, (0.0, 0.0, 0.0)) is None and autopilot.done
    assert autopilot.steer(2.0, 240.0, 95.0, 0.0, (0.0, 0.0, 0.0)) is None
