"""The energy of a log is the one that was computed live, whatever the log's convention."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from analyze_files import BOAT, RUN, STILL_AIR, TRUTH, straight, write_bag, write_table

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import uniform_of
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log
from usv_energy.studies.analyze.analysed_log import analysed_log, thruster_power, thrusts_of
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions


def test_a_runs_folder_gives_the_energy_of_the_run(folder):
    energy = analysed_log(read_log(folder), BOAT).energy
    for name in energy._fields:
        assert getattr(energy, name) == pytest.approx(getattr(TRUTH, name), rel=1e-10, abs=1e-12), name


def test_velocities_alone_give_it_as_well(folder):
    log = replace(read_log(folder), u_dot=np.array([]), v_dot=np.array([]), r_dot=np.array([]))
    energy = analysed_log(log, BOAT).energy
    assert energy.total == pytest.approx(TRUTH.total, rel=1e-9)


@pytest.mark.parametrize('plugin', ['mcap', 'sqlite3'])
@pytest.mark.parametrize(('axes', 'twist'), [('enu', 'body'), ('enu', 'world'), ('ned', 'body'), ('ned', 'world')])
def test_a_bag_of_any_convention_gives_the_energy_of_the_run(tmp_path, axes, twist, plugin):
    pytest.importorskip('rosbags')
    log = read_log(write_bag(tmp_path / 'bag', RUN, axes=axes, twist=twist, plugin=plugin), axes=axes, twist=twist)
    analysed = analysed_log(log, BOAT)
    assert analysed.energy.total == pytest.approx(TRUTH.total, rel=1e-6), 'asked for: 1e-3'
    assert analysed.flow_sources == {'current': 'log', 'wind': 'log'}


def test_the_wrong_convention_is_noticed(tmp_path):
    pytest.importorskip('rosbags')
    log = read_log(write_bag(tmp_path / 'bag', RUN, axes='enu', twist='world'))
    assert abs(analysed_log(log, BOAT).energy.total / TRUTH.total - 1.0) > 0.05
    assert any('world' in note.text or 'velocit' in note.text for note in log.warnings), log.notes


def test_half_the_odometry_rate_changes_the_energy_by_less_than_a_percent(tmp_path):
    pytest.importorskip('rosbags')
    energies = [analysed_log(read_log(write_bag(tmp_path / str(every), RUN, every)), BOAT).energy.total
                for every in (1, 2)]
    assert energies[1] == pytest.approx(energies[0], rel=0.002), 'asked for: 1e-2'


def test_a_table_in_degrees_and_knots_gives_the_same(tmp_path):
    """Everything that a CSV may have otherwise: degrees from north, deg/s clockwise, knots, starboard, NED places."""
    rows = RUN.rows
    knot = 1852.0 / 3600.0
    columns = {
        't_ms': [1e3 * row.time for row in rows], 'north': [row.y for row in rows], 'east': [row.x for row in rows],
        'hdg': [(90.0 - math.degrees(row.motion.yaw)) % 360.0 for row in rows],
        'surge_kn': [row.motion.u / knot for row in rows], 'sway_kn': [-row.motion.v / knot for row in rows],
        'rot': [-math.degrees(row.motion.r) for row in rows]}
    table = write_table(tmp_path / 'log.csv', columns)
    (tmp_path / 'map.yaml').write_text("""
columns:
  time: {column: t_ms, unit: ms}
  x: {column: north, unit: m}
  y: {column: east, unit: m}
  yaw: {column: hdg, unit: deg}
  u: {column: surge_kn, unit: knots}
  v: {column: sway_kn, unit: knots}
  r: {column: rot, unit: deg/s}
frames: {earth: ned, body: frd}
""")
    options = AnalysisOptions(current=uniform_of('0.3,45', '', 'water'), wind=uniform_of('0.2,30', '', 'water'))
    analysed = analysed_log(read_log(table, tmp_path / 'map.yaml'), BOAT, options)
    assert analysed.energy.total == pytest.approx(TRUTH.total, rel=1e-6)


def speed_only(tmp_path):
    time = np.arange(0.0, 60.0, 0.2)
    table = write_table(tmp_path / 'gps.csv', {'t': time, 'sog': np.full(time.size, 1.0)})
    (tmp_path / 'gps.yaml').write_text('columns: {time: {column: t, unit: s}, speed: {column: sog, unit: m/s}}')
    return read_log(table, tmp_path / 'gps.yaml')


def test_a_speed_alone_will_do_in_still_water_and_says_so(tmp_path):
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    analysed = analysed_log(speed_only(tmp_path), boat)
    wanted = BOAT.vessel.damping.d11 * 59.8  # d11 u^2 t
    # A series that never changes has no noise: the estimate is as stiff as it may be, and rounding leaves up to 1e-4.
    assert analysed.energy.total == pytest.approx(wanted, rel=2e-4)
    assert any(note.code == 'straight_ahead' for note in analysed.warnings)


def test_a_speed_alone_is_refused_in_a_current_with_the_reason(tmp_path):
    for name in ('current', 'wind'):
        with pytest.raises(InputError, match=f'in a {name} the power depends on where the boat heads'):
            analysed_log(speed_only(tmp_path), BOAT, AnalysisOptions(**{name: UniformFlow(0.3, 0.0)}))
    with pytest.raises(InputError, match='has no u'):
        analysed_log(replace(straight(), u=np.full(400, math.nan)), BOAT)


@pytest.mark.parametrize(('speed', 'said'), [(29.0, False), (31.0, True)])
def test_places_that_no_boat_reaches_are_named(speed, said):
    time = np.arange(0.0, 40.0)
    analysed = analysed_log(Log('gps', Path('gps'), time, x=speed * time, y=0.0 * time), BOAT)
    assert ('implausible' in {note.code for note in analysed.warnings}) is said


def test_places_alone_give_the_motion_along_the_course():
    """A boat of linear drag on a circle of 30 m at 1 m/s, 5 Hz: drag of surge and of the turn, nothing else."""
    time = np.arange(0.0, 200.0, 0.2)
    rate = 1.0 / 30.0
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    log = Log('gps', Path('gps'), time, x=30.0 * np.sin(rate * time), y=-30.0 * np.cos(rate * time))
    analysed = analysed_log(log, boat)
    damping = BOAT.vessel.damping
    power = damping.d11 + damping.d33 * rate ** 2
    assert analysed.energy.total / analysed.energy.duration == pytest.approx(power, rel=2e-3)
    assert {'motion_from_places'} <= {note.code for note in analysed.warnings}
    current = UniformFlow(0.3, -0.2)
    carried = replace(log, x=log.x + current.x * time, y=log.y + current.y * time)
    energy = analysed_log(carried, boat, AnalysisOptions(current=current)).energy
    assert energy.total == pytest.approx(analysed.energy.total, rel=1e-6)
    with pytest.raises(InputError, match='never faster than'):
        analysed_log(replace(log, x=0.001 * log.x, y=0.001 * log.y), boat)


def test_steady_power_is_the_closed_form():
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    analysed = analysed_log(straight(), boat, AnalysisOptions(current=uniform_of('0.4,0', '', 'water'),
                                                              wind=UniformFlow()))
    u_r, v_r = 1.0 - 0.4 * math.cos(0.5), 0.4 * math.sin(0.5)
    damping = BOAT.vessel.damping
    power = damping.d11 * u_r ** 2  # the side force of sway is none that the thrusters give
    np.testing.assert_allclose(analysed.power.side_force[1:], -damping.d22 * v_r ** 2, rtol=1e-11)
    np.testing.assert_allclose(analysed.power.total[1:], power, rtol=1e-12)
    assert analysed.energy.total == pytest.approx(power * 19.95, rel=1e-12)


def test_the_thrusters_own_work_closes_on_the_model(folder):
    rows = RUN.rows
    analysed = analysed_log(read_log(folder), BOAT)
    assert thruster_power(analysed) is None, 'this log has no thrusts'
    force = np.array([row.thruster_power for row in rows])
    given = analysed.power.thrust + analysed.power.unrecovered
    assert force[1:].sum() == pytest.approx(np.nansum(given), rel=2e-3)


def test_thrusts_stand_in_the_order_of_the_boats_thrusters_or_are_not_known():
    """By their names where these are the boat's, else as they stand; another number of thrusters is another boat's."""
    thrust = np.array([[1.0, 2.0], [3.0, 4.0]])
    log = Log('log', Path('log.csv'), np.array([0.0, 1.0]), thrust=thrust, thrusters=BOAT.thruster_names)
    np.testing.assert_array_equal(thrusts_of(log, BOAT), thrust)
    turned = replace(log, thrusters=BOAT.thruster_names[::-1])
    np.testing.assert_array_equal(thrusts_of(turned, BOAT), thrust[:, ::-1])
    np.testing.assert_array_equal(thrusts_of(replace(log, thrusters=('one', 'other')), BOAT), thrust)
    assert thrusts_of(replace(log, thrust=np.full((2, 2), np.nan)), BOAT) is None
    assert thrusts_of(replace(log, thrust=thrust[:, :1], thrusters=('one',)), BOAT) is None
