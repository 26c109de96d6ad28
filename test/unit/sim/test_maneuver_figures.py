"""[S] tables 2 and 3 by the maneuvers that a user runs, and the closed form of a glide."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.sim.maneuver import performed, read_maneuver, step_figures

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
