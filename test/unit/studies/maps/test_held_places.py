"""Places where a boat cannot be held at the voltage that is left."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.physics.batteries.cell_step import most_power
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import FlowsAtPoints
from usv_energy.studies.maps.pack_shares import PackShares, not_held
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.plan.steady_range import BatteryUse

USED = np.linspace(0.0, 1.0, 101)


@pytest.fixture
def boat(tmp_path):
    def made(base, **more):
        path = tmp_path / 'cells.yaml'
        numbers = {'chemistry': 'nmc', 'series': 4, 'capacity_ah': 4, 'internal_resistance': 0.3, 'capacity_wh': 'null'}
        plain = ', '.join(f'{key}: {value}' for key, value in numbers.items())
        path.write_text(f'base: {base}\nname: small\nbattery: {{{plain}}}\n{more.get("text", "")}')
        return read_boat(str(path))
    return made


def flows(speed, number=USED.size):
    return FlowsAtPoints(np.tile([speed, 0.0, 0.0, 0.0], (number, 1)), np.ones(number, dtype=bool))


def test_a_place_is_held_until_the_cells_do_not_give_the_power_of_staying_there(boat):
    boat = with_static_load(boat('lutra_prop'), 100.0)
    shares = PackShares(boat, BatteryUse().energy_at(boat))
    speed = 1.2
    watts = float(steady_state(boat.vessel, 0.0, 0.0, Flow(speed, 0.0, 0.0, 0.0)).power.total)
    lost = not_held(boat.vessel, shares, flows(speed), USED)
    able = most_power(shares.state_at(USED), boat.pack) >= watts
    np.testing.assert_array_equal(lost, ~able)
    assert 5 < np.count_nonzero(lost) < 95, watts
    assert np.all(np.diff(lost.astype(int)) >= 0), 'held until then, and not any more from then on'


def test_what_the_thrusters_cannot_hold_at_any_charge_is_the_current_s_doing(boat):
    boat = boat('lutra_prop')
    shares = PackShares(boat, BatteryUse().energy_at(boat))
    assert not not_held(boat.vessel, shares, flows(3.0), USED).any()


def test_thrusters_with_sheets_lose_their_thrust_before_the_cells_their_power(boat):
    """At what a BlueBoat's T200 hold at 16 V and not at 12 V, a half empty 4S pack does not hold it any more."""
    text = 'thrusters:\n' + ''.join(
        f'- {{name: {name}, x: -0.488, y: {y}, propeller: {{model: t200, voltage: 16}}}}\n'
        for name, y in (('left', 0.295), ('right', -0.295)))
    boat = boat('blueboat', text=text)
    shares = PackShares(boat, BatteryUse().energy_at(boat))
    speed = next(v for v in np.arange(3.5, 1.0, -0.02)
                 if steady_state(boat.vessel, 0.0, 0.0, Flow(v, 0.0, 0.0, 0.0)).feasible)
    lost = not_held(boat.vessel, shares, flows(speed), USED)
    assert lost[50:].all()
    gentle = not_held(boat.vessel, shares, flows(0.4 * speed), USED)
    assert not gentle[:80].any()
