
import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.sim.maneuver import performed, read_maneuver, run_maneuver, step_figures

BOAT = read_boat('lutra_prop')
TEXT = """
current: {speed: 0.3, direction_deg: 30.0}
steps: [{duration: 6.0, share: [0.5, -0.5]}, {duration: 30.0, thrust: [3.0, 3.0]}]
simulation: {step: 0.02, period: 0.1}
"""


def maneuver(tmp_path, text=TEXT):
    path = tmp_path / 'turn.yaml'
    path.write_text(text)
    return read_maneuver(str(path))


def test_the_commands_are_held_for_their_time_and_shares_are_of_the_limits(tmp_path):
    rows, commanded = run_maneuver(maneuver(tmp_path), BOAT, BOAT)
    limits = BOAT.vessel.thrusters[0]
    assert [row.time for row in rows] == pytest.approx([0.1 * number for number in range(360)], abs=1e-9)
    assert commanded == [(0.5 * limits.max_thrust, 0.5 * limits.min_thrust)] * 60 + [(3.0, 3.0)] * 300


def test_the_model_finds_the_work_of_the_thrusters_in_a_current(tmp_path):
    """The same boat as model and plant; braking counts, so the sum before what is not recovered is compared."""
    rows, _ = run_maneuver(maneuver(tmp_path), BOAT, BOAT)
    assert math.isnan(rows[0].power.total) and rows[0].status == 1
    begin = 100
    thrust = sum(0.05 * (a.power.thrust + b.power.thrust) for a, b in zip(rows[begin:], rows[begin + 1:]))
    assert thrust == pytest.approx(rows[-1].thruster_energy - rows[begin].thruster_energy, rel=2e-3)


@pytest.mark.parametrize('simulation, words', [
    ('{step: 0.02, period: 0.05}', r'whole number of steps of 0\.02 s'),
    ('{step: 0.5, period: 1.5}', r'turn\.yaml: simulation\.period is 1\.5; must be at most 1\.0 s'),
    ('{step: 1.0, period: 1.0}', r'turn\.yaml: simulation\.step is 1 s; must be at most 0\.233 s for the boat lutra')])
def test_a_step_or_period_that_cannot_be_is_named(tmp_path, simulation, words):
    text = TEXT.replace('{step: 0.02, period: 0.1}', simulation).replace('duration: 30.0', 'duration: 600.0')
    with pytest.raises(InputError, match=words):
        run_maneuver(maneuver(tmp_path, text), BOAT, BOAT)


def test_a_boat_with_other_thrusters_is_refused(tmp_path):
    found = maneuver(tmp_path, TEXT.replace('[3.0, 3.0]', '[3.0]'))
    with pytest.raises(InputError, match=r'steps\.1 has 1 values; the boat lutra_prop has 2'):
        run_maneuver(found, BOAT, BOAT)


def test_a_maneuver_of_years_is_refused(tmp_path):
    found = maneuver(tmp_path, TEXT.replace('duration: 30.0', 'duration: 2147483648'))
    with pytest.raises(InputError, match=r'its steps last 2\.1.*e\+09 s; must be at most .* simulation\.step, 3000 s'):
        run_maneuver(found, BOAT, BOAT)


def test_pulses_are_thrusts_of_the_boat_s_curve_and_one_number_is_for_all(tmp_path):
    """Half of [S]'s 22.54 N over the cosine of the tilt, of each; a share without a list is that of each thruster."""
    trial = read_boat('lutra_prop_trial')
    text = TEXT.replace('share: [0.5, -0.5]', 'pwm: [1700, 1500]').replace('thrust: [3.0, 3.0]', 'share: 0.5')
    found = maneuver(tmp_path, text)
    assert found.commands(trial) == [(6.0, (11.668, 0.0)), (30.0, (5.834, 5.834))]
    assert [step.words for step in found.steps] == ['PWM 1700, 1500', '50 %']


def test_pulses_in_place_of_a_maneuver_keep_its_steps_without_thrust(tmp_path):
    text = 'steps: [{duration: 5, share: 0.3}, {duration: 6, share: 1}, {duration: 7, thrust: 0}]\n' \
        'simulation: {step: 0.02, period: 0.1}'
    found = maneuver(tmp_path, text).with_pulses([1700, 1600])
    assert [(step.duration, step.kind, step.values) for step in found.steps] == [
        (5.0, 'pwm', (1700.0,)), (7.0, 'thrust', (0.0,)), (5.0, 'pwm', (1600.0,)), (7.0, 'thrust', (0.0,))]
    still = maneuver(tmp_path, text.replace('0.3', '0').replace('share: 1', 'share: 0'))
    with pytest.raises(InputError, match='no step drives the boat'):
        still.with_pulses([1700])


@pytest.mark.parametrize(('boat', 'change', 'says'), [
    ('lutra_prop', ('share: [0.5, -0.5]', 'pwm: 1700'), 'thruster left gives for a pulse: it needs pwm'),
    ('lutra_prop_trial', ('share: [0.5, -0.5]', 'pwm: 1800'),
     r'steps\.0\.pwm is 1800 us; must be from 1500 to 1700 us'),
    ('lutra_prop_trial', ('share: [0.5, -0.5]', 'pwm: 1600, thrust: 3'), r'steps\.0 has thrust and pwm'),
    ('lutra_prop_trial', ('steps:', 'tied: true\nsteps:'), r'current\.speed is 0\.3 beside tied'),
])
def test_a_pulse_or_a_rope_that_cannot_be_is_named(tmp_path, boat, change, says):
    with pytest.raises(InputError, match=says):
        maneuver(tmp_path, TEXT.replace(*change)).commands(read_boat(boat))


PROP = {1700: (22.54, 1.410), 1600: (17.93, 1.258), 1553: (16.46, 1.205)}
FAN = {2000: (3.13, 0.674), 1850: (2.64, 0.619), 1750: (2.35, 0.584), 1650: (1.86, 0.519)}


def figures(name, boat, pulses=None):
    maneuver = read_maneuver(name)
    maneuver = maneuver.with_pulses(pulses) if pulses else maneuver
    return step_figures(maneuver, performed(maneuver, boat, boat), boat)


@pytest.mark.parametrize(('boat', 'published'), [('lutra_prop_trial', PROP), ('lutra_airboat', FAN)])
def test_the_published_thrusts_and_speeds_over_pwm(boat, published):
    """Within 1 %: pulls at the bollard, N, and speeds, m/s."""
    boat = read_boat(boat)
    pulls, runs = (figures(name, boat, list(published)) for name in ('bollard', 'straight'))
    for pull, run, (pulse, (force, speed)) in zip(pulls, runs, published.items(), strict=True):
        assert pull.pulses == run.pulses == (float(pulse),) and pull.settled and run.settled
        assert pull.ahead == pytest.approx(force, rel=0.01) and run.speed_end == pytest.approx(speed, rel=0.01)
        assert pull.speed_end == pull.distance == 0.0 and math.isnan(pull.power)


@pytest.mark.parametrize('payload', [0.0, 3.0, 6.0])
def test_a_payload_glides_further_by_its_share_of_the_mass(payload):
    """Quadratic drag alone: x = m / d ln(1 + d v0 t / m); a run-up ends at the same speed whatever the mass."""
    boat = read_boat('lutra_airboat', payload=payload)
    up, glide = figures('coast_down', boat)
    mass = 9.05 + payload
    drag = 6.9 + 0.5 * 1.184 * 0.08 * 0.68
    assert up.speed_end == pytest.approx(math.sqrt(3.13 / drag), rel=1e-3) and not glide.pulses
    far = mass / drag * math.log(1.0 + drag * up.speed_end * 39.95 / mass)
    assert glide.distance == pytest.approx(far, rel=1e-3)
    assert glide.speed_end == pytest.approx(up.speed_end / (1.0 + drag * up.speed_end * 39.95 / mass), rel=1e-3)


def test_a_step_that_is_too_short_has_not_settled(tmp_path):
    path = tmp_path / 'short.yaml'
    path.write_text('base: straight\nsteps: [{duration: 1.0, share: 1.0}]\n')
    assert not figures(str(path), read_boat('lutra_airboat'))[0].settled
