import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.wind_height import wind_share
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission_file import read_mission, write_mission
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study
from usv_energy.studies.mission.scenario_to_run import RunChoice, scenario_to_run, with_choice

WAYPOINTS = """QGC WPL 110
0\t1\t0\t16\t0\t0\t0\t0\t45.6073\t9.5524\t0\t1
1\t0\t3\t178\t1\t0.8\t0\t0\t0\t0\t0\t1
2\t0\t3\t16\t0\t0\t0\t0\t45.6073\t9.5527\t0\t1
3\t0\t3\t16\t8\t0\t0\t0\t45.6075\t9.5527\t0\t1
4\t0\t3\t20\t0\t0\t0\t0\t0\t0\t0\t1
"""
LUTRA = RunChoice(boat='lutra_prop')


@pytest.fixture
def mission(tmp_path):
    path = tmp_path / 'harbour.waypoints'
    path.write_text(WAYPOINTS)
    return path


def test_a_run_of_a_mission_is_what_mission_simulate_runs(mission):
    """Same time and energy, with legs named by item or by what is done."""
    choice = LUTRA._replace(current='0.2,30', wind='4,120')
    run = run_scenario(scenario_to_run(str(mission), choice))
    placed = mission_scenario(itinerary_of(read_mission(mission)), read_boat('lutra_prop'),
                              with_choice(read_scenario('1'), choice).current,
                              with_choice(read_scenario('1'), choice).wind)
    simulated = mission_study(placed, simulate=True).simulated
    assert (run.duration, run.energy.total) == (simulated.time, simulated.energy)
    assert [leg.name for leg in run.legs] == ['item 2', 'item 3', 'hold at item 3', 'home']
    assert run.scenario.name == 'harbour'


@pytest.mark.parametrize('ending', ['.plan', '.gpx', '.geojson'])
def test_every_format_gives_the_same_way(mission, tmp_path, ending):
    write_mission(read_mission(mission), tmp_path / f'other{ending}', 'lutra_prop')
    ours, other = (scenario_to_run(str(path), LUTRA) for path in (mission, tmp_path / f'other{ending}'))
    assert [list(point) for point in other.waypoints] == [pytest.approx(point, abs=0.02) for point in ours.waypoints]
    assert [order.hold for order in other.orders] == [order.hold for order in ours.orders]
    assert [order.speed for order in other.orders] == [order.speed for order in ours.orders]


def test_another_plant_is_steered_by_its_own_inertia(mission):
    scenario = scenario_to_run(str(mission), RunChoice('lutra_prop', 'wamv'))
    assert (scenario.boat.name, scenario.plant.name) == ('lutra_prop', 'wamv')
    assert scenario.gains == scenario_to_run(str(mission), RunChoice('wamv')).gains
    assert scenario.gains != scenario_to_run(str(mission), LUTRA).gains
    assert scenario_to_run(str(mission), LUTRA, payload=3.0).boat.hull.payload == 3.0


def test_speed_water_and_wind_over_a_scenario_make_it_another_run_than_the_published_one():
    plain = read_scenario('3')
    changed = scenario_to_run('3', RunChoice(speed=0.8, current='0.1,90', wind='5,180', wind_height=10.0))
    assert changed.speed == 0.8
    assert changed.current == pytest.approx((0.0, 0.1))
    assert math.hypot(*changed.wind) == pytest.approx(5.0 * wind_share(plain.boat, 10.0))
    assert math.isnan(changed.published.energy)
    assert plain.published.energy == 573.78
    assert scenario_to_run('3').published == plain.published
    assert with_choice(changed, RunChoice()).with_options(convention='as_published').wind == changed.wind
    assert scenario_to_run('3', RunChoice(current='uniform')).current.medium == 'water'
    assert isinstance(changed.wind, UniformFlow)


@pytest.mark.parametrize(('name', 'choice', 'fault'), [
    ('{mission}', RunChoice(), 'harbour.waypoints: is a mission, which says nothing of its boat: give a boat'),
    ('{mission}', RunChoice('blueboat_watts_only'), 'a simulation needs mass, drag and thrusters'),
    ('{mission}', RunChoice('lutra_prop', 'blueboat_watts_only'), 'a simulation needs mass, drag and thrusters'),
    ('{mission}.gpx', LUTRA, 'there is no such file'),
    ('nothing', LUTRA, 'nothing'),
    ('3', RunChoice(speed=-1.0), 'speed is -1; must be above 0'),
    ('3', RunChoice(wind='3'), "wind is '3'; must be `12 kn from NE`"),
    ('3', RunChoice(wind_height=10.0), 'wind_height is 10; it goes with a wind of SPEED,DIRECTION')])
def test_what_is_wrong_is_said_by_name(mission, name, choice, fault):
    with pytest.raises(InputError, match=fault):
        scenario_to_run(name.format(mission=mission), choice)
