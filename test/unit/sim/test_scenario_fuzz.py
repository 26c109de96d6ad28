from fuzz import assert_survives
from places import ROOT

from usv_energy.sim.scenario import read_scenario


def test_scenarios(tmp_path, fuzz_seeds):
    assert_survives(read_scenario, sorted((ROOT / 'config/scenarios').rglob('*.yaml')), tmp_path, fuzz_seeds)
