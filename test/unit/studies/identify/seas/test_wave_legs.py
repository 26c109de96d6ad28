"""The blocks of a twin's logs, whose force and sea are known, and logs that cannot tell them."""

import math
from dataclasses import replace

import numpy as np
import pytest
import sea_twin

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.identify.seas.wave_fit import wave_fit
from usv_energy.studies.identify.seas.wave_legs import BLOCK, wave_legs, wave_nodes

SEAS = ((0.0, 2.0, 0.0), (0.2, 2.0, 180.0), (0.4, 2.0, 90.0), (0.3, 3.0, 180.0), (0.6, 3.0, 90.0))


@pytest.fixture(scope='module')
def boat(tmp_path_factory):
    path = tmp_path_factory.mktemp('boat') / 'twin.yaml'
    path.write_text(sea_twin.BOAT)
    return read_boat(str(path))


@pytest.fixture(scope='module')
def logs():
    return [sea_twin.sea_log(f'log{number}', *sea, seed=7000 + number) for number, sea in enumerate(SEAS)]


def analysed(log, boat, **options):
    return analysed_log(log, boat, AnalysisOptions(find_flow=False, **options))


def test_a_twins_coefficients_come_back(boat, logs):
    """
    Its heights and forces are drawn: they come back within their intervals, and 25 % of the largest.

    How often the intervals hold the truth is counted over many seeds by bench/wave_coefficients.py.
    """
    legs = wave_legs([analysed(log, boat) for log in logs])
    fit = wave_fit(legs, wave_nodes(legs, periods=sea_twin.PERIODS))
    true = np.array(sea_twin.COEFFICIENTS)
    assert all(one.low < known < one.high for row, knowns in zip(fit.coefficients, true)
               for one, known in zip(row, knowns))
    assert (np.abs(fit.values - true) < 0.25 * true.max(axis=0)).all()
    assert abs(fit.drag) < 0.005


def test_what_a_boat_drags_beyond_its_file_is_not_taken_for_waves(boat):
    dragging = [sea_twin.sea_log(f'log{number}', *sea, seed=7000 + number, drag_share=1.1)
                for number, sea in enumerate(SEAS[:3])]
    legs = wave_legs([analysed(log, boat) for log in dragging])
    fit = wave_fit(legs, wave_nodes(legs))
    assert fit.drag == pytest.approx(0.1, abs=0.01)
    assert fit.values[0, 0] == pytest.approx(90.0, rel=0.3)


def test_calm_blocks_have_no_force_and_are_straight_and_whole(boat, logs):
    legs = wave_legs([analysed(logs[0], boat)])
    np.testing.assert_allclose(legs.force, 0.0, atol=0.01 * legs.drag.mean())
    assert (legs.duration > 0.6 * BLOCK).all() and (legs.duration < 1.6 * BLOCK).all()
    # The twin turns at once, and its heading as estimated takes some seconds for it: within 5 degrees of its courses.
    assert {round(math.degrees(yaw) / 90.0) % 4 for yaw in legs.yaw} == {0, 1, 2, 3}
    assert max(abs(math.remainder(math.degrees(yaw), 90.0)) for yaw in legs.yaw) < 5.0
    assert legs.drag == pytest.approx(20.0 * legs.speed + 40.0 * legs.speed ** 2, rel=0.01)
    assert legs.slope == pytest.approx(20.0 + 80.0 * legs.speed, rel=1e-9)


def test_directions_off_the_bow_are_those_of_the_sea(boat, logs):
    legs = wave_legs([analysed(logs[1], boat, sea=(0.2, 2.0, math.pi))])
    for yaw, off in zip(legs.yaw, legs.off_bow):
        assert off == pytest.approx(math.acos(math.cos(yaw)), abs=1e-6)
    assert {round(math.degrees(off) / 90.0) for off in legs.off_bow} == {0, 1, 2}
    assert (legs.height == 0.2).all() and (legs.period == 2.0).all()


def test_what_a_log_lacks_is_named(boat, logs):
    log = logs[1]
    with pytest.raises(InputError, match=r'log1: tells no thrusts, commands or rates'):
        wave_legs([analysed(replace(log, thrust=np.full_like(log.thrust, np.nan)), boat)])
    with pytest.raises(InputError, match=r'log1: nothing tells its sea .*--sea'):
        wave_legs([analysed(replace(log, extra={}), boat)])
    heave = {'heave_m': log.extra['heave_m']}
    with pytest.raises(InputError, match=r'log1: shows how high its sea is \(heave\), and not from where'):
        wave_legs([analysed(replace(log, extra=heave), boat)])
    circling = replace(log, yaw=np.linspace(0.0, 60.0, len(log)))
    with pytest.raises(InputError, match=r'log1: has no stretch of 12 s or more straight on'):
        wave_legs([analysed(circling, boat, sea=(0.2, 2.0, math.pi))])
