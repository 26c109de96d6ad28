"""Loads in a boat's file: what is read, what switches them by leg and topic, what is refused and how that is said."""

import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import number_of, uncertain_numbers, vessel_with
from usv_energy.boats.load import (
    HOLD,
    Duty,
    Load,
    LoadRule,
    LoadTopic,
    SpeedSwitch,
    is_on_leg,
    loads_with_shares,
    share_of,
)
from usv_energy.files.errors import InputError

MODEM = {'name': 'modem', 'power': 8.0, 'topic': {'name': 'modem/on', 'type': 'bool', 'unheard': 0.25}}


@pytest.fixture
def boat(tmp_path):
    """Return a function that reads a boat with some loads."""
    def read(*loads, **more):
        path = tmp_path / 'boat.yaml'
        path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'loaded', 'loads': list(loads), **more}))
        return read_boat(str(path))
    return read


def test_a_boat_without_loads_has_none():
    known = read_boat('lutra_prop')
    assert known.vessel.loads == () and known.load_rules == () and known.load_names == ()


def test_every_kind_of_load_is_read(boat):
    known = boat({'name': 'sonar', 'power': {'value': 20.0, 'unit': 'W', 'source': 'a test', 'std': 2.0}},
                 {'name': 'camera', 'power': 5.0, 'duty': {'share': 0.1, 'period': 60.0}, 'legs': [2, 'survey']},
                 {'name': 'pump', 'power': 12.0, 'speed': {'below': 0.3}},
                 {'name': 'fan', 'power': 7.0, 'speed': {'table': [[0.0, 0.0], [1.0, 1.0]]}}, MODEM)
    assert known.load_names == ('sonar', 'camera', 'pump', 'fan', 'modem')
    assert known.vessel.loads == (
        Load(20.0), Load(5.0, Duty(0.1, 60.0, 0.0), share=0.0), Load(12.0, speed=SpeedSwitch(below=0.3)),
        Load(7.0, speed=SpeedSwitch(speeds=(0.0, 1.0), shares=(0.0, 1.0))), Load(8.0, share=0.25))
    assert known.load_rules[1].legs == ('2', 'survey')
    assert known.load_rules[4].topic == LoadTopic('modem/on', 'bool', 0.25)
    assert uncertain_numbers(known)['loads.0.power'].below == 2.0


def test_a_load_by_its_path_varies(boat):
    duty = {'share': 0.1, 'period': 6.0}
    vessel = boat({'name': 'a', 'power': 1.0, 'duty': duty}, {'name': 'b', 'power': 2.0}).vessel
    changed = vessel_with(vessel, {'loads.1.power': 5.0, 'loads.0.duty.share': 0.5})
    assert [load.power for load in changed.loads] == [1.0, 5.0]
    assert changed.loads[0].duty.share == 0.5 and number_of(changed, 'loads.*.duty.share') == 0.5
    with pytest.raises(InputError, match=r'no such part as loads\.1\.duty\.share'):
        vessel_with(vessel, {'loads.1.duty.share': 0.5})


def test_a_boat_known_by_its_watts_may_have_loads(boat):
    known = boat({'name': 'sonar', 'power': 4.0}, base='blueboat_watts_only')
    assert known.vessel.loads == (Load(4.0),)


@pytest.mark.parametrize(('leg', 'on'), [
    ('2', True), ('survey', True), ('hold at survey', True), ('hold at 2', True), ('1', False), ('', False),
    ('hold at 1', False), ('surveys', False)])
def test_a_leg_counts_with_the_stay_at_its_end(leg, on):
    assert is_on_leg(('2', 'survey'), leg) is on


@pytest.mark.parametrize(('leg', 'on'), [('hold at 1', True), ('hold at survey', True), ('1', False), ('', False),
                                         ('hold', True)])
def test_hold_is_every_stay(leg, on):
    assert is_on_leg((HOLD,), leg) is on


def test_shares_by_leg_and_topic():
    rule = LoadRule('camera', ('a',), LoadTopic('camera/share', 'share', 0.5))
    assert share_of(rule) == 0.0
    assert share_of(rule, 'a') == 0.5
    assert share_of(rule, 'a', {'camera/share': 0.2}) == 0.2
    assert share_of(rule, 'b', {'camera/share': 0.2}) == 0.0
    assert share_of(LoadRule('always')) == 1.0
    assert loads_with_shares((Load(3.0),), (rule,), 'a', {'camera/share': 1.0}) == (Load(3.0, share=1.0),)


@pytest.mark.parametrize(('load', 'said'), [
    ({'name': 'a'}, "loads.0 lacks the key 'power'"),
    ({'power': 1.0}, "loads.0 lacks the key 'name'"),
    ({'name': 'a', 'power': -1.0}, 'loads.0.power is -1.0; must be at least 0'),
    ({'name': 'a', 'power': {'value': 1.0, 'unit': 'kW'}}, 'loads.0.power.unit'),
    ({'name': 'a b', 'power': 1.0}, 'loads.0.name'),
    ({'name': 'a', 'power': 1.0, 'dutty': {}}, 'dutty'),
    ({'name': 'a', 'power': 1.0, 'duty': {'share': 0.5}}, "loads.0.duty lacks the key 'period'"),
    ({'name': 'a', 'power': 1.0, 'duty': {'share': 1.5, 'period': 1.0}}, 'loads.0.duty.share is 1.5; must be at most'),
    ({'name': 'a', 'power': 1.0, 'duty': {'share': 0.5, 'period': 0.0}}, 'loads.0.duty.period'),
    ({'name': 'a', 'power': 1.0, 'legs': []}, 'loads.0.legs'),
    ({'name': 'a', 'power': 1.0, 'legs': [0]}, 'loads.0.legs'),
    ({'name': 'a', 'power': 1.0, 'topic': {'name': 'a', 'type': 'bool'}}, "loads.0.topic lacks the key 'unheard'"),
    ({'name': 'a', 'power': 1.0, 'topic': {'name': 'a', 'type': 'int', 'unheard': 1.0}}, 'loads.0.topic.type'),
    ({'name': 'a', 'power': 1.0, 'topic': {'name': 'a b', 'type': 'bool', 'unheard': 1.0}}, 'loads.0.topic.name'),
    ({'name': 'a', 'power': 1.0, 'speed': {}}, 'loads.0.speed has nothing; must have above, below or both, or table'),
    ({'name': 'a', 'power': 1.0, 'speed': {'above': 2.0, 'below': 1.0}}, 'loads.0.speed.above is 2; must be less than'),
    ({'name': 'a', 'power': 1.0, 'speed': {'above': 2.0, 'table': [[0, 0], [1, 1]]}}, 'loads.0.speed has above, table'),
    ({'name': 'a', 'power': 1.0, 'speed': {'above': 1.0, 'below': 1.0}}, 'loads.0.speed.above is 1; must be less than'),
    ({'name': 'a', 'power': 1.0, 'speed': {'table': [[1, 0], [1, 1]]}}, 'they must rise'),
    ({'name': 'a', 'power': 1.0, 'speed': {'table': [[1, 0], [0, 1]]}}, 'they must rise'),
    ({'name': 'a', 'power': 1.0, 'speed': {'table': [[0, 0], [1, 2]]}}, 'must be from 0 to 1')])
def test_a_wrong_load_is_refused_by_name(boat, load, said):
    with pytest.raises(InputError, match=r'boat\.yaml') as error:
        boat(load)
    assert said in str(error.value)


def test_a_name_stands_once(boat):
    with pytest.raises(InputError, match='loads have the names a, a; each name must stand once'):
        boat({'name': 'a', 'power': 1.0}, {'name': 'a', 'power': 2.0})
