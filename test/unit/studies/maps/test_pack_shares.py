"""What a joule uses of a battery of cells, and until when a power can be given: the discharge itself at its ends."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.maps.pack_shares import PackShares
from usv_energy.studies.plan.steady_range import BatteryUse

POWERS = np.array([5.0, 40.0, 120.0, 200.0])


@pytest.fixture(scope='module')
def boat(tmp_path_factory):
    path = tmp_path_factory.mktemp('boat') / 'cells.yaml'
    path.write_text('base: lutra_prop\nname: small\nbattery: {chemistry: nmc, series: 4, capacity_ah: 4, '
                    'internal_resistance: 0.2, capacity_wh: null}\n')
    return read_boat(str(path))


def shares_of(boat, **use):
    return PackShares(boat, BatteryUse(**use).energy_at(boat))


def test_at_a_constant_power_a_discharge_uses_just_what_may_be_used(boat):
    shares = shares_of(boat)
    given = shares.energy(POWERS) * shares.share_of_joule(POWERS)
    np.testing.assert_allclose(given, shares.most_share(POWERS), rtol=0.02)
    assert given[0] == pytest.approx(1.0, abs=8e-3), 'a gentle one, at C/12, takes all but the lag'
    assert np.all(np.diff(shares.most_share(POWERS)) < 0.0) and np.all(np.diff(shares.share_of_joule(POWERS)) > 0.0)


def test_a_power_above_what_the_pack_gives_never_can_be_given(boat):
    shares = shares_of(boat)
    above = np.array([1.001 * shares.energy.most_power, np.inf, np.nan])
    assert (shares.most_share(above) == -np.inf).all() and (shares.share_of_joule(above) == np.inf).all()


def test_what_is_used_runs_from_the_charge_to_the_reserve(boat):
    shares = shares_of(boat, state_of_charge=0.7, reserve=0.2)
    assert shares.state_at(np.array(0.0)).charge == pytest.approx(0.7)
    assert shares.state_at(np.array(1.0)).charge == pytest.approx(0.2, abs=1e-3)
    assert shares.limits[-1] <= shares.energy.most_power and np.all(np.diff(shares.limits) > 0.0)
