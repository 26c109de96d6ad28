"""What the page Live says of a boat: the gravest first, and each figure as the terminal's."""

import json

import pytest

from usv_energy.files.errors import InputError
from usv_energy.studies.plan.home_guard import HomeStatus
from usv_energy.web.live_desk import GOES_ON, LiveDesk, Watched
from usv_energy.web.live_views import cause_rows, headline, mission_words, problems_of, state_rows, tiles_of
from usv_energy.web.typed_numbers import percent_of

NEEDS = ('nicegui',)
GOOD = {'home_status': 0, 'home_margin_j': 36e3, 'no_return_duration_s': 600.0, 'home_energy_j': 1800.0,
        'home_distance_m': 250.0, 'return_home': False, 'home_message': '', 'alarms': [], 'age_s': 0.2}


@pytest.mark.parametrize(('changed', 'words', 'grave'), [
    ({}, 'It gets home, with 36000.0 J (10 Wh) to spare; no return in 10 min 00 s', 'good'),
    ({'alarms': [{'level': 'warning', 'text': 'x'}]}, 'It gets home', 'warn'),
    ({'no_return_duration_s': None}, 'no point of no return on this course', 'good'),
    ({'return_home': True, 'home_margin_j': 10.0}, 'Turn back now: margin 10.0 J', 'bad'),
    ({'home_margin_j': -7200.0, 'home_status': int(HomeStatus.BEYOND_RETURN)}, 'are missing for the way home', 'bad'),
    ({'home_status': int(HomeStatus.NO_HOME), 'home_margin_j': None, 'home_message': 'no place'}, 'no place',
     'unknown'),
    ({'home_status': None}, 'Nothing is known of the way home', 'unknown')])
def test_the_headline_is_the_gravest(changed, words, grave):
    found = headline({**GOOD, **changed})
    assert words in found[0] and found[1] == grave


def test_unknown_figures_are_dashes():
    assert {tile.value for tile in tiles_of({}, str)} == {'-'}
    assert cause_rows({}) == [('', 'total', '-', '-')]
    assert mission_words({}) == [] and problems_of({}) == []
    assert dict(state_rows({}))['current'] == '- (not known)'


def test_figures_are_those_of_the_state():
    state = {**GOOD, 'state_of_charge': 0.875, 'state_of_charge_std': 0.02, 'power_total_w': 51.26,
             'power_damping_w': 50.0, 'energy_damping_j': 499.96, 'energy_total_j': 512.6, 'power_foils_w': 0.0,
             'speed_over_ground_m_s': 1.25}
    found = {tile.meaning: tile.value for tile in tiles_of(state, lambda speed: f'{speed} m/s')}
    assert found['of the battery, ± 4.0 % (95 %)'] == '87.5 %' and found['over ground'] == '1.25 m/s'
    assert found['power now'] == '51.3 W' and found['way home, 250.0 m'].startswith('1800.0 J')
    assert cause_rows(state) == [('damping', 'damping', '50.0', '500.0'), ('', 'total', '51.3', '512.6')]
    assert mission_words({'mission': {'error': 'no legs'}}) == ['no legs']
    mission = {'verdict': 'no_go', 'length_m': 120.0, 'item': 3, 'time_s': 60.0, 'energy_j': 900.0,
               'state_of_charge_at_end': 0.05, 'turn_back_before_item': 4}
    assert mission_words({'mission': mission})[1] == 'turn back before item 4'
    assert mission_words({'mission': mission})[0].startswith('no go: 120.0 m left from item 3')
    wind = {'speed_m_s': 4.0, 'direction_deg': -90.0, 'status': 'ok'}
    assert dict(state_rows({'wind': wind}))['wind'] == '4.00 m/s (7.8 kn) from 000 (N) (ok)'
    assert problems_of({'age_s': 12.0, 'problems': ['a', '', 'a']}) == ['not heard for 12 s', 'a']
    assert problems_of({'age_s': 12.0, 'problems': ['nothing heard for 12 s', 'no position heard']}, True) == [
        'no position heard']


@pytest.mark.parametrize(('text', 'value'), [('', None), ('80', 0.8), (' 12.5 % ', 0.125), ('0', 0.0), ('100', 1.0)])
def test_shares_are_percent(text, value):
    assert percent_of(text, 'charge') == value


@pytest.mark.parametrize('text', ['-1', '101', 'nan', 'full'])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(InputError, match=r'charge is .* must be from 0 to 100 %'):
        percent_of(text, 'charge')


class Watch:
    """A watch that says whether it runs."""

    def __init__(self):
        self.runs = False

    def __enter__(self):
        self.runs = True
        return self

    def __exit__(self, *_):
        self.runs = False

    def state(self):
        return {'boats': [], 'ended': False}


def test_one_boat_is_watched_at_a_time():
    desk, watch = LiveDesk(), Watch()
    assert desk.state() is None
    desk.begin(Watched('14551', 'mine'), lambda: watch)
    assert watch.runs and json.dumps(desk.state()) and desk.watched.boat == 'mine'
    with pytest.raises(InputError, match=GOES_ON):
        desk.begin(Watched('14552', 'other'), Watch)
    desk.end()
    desk.end()
    assert not watch.runs and desk.state() is None and desk.watched is None

    def fails():
        raise InputError('cannot be opened')

    with pytest.raises(InputError, match='cannot be opened'):
        desk.begin(Watched('14551', 'mine'), fails)
    assert desk.state() is None
