from usv_energy.studies.runs.run_tables import track_lines

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
