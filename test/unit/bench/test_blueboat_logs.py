"""The energies of the eleven BlueBoat logs, by every way that does not hang on a sway that is wrong."""

import importlib.util
import sys

import pytest
from places import DATA, ROOT

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.read_log import read_log

LOGS = sorted((DATA / 'blueboat').glob('fixed_*.csv'))
pytestmark = pytest.mark.skipif(not LOGS, reason=f'no logs in {DATA}/blueboat (USV_ENERGY_DATA)')


@pytest.fixture(scope='module')
def bench():
    path = ROOT / 'bench' / 'blueboat_logs.py'
    sys.path.append(str(path.parent))
    spec = importlib.util.spec_from_file_location('bench_blueboat_logs', path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]
    sys.path.remove(str(path.parent))


def test_newtons_pulses_and_motion_tell_the_same_energy_within_15_percent(bench):
    boat = read_boat('blueboat')
    rows = []
    for path in LOGS:
        log = read_log(path, 'blueboat')
        rows.append({**bench.by_thrusters(log, boat), 'motion_without_sway': bench.without_sway(log, boat)})
    sums = {way: sum(row[way] for row in rows) for way in rows[0]}
    assert max(sums.values()) < 1.15 * min(sums.values())
    for row in rows:
        assert row['newtons'] == pytest.approx(row['pulses'], rel=0.15)


def test_its_watts_are_its_maker_s_within_15_percent_at_the_speed_of_his_fastest_figure(bench):
    fastest = bench.maker_rows(read_boat('blueboat'))[-1]
    assert (fastest['speed_m_s'], fastest['maker_w']) == (2.78, 507.6)
    assert fastest['boat_w'] == pytest.approx(fastest['maker_w'], rel=0.15)


def test_its_watts_at_full_throttle_are_its_maker_s_law_within_15_percent(bench):
    """His fastest figure is not full throttle: a stock boat makes 3.0 m/s, he says. His watts have no hotel load."""
    boat = read_boat('blueboat')
    top = bench.fastest(boat.vessel, 0.0, bench.STILL)
    assert 2.78 < top < 3.0
    drawn = bench.watts(boat, top * (1.0 - 1e-9)) - boat.vessel.static_load
    assert drawn == pytest.approx(19.13 * top ** 3.33, rel=0.15)
