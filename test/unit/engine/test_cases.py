import numpy as np
import pytest

from usv_energy.engine.cases import cases_of
from usv_energy.files.errors import InputError
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')


def test_a_part_has_the_runs_of_the_whole():
    cases = cases_of(SIX, 5, **{'boat.static_load': np.arange(5.0), 'speed.target': 0.7})
    part = cases.part(3, 9)
    assert part.number == 2
    assert [part.scenario_of(n).boat.vessel.static_load for n in range(2)] == [3.0, 4.0]
    assert part.scenario_of(1) == cases.scenario_of(4) and cases.scenario_of(0).speed == 0.7


def test_an_ensemble_has_a_run():
    with pytest.raises(InputError, match='an ensemble of 0 runs; must be at least 1'):
        cases_of(SIX, 0)


def test_values_are_checked_when_cases_are_made():
    with pytest.raises(InputError, match=r'did you mean current\.speed'):
        cases_of(SIX, 2, **{'curent.speed': 0.1})
