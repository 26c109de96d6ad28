"""What the public Python API is given: bad input is refused by name, as InputError; names and things are one."""

import contextlib
import inspect
import math
from datetime import datetime, timezone

import numpy as np
import pytest

import usv_energy
from usv_energy import InputError

NEEDS = ('xarray',)
NO_NUMBERS = 'fast', None, [1.0, [2.0]], [1.0, None], math.inf, 1j, {'u': 1.0}


@pytest.fixture(scope='module')
def boat():
    return usv_energy.read_boat('lutra_prop')


@pytest.mark.parametrize('value', NO_NUMBERS, ids=str)
@pytest.mark.parametrize('name', ['u', 'yaw', 'r_dot'])
def test_what_is_no_number_is_refused_by_its_name(boat, name, value):
    with pytest.raises(InputError, match=f'^{name} '):
        usv_energy.power(boat, **{'u': 1.0, name: value})


@pytest.mark.parametrize(('value', 'says'), [
    (0.3, r'current is 0.3; must be \(east, north\), m/s, or a text'), ((1.0, 2.0, 3.0), 'has 3 components'),
    (None, 'current is None'), ('blue', 'current is .blue'), ({'x': 1.0, 'y': 2.0}, 'must be'),
    (('a', 0.0), r'current\[0\]'),
    ((math.inf, 0.0), r'current\[0\] holds an infinite')])
def test_a_vector_has_two_components_or_is_what_people_say(boat, value, says):
    with pytest.raises(InputError, match=says):
        usv_energy.power(boat, u=1.0, current=value)


def test_a_text_is_read_as_the_commands_read_it(boat):
    """0.5 kn set west against 1 m/s ahead to the east: 1 + 0.5 * 1852 / 3600 m/s through the water."""
    told = usv_energy.power(boat, u=1.0, current='0.5 kn set W')
    assert told.u_r == pytest.approx(1.0 + 0.5 * 1852.0 / 3600.0, rel=1e-12)


def test_shapes_that_do_not_broadcast_are_named(boat):
    with pytest.raises(InputError, match=r'u \(3,\), v \(2,\)'):
        usv_energy.power(boat, u=np.ones(3), v=np.ones(2))


@pytest.mark.parametrize(('call', 'says'), [
    (lambda: usv_energy.read_boat(None), 'name is None; must be a name or a path'),
    (lambda: usv_energy.read_boat('no_such_boat'), 'no_such_boat'),
    (lambda: usv_energy.read_boat('lutra_prop', payload=-1.0), 'payload is -1; must be a finite number from 0 on'),
    (lambda: usv_energy.power('no_such_boat', u=1.0), 'no_such_boat'),
    (lambda: usv_energy.power('blueboat_watts_only', u=1.0), 'needs mass, drag and thrusters'),
    (lambda: usv_energy.power('lutra_prop', u=1.0, convention='mine'), 'rep103, as_published'),
    (lambda: usv_energy.uniform_flow(-1.0, 0.0), 'from 0 on'),
    (lambda: usv_energy.uniform_flow('1', 0.0), "speed is '1'"),
    (lambda: usv_energy.energy([0.0, 1.0], [1.0, 1.0]), 'power is of the type list'),
    (lambda: usv_energy.energy([1.0, 0.0], usv_energy.power('lutra_prop', u=[1.0, 1.0])), 'time falls'),
    (lambda: usv_energy.read_scenario(3), 'name is 3'),
    (lambda: usv_energy.read_flow('no_such_flow'), 'no_such_flow'),
    (lambda: usv_energy.run_scenario('nowhere.yaml'), 'nowhere.yaml'),
    (lambda: usv_energy.run_scenario('1', speed=math.nan), 'speed is nan'),
    (lambda: usv_energy.run_scenario('1', progress=3), 'progress is 3; must be a function'),
    (lambda: usv_energy.track_figures(None), 'run is None'),
    (lambda: usv_energy.run_sweep('6', ['speed.target']), 'must map parameters to values'),
    (lambda: usv_energy.run_sweep('6', {'curent.speed': [0.1]}), 'did you mean current.speed'),
    (lambda: usv_energy.run_sweep('6', {'speed.target': ['fast']}), 'speed.target is'),
    (lambda: usv_energy.run_sweep('6', backend='cuda'), 'must be one of auto, numba, numpy, python'),
    (lambda: usv_energy.range_study('wamv'), 'energy_wh says how much'),
    (lambda: usv_energy.range_study('blueboat', 'north'), "course_deg is 'north'"),
    (lambda: usv_energy.range_study('blueboat', reserve=20), 'reserve is 20; must be a finite number from 0 to 1'),
    (lambda: usv_energy.range_study('blueboat', reserve=1.0), 'no energy is left to use: reserve is 1 of the'),
    (lambda: usv_energy.range_study('blueboat', ambient_degc=5.0), 'ambient_degc goes with a battery of cells'),
    (lambda: usv_energy.range_study('blueboat', sea=(0.3, 2.5)), 'sea is .0.3, 2.5.; must be'),
    (lambda: usv_energy.range_study('blueboat', wind=(1.0, math.nan)), 'must be'),
    (lambda: usv_energy.energy_map('blueboat', 0.0, [0.0, 1.0]), 'greater than 0'),
    (lambda: usv_energy.energy_map('blueboat', 0.0, 1.0, current=(1.0, 2.0, 3.0)), 'current has the shape'),
    (lambda: usv_energy.read_plan('no.plan'), 'there is no such file'),
    (lambda: usv_energy.read_plan('3', rounds=0), 'rounds is 0; must be a finite number from 1 on'),
    (lambda: usv_energy.read_plan('3', rounds=2.5), 'rounds is 2.5; must be a whole number from 1 on'),
    (lambda: usv_energy.read_plan('3', rounds=2), 'has no jump without end, of which 2 rounds could be done'),
    (lambda: usv_energy.write_plan('3', 'x.plan'), 'plan is .3.; must be what usv_energy.read_plan gave'),
    (lambda: usv_energy.mission('no.plan', 'blueboat'), 'there is no such file'),
    (lambda: usv_energy.mission('3', 'blueboat', speed=1.0, all_legs_at=2.0),
     '^speed is for legs .* all_legs_at for all'),
    (lambda: usv_energy.mission('3', 'blueboat', depart='soon'), "depart is 'soon'"),
    (lambda: usv_energy.mission('3', 'blueboat', current_std=-0.1), 'current_std is -0.1'),
    (lambda: usv_energy.mission('3', 'blueboat_watts_only', simulate=True), 'needs mass, drag and thrusters'),
    (lambda: usv_energy.route('blueboat', (0.0,), (1.0, 2.0)), 'start is .0.0,.; must be 2 finite numbers'),
    (lambda: usv_energy.route('blueboat', (0.0, 0.0), (91.0, 2.0), degrees=True), 'goal'),
    (lambda: usv_energy.route('blueboat', (0.0, 0.0), (9.0, 2.0), arrive_by=0.0), 'arrive_by is 0 s; must be after'),
    (lambda: usv_energy.route('blueboat', (0.0, 0.0), (9.0, 2.0), least='money'), 'must be one of energy, time'),
    (lambda: usv_energy.route('blueboat', (0.0, 0.0), (9.0, 2.0), extent=(1.0, 1.0, 0.0, 0.0)), 'extent is'),
    (lambda: usv_energy.fit_out('blueboat', battery='big'), "battery is 'big'"),
    (lambda: usv_energy.fit_out('blueboat', charge=80), 'charge is 80; must be a finite number from 0 to 1'),
    (lambda: usv_energy.fit_out('wamv', charge=0.8), 'has no battery; charge goes with one'),
    (lambda: usv_energy.check_boat(3.0), 'boat is 3.0; must be a name or a path'),
    (lambda: usv_energy.make_boat({'mass': 3.0}), 'make_boat'),
    (lambda: usv_energy.make_boat('no_facts.yaml'), 'no_facts.yaml'),
    (lambda: usv_energy.discharge('blueboat'), 'power is None and current is None; must be one of the two'),
    (lambda: usv_energy.discharge('wamv', power=10.0), 'has no battery'),
    (lambda: usv_energy.read_log('no.csv'), 'there is no such file'),
    (lambda: usv_energy.read_log(['a.csv']), 'path is'),
    (lambda: usv_energy.log_of([1.0, 2.0]), 'data is .1.0, 2.0.; must be a DataFrame'),
    (lambda: usv_energy.log_of({'time': [0.0, 1.0], 'u': [1.0]}), r'u has the shape \(1,\)'),
    (lambda: usv_energy.log_of({'time': [1.0, 0.0], 'u': [1.0, 1.0]}), 'does not rise'),
    (lambda: usv_energy.analyze_log('no.csv'), 'no.csv'),
    (lambda: usv_energy.analyze_log('no.csv', motion='guessed'), 'motion is .guessed.; must be one of estimated'),
    (lambda: usv_energy.compare([]), 'no run is given'),
    (lambda: usv_energy.compare('3'), 'runs is .3.; must be a list'),
    (lambda: usv_energy.compare(['no.csv', 'other.csv']), 'no.csv: there is no such file'),
    (lambda: usv_energy.identify_boat('log.csv', 'lutra_prop'), 'logs is .log.csv.; must be a list'),
    (lambda: usv_energy.identify_boat([], 'lutra_prop'), 'logs is empty'),
    (lambda: usv_energy.identify_boat(['no.csv'], 'lutra_prop', form='cubic'), 'form is .cubic.; must be one of auto'),
    (lambda: usv_energy.identify_bollard(['no.csv']), 'no.csv'),
    (lambda: usv_energy.identify_bollard('no.csv'), 'tables is .no.csv.; must be a list'),
    (lambda: usv_energy.identify_coast_down(['no.csv']), 'no.csv: there is no such file'),
    (lambda: usv_energy.identify_coast_down([], added=3.0), 'loaded and added go together'),
    (lambda: usv_energy.identify_steady(['no.csv'], window=0.1), 'no.csv'),
    (lambda: usv_energy.identify_speed_power([]), 'logs is empty'),
    (lambda: usv_energy.identify_electrical([]), 'logs is empty'),
    (lambda: usv_energy.identify_waves([], 'otter_parts'), 'must be a list of analysed logs'),
    (lambda: usv_energy.identify_battery(['no.csv'], chemistry='air'), 'air'),
    (lambda: usv_energy.identify_pack('no.csv', 'blueboat'), 'its battery is of watt-hours alone'),
    (lambda: usv_energy.follow_boat('no.tlog', 'blueboat', reserve=2.0), 'reserve is 2'),
    (lambda: usv_energy.energy(np.datetime64('2026-01-01'), usv_energy.power('lutra_prop', u=[1.0])),
     r'time has the shape \(\)'),
    (lambda: usv_energy.energy([datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=timezone.utc)],
                               usv_energy.power('lutra_prop', u=[1.0, 1.0])), 'time has moments with a time zone and'),
    (lambda: usv_energy.range_study('blueboat', bands=np.array([[True], [False]])),
     r'^bands is array\(\[\[ True\], \[False\]\]\); must be True or False$'),
    (lambda: usv_energy.make_boat('\0'), 'no file can have that name'),
    (lambda: usv_energy.identify_bollard(['\0']), 'no file can have that name'),
    (lambda: usv_energy.identify_battery(['a\ud800.csv']), 'no file can have that name'),
    (lambda: usv_energy.read_scenario('config/\0.yaml'), 'no file can have that name'),
    (lambda: usv_energy.analyze_log('no.csv', waves='no'), "no.csv: there is no such file|waves is 'no'; must be True"),
    (lambda: usv_energy.fit_out('blueboat', battery=240), "battery is '240'; must be the label of a battery, as 148Wh"),
    (lambda: usv_energy.compare(2 * [usv_energy.discharge('blueboat', power=90.0)]),
     'runs is a DischargeResult; must be what analyze_log gave, or a path'),
    (lambda: usv_energy.route('blueboat', 'a', (9.0, 2.0)), "start is 'a'; must be 2 finite numbers"),
    (lambda: usv_energy.follow_boat('nope', 'blueboat'), '^connection is .nope.'),
    (lambda: usv_energy.run_sweep('6', {'speed.target': [0.6, 0.9]}, {'speed.target': [0.7, 0.8]}),
     'speed.target is in grid and in samples; must be in one of them'),
    (lambda: usv_energy.run_sweep('6', {'speed.target': np.ones(10 ** 5), 'current.speed': np.ones(10 ** 5)}),
     r'make 1e\+10 runs; must be at most 1e\+08 at once'),
    (lambda: usv_energy.power('lutra_prop', u=1e300), '^u holds a number beyond 1e'),
    (lambda: usv_energy.read_plan('3', part='9'), "holds one mission, no part '9'; part chooses"),
    (lambda: usv_energy.write_plan(usv_energy.read_plan('3'), 'none.yaml', boat='nope'), "no boat named 'nope'"),
    (lambda: usv_energy.analyze_log(usv_energy.log_of({'time': [0.0, 1.0], 'u': [1.0, 1.0]}), columns='nope'),
     '^columns is .nope.; it goes with the path of a table'),
    (lambda: usv_energy.make_boat({'hull': {'kind': 'catamaran', 'length': 1.2, 'width': 0.93}, 'mass': 18.0,
                                   'speeds': [[1.5, 90.0]]}).write('none.txt'), 'must end in .yaml'),
    (lambda: usv_energy.to_dataset({'a': 1.0}), 'result is of the type dict')])
def test_bad_input_is_an_input_error_that_says_what_is_allowed(call, says):
    with pytest.raises(InputError, match=says):
        call()


def test_errors_name_parameters_that_there_are_and_else_options(tmp_path):
    time = np.arange(0.0, 60.0, 0.5)
    glide = usv_energy.log_of({'time': time, 'u': np.exp(-time / 9.0), 'v': 0.0 * time, 'r': 0.0 * time})
    with pytest.raises(InputError, match=r'say it by window, s$'):
        usv_energy.identify_coast_down([glide])
    table = tmp_path / 'table.csv'
    table.write_text('a,b\n1,2\n2,3\n')
    with pytest.raises(InputError, match=r'by --write-columns map\.yaml, .* give it by columns'):
        usv_energy.read_log(table)


def test_a_boat_and_a_scenario_are_themselves_or_what_their_names_stand_for(boat):
    assert usv_energy.power('lutra_prop', u=1.0) == usv_energy.power(boat, u=1.0)
    assert usv_energy.run_scenario('1').energy == usv_energy.run_scenario(usv_energy.read_scenario('1')).energy


def test_a_vector_of_floats_stands_for_arrays_of_it(boat):
    both = usv_energy.power(boat, u=np.full(3, 0.8), current=(0.2, np.full(3, 0.1)))
    assert both.total.tolist() == [usv_energy.power(boat, u=0.8, current=(0.2, 0.1)).total] * 3


# ---- every parameter of every function

WRONG = object(), b'x', 1 + 2j, np.ones((2, 3))
CALLS = {
    'read_boat': {'name': 'blueboat'}, 'fit_out': {'boat': 'blueboat', 'battery': '100 Wh'},
    'check_boat': {'boat': 'blueboat'}, 'make_boat': {'facts': {}}, 'discharge': {'boat': 'blueboat', 'power': 90.0},
    'power': {'boat': 'blueboat', 'u': 1.0}, 'energy': {'time': [0.0], 'power': usv_energy.power('blueboat', u=[1.0])},
    'uniform_flow': {'speed': 1.0, 'direction_deg': 0.0}, 'read_flow': {'name': 'river'},
    'range_study': {'boat': 'blueboat'}, 'read_plan': {'path': '3'}, 'write_plan': {'plan': '3', 'path': 'x.yaml'},
    'mission': {'plan': '3', 'boat': 'blueboat'}, 'energy_map': {'boat': 'blueboat', 'course_deg': 0.0, 'speed': 1.0},
    'route': {'boat': 'blueboat', 'start': (0.0, 0.0), 'goals': (9.0, 0.0)}, 'read_scenario': {'name': '1'},
    'run_scenario': {'scenario': '1'}, 'track_figures': {'run': None}, 'run_sweep': {'scenario': '6'},
    'read_log': {'path': 'no.csv'}, 'log_of': {'data': {}}, 'analyze_log': {'log': 'no.csv'},
    'to_dataset': {'result': 1}, 'compare': {'runs': ['no.csv', 'no.csv']},
    'identify_boat': {'logs': ['no.csv'], 'boat': 'blueboat'},
    'identify_electrical': {'logs': ['no.csv']}, 'identify_speed_power': {'logs': ['no.csv']},
    'identify_bollard': {'tables': ['no.csv']}, 'identify_coast_down': {'logs': ['no.csv']},
    'identify_steady': {'logs': ['no.csv']}, 'identify_waves': {'logs': ['no.csv'], 'boat': 'blueboat'},
    'identify_battery': {'tables': ['no.csv']}, 'identify_pack': {'log': 'no.csv', 'boat': 'blueboat'},
    'follow_boat': {'connection': 'no.tlog', 'boat': 'blueboat'}}


def test_every_function_is_tried():
    assert {*CALLS} == {name for name in usv_energy._HOMES if not inspect.isclass(getattr(usv_energy, name))}


@pytest.mark.parametrize('name', CALLS)
def test_a_thing_of_a_wrong_kind_is_an_input_error_and_nothing_else(name):
    """Whichever parameter it is given to; arrays may be asked for."""
    function = getattr(usv_energy, name)
    for parameter in inspect.signature(function).parameters.values():
        flag = isinstance(parameter.default, bool)
        for wrong in () if parameter.name == 'progress' else (*WRONG, 'no', math.nan, np.array([])) if flag else WRONG:
            with contextlib.suppress(InputError):
                function(**{**CALLS[name], parameter.name: wrong})
                assert isinstance(wrong, np.ndarray) and not flag, f'{name}({parameter.name}={wrong!r}) was taken'
