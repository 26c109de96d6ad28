import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.sim.maneuver import read_maneuver, run_maneuver

BOAT = read_boat('lutra_prop')
TEXT = """
current: {speed: 0.3, direction_deg: 30.0}
steps: [{duration: 6.0, share: [0.5, -0.5]}, {duration: 30.0, thrust: [3.0, 3.0]}]
simulation: {step: 0.02, period: 0.1}
"""


def maneuver(tmp_path, text=TEXT):
    path = tmp_path / 'turn.yaml'
    path.write_text(text)
    return read_maneuver(str(path))


def test_the_commands_are_held_for_their_time_and_shares_are_of_the_limits(tmp_path):
    rows, commanded = run_maneuver(maneuver(tmp_path), BOAT, BOAT)
    limits = BOAT.vessel.thrusters[0]
    assert [row.time for row in rows] == pytest.approx([0.1 * number for number in range(360)], abs=1e-9)
    assert commanded == [(0.5 * limits.max_thrust, 0.5 * limits.min_thrust)] * 60 + [(3.0, 3.0)] * 300


def test_the_model_finds_the_work_of_the_thrusters_in_a_current(tmp_path):
    """The same boat as model and plant; braking counts, so the sum before what is not recovered is compared."""
    rows, _ = run_maneuver(maneuver(tmp_path), BOAT, BOAT)
    assert math.isnan(rows[0].power.total) and rows[0].status == 1
    begin = 100
    thrust = sum(0.05 * (a.power.thrust + b.power.thrust) for a, b in zip(rows[begin:], rows[begin + 1:]))
    assert thrust == pytest.approx(rows[-1].thruster_energy - rows[begin].thruster_energy, rel=2e-3)


@pytest.mark.parametrize('simulation, words', [
    ('{step: 0.02, period: 0.05}', r'whole number of steps of 0\.02 s'),
    ('{step: 0.5, period: 1.5}', r'turn\.yaml: simulation\.period is 1\.5; must be at most 1\.0 s'),
    ('{step: 1.0, period: 1.0}', r'turn\.yaml: simulation\.step is 1 s; must be at most 0\.233 s for the boat lutra')])
def test_a_step_or_period_that_cannot_be_is_named(tmp_path, simulation, words):
    text = TEXT.replace('{step: 0.02, period: 0.1}', simulation).replace('duration: 30.0', 'duration: 600.0')
    with pytest.raises(InputError, match=words):
        run_maneuver(maneuver(tmp_path, text), BOAT, BOAT)


def test_a_boat_with_other_thrusters_is_refused(tmp_path):
    found = maneuver(tmp_path, TEXT.replace('[3.0, 3.0]', '[3.0]'))
    with pytest.raises(InputError, match=r'steps\.1 has 1 values; the boat lutra_prop has 2'):
        run_maneuver(found, BOAT, BOAT)
