"""The boat file of a fit to revolutions: each thruster draws what its revolutions take, still and under way."""

from types import SimpleNamespace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.files.errors import InputError
from usv_energy.studies.identify.electrical import electrical_reports as module
from usv_energy.studies.identify.electrical.electrical_reports import rotor_boat
from usv_energy.thrusters.commands import power_of_thrust
from usv_energy.thrusters.drive import bollard_of_rate, thrust_of_rate
from usv_energy.thrusters.rotor_power import RotorLoad

LOAD = RotorLoad(ahead=0.6, astern=0.45, inflow=1.2, inertia=0.03, friction=0.0, standby=2.5)
FERRY = read_boat('milliampere')


@pytest.fixture
def of_load(monkeypatch, tmp_path):
    """Return a function that returns the boat of a load on a base."""
    monkeypatch.setattr(module, 'rotor_summary', lambda result: {'fitted_to': 'revolutions'})

    def made(load, base):
        result = SimpleNamespace(fit=SimpleNamespace(load=load), names=('pier',))
        return write_boat(rotor_boat(result, base, 'mine', {}), tmp_path / 'mine.yaml')

    return made


@pytest.mark.parametrize('inflow', [0.0, 0.5])
def test_a_thruster_draws_what_its_revolutions_take(of_load, inflow):
    """
    P = k n^3 - c n^2 v at each rate, in still water and with the inflow that takes its thrust.

    The square law of the thrust is that of full ahead; below, where the bollard pull departs from it by up to 15 %, so
    does the relief, a tenth of the power here.
    """
    boat = of_load(LOAD, FERRY)
    for thruster, propeller in zip(boat.vessel.thrusters, boat.propellers):
        rate = np.array([6.0, 9.0, 12.0])
        thrust = thrust_of_rate(rate, inflow, propeller.turning, thruster.propeller)
        wanted = LOAD.ahead * rate ** 3 - LOAD.inflow * rate ** 2 * inflow
        np.testing.assert_allclose(power_of_thrust(thrust, inflow, thruster.propeller), wanted, rtol=0.03)


def test_friction_standby_and_astern_are_in_the_file(of_load):
    boat = of_load(LOAD._replace(friction=3.0), FERRY)
    assert boat.vessel.static_load == pytest.approx(4 * 2.5)
    thruster, turning = boat.vessel.thrusters[0], boat.propellers[0].turning
    full = float(thruster.min_thrust)
    rate = np.interp(-np.sqrt(-full), turning.root, turning.rate)
    assert float(bollard_of_rate(rate, turning)) == pytest.approx(full, rel=1e-5)
    wanted = LOAD.astern * abs(rate) ** 3 + 3.0 * abs(rate)
    assert float(power_of_thrust(full, 0.0, thruster.propeller)) == pytest.approx(wanted, rel=1e-4)
    assert (thruster.min_thrust, thruster.max_thrust) == (FERRY.vessel.thrusters[0].min_thrust,
                                                          FERRY.vessel.thrusters[0].max_thrust)


def test_a_thruster_of_the_library_has_its_thrust_over_revolutions_too(of_load):
    boat = of_load(LOAD._replace(ahead=8e-4, astern=1e-3, inflow=0.0), read_boat('lutra_rudder_t200'))
    thruster, turning = boat.vessel.thrusters[0], boat.propellers[0].turning
    assert float(power_of_thrust(float(bollard_of_rate(40.0, turning)), 0.0, thruster.propeller)) == pytest.approx(
        8e-4 * 40.0 ** 3, rel=0.02)


def test_a_boat_that_does_not_say_its_thrust_over_revolutions_is_refused(of_load):
    with pytest.raises(InputError, match=r'lutra_prop.yaml: thrusters.0.propeller has no rates'):
        of_load(LOAD, read_boat('lutra_prop'))
