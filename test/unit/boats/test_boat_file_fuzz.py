from fuzz import assert_survives
from places import ROOT

from usv_energy.boats.boat_file import read_boat


def test_boats(tmp_path, fuzz_seeds):
    assert_survives(read_boat, sorted((ROOT / 'config/boats').glob('*.yaml')), tmp_path, fuzz_seeds)
