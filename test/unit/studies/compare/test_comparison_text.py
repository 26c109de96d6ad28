from run_summaries import summary

from usv_energy.studies.compare.comparison import comparison_text


def test_the_table_names_causes_that_matter_and_what_makes_runs_hard_to_compare():
    first, second = summary('a', damping=100.0, inertia=1e-3), summary('b', damping=130.0)
    text = comparison_text([first, {**second, 'boat': 'other', 'distance_over_ground_m': 30.0}])
    assert '+30.0 (+30.0 %)' in text and 'inertia' not in text
    assert 'different boats: lutra_prop, other' in text
    assert 'compare J/m' in text


def test_what_a_run_does_not_know_stays_open():
    first = {**summary('a', damping=100.0), 'energy_per_meter_j_m': None}
    second = {**summary('b', damping=110.0), 'mean_power_w': None}
    lines = {line.split(',')[0].split('  ')[0]: line.split() for line in comparison_text([first, second]).splitlines()}
    assert lines['J/m'] == ['J/m', '-', '5.50']
    assert lines['mean power'][-2:] == ['10.00', '-']
