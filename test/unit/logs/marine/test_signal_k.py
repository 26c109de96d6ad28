"""Deltas of Signal K: which vessel's, in which axes, and lines that are none."""

import json
import math

import east_files
import numpy as np
import pytest
from east_files import TIME, iso

from usv_energy.files.errors import InputError
from usv_energy.logs.file_kind import SIGNAL_K, kind_of
from usv_energy.logs.marine.signal_k import read_signal_k


def delta(row, context='vessels.self', **paths):
    values = [{'path': name.replace('_', '.'), 'value': value} for name, value in paths.items()]
    return {'context': context, 'updates': [{'timestamp': iso(TIME[row]), 'values': values}]}


def lines_of(path, make):
    path.write_text('\n'.join(json.dumps(make(row)) for row in range(TIME.size)) + '\n')
    return path


def place(row, east=0.0):
    return {'longitude': float(east_files.LONGITUDE[row]) + east, 'latitude': float(east_files.LATITUDE[row])}


def test_a_motion_winds_and_batteries_in_the_house_s_axes(tmp_path):
    path = lines_of(tmp_path / 'a.jsonl', lambda row: delta(
        row, navigation_position=place(row), navigation_headingTrue=0.25 * math.pi, navigation_rateOfTurn=0.1,
        environment_wind_speedApparent=3.0, environment_wind_angleApparent=-0.5 * math.pi,
        electrical_batteries_0_voltage=24.0, electrical_batteries_0_current=-2.0 - row,
        propulsion_port_revolutions=10.0, propulsion_starboard_revolutions=20.0))
    log = read_signal_k(path)
    np.testing.assert_allclose(log.x, TIME, atol=1e-3)
    np.testing.assert_allclose(log.yaw, 0.25 * math.pi)
    np.testing.assert_allclose(log.r, -0.1)
    np.testing.assert_allclose(log.amperes, 2.0 + TIME)  # always negative: drawn
    np.testing.assert_allclose(log.revolutions, [[10.0, 20.0]] * TIME.size)
    assert log.thrusters == ('left', 'right')


def test_an_answer_of_the_history_api_is_read_and_rows_that_are_none_are_counted(tmp_path):
    path = tmp_path / 'a.json'
    rows = [[iso(TIME[row]), [place(row)['longitude'], place(row)['latitude']], 1.0] for row in range(TIME.size)]
    path.write_text(json.dumps({'context': 'vessels.urn:mrn:imo:mmsi:230099999', 'values': [
        {'path': 'navigation.position'}, {'path': 'navigation.speedOverGround', 'method': 'average'}],
        'range': {}, 'data': [*rows[:9], [iso(TIME[9]), None, None], ['x'], *rows[10:]]}))
    assert kind_of(path) == SIGNAL_K
    log = read_signal_k(path)
    np.testing.assert_allclose(log.x, np.delete(TIME, 9), atol=1e-3)
    assert next(note.figures for note in log.notes if note.code == 'lines_damaged') == {'lines': 1}


def test_an_apparent_wind_from_port_blows_to_starboard(tmp_path):
    path = lines_of(tmp_path / 'a.jsonl', lambda row: delta(
        row, navigation_position=place(0), navigation_headingTrue=0.0, navigation_speedOverGround=0.0,
        navigation_courseOverGroundTrue=0.0, environment_wind_speedApparent=3.0,
        environment_wind_angleApparent=-0.5 * math.pi))
    log = read_signal_k(path)
    np.testing.assert_allclose(log.wind_x, 3.0)
    np.testing.assert_allclose(log.wind_y, 0.0, atol=1e-12)


def test_the_vessel_that_says_most_is_the_own_one(tmp_path):
    path = tmp_path / 'a.jsonl'
    lines = []
    for row in range(TIME.size):
        lines += [delta(row, 'vessels.urn:mrn:imo:mmsi:230099999', navigation_position=place(row, 0.1)),
                  delta(row, 'vessels.urn:mrn:signalk:uuid:1', navigation_position=place(row),
                        navigation_speedOverGround=1.0)]
    path.write_text('\n'.join(map(json.dumps, lines)))
    log = read_signal_k(path)
    assert log.origin.longitude == pytest.approx(9.5)
    assert 'other_vessels' in {note.code for note in log.notes}


@pytest.mark.parametrize('own', [{'context': 'vessels.self'}, {}])
def test_a_ship_that_says_more_is_not_the_own_vessel(tmp_path, own):
    path = tmp_path / 'a.jsonl'
    lines = []
    for row in range(TIME.size):
        lines += [delta(row, 'vessels.urn:mrn:imo:mmsi:230099999', navigation_position=place(row, 0.1),
                        navigation_speedOverGround=7.0), {**own, 'updates': delta(
                            row, navigation_position=place(row))['updates']}]
    path.write_text('\n'.join(map(json.dumps, lines)))
    log = read_signal_k(path)
    assert log.origin.longitude == pytest.approx(9.5)
    assert 'vessels.self is taken, which is the own one' in ''.join(note.text for note in log.notes)


def test_a_current_and_an_attitude_may_be_sent_as_objects(tmp_path):
    log = read_signal_k(lines_of(tmp_path / 'a.jsonl', lambda row: delta(
        row, navigation_position=place(row), navigation_attitude={'yaw': 0.25 * math.pi, 'roll': 0.1},
        environment_current={'drift': 0.5, 'setTrue': 1.5 * math.pi})))  # to the west
    np.testing.assert_allclose(log.yaw, 0.25 * math.pi)
    np.testing.assert_allclose(log.current_x, -0.5)


def test_one_sender_a_path_is_taken_whose_clock_is_that_of_the_others(tmp_path):
    """As in Signal K's own samples: a GPS stamps one message by the bus, another by its satellites, 14 s behind."""
    def update(row, number, when, **paths):
        one = delta(row, **paths)['updates'][0]
        return {'source': {'label': 'n2k', 'src': '1-8', 'pgn': number, 'timestamp': iso(when)},
                'values': one['values']}

    path = lines_of(tmp_path / 'a.jsonl', lambda row: {'context': 'vessels.self', 'updates': [
        update(row, 129029, TIME[row] - 14.0, navigation_position=place(row, 1e-4)),
        update(row, 129025, TIME[row], navigation_position=place(row)),
        update(row, 127250, TIME[row], navigation_headingTrue=0.5 * math.pi),
        update(row, 127250, TIME[row] + 0.5, navigation_headingTrue=0.5 * math.pi)]})
    log = read_signal_k(path)
    np.testing.assert_allclose(log.time, TIME)
    np.testing.assert_allclose(log.x, TIME, atol=1e-3)
    note = next(note for note in log.notes if note.code == 'sender_chosen')
    assert note.text.endswith('says most: navigation.position')


def test_a_true_wind_counted_from_the_bow_is_turned_by_the_heading(tmp_path):
    path = lines_of(tmp_path / 'a.jsonl', lambda row: delta(
        row, navigation_position=place(row), navigation_headingTrue=0.5 * math.pi, environment_wind_speedTrue=3.0,
        environment_wind_angleTrueGround=0.5 * math.pi))  # from starboard of a boat that heads east: from south
    log = read_signal_k(path)
    np.testing.assert_allclose(log.wind_x, 0.0, atol=1e-12)
    np.testing.assert_allclose(log.wind_y, 3.0)


def test_a_list_of_deltas_a_server_s_log_and_damaged_lines(tmp_path):
    deltas = [delta(row, navigation_position=place(row)) for row in range(TIME.size)]
    listed, logged = tmp_path / 'a.json', tmp_path / 'b.log'
    listed.write_text(json.dumps(deltas))
    for one in deltas:
        del one['updates'][0]['timestamp']
    lines = [f'{1714607940000 + 1000 * row};N2K;{json.dumps(one)}' for row, one in enumerate(deltas)]
    lines[7] = lines[7][:-9]
    lines[9] = f'1714607949000;N2K;{json.dumps({**deltas[9], "updates": deltas[9]["updates"] * 5000})}'
    logged.write_text('\n'.join(lines))
    np.testing.assert_allclose(read_signal_k(listed).x, TIME, atol=1e-3)
    log = read_signal_k(logged)
    np.testing.assert_allclose(log.x, np.delete(TIME, [7, 9]), atol=1e-3)
    assert next(note for note in log.notes if note.code == 'lines_damaged').figures == {'lines': 2}


def test_what_holds_no_delta_is_refused(tmp_path):
    (tmp_path / 'a.jsonl').write_text('{"updates": []}\n')
    with pytest.raises(InputError, match='holds no delta of Signal K with times and values'):
        read_signal_k(tmp_path / 'a.jsonl')


def test_the_server_s_hello_says_which_vessel_is_the_own_one(tmp_path):
    """The other vessel says more, and is 0.1 degrees to the east."""
    own, other = 'vessels.urn:mrn:imo:mmsi:1', 'vessels.urn:mrn:imo:mmsi:2'
    lines = [{'name': 'server', 'version': '1.7', 'self': own, 'roles': ['master']}]
    for row in range(TIME.size):
        lines += [delta(row, other, navigation_position=place(row, 0.1), navigation_speedOverGround=1.0),
                  delta(row, own, navigation_position=place(row))]
    path = tmp_path / 'a.json'
    lines.append({'self': own, 'updates': 1})  # Damaged: no delta, and no harm.
    path.write_text('\n'.join(map(json.dumps, lines)))
    assert kind_of(path) == SIGNAL_K
    assert read_signal_k(path).origin.longitude == pytest.approx(place(0)['longitude'])
