"""An identification from logs to figures: errors on logs seen and not seen, and logs that it refuses."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from twin_boats import LUTRA
from twin_log import twin_log

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.studies.identify.rollout.identification import identify
from usv_energy.studies.identify.rollout.identification_result import FitSettings


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
