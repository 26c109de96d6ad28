import zipfile

import pytest
from fuzz import assert_survives
from mission_files import HOME, LNW, RTZ, some_mission, some_waypoints

from usv_energy.missions.itinerary import items_from_waypoints, itinerary_of, local_track
from usv_energy.missions.mission import Mission, in_degrees
from usv_energy.missions.mission_file import mission_text, read_mission, write_mission

SURVEY = '''{"fileType": "Plan", "mission": {"plannedHomePosition": [45, 9, 0], "items": [{"type": "ComplexItem",
 "complexItemType": "survey", "TransectStyleComplexItem": {"Items": [
 {"type": "SimpleItem", "command": 16, "doJumpId": 1, "frame": 3, "params": [0, 2, 0, null, 45.1, 9.1, 5]}],
 "VisualTransectPoints": [[45.1, 9.1]]}}, {"type": "ComplexItem", "complexItemType": "CorridorScan",
 "TransectStyleComplexItem": {"VisualTransectPoints": [[45.1, 9.1], [45.2, 9.1]]}}]}}'''
KML = '''<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>way</name><LineString><coordinates>
9.1,45.1,0 9.2,45.1,0 9.2,45.2,0</coordinates></LineString></Placemark><Placemark><name>area</name><Polygon>
<outerBoundaryIs><LinearRing><coordinates>9,45 9,46 10,46 9,45</coordinates></LinearRing></outerBoundaryIs></Polygon>
</Placemark><Placemark><Point><coordinates>9,45</coordinates></Point></Placemark></Document></kml>
'''


def use(path):
    """Do all that commands do with a mission."""
    mission = read_mission(path, part='1' if path.suffix in ('.kml', '.kmz') else None)
    try:
        local_track(itinerary_of(mission))
    finally:
        for kind in ('plan', 'waypoints', 'gpx', 'geojson', 'scenario'):
            mission_text(mission, kind)


def originals(folder, ending):
    if ending in ('rtz', 'lnw'):
        (folder / f'a.{ending}').write_text(RTZ if ending == 'rtz' else LNW)
        return [folder / f'a.{ending}']
    if ending in ('kml', 'kmz'):
        path = folder / f'a.{ending}'
        if ending == 'kml':
            path.write_text(KML)
        else:
            with zipfile.ZipFile(path, 'w') as archive:
                archive.writestr('doc.kml', KML)
        return [path]
    found = []
    for seed in range(3):
        found.append(folder / f'{seed}.{ending}')
        mission = some_mission(seed) if ending in ('plan', 'waypoints') else Mission(
            'm', items_from_waypoints(some_waypoints(seed)), home=HOME)
        write_mission(mission, found[-1])
    if ending == 'plan':
        found.append(folder / 'survey.plan')
        found[-1].write_text(SURVEY)
    return found


@pytest.mark.parametrize('ending', ['plan', 'waypoints', 'gpx', 'kml', 'kmz', 'geojson', 'yaml', 'rtz', 'lnw'])
def test_damaged_missions(tmp_path, fuzz_seeds, ending):
    (tmp_path / 'whole').mkdir()
    assert_survives(use, originals(tmp_path / 'whole', ending), tmp_path, fuzz_seeds)


def test_whole_ones_are_used(tmp_path):
    """The check above is of no use if whole files are refused."""
    for ending in ('plan', 'waypoints', 'gpx', 'kml', 'kmz', 'geojson', 'yaml', 'rtz', 'lnw'):
        for path in originals(tmp_path, ending):
            mission = read_mission(path, part='1' if ending in ('kml', 'kmz') else None)
            if ending == 'yaml':
                mission = in_degrees(mission)
            assert local_track(itinerary_of(mission)).length.sum() > 100.0
