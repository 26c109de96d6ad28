from fuzz import assert_survives
from places import ROOT

from usv_energy.logs.tables.column_map import read_columns


def test_column_maps(tmp_path, fuzz_seeds):
    assert_survives(read_columns, sorted((ROOT / 'config/columns').glob('*.yaml')), tmp_path, fuzz_seeds)
