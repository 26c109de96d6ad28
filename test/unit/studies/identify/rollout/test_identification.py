"""An identification from logs to figures: errors on logs seen and not seen, and logs that it refuses."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from arrangement_twin import Truth, base_of, twins
from needs import WITHIN_A_MINUTE
from twin_boats import LUTRA
from twin_log import twin_log

from usv_energy.boats.boat_file import write_boat
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.studies.identify.rollout.fit_parameters import INFLOW
from usv_energy.studies.identify.rollout.fitted_boat import rollout_boat
from usv_energy.studies.identify.rollout.identification import identify
from usv_energy.studies.identify.rollout.identification_result import FitSettings
from usv_energy.studies.identify.rollout.tracks import track_of


def test_currents_are_found_where_the_log_has_none(identified):
    np.testing.assert_allclose(identified.found.currents, np.tile((0.1, -0.05), (3, 1)), atol=0.03)
    assert any('a steady current of 0.1' in warning for warning in identified.warnings)


def test_errors_of_a_fit_are_those_of_the_noise_and_left_out_logs_are_no_better(identified):
    """Noise of 0.02 m/s and 0.01 rad/s, and what the start's noise leaves of itself; the current, unknown, adds."""
    assert np.all(identified.with_current.rmse < (0.03, 0.035, 0.015))
    assert np.all(identified.with_current.rmse > (0.018, 0.018, 0.009))
    assert np.all(identified.left_out[-1].rmse < 1.5 * identified.errors[-1].rmse)
    assert len(identified.left_out) == 4 and len(identified.validation) == 2
    without, with_it = identified.validation_current
    assert with_it.rmse[1] < without.rmse[1]


def rest_log(**changes) -> Log:
    time = np.arange(0.0, 30.0, 0.1)
    zeros = np.zeros(len(time))
    log = Log('quay', Path('quay.csv'), time, yaw=zeros, u=zeros, v=zeros, r=zeros, thrust=np.zeros((len(time), 2)),
              thrusters=('left', 'right'))
    return replace(log, **changes)


def test_a_log_at_rest_is_refused():
    with pytest.raises(InputError, match=r'quay: the boat lies at rest .*nothing can be learnt'):
        identify([rest_log()], LUTRA, [], FitSettings('linear'))


def test_a_log_stands_there_once_and_one_to_validate_with_is_long_enough():
    log, other = (twin_log(LUTRA, np.random.default_rng(10 + k), f'log {k}', 50.0) for k in range(2))
    for logs, validation in (([log, replace(log, name='copy')], []), ([log], [replace(log, name='copy')])):
        with pytest.raises(InputError, match='hold the same samples'):
            identify(logs, LUTRA, validation, FitSettings(form='linear'))
    with pytest.raises(InputError, match='to validate with, but no stretch of 10 s'):
        identify([log], LUTRA, [other.between(0.0, 0.15)], FitSettings(form='linear'))
    short = [other.between(0.0, 0.05), other.between(0.0, 0.15)]
    found = identify([log], LUTRA, [other.between(20.0, 40.0), *short], FitSettings(form='linear')).validation
    assert found[0].number == found[-1].number > 0 and [row.number for row in found[1:3]] == [0, 0]


QUADRATIC = FitSettings('quadratic', winds=False, workers=1)


@pytest.fixture(scope='module')
def rudder_boat(tmp_path_factory):
    truth, logs = twins('rudder', Truth(), 3, logs=3, duration=60.0)
    return truth, identify(logs, base_of('rudder', tmp_path_factory.mktemp('base')), [], QUADRATIC)


@WITHIN_A_MINUTE
def test_drag_rudder_and_inflow_are_within_three_standard_errors(rudder_boat):
    truth, result = rudder_boat
    known = truth.numbers('rudder')
    rows = {row.key: row for row in result.parameters if row.key in known}
    assert rows.keys() == known.keys()
    for key, row in rows.items():
        assert abs(row.value - known[key]) < 3.0 * row.std, key
    assert rows['foils.0.area'].determined and rows[INFLOW].determined
    assert rows['foils.0.area'].value / truth.area == pytest.approx(1.0, abs=0.15)
    assert rows[INFLOW].value / truth.inflow == pytest.approx(1.0, abs=0.2)
    # As good as the noise, which is in the state that a roll-out starts from, too: its yaw rate is off all the way.
    assert (result.with_current.rmse < [0.014, 0.014, 0.009]).all()


@WITHIN_A_MINUTE
def test_the_boat_file_has_the_rudder_and_the_propeller_that_were_found(rudder_boat, tmp_path):
    _, result = rudder_boat
    values = {row.key: row.value for row in result.parameters}
    boat = write_boat(rollout_boat(result, 'mine', {}), tmp_path / 'mine.yaml')
    assert boat.vessel.foils[0].area == pytest.approx(values['foils.0.area'], rel=1e-5)
    assert boat.vessel.thrusters[0].propeller.inflow == pytest.approx(values[INFLOW], rel=1e-5)
    assert boat.vessel.thrusters[0].propeller.torque_ratio == 0.8
    assert 'foils.0.area' in boat.correlation.numbers and INFLOW not in boat.correlation.numbers


@WITHIN_A_MINUTE
def test_a_boat_that_hardly_moves_tells_nothing_of_the_inflow_and_the_report_says_so(tmp_path):
    """
    Four thrusters push against each other: thrust changes, the speed of the water through them hardly does.

    One log of a minute; from two such the fit tells 0.6 +- 0.3 N^0.5 s/m, where the truth is 1.
    """
    _, logs = twins('pods', Truth(), 5, logs=1, duration=60.0, moored=True)
    result = identify(logs, base_of('pods', tmp_path), [], QUADRATIC)
    inflow = next(row for row in result.parameters if row.key == INFLOW)
    assert not inflow.determined and inflow.value == inflow.prior
    assert any('speeds of the water through the propellers is hardly excited' in warning for warning in result.warnings)


def test_a_log_without_the_angle_of_what_turns_is_refused(tmp_path):
    _, logs = twins('rudder', Truth(), 1, logs=1, duration=10.0)
    base = base_of('rudder', tmp_path)
    assert track_of(logs[0], base).turning.shape == (101, 1)
    with pytest.raises(InputError, match='has no angle of the foil rudder, which turns; it has those of none'):
        track_of(replace(logs[0], foils=(), foil_angle=np.array([])), base)
    _, logs = twins('pods', Truth(), 1, logs=1, duration=10.0)
    angle = logs[0].angle.copy()
    angle[:, 2] = np.nan
    with pytest.raises(InputError, match='has no angle of the thruster pod2, which turns'):
        track_of(replace(logs[0], angle=angle), base_of('pods', tmp_path))
