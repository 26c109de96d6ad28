"""The energy of a log is the one that was computed live, whatever the log's convention."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from analyze_files import run_of, write_bag, write_table

from usv_energy.analysis.analysed_samples import write_drive_samples
from usv_energy.analysis.current_estimate import estimate_current
from usv_energy.analysis.log_energy import INVALID, MISSING, NO_ACCELERATION, STALE, Options, drive_of, thruster_power
from usv_energy.analysis.log_summary import findings_of
from usv_energy.analysis.measured_power import compared
from usv_energy.analysis.what_if import what_if
from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.flow_argument import flow_of, uniform_of
from usv_energy.flow.uniform import UniformFlow
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log
from usv_energy.show.run_folder import write_run
from usv_energy.sim.samples_file import read_samples

BOAT = read_boat('lutra_prop')
RUN = run_of()
TRUTH = RUN.energy
STILL_AIR = BOAT.vessel.windage._replace(frontal_area=0.0, lateral_area=0.0)


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return the folder of a run, as `usv-energy run` writes it."""
    path = tmp_path_factory.mktemp('run')
    write_run(RUN, path, False, 'usv-energy')
    return path


def straight(number=400, speed=1.0, heading=0.5, period=0.05, **known):
    """Return the log of a boat that goes straight at one speed."""
    time = period * np.arange(number)
    series = {'x': speed * math.cos(heading) * time, 'y': speed * math.sin(heading) * time,
              'yaw': np.full(number, heading), 'u': np.full(number, speed), 'v': np.zeros(number),
              'r': np.zeros(number)}
    return Log('straight', Path('straight'), time, **{**series, **known})


def test_a_runs_folder_gives_the_energy_of_the_run(folder):
    energy = drive_of(read_log(folder), BOAT).energy
    for name in energy._fields:
        assert getattr(energy, name) == pytest.approx(getattr(TRUTH, name), rel=1e-10, abs=1e-12), name


def test_velocities_alone_give_it_as_well(folder):
    """A time constant of 0 makes the accelerations anew, as state_adapter does."""
    energy = drive_of(read_log(folder), BOAT, Options(time_constant=0.0)).energy
    assert energy.total == pytest.approx(TRUTH.total, rel=1e-9)


@pytest.mark.parametrize('plugin', ['mcap', 'sqlite3'])
@pytest.mark.parametrize(('axes', 'twist'), [('enu', 'body'), ('enu', 'world'), ('ned', 'body'), ('ned', 'world')])
def test_a_bag_of_any_convention_gives_the_energy_of_the_run(tmp_path, axes, twist, plugin):
    pytest.importorskip('rosbags')
    log = read_log(write_bag(tmp_path / 'bag', RUN, axes=axes, twist=twist, plugin=plugin), axes=axes, twist=twist)
    drive = drive_of(log, BOAT)
    assert drive.energy.total == pytest.approx(TRUTH.total, rel=1e-6), 'asked for: 1e-3'
    assert drive.sources == {'current': 'log', 'wind': 'log'}


def test_the_wrong_convention_is_noticed(tmp_path):
    pytest.importorskip('rosbags')
    log = read_log(write_bag(tmp_path / 'bag', RUN, axes='enu', twist='world'))
    assert abs(drive_of(log, BOAT).energy.total / TRUTH.total - 1.0) > 0.05
    assert any('world' in note.text or 'velocit' in note.text for note in log.warnings), log.notes


def test_half_the_odometry_rate_changes_the_energy_by_less_than_a_percent(tmp_path):
    pytest.importorskip('rosbags')
    energies = [drive_of(read_log(write_bag(tmp_path / str(every), RUN, every)), BOAT).energy.total
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
    options = Options(current=uniform_of('0.3,45', ''), wind=uniform_of('0.2,30', ''))
    drive = drive_of(read_log(table, tmp_path / 'map.yaml'), BOAT, options)
    assert drive.energy.total == pytest.approx(TRUTH.total, rel=1e-6)


def speed_only(tmp_path):
    time = np.arange(0.0, 60.0, 0.2)
    table = write_table(tmp_path / 'gps.csv', {'t': time, 'sog': np.full(time.size, 1.0)})
    (tmp_path / 'gps.yaml').write_text('columns: {time: {column: t, unit: s}, speed: {column: sog, unit: m/s}}')
    return read_log(table, tmp_path / 'gps.yaml')


def test_a_speed_alone_will_do_in_still_water_and_says_so(tmp_path):
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    drive = drive_of(speed_only(tmp_path), boat)
    assert drive.energy.total == pytest.approx(BOAT.vessel.damping.d11 * 59.6, rel=1e-9), 'd11 u^2 t, first sample less'
    assert any(note.code == 'straight_ahead' for note in drive.warnings)


def test_a_speed_alone_is_refused_in_a_current_with_the_reason(tmp_path):
    for name in ('current', 'wind'):
        with pytest.raises(InputError, match=f'in a {name} the power depends on where the boat heads'):
            drive_of(speed_only(tmp_path), BOAT, Options(**{name: UniformFlow(0.3, 0.0)}))
    with pytest.raises(InputError, match='has no u'):
        drive_of(replace(straight(), u=np.full(400, math.nan)), BOAT)


def test_places_alone_give_the_motion_along_the_course():
    """A boat of linear drag on a circle of 30 m at 1 m/s, 5 Hz: drag of surge and of the turn, nothing else."""
    time = np.arange(0.0, 200.0, 0.2)
    rate = 1.0 / 30.0
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    log = Log('gps', Path('gps'), time, x=30.0 * np.sin(rate * time), y=-30.0 * np.cos(rate * time))
    drive = drive_of(log, boat)
    damping = BOAT.vessel.damping
    power = damping.d11 + damping.d33 * rate ** 2
    assert drive.energy.total / drive.energy.duration == pytest.approx(power, rel=2e-3)
    assert {'motion_from_places'} <= {note.code for note in drive.warnings}
    current = UniformFlow(0.3, -0.2)
    carried = replace(log, x=log.x + current.x * time, y=log.y + current.y * time)
    assert drive_of(carried, boat, Options(current=current)).energy.total == pytest.approx(drive.energy.total, rel=1e-6)
    with pytest.raises(InputError, match='never faster than'):
        drive_of(replace(log, x=0.001 * log.x, y=0.001 * log.y), boat)


def test_steady_power_is_the_closed_form():
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    drive = drive_of(straight(), boat, Options(current=uniform_of('0.4,0', ''), wind=UniformFlow()))
    u_r, v_r = 1.0 - 0.4 * math.cos(0.5), 0.4 * math.sin(0.5)
    damping = BOAT.vessel.damping
    power = damping.d11 * u_r ** 2 + damping.d22 * v_r ** 2
    np.testing.assert_allclose(drive.power.total[1:], power, rtol=1e-12)
    assert drive.energy.total == pytest.approx(power * 19.9, rel=1e-12)


def test_flow_files_are_asked_along_the_track_at_its_times():
    log = straight(period=0.5, x=250.0 + 0.04 * np.arange(400), y=np.linspace(80.0, 120.0, 400))
    current, wind = flow_of('vortex', '--current', 'water'), flow_of('gusts', '--wind', 'air')
    drive = drive_of(log, BOAT, Options(current=current, wind=wind))
    wanted = [[float(part[0]) for flow in (current, wind) for part in flow.velocity(t, log.x[k:k + 1], log.y[k:k + 1])
               [:2]] for k, t in enumerate(log.time)]
    flow = drive.flow
    found = np.column_stack([flow.current_x, flow.current_y, flow.wind_x, flow.wind_y])
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert np.ptp(flow.wind_x) > 0.0 and np.ptp(flow.current_x) > 0.0
    np.testing.assert_allclose(flow.current_x_rate[1:], np.diff(flow.current_x) / 0.5)


def test_a_flow_is_refused_where_it_is_none():
    with pytest.raises(InputError, match='a flow of water; must be one of air'):
        flow_of('vortex', '--wind', 'air')
    with pytest.raises(InputError, match='must be m/s and where it flows to'):
        flow_of('0.3', '--wind', 'air')
    with pytest.raises(InputError, match='no flow named'):
        flow_of('nonsense', '--wind', 'air')


def test_what_is_missing_is_marked_and_never_silently_zero():
    x = np.full(400, 0.3)
    x[:40] = math.nan
    x[200:240] = math.nan
    log = straight(current_x=x, current_y=0.0 * x, u=np.where(np.arange(400) == 300, math.nan, 1.0))
    drive = drive_of(log, BOAT)
    assert (drive.status[:40] & MISSING['current'] > 0).all()
    assert np.isnan(drive.power.total[:40]).all()
    assert (drive.status[200:240] & STALE['current'] > 0).all()
    np.testing.assert_allclose(drive.flow.current_x[200:240], 0.3)
    assert drive.status[300] & INVALID and drive.status[301] & NO_ACCELERATION
    assert drive.energy.stale_duration == pytest.approx(41 * 0.05)
    codes = {note.code for note in drive.warnings}
    assert codes == {'current_missing', 'current_stale', 'wind_assumed_none'}


def test_the_thrusters_own_work_closes_on_the_model(folder):
    rows = RUN.rows
    drive = drive_of(read_log(folder), BOAT)
    assert thruster_power(drive) is None, 'this log has no thrusts'
    force = np.array([row.thruster_power for row in rows])
    assert force[1:].sum() == pytest.approx(np.nansum(drive.power.thrust), rel=2e-3)


def with_thrusts(log, boat):
    """Return a log with the thrusts that the model needs for its motion, so that the truth is consistent."""
    drive = drive_of(log, boat)
    from usv_energy.physics.dynamics import coriolis_force, damping_force, inertia_force, relative_acceleration
    from usv_energy.physics.frames import to_body
    from usv_energy.physics.propulsion import thrust_of_force
    from usv_energy.physics.wind import wind_force
    motion, flow, vessel = drive.motion, drive.flow, boat.vessel
    c, s = np.cos(motion.yaw), np.sin(motion.yaw)
    current, wind = to_body(flow.current_x, flow.current_y, c, s), to_body(flow.wind_x, flow.wind_y, c, s)
    rate = (*relative_acceleration((motion.u_dot, motion.v_dot), current, (0.0, 0.0), motion.r), motion.r_dot)
    water = motion.u - current[0], motion.v - current[1], motion.r
    air = (*wind_force(wind[0] - motion.u, wind[1] - motion.v, vessel.windage), 0.0)
    surge, _, yaw = (m + co + d - w for m, co, d, w in zip(
        inertia_force(*rate, vessel.inertia), coriolis_force(*water, vessel.inertia),
        damping_force(*water, vessel.damping), air))
    thrust = np.column_stack([thrust_of_force(surge, yaw, thruster) for thruster in vessel.thrusters])
    return replace(log, thrust=thrust, command=np.full_like(thrust, math.nan), thrusters=boat.thruster_names,
                   neutral=(math.nan, math.nan))


@pytest.mark.parametrize('every', [None, 10.0])
def test_a_current_is_found_from_the_thrusts_also_in_noise(folder, rng, every):
    log = with_thrusts(read_log(folder), BOAT)
    bare = replace(log, current_x=np.full(len(log), math.nan), current_y=np.full(len(log), math.nan))
    found = estimate_current(bare, BOAT, Options(), every)
    np.testing.assert_allclose(found.x, RUN.rows[0].flow.current_x, atol=0.003)
    np.testing.assert_allclose(found.y, RUN.rows[0].flow.current_y, atol=0.003)
    noisy = replace(bare, u=bare.u + rng.normal(0.0, 0.01, len(log)), v=bare.v + rng.normal(0.0, 0.01, len(log)),
                    thrust=bare.thrust * (1.0 + rng.normal(0.0, 0.05, bare.thrust.shape)))
    rough = estimate_current(noisy, BOAT, Options(time_constant=0.0), every)
    np.testing.assert_allclose(np.median(rough.x), RUN.rows[0].flow.current_x, atol=0.03)
    np.testing.assert_allclose(np.median(rough.y), RUN.rows[0].flow.current_y, atol=0.03)
    assert rough.std_x > found.std_x


def test_a_current_is_not_found_without_thrusts_or_on_too_little(folder):
    with pytest.raises(InputError, match='has no thrust'):
        estimate_current(read_log(folder), BOAT, Options())
    log = with_thrusts(read_log(folder), BOAT)
    with pytest.raises(InputError, match='an estimate of the current needs 5'):
        estimate_current(log.part(slice(0, 200)), BOAT, Options())
    turning = [note.code for note in estimate_current(log, BOAT, Options()).notes]
    assert turning == ['current_one_course'], 'scenario 6 goes one way'


def test_what_a_tenth_slower_saves_is_the_closed_form():
    """Linear drag: a tenth slower takes 0.81 of the power for 1 / 0.9 of the time; a static load takes longer."""
    for static_load, factor in ((0.0, 0.9), (5.0, None)):
        boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR, static_load=static_load))
        base, changes = what_if(drive_of(straight(), boat))
        d11 = BOAT.vessel.damping.d11
        wanted = factor or (0.81 * d11 + static_load) / 0.9 / (d11 + static_load)
        assert base.energy == pytest.approx((d11 + static_load) * 19.9, rel=1e-9)
        assert [one.name for one in changes] == ['10 % slower'], 'what was not there cannot be taken away'
        assert 1.0 + changes[0].relative == pytest.approx(wanted, rel=1e-9)
        assert changes[0].duration == pytest.approx(19.9 / 0.9)


def test_no_current_and_no_wind_cost_what_the_boat_takes_without_them():
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    options = Options(current=uniform_of('0.4,28.64789', ''), wind=UniformFlow(1.0, 1.0))
    base, changes = what_if(drive_of(straight(), boat, options))
    found = {one.name: one for one in changes}
    d11 = BOAT.vessel.damping.d11
    assert base.energy == pytest.approx(d11 * 0.36 * 19.9, rel=1e-6), 'a following current of 0.4 m/s'
    assert found['no current'].energy == pytest.approx(d11 * 19.9, rel=1e-6)
    assert found['no wind'].relative == pytest.approx(0.0, abs=1e-9), 'this boat has no windage'


def test_measured_power_is_compared_with_the_model():
    log = straight()
    model = drive_of(log, BOAT).power.total
    drive = drive_of(replace(log, u=1.0 + 0.3 * np.sin(np.arange(400) / 20.0)), BOAT)
    told = compared(drive_of(replace(log, electrical_power=model / 1.1), BOAT))
    assert told.energy_error == pytest.approx(0.1, rel=1e-9)
    assert told.mean_error == pytest.approx(model[5] * (1.0 - 1.0 / 1.1))
    shifted = drive_of(replace(drive.log, electrical_power=drive.power.total + 2.0), BOAT)
    told = compared(shifted)
    assert (told.slope, told.offset, told.mean_error, told.rms_error) == pytest.approx((1.0, 2.0, -2.0, 2.0))
    assert compared(drive_of(log, BOAT)) is None


def test_noise_that_counts_as_braking_is_said_with_its_share(rng):
    log = straight(2000, u=1.0 + rng.normal(0.0, 0.1, 2000))
    note, = (note for note in findings_of(drive_of(log, BOAT)).notes if note.code == 'noisy_acceleration')
    assert note.figures['relative'] < -0.2
    smooth = drive_of(log, BOAT, Options(time_constant=0.5))
    assert all(note.code != 'noisy_acceleration' for note in findings_of(smooth).notes)
    assert smooth.energy.total == pytest.approx(drive_of(straight(2000), BOAT).energy.total, rel=0.05)
    assert all(note.code != 'noisy_acceleration' for note in findings_of(drive_of(straight(2000), BOAT)).notes)


def test_samples_are_written_as_a_run_writes_them(folder, tmp_path):
    drive = drive_of(read_log(folder), BOAT)
    write_drive_samples(drive, tmp_path / 'samples.csv')
    rows = read_samples(tmp_path / 'samples.csv')
    wanted = np.array([[row.time, row.x, row.motion.u, row.power.total, row.energy] for row in RUN.rows])
    found = np.array([[row.time, row.x, row.motion.u, row.power.total, row.energy] for row in rows])
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
