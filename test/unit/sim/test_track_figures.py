"""Figures of tracks that are known by hand, and of the shipped missions of the papers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.physics.motion import Flow
from usv_energy.powering.energy import Energy
from usv_energy.sim.obstacle import Obstacle
from usv_energy.sim.record import Run
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Published, read_scenario
from usv_energy.sim.track_figures import collisions_of, rms_over_time, track_of, track_summary, whole_summary


@pytest.fixture(scope='module')
def run():
    return run_scenario(read_scenario('2'))


def among(run, *obstacles):
    return run._replace(scenario=replace(run.scenario, obstacles=obstacles))


def moved(run, **flow):
    """Return the run with every row going 3 ahead and 4 to port over ground, in a flow."""
    rows = [row._replace(motion=row.motion._replace(yaw=0.5, u=3.0, v=4.0), flow=Flow(**flow)) for row in run.rows]
    return run._replace(rows=rows)


def test_speeds_are_lengths_of_velocities(run):
    """Carried along by the whole of the water's velocity the boat does not move through it."""
    still = track_summary(moved(run, current_x=0.0, current_y=0.0, wind_x=0.0, wind_y=0.0))
    assert still['peak_speed_over_ground_m_s'] == pytest.approx(5.0)
    assert still['peak_speed_through_water_m_s'] == pytest.approx(5.0)
    east, north = (3.0 * math.cos(0.5) - 4.0 * math.sin(0.5), 3.0 * math.sin(0.5) + 4.0 * math.cos(0.5))
    carried = track_summary(moved(run, current_x=east, current_y=north, wind_x=0.0, wind_y=0.0))
    assert carried['peak_speed_over_ground_m_s'] == pytest.approx(5.0)
    assert carried['peak_speed_through_water_m_s'] == pytest.approx(0.0, abs=1e-12)


def test_a_boat_that_goes_with_the_current(run):
    """Scenario 2: full thrust along 0.4 m/s of water; through it 22.2 N / 16.296 N s/m, less 0.5 % for the air."""
    figures = track_summary(run)
    assert figures['peak_speed_through_water_m_s'] == pytest.approx(22.214 / 16.296, rel=6e-3)
    assert figures['peak_speed_over_ground_m_s'] == pytest.approx(
        figures['peak_speed_through_water_m_s'] + 0.4, rel=1e-4)
    assert figures['mean_speed_over_ground_m_s'] * run.duration == pytest.approx(run.energy.distance_over_ground)
    assert figures['path_deviation_max_m'] == pytest.approx(0.0, abs=1e-9)


def test_rms_is_over_time_whatever_the_samples():
    """Of a ramp from 0 to a it is a / sqrt(3), the trapezoid's error on n steps a^2 / (6 n^2)."""
    time = np.concatenate([np.linspace(0.0, 1.0, 5000)[:-1], np.linspace(1.0, 4.0, 1000)])
    assert rms_over_time(time, 3.0 * time / 4.0) == pytest.approx(3.0 / math.sqrt(3.0), rel=1e-5)
    assert rms_over_time(np.array([0.0, 1.0, 5.0]), np.full(3, -2.0)) == 2.0
    assert rms_over_time(np.array([0.0, 1.0, 2.0]), np.array([2.0, math.nan, 2.0])) == 2.0
    assert rms_over_time(np.array([7.0]), np.array([2.0])) == 2.0
    assert math.isnan(rms_over_time(np.zeros(0), np.zeros(0)))


def test_collisions_begin_at_the_first_touch_and_end_with_the_last(run):
    """Two discs in the way, one beside it: two hits, each when the bow, 0.53 m ahead, has come to the edge."""
    hit = among(run, Obstacle('far', ((260.0, 95.0),), 1.0), Obstacle('near', ((250.0, 95.0),), 1.0),
                Obstacle('beside', ((255.0, 97.0),), 1.0))
    track = track_of(hit)
    found = collisions_of(hit, track)
    assert [collision.obstacle for collision in found] == ['near', 'far']
    for collision, x in zip(found, (250.0, 260.0)):
        # Within a period's way at 1.76 m/s.
        assert 0.0 <= collision.x - (x - 1.0 - 0.53) < 1.8 * hit.scenario.period
        assert collision.y == pytest.approx(95.0)
    figures = track_summary(hit)
    assert (figures['obstacles'], figures['collisions'], figures['first_collision_with']) == (3, 2, 'near')
    assert figures['first_collision_s'] == found[0].time
    assert figures['least_clearance_m'] == 0.0
    beside = track_summary(among(run, Obstacle('beside', ((255.0, 97.0),), 1.0)))
    assert beside['collisions'] == 0
    assert beside['first_collision_s'] != beside['first_collision_s']
    assert beside['least_clearance_m'] == pytest.approx(2.0 - 1.0 - 0.24, abs=1e-9)


def test_a_hit_at_the_start_and_one_that_comes_again_are_counted(run):
    at_start = among(run, Obstacle('slip', ((240.0, 95.0),), 0.1))
    assert [collision.time for collision in collisions_of(at_start, track_of(at_start))] == [run.rows[0].time]
    there_and_back = at_start._replace(rows=[*run.rows, *run.rows[::-1]])
    assert len(collisions_of(there_and_back, track_of(there_and_back))) == 2


def test_obstacles_change_nothing_but_what_is_said_of_them(run):
    wall = Obstacle('wall', ((250.0, 90.0), (251.0, 90.0), (251.0, 100.0), (250.0, 100.0)))
    again = run_scenario(replace(run.scenario, obstacles=(wall,)))
    assert again.rows[1:] == run.rows[1:]
    assert track_summary(again)['collisions'] == 1


def test_the_summary_has_what_was_published_and_no_nan(run):
    published = Published(distance=30.0, mean_speed=1.5, peak_speed=2.0)
    summary = whole_summary(run._replace(scenario=replace(run.scenario, published=published)), 'usv-energy')
    assert 30.0 * (1.0 + summary['distance_relative']) == pytest.approx(summary['distance_over_ground_m'])
    assert 1.5 * (1.0 + summary['mean_speed_relative']) == pytest.approx(summary['mean_speed_over_ground_m_s'])
    assert 2.0 * (1.0 + summary['peak_speed_relative']) == pytest.approx(summary['peak_speed_over_ground_m_s'])
    assert summary['least_clearance_m'] is None
    nothing = whole_summary(Run(run.scenario, 'rep103', 'aborted', [], Energy(), math.nan), 'ros')
    for key in ('path_deviation_rms_m', 'path_deviation_max_m', 'peak_speed_over_ground_m_s',
                'peak_speed_through_water_m_s', 'mean_speed_over_ground_m_s', 'first_collision_s'):
        assert nothing[key] is None, key


@pytest.fixture(scope='module')
def upstream():
    return {name: track_summary(found) | {'duration': found.duration} for name in ('against_middle', 'against_bank')
            for found in [run_scenario(read_scenario(f'usvsim/{name}'))]}


def test_usvsims_ratio_of_the_middle_to_the_bank(upstream):
    """[S] 5.2: 144.9 s / 187.2 s = 0.774; the closed form of our river, by V = sqrt(22.214 / 11.28), within 0.2 %."""
    speed = math.sqrt(22.214 / 11.28)
    bank = 0.6 * (1.0 - ((22.0 - 10.0) / 20.0) ** 2)
    middle, beside = upstream['against_middle'], upstream['against_bank']
    ratio = beside['duration'] / middle['duration']
    assert ratio == pytest.approx((speed - 0.6) / (speed - bank), rel=2e-3)
    assert ratio == pytest.approx(144.9 / 187.2, rel=0.03)
    assert middle['peak_speed_through_water_m_s'] == pytest.approx(speed, rel=2e-3)


def test_heading_control_hits_a_pillar_of_the_bridge_and_following_the_path_does_not():
    """[S] 5.5, at full thrust both; the legs leave 1.2 m to 2 m beside the pillars, less half the hull's width."""
    heading, path = (track_summary(run_scenario(read_scenario(f'usvsim/bridge_{name}')))
                     for name in ('heading', 'path'))
    assert heading['collisions'] >= 1
    assert path['collisions'] == 0
    assert path['least_clearance_m'] > 0.5
    assert path['path_deviation_rms_m'] < 0.5 * heading['path_deviation_rms_m']
