import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.sim.runner import steady_closure
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.runs.run_tables import closure_table, comparison_table, track_lines


def summary(scenario='1', convention='rep103', **values):
    """Return as much of a summary as the table takes."""
    return {'scenario': scenario, 'boat': 'b', 'plant': 'b', 'convention': convention, 'outcome': 'reached',
            'duration_s': 20.0, 'published_duration_s': 21.0, 'duration_relative': 20.0 / 21.0 - 1.0,
            'energy_j': 600.0, 'published_energy_j': 607.87, 'energy_relative': 600.0 / 607.87 - 1.0,
            'closure_relative': 0.0002, 'published_note': '', **values}


UNPUBLISHED = dict.fromkeys(('published_duration_s', 'duration_relative', 'published_energy_j', 'energy_relative'))


def cells(table, row=3):
    return table.splitlines()[row].replace(' %', '%').split()


def test_both_conventions_stand_in_one_row():
    table = comparison_table([summary(), summary(convention='as_published', energy_j=610.0, energy_relative=0.0035)])
    assert cells(table) == ['1', '20.00', '21.00', '-4.8%', '600.00', '-1.3%', '610.00', '+0.4%', '607.87', '+0.02%']
    assert len(table.splitlines()) == 4


@pytest.mark.parametrize(('convention', 'energies', 'closure'), [
    ('rep103', ['600.00', '-1.3%', '-', '-'], '+0.02%'), ('as_published', ['-', '-', '600.00', '-1.3%'], '-')])
def test_one_convention_alone_leaves_the_other_open(convention, energies, closure):
    row = cells(comparison_table([summary(convention=convention)]))
    assert row == ['1', '20.00', '21.00', '-4.8%', *energies, '607.87', closure]


def test_a_scenario_without_published_values_leaves_them_open():
    row = cells(comparison_table([summary(**UNPUBLISHED)]))
    assert row == ['1', '20.00', '-', '-', '600.00', '-', '-', '-', '-', '+0.02%']


def test_the_same_scenario_with_another_boat_is_another_row():
    table = comparison_table([summary(), summary(boat='other'), summary(plant='other')])
    assert len(table.splitlines()) == 6


def test_columns_line_up_and_lines_fit():
    table = comparison_table([summary('x' * 80, duration_s=123456.78, energy_j=-12345678.9, published_note='why ' * 60),
                              summary('2', **UNPUBLISHED), summary('3', 'as_published')])
    lines = table.splitlines()
    assert len({len(line) for line in lines[1:6]}) == 1
    assert max(map(len, lines)) <= 120


def test_what_is_missing_from_a_recording_is_never_explained_by_the_paper():
    missing = {'complete': False, 'samples_recorded': 784, 'samples_missing_at_start': 137,
               'samples_missing_within': 0, 'samples_missing_at_end': 0, 'samples_missing_from_energy': 30}
    table = comparison_table([
        summary('2', energy_relative=-0.15, published_note='the paper has a misprint', **missing), summary('6')])
    assert cells(table)[:2] == ['2', '(incomplete)']
    text = ' '.join(table.split())
    assert ('2: the recording is incomplete: 137 of 921 samples are missing (137 at the start); '
            'the energy lacks 30 samples') in text
    assert 'its figures are not to be compared with the published ones' in text
    assert 'misprint' not in text
    assert '6 (incomplete)' not in text


def test_each_convention_says_what_its_own_recording_lacks():
    missing = {'complete': False, 'samples_recorded': 90, 'samples_missing_at_start': 0,
               'samples_missing_within': 3, 'samples_missing_at_end': 7, 'samples_missing_from_energy': 0}
    table = comparison_table([summary(complete=True), summary(convention='as_published', **missing)])
    text = ' '.join(table.split())
    assert ('1: as_published: the recording is incomplete: 10 of 100 samples are missing (3 within, 7 at the end)'
            ) in text
    assert text.count('the recording is incomplete') == 1


def test_a_large_difference_is_noted_with_the_cause_from_the_file():
    table = comparison_table([
        summary('2', published_note='the table has a misprint'),
        summary('6', duration_relative=-0.169, published_note='the boat was slow'),
        summary('6', 'as_published', duration_relative=-0.169, energy_relative=0.261,
                published_note='the boat was slow'),
        summary('7', energy_relative=0.1001), summary('8', energy_relative=-0.0999)])
    assert table.split('Notes\n')[1].splitlines() == [
        '  2: the table has a misprint',
        '  6: time -16.9 %, energy as_published +26.1 %: the boat was slow',
        '  7: energy rep103 +10.0 %: its file notes no cause']


def test_a_goal_that_was_not_reached_is_noted():
    table = comparison_table([summary('9', outcome='timed_out', duration_s=120.0)])
    assert '  9: the goal was not reached (timed_out); the figures are of 120.00 s' in table.splitlines()


@pytest.mark.parametrize('speed', [0.5, 1.0, 1.35])
def test_linear_model_on_quadratic_plant_is_off_as_the_closed_form_says(speed):
    row = steady_closure(read_scenario('5'), read_boat('lutra_prop'), read_boat('lutra_prop_usvsim'), speed)
    assert row['speed_m_s'] == pytest.approx(speed, rel=1e-9)
    assert row['closed_form_relative'] == pytest.approx(16.296 / (11.28 * speed) - 1.0, rel=1e-9)
    # Both sides also push the same air aside: 1/2 rho A c u^3, which the closed form of the water leaves out.
    air = 0.5 * 1.184 * 0.08 * 0.68 * speed ** 3
    assert row['model_power_w'] == pytest.approx(16.296 * speed ** 2 + air, rel=1e-9)
    assert row['thruster_power_w'] == pytest.approx(11.28 * speed ** 3 + air, rel=1e-9)


def test_the_models_own_boat_closes():
    row = steady_closure(read_scenario('5'), read_boat('lutra_prop'), read_boat('lutra_prop'), 1.0)
    assert row['closure_relative'] == pytest.approx(0.0, abs=1e-9)
    assert row['closed_form_relative'] == 0.0


def test_a_speed_out_of_reach_is_said():
    boats = read_boat('lutra_prop'), read_boat('lutra_prop_usvsim')
    row = steady_closure(read_scenario('5'), *boats, 2.0)
    # 2 x 11.5 N x cos 15 deg against 11.28 u^2 and the air's 1/2 rho A c u^2.
    assert row['speed_m_s'] == pytest.approx((22.2163 / (11.28 + 0.0322)) ** 0.5, rel=1e-4)
    assert closure_table([row]).splitlines()[-1] == (
        'The thrusters of lutra_prop_usvsim do not reach 2 m/s; what they reach is shown.')


def leg(name, begin, energy):
    return {'leg': name, 'begin_s': begin, 'duration_s': 10.0, 'distance_over_ground_m': 12.5, 'energy_j': energy,
            'mean_power_w': energy / 10.0}


def test_legs_stand_below_where_there_is_more_than_one():
    assert 'Legs of' not in comparison_table([summary(legs=[leg('1', 0.0, 600.0)])])
    lines = comparison_table([summary(legs=[leg('1', 0.0, 450.0), leg('hold at 1', 10.0, 150.0)])]).splitlines()
    begin = lines.index('Legs of 1, rep103')
    assert [line.split()[-6:] for line in lines[begin + 3:]] == [
        ['0.0', '10.0', '12.5', '450.00', '75.0', '45.00'], ['10.0', '10.0', '12.5', '150.00', '25.0', '15.00']]
    many = comparison_table([summary(legs=[leg(str(number), 0.0, 1.0) for number in range(100)])])
    assert many.splitlines()[-1] == 'and 40 more; --json and legs.csv have all'


FIGURES = {'scenario': 'box', 'boat': 'b', 'plant': 'b', 'convention': 'rep103', 'waypoints': 5, 'obstacles': 0,
           'collisions': 0, 'distance_over_ground_m': 45.23, 'published_distance_m': None, 'distance_relative': None,
           'mean_speed_over_ground_m_s': 1.06, 'published_mean_speed_m_s': None, 'mean_speed_relative': None,
           'peak_speed_over_ground_m_s': 1.18, 'published_peak_speed_m_s': None, 'peak_speed_through_water_m_s': 1.17,
           'path_deviation_rms_m': 1.68, 'path_deviation_max_m': 3.44, 'least_clearance_m': None,
           'first_collision_s': None, 'first_collision_x_m': None, 'first_collision_y_m': None,
           'first_collision_with': ''}
HIT = {'obstacles': 2, 'collisions': 2, 'least_clearance_m': 0.0, 'first_collision_s': 202.46,
       'first_collision_x_m': 462.55, 'first_collision_y_m': 102.0, 'first_collision_with': 'south pillar'}


def test_columns_that_say_nothing_are_left_out():
    lines = track_lines([FIGURES])
    assert lines[3].split() == ['scenario', 'distance', 'mean', 'peak', 'in', 'water', 'rms', 'max']
    assert lines[5].split() == ['box', '45.23', '1.06', '1.18', '1.17', '1.68', '3.44']
    # Each head stands over its columns.
    assert lines[2].index('speed') == lines[3].index('mean') and lines[2].index('off path') == lines[3].index('rms') - 1


def test_what_was_published_stands_beside():
    lines = track_lines([{**FIGURES, 'published_distance_m': 452.38, 'distance_relative': 0.0123,
                          'published_peak_speed_m_s': 3.04}])
    assert lines[5].split() == ['box', '45.23', '452.38', '+1.2', '%', '1.06', '1.18', '3.04', '1.17', '1.68', '3.44']


def test_collisions_are_told_with_time_and_place():
    text = ' '.join(' '.join(track_lines([{**FIGURES, **HIT}, {**FIGURES, 'scenario': 'clear', 'obstacles': 1,
                                                             'least_clearance_m': 0.39}])).split())
    assert 'box: the hull hits obstacles 2 times, first at 202.46 s, x = 462.55 m, y = 102.00 m: south pillar' in text
    assert 'clear: the hull' not in text
    once = ' '.join(track_lines([{**FIGURES, **HIT, 'collisions': 1}]))
    assert 'hits obstacles once, at 202.46 s' in once


def test_a_straight_leg_in_open_water_has_no_track_to_speak_of():
    assert track_lines([{**FIGURES, 'waypoints': 1}]) == []
    assert track_lines([{'scenario': '1', 'boat': 'b', 'plant': 'b'}]) == []
    assert track_lines([{**FIGURES, 'waypoints': 1, 'published_mean_speed_m_s': 0.85}])
    assert track_lines([{**FIGURES, 'waypoints': 1, 'obstacles': 1}])


def test_both_conventions_have_one_track():
    assert len(track_lines([FIGURES, {**FIGURES, 'convention': 'as_published'}])) == len(track_lines([FIGURES]))


def test_lines_fit_with_every_column():
    full = {key: 452.38 if value is None and key.endswith(('_m', '_m_s')) else value
            for key, value in FIGURES.items()}
    full |= {**HIT, 'scenario': 'x' * 60, 'distance_relative': -0.5, 'mean_speed_relative': -0.5}
    lines = track_lines([full])
    assert max(map(len, lines)) <= 120
    assert len({len(line) for line in lines[4:6]}) == 1
