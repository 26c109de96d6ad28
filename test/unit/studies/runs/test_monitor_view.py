"""The terminal's view of a boat: what it says is in it, at any width, with nothing where nothing is known."""

import re

import pytest

from usv_energy.studies.runs.monitor_view import BARS, frame

STATE = {
    'namespace': '/diffboat', 'age_s': 0.1, 'stamp_s': 12.34, 'convention': 'rep103', 'power_inertia_w': -4.0,
    'power_damping_w': 16.0, 'power_wind_w': 0.5, 'power_losses_w': 8.0, 'power_static_load_w': 0.0,
    'power_unrecovered_w': 0.0, 'power_total_w': 20.5, 'energy_total_j': 1234.5, 'energy_per_meter_j_m': 18.2,
    'distance_over_ground_m': 67.8, 'duration_s': 61.0, 'gaps': 2, 'gap_duration_s': 3.5, 'state_of_charge': 0.25,
    'remaining_range_m': 7326.0, 'remaining_duration_s': 7300.0, 'speed_over_ground_m_s': 1.04,
    'speed_through_water_m_s': 1.35, 'yaw_deg': -90.0,
    'current': {'speed_m_s': 0.4, 'direction_deg': 45.0, 'status': 'ok'}, 'wind': {'speed_m_s': None,
                                                                                'status': 'missing'},
    'problems': ['no wind known: no power']}


def plain(lines):
    return re.sub(r'\x1b\[[\d;]*m', '', '\n'.join(lines))


@pytest.mark.parametrize('width', [40, 60, 80, 200])
def test_every_figure_is_there_and_no_line_is_too_long(width):
    text = plain(frame(STATE, width))
    for figure in ('/diffboat', 't = 12.34 s', '16.0', '-4.0', '20.5', '1234.5 J', '18.2 J/m', '67.8 m', '61.0 s',
                   '2 gaps, 3.5 s', '25.0 %', 'range 7.33 km', '2 h 02 min', '1.04 m/s over ground', 'heading 180',
                   '0.40 m/s (0.8 kn) set 045 (NE)', 'missing', 'no wind known'):
        assert figure in text, figure
    assert 'static load' not in text, 'a cause that takes nothing takes no line'
    assert max(map(len, text.splitlines())) <= max(width, 56)


def test_in_few_lines_what_is_wrong_and_the_way_home_come_first():
    """A terminal of 80 columns and 24 lines: the last lines went, and with them the words of an alarm."""
    state = {**STATE, **HOME, 'problems': [f'something {number} is wrong, and it takes many words to say what it is, '
                                           'more than a line of a terminal holds' for number in range(9)]}
    whole, short = (frame(state, 79, False, height) for height in (None, 21))
    assert len(short) == 21 < len(whole) and '' not in short and max(map(len, whole)) <= 79
    assert short[1].startswith('Status') and short[8].startswith('Way home')
    assert set(short) <= set(whole) and frame(state, 79, False, len(whole)) == frame(state, 79, False)


def test_bars_are_as_long_as_their_power():
    lines = plain(frame(STATE, 92)).splitlines()
    length = {name: line.count('█') for name in ('damping', 'losses', 'inertia', 'total')
              for line in lines if line.strip().startswith(name)}
    assert length['damping'] == pytest.approx(2 * length['losses'], abs=1)
    assert length['damping'] == pytest.approx(4 * length['inertia'], abs=2)
    inertia, damping = (next(line for line in lines if line.strip().startswith(name))
                        for name in ('inertia', 'damping'))
    assert inertia.rindex('█') < damping.index('█'), 'what gives back lies to the left of zero'


def test_colours_are_codes_only_and_may_be_left_out():
    assert plain(frame(STATE, 80, True)) == '\n'.join(frame(STATE, 80, False))
    assert len({bar.colour for bar in BARS}) == len(BARS)


def test_a_boat_that_says_nothing_yet_is_shown_as_such():
    text = plain(frame({'namespace': '/x', 'problems': ['no power heard']}))
    assert 'nothing heard yet' in text and 'no power heard' in text
    assert 'None' not in text and 'nan' not in text


def test_a_measured_battery_and_the_hull_are_shown_where_somebody_says_them():
    hull = {'hull_state': 'more drag', 'drag_ratio': 1.22, 'drag_ratio_lower': 1.15, 'drag_ratio_upper': 1.29,
            'hull_message': 'drag 22 % above the boat file for 6 minutes: weed or fouling of hull or propellers'}
    battery = {'state_of_charge_std': 0.015, 'battery_resistance_ohm': 0.035, 'battery_status': 0,
               'battery_message': ''}
    lines = plain(frame({**STATE, **hull, **battery}, 60)).splitlines()
    text = ' '.join(' '.join(lines).split())
    for figure in ('Hull more drag', "drag 1.22 (1.15 to 1.29) of the file's", '± 3.0 % of charge',
                   '35 mOhm', 'for 6 minutes: weed or fouling of hull or propellers'):
        assert figure in text, figure
    assert max(map(len, lines)) <= 60
    assert 'Hull' not in plain(frame(STATE, 60))
    assert '± ' not in plain(frame({**STATE, **battery, 'battery_status': 1}, 60)), 'nothing is measured'


HOME = {'home_place': 'pier', 'home_distance_m': 420.0, 'home_energy_j': 20160.0, 'home_margin_j': 36000.0,
        'no_return_duration_s': 730.0, 'no_return_distance_m': 650.0, 'return_home': False, 'home_status': 0,
        'home_message': ''}


def test_the_way_home_is_there_where_it_is_watched():
    assert 'Way home' not in plain(frame(STATE))
    text = plain(frame({**STATE, **HOME}))
    for figure in ('pier, 420.0 m: 20160.0 J (5.6 Wh)', 'margin 36000.0 J (10 Wh)',
                   'point of no return in 12 min 10 s, 650.0 m'):
        assert figure in text, figure
    never = plain(frame({**STATE, **HOME, 'no_return_duration_s': None, 'no_return_distance_m': None}))
    assert 'no point of no return on this course' in never and 'TURN BACK' not in never
    beyond = plain(frame({**STATE, **HOME, 'home_margin_j': -3600.0, 'return_home': True, 'home_status': 16,
                          'home_message': 'the way to pier may take 1.00 Wh more than there is'}))
    assert 'TURN BACK NOW' in beyond and 'point of no return in' not in beyond and 'may take 1.00 Wh more' in beyond
    unknown = plain(frame({**STATE, 'home_status': 1, 'home_message': 'no place to go back to', 'return_home': False}))
    assert 'no place to go back to' in unknown and 'None' not in unknown


def test_words_of_other_nodes_move_no_cursor():
    wild = 'a\x1b[2Jb\rc'
    text = '\n'.join(frame({**STATE, **HOME, 'convention': wild, 'home_place': wild, 'home_message': wild,
                            'problems': [wild], 'mission': {'error': wild}}, 92, False))
    assert text.count('a\\x1b[2Jb\\rc') == 5 and '\x1b' not in text and '\r' not in text
