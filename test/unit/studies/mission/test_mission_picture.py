from matplotlib.image import imread

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.studies.mission.mission_bands import FlowDoubt
from usv_energy.studies.mission.mission_pictures import plot_mission
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study


def test_the_way_and_the_charge_are_drawn(tmp_path):
    way = (Waypoint(LocalPlace(300.0, 0.0), 1, hold=30.0), Waypoint(LocalPlace(300.0, 200.0), 2, speed=2.0))
    mission = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, way), read_boat('blueboat_watts_only'),
                               UniformFlow(0.1, 0.0), UniformFlow(), 1.0)
    plot_mission(mission_study(mission, uncertainty=FlowDoubt(0.1)), tmp_path / 'm.png')
    image = imread(tmp_path / 'm.png')
    colours = {tuple(colour) for colour in (255.0 * image[..., :3]).round().astype(int).reshape(-1, 3)[::7].tolist()}
    assert image.shape[1] > 1.5 * image.shape[0]
    assert (68, 1, 84) in colours and (253, 231, 37) in colours, 'the least and the largest power, in viridis'
