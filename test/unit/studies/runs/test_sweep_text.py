"""The summary of a sweep as lines."""

from usv_energy.studies.runs.sweep_output import QUANTITIES, sweep_text

SPREAD = {name: 10.0 + number for number, name in enumerate(QUANTITIES)}
SUMMARY = {
    'title': 'Title', 'scenario': '6', 'boat': 'lutra_prop', 'convention': 'rep103', 'file': 'out.nc', 'runs': 40,
    'parameters': {'speed.target': 'speed', 'wind.speed': 'wind'}, 'shape': {'speed_target': 4, 'sample': 10},
    'outcomes': {'reached': 30, 'timed_out': 10, 'left_flow': 0},
    'spread': {'energy_j': SPREAD, 'duration_s': None},
    'influence': {'explained_share': 0.75, 'inputs': [{'parameter': 'wind.speed', 'share': 0.75, 'coefficient': -0.5}]}}


def test_shares_quantiles_and_causes_are_there_and_nothing_that_did_not_happen():
    lines = sweep_text(SUMMARY).splitlines()
    assert lines[1] == '40 runs (speed: 4 x samples: 10) of scenario 6, boat lutra_prop, rep103: out.nc'
    assert lines[3].split(maxsplit=1) == ['outcome', '30 reached (75.0 %), 10 timed_out (25.0 %)']
    assert lines[6].split()[2:] == [f'{value:g}' for value in SPREAD.values()]
    assert lines[7].split()[2:] == ['-'] * len(QUANTITIES)
    assert lines[-2].split() == ['wind', '(wind.speed)', '75.0', '%', '-0.500']
    assert lines[-1].split()[-2:] == ['25.0', '%'], 'what is not explained'


def test_a_grid_has_no_causes():
    assert 'variance' not in sweep_text({**SUMMARY, 'influence': {'explained_share': None, 'inputs': []}})


def test_a_share_of_next_to_nothing_has_no_sign():
    """A share of ranks that chance makes is -1e-5 as often as 1e-5."""
    inputs = [{**SUMMARY['influence']['inputs'][0], 'share': -1e-5}]
    text = sweep_text({**SUMMARY, 'influence': {'explained_share': 0.75, 'inputs': inputs}})
    assert ' 0.0 %' in text and '-0.0 %' not in text
