"""What the pictures show is the log's energy and power, however few points are drawn."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.logs.log import Log
from usv_energy.studies.analyze import picture_data as data
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions

N, PERIOD = 20_000, 0.1


@pytest.fixture(scope='module')
def analysed():
    """Return 2000 s straight to the east at a speed that swings about 1 m/s."""
    time, zero = PERIOD * np.arange(N), np.zeros(N)
    u = 1.0 + 0.3 * np.sin(0.05 * time)
    log = Log('a', Path('a'), time, yaw=zero, u=u, v=zero, r=zero, x=np.cumsum(u) * PERIOD, y=zero)
    return analysed_log(replace(log, electrical_power=u ** 3), BOAT, AnalysisOptions(motion='recorded'))


def test_the_mean_power_along_the_track_is_the_run_s(analysed):
    track = data.track_of(analysed)
    assert track.x.size == data.SEGMENTS and track.unbroken.all() and data.has_track(analysed)
    known = analysed.power.total[np.isfinite(analysed.power.total)]
    assert np.mean(track.power) == pytest.approx(known.mean(), rel=1e-3)


def test_lines_reach_the_extremes_and_end_with_the_total(analysed):
    found = data.power_lines(analysed)
    assert [line.name for line in found.lines] == ['damping', 'inertia', 'wind and air drag', 'total']
    total = found.lines[-1]
    assert total.time.size <= data.POINTS + 4
    assert np.nanmax(total.values) == np.nanmax(analysed.power.total)
    assert found.xlabel == 'Time, min' and found.span == pytest.approx((0.0, analysed.log.time[-1] / 60.0))
    low, high = found.limits
    assert not found.cut and low < np.nanmin(found.lines[1].values) and high > np.nanmax(total.values)
    assert data.against_measured(analysed).lines[0].values[0] == pytest.approx(1.0)


def test_areas_sum_to_the_energy(analysed):
    found = data.energy_by_cause(analysed)
    scale = {'kJ': 1e3, 'J': 1.0}[found.unit]
    assert scale * found.total[-1] == pytest.approx(analysed.energy.total)
    np.testing.assert_allclose(sum(values for _, values in found.areas), found.total, atol=2e-3 * found.total[-1])


def test_the_medians_lie_on_the_curve_of_power_over_speed(analysed):
    """So slow a swing is all but steady: inertia comes and goes with equal shares."""
    found = data.speed_power(analysed)
    steady = np.interp(found.centres, found.speed, found.steady)
    np.testing.assert_allclose(found.medians, steady, rtol=0.05)
    assert found.water.size == data.SCATTER


def test_the_energy_per_metre_has_the_run_s_mean(analysed):
    found = data.per_meter(analysed)
    assert found.mean == pytest.approx(analysed.energy.energy_per_meter)
    assert np.average(found.cost, weights=np.diff(found.edges)) == pytest.approx(found.mean)
