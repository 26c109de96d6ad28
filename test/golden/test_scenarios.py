"""
Durations and energies of the shipped scenarios against test/golden/scenarios.json, to one part in 1e9.

The file was made by this one; where a change of the physics or of the configuration is meant, it is made anew by

    ./run shell python3 test/golden/test_scenarios.py

and the commit says why the numbers moved. That they are *right* is for test/unit/sim/test_runner.py to show.
"""

import json
from pathlib import Path

import pytest

from usv_energy.powering.power import CONVENTIONS
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario, scenario_names

FILE = Path(__file__).with_name('scenarios.json')
MADE_BY = 'python3 test/golden/test_scenarios.py'


def measured(name: str, convention: str) -> dict[str, float]:
    """Return what is kept of a run, s and J."""
    run = run_scenario(read_scenario(name).with_options(convention=convention))
    return {'duration': run.duration, 'energy': run.energy.total, 'thruster_energy': run.thruster_energy}


def cases() -> list[tuple[str, str]]:
    return [(name, convention) for name in scenario_names() for convention in CONVENTIONS]


@pytest.mark.parametrize('name, convention', cases())
def test_numbers_have_not_moved(name, convention):
    golden = json.loads(FILE.read_text())['runs'][f'{name} {convention}']
    # The libm of another machine may round a sine differently; over 1500 steps that stays far below 1e-9.
    assert measured(name, convention) == pytest.approx(golden, rel=1e-9), f'if this is meant: {MADE_BY}'


def test_no_run_is_missing_and_none_is_left_over():
    content = json.loads(FILE.read_text())
    assert list(content['runs']) == [' '.join(case) for case in cases()]
    assert content['made_by'] == MADE_BY


if __name__ == '__main__':
    numbers = {' '.join(case): measured(*case) for case in cases()}
    FILE.write_text(json.dumps({'made_by': MADE_BY, 'units': 's and J', 'runs': numbers}, indent=1) + '\n')
