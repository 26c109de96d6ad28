"""Level flight against a flight that is simulated, and closed forms."""

import math
import re
from typing import NamedTuple

import pytest
from places import ROOT

from usv_energy.air.flight_control import GAINS, FlightController, Goal
from usv_energy.air.quadcopter import GRAVITY, at_rest, next_state, read_quadcopter, rotors_power, tilt

CRAFT = read_quadcopter('ar_drone')


class LevelFlight(NamedTuple):
    tilt: float
    power: float
    energy_per_meter: float


def level_flight(craft, speed, tail_wind=0.0):
    """Return the steady flight in which thrust balances weight and the drag of the air."""
    drag, weight = craft.drag * (speed - tail_wind), craft.mass * GRAVITY
    tilt = math.atan2(drag, weight)
    state = at_rest((0.0, 0.0, 100.0), thrust=0.25 * math.hypot(drag, weight))._replace(
        velocity=(speed, 0.0, 0.0), turn=(math.cos(0.5 * tilt), 0.0, math.sin(0.5 * tilt), 0.0))
    power = rotors_power(craft, state, (tail_wind, 0.0, 0.0))
    return LevelFlight(tilt, power, power / speed)


def test_the_figures_of_the_page():
    page = (ROOT / 'docs' / 'air.md').read_text(encoding='utf-8')
    rows = re.findall(r'^\| (\d) \| ([\d.]+) \| ([\d.]+) \|$', page, re.MULTILINE)
    assert len(rows) == 3
    for speed, power, energy in rows:
        flight = level_flight(CRAFT, float(speed))
        assert (f'{flight.power:.1f}', f'{flight.energy_per_meter:.1f}') == (power, energy)


def test_hardly_moving_is_hovering():
    assert level_flight(CRAFT, 1e-6).power == pytest.approx(CRAFT.hover_power, rel=1e-6)
    assert level_flight(CRAFT, 3.0, tail_wind=3.0).tilt == 0.0


@pytest.mark.parametrize(('speed', 'wind'), [(3.0, 0.0), (4.0, -2.0), (4.0, 2.0)])
def test_it_is_what_a_simulated_flight_comes_to(speed, wind):
    controller, state = FlightController(CRAFT, GAINS._replace(most_speed=0.0)), at_rest((0.0, 0.0, 50.0), thrust=1.05)
    for _ in range(3000):
        goal = Goal((state.place[0], 0.0, 50.0), (speed, 0.0, 0.0), 0.0)
        state = next_state(CRAFT, state, controller.steer(state, goal, 0.01), 0.01, (wind, 0.0, 0.0))
    found = level_flight(CRAFT, speed, wind)
    assert state.velocity[0] == pytest.approx(speed, abs=0.01)
    assert tilt(state.turn)[1] == pytest.approx(found.tilt, abs=2e-3)
    assert rotors_power(CRAFT, state, (wind, 0.0, 0.0)) == pytest.approx(found.power, rel=2e-3)
    assert math.tan(found.tilt) == pytest.approx(CRAFT.drag * (speed - wind) / (CRAFT.mass * GRAVITY))
