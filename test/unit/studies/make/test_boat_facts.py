"""Facts of a boat: what is refused, and the shape of the hull that follows from them."""

from pathlib import Path

import pytest
from made_cases import CATAMARAN, LAUNCH

from usv_energy.files.errors import InputError
from usv_energy.studies.make.boat_facts import DERIVED, MEASURED, facts_from, hull_form


def facts(base, **changed):
    return facts_from({**base, **changed}, Path('facts.yaml'))


@pytest.mark.parametrize(('changed', 'message'), [
    ({'mass': -1.0}, 'facts.yaml: mass is -1.0; must be greater than 0'),
    ({'hull': {**LAUNCH['hull'], 'spacing': 0.5}}, 'hull.spacing is 0.5 m of a monohull; it is of a catamaran'),
    ({'hull': {**LAUNCH['hull'], 'kind': 'foil'}}, "hull.kind is 'foil' (a text); must be one of monohull, catamaran"),
    ({'thrusters': {'model': 't200'}}, "thrusters has model and lacks the key 'voltage'"),
    ({'thrusters': {'model': 't200', 'voltage': 16.0, 'bollard': [[90.0, 800.0]]}}, 'bollard stands beside model'),
    ({'thrusters': {}, 'speeds': []}, 'speeds is []; must hold at least 1 entries'),
    ({'hotel': 700.0}, 'speeds has 600 W at 2.444 m/s; must be more than the hotel load, 700 W'),
    ({'speeds': [[1.5, 300.0], [2.5, 150.0]]}, 'speeds has 300 W at 1.5 m/s and 150 W at 2.5 m/s; the power of a hull'),
    ({'speeds': [[1.0, 20.0], [1.0, 80.0]]}, 'speeds has 20 W at 1 m/s and 80 W at 1 m/s; the power of a hull must'),
    ({'thrusters': {'number': 1, 'max_power': 200.0}}, '1 of thrusters.max_power, 200 W, draw at most 200 W beside'),
    ({'hull': {**LAUNCH['hull'], 'width': 0.15}}, 'm deep; check mass, length and width, or give hull.draught'),
    ({'mass': 0.4}, 'm deep; check mass, length and width, or give hull.draught'),
    ({'hull': {**LAUNCH['hull'], 'draught': 5.0}}, 'have 0.013 of their volume in the water with 400 kg'),
    ({'hull': {**LAUNCH['hull'], 'waterline': 6.0}}, 'hull.waterline is 6 m; must be at most hull.length, 5.2 m'),
    ({'hull': {**LAUNCH['hull'], 'beam': 1.6}}, 'hull.beam is 1.6 m; must be at most hull.width, 1.5 m'),
    ({'hull': {**LAUNCH['hull'], 'kind': 'catamaran', 'beam': 0.8}}, 'half of the width of a catamaran, 0.75 m'),
    ({'hull': {**LAUNCH['hull'], 'kind': 'catamaran', 'beam': 0.4, 'spacing': 0.1}}, 'the beam of a hull, 0.4 m'),
    ({'top_speed': 2.0}, 'top_speed is 2 m/s; must be at least the fastest of speeds, 2.444 m/s'),
    ({'thrusters': {'diameter': 25.0}}, 'thrusters.diameter is 25 m; must be at most the width of the boat, 1.5 m'),
    ({'thrusters': {'bollard': [[49.4, 128.0], [26.6, 308.5]]}}, 'has 308.5 W for 26.6 N and 128 W for 49.4 N; more'),
    ({'hull': {**LAUNCH['hull'], 'draught': 0.05}}, 'carry at most'),
    ({'mass': {'value': 65, 'unit': 'stone'}}, "mass is '65 stone'"),
    ({'mass': {'value': 65, 'unit': 'kg', 'per': 'hull'}}, "mass is {'value': 65, 'unit': 'kg', 'per': 'hull'}; must"),
    ({'speed': 1.0}, "unknown key 'speed'")])
def test_what_is_refused(changed, message):
    with pytest.raises(InputError) as error:
        hull_form(facts(LAUNCH, **changed))
    assert message in str(error.value)


def test_readings_that_scatter_are_taken():
    """A kayak's of docs/hulls.md, 174 W at 1.39 m/s and 128 W at 1.49, and one a little above the largest power."""
    assert len(facts(LAUNCH, speeds=[[1.391, 174.0], [1.489, 128.4]]).speeds) == 2
    assert facts(LAUNCH, thrusters={'number': 1, 'max_power': 560.0}).number == 1


def test_all_faults_are_told_at_once():
    """Those of the facts that are well formed together, and those of words beside what is not well formed."""
    with pytest.raises(InputError) as error:
        facts(LAUNCH, speeds=[[1.0, 5.0], [9.0, 60.0]], hotel=40.0, battery='foo',
              thrusters={'model': 't200', 'voltage': 16.0, 'bollard': [[100.0, 300.0]]})
    lines = str(error.value).split('\n')
    assert len(lines) == 4 and all(word in line for word, line in zip(
        ('battery is', 'bollard stands beside model', 'hotel load, 40 W', '9 m/s, a Froude number'), lines))
    with pytest.raises(InputError) as error:
        facts(LAUNCH, mass=float('nan'), hotel=float('inf'), payload=-1.0)
    assert [word in str(error.value) for word in ('payload is -1.0; must be at', '\n  mass is nan; must be a fin',
                                                  '\n  hotel is inf; must be a finite number')] == [True] * 3
    with pytest.raises(InputError) as error:
        facts(LAUNCH, mass=-1.0, battery='foo', thrusters={'model': 'foo'})
    assert [word in str(error.value) for word in ('mass is', 'battery is', "named 'foo'", "'voltage'")] == [True] * 4


def test_nothing_of_speeds_and_thrusters():
    with pytest.raises(InputError, match='says nothing of speeds and thrusters'):
        facts_from({'mass': 5.0, 'hull': LAUNCH['hull']}, Path('facts.yaml'))


def test_the_hull_displaces_the_mass():
    for base, hulls, payload in ((LAUNCH, 1, 50.0), (CATAMARAN, 2, 4.0)):
        form, origins = hull_form(facts(base, payload=payload))
        assert hulls * form.volume * 1000.0 == pytest.approx(base['mass'] + payload)
        assert form.hulls == hulls and origins['draught'].how == DERIVED


def test_a_dimension_that_is_given_is_taken():
    form, origins = hull_form(facts(CATAMARAN, hull={**CATAMARAN['hull'], 'beam': 0.18, 'spacing': 0.6}))
    assert (form.beam, form.spacing) == (0.18, 0.6) and origins['beam'].how == MEASURED


def test_numbers_may_have_units():
    """A length, a mass and a reading; one in a unit of another kind stays a text, and is refused."""
    found = facts(LAUNCH, mass='0.4 t', hull={**LAUNCH['hull'], 'length': {'value': '520 cm', 'source': 'tape'}},
                  speeds=[['4.75 kn', '0.6 kW']])
    assert found.mass == 400.0 and found.hull['length'] == 5.2
    assert facts(LAUNCH, mass={'value': 880, 'unit': 'lb', 'source': 'scales'}).mass == pytest.approx(399.2, rel=1e-3)
    assert found.speeds[0] == pytest.approx((2.444, 600.0), rel=1e-3)
    with pytest.raises(InputError, match=r"mass is '400 m' \(a text\); must be a number"):
        facts(LAUNCH, mass='400 m')
