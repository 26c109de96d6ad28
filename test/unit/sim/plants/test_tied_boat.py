import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.sim.maneuver import knows_bollard_power, performed, read_maneuver

FERRY = read_boat('milliampere')


def test_a_tied_boat_stays_pulls_all_its_thrust_and_draws_what_its_map_says():
    """Four times the end of one thruster's map, and the hotel load; energy is the sum over the four holds of 5 s."""
    run = performed(read_maneuver('bollard'), FERRY, FERRY)
    propeller = FERRY.vessel.thrusters[0].propeller
    last = run.rows[-1]
    assert {(row.x, row.y, row.motion.u, row.motion.r) for row in run.rows} == {(0.0, 0.0, 0.0, 0.0)}
    assert run.ahead[-1] == pytest.approx(4 * 298.4)
    assert last.power.total == pytest.approx(4.0 * float(propeller.map_power[-1]) + FERRY.vessel.static_load)
    assert last.power.total == pytest.approx(last.power.losses + last.power.static_load) and last.power.thrust == 0.0
    steady = [run.rows[run.step.index(number + 1) - 1].power.total for number in range(3)]
    assert last.energy == pytest.approx(5.0 * (sum(steady) + last.power.total), rel=0.01)


def test_an_efficiency_says_nothing_of_standstill():
    known = {name: knows_bollard_power(read_boat(name).vessel) for name in ('milliampere', 'lutra_prop', 'lutra_sail')}
    assert known == {'milliampere': True, 'lutra_prop': False, 'lutra_sail': False}
