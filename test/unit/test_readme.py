"""What the README shows is what the program takes."""

import re
from pathlib import Path

import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.sim.scenario import read_scenario

README = Path(__file__).resolve().parents[2] / 'README.md'


def blocks(first_key):
    """Return the indented YAML blocks of the README that begin with a key, as texts."""
    found = re.findall(rf'\n((?: +){first_key}.*(?:\n +\S.*)*)', README.read_text(encoding='utf-8'))
    return ['\n'.join(line[7:] for line in block.splitlines()) for block in found]


def test_the_boat_and_the_scenario_of_the_readme_run(tmp_path):
    boat, scenario = blocks('base: ')
    (tmp_path / 'my_boat.yaml').write_text(boat)
    (tmp_path / 'my.yaml').write_text(scenario)
    assert read_boat(str(tmp_path / 'my_boat.yaml')).vessel.static_load == 12.0
    read = read_scenario(str(tmp_path / 'my.yaml'))
    assert read.boat.name == 'my_boat'
    assert read.published.energy != read.published.energy, 'null takes the published numbers of the base away'
    assert len(read.waypoints) == 2
    assert yaml.safe_load(boat)['battery']['capacity_wh'] == 530


def test_every_picture_and_file_that_the_readme_names_is_there():
    for target in re.findall(r'\]\(([^)#]+)\)', README.read_text(encoding='utf-8')):
        assert (README.parent / target).exists(), target
