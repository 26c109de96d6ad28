"""
The ensemble's compiled loop against the same golden figures: test/golden/scenarios.json.

With test_scenarios.py (plain Python) and test/node/test_lockstep_graph.py (the ROS graph against plain Python) this
closes the chain: compiled, plain Python and the ROS graph give the same seven scenarios.
"""

import json
from pathlib import Path

import pytest

from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.sim.scenario import read_scenario

RUNS = json.loads(Path(__file__).with_name('scenarios.json').read_text())['runs']


@pytest.mark.parametrize('case', RUNS)
def test_numbers_are_the_golden_ones(case):
    pytest.importorskip('numba')
    name, convention = case.split()
    results = run_ensemble(cases_of(read_scenario(name).with_options(convention=convention), 1), 'numba')
    given = {'duration': results.duration[0], 'energy': results.energy['total'][0],
             'thruster_energy': results.thruster_energy[0]}
    assert given == pytest.approx(RUNS[case], rel=1e-9)
