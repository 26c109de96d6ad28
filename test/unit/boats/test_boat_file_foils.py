"""Foils in a boat's file: what is read of them, and what is refused with file, key, value and what is allowed."""

import math

import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Steer, Wash, coefficients_of_aspect

RUDDER = {'name': 'rudder', 'x': -0.5, 'y': 0.0, 'area': 0.005, 'density': 997.0, 'lift': 1.5, 'drag': 1.0,
          'steer': {'min_angle_deg': -35.0, 'max_angle_deg': 30.0, 'rate_deg': 60.0}}


@pytest.fixture
def boat_with(tmp_path):
    """Return a function that reads lutra_prop with a rudder, changed: None takes a key away."""
    def read(**changes):
        foil = {key: value for key, value in {**RUDDER, **changes}.items() if value is not None}
        path = tmp_path / 'boat.yaml'
        path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'with_rudder', 'foils': [foil]}))
        return read_boat(str(path))
    return read


def test_a_rudder_is_read_in_radians(boat_with):
    boat = boat_with(wash={'thruster': 'right', 'share': 0.5, 'gain': 0.9, 'diameter': 0.08})
    foil, = boat.vessel.foils
    assert foil[:8] == (-0.5, 0.0, 0.005, 997.0, 1.5, 1.0, 0.0, 0.0)
    assert foil.steer == pytest.approx(Steer(math.radians(-35.0), math.radians(30.0), math.radians(60.0)))
    assert foil.wash == Wash((0.0, 1.0), 0.5, 0.9, 0.08) and foil.in_air is None
    keel, = boat_with(steer=None, medium='air', lift=None, drag=None, aspect=2.0).vessel.foils
    assert keel.steer is None and keel.in_air == 1.0 and keel[4:6] == coefficients_of_aspect(2.0)


@pytest.mark.parametrize('changes, parts', [
    ({'area': None}, ['foils', 'area', 'required']),
    ({'area': 0.0}, ['foils.0.area', '0', 'greater than 0']),
    ({'density': -1.0}, ['foils.0.density', '-1']),
    ({'medium': 'sand'}, ['foils.0.medium', 'sand', 'water', 'air']),
    ({'lift': None, 'drag': None}, ['foils.0', 'no curve', 'aspect, or table']),
    ({'aspect': 2.0}, ['foils.0', 'aspect and lift']),
    ({'lift': None, 'drag': None, 'table': [[0, 0, 0.1], [60, 1, 1]]}, ['foils.0.table', '60', 'to 90 or to 180']),
    ({'steer': {'min_angle_deg': 10.0, 'max_angle_deg': -10.0, 'rate_deg': 5.0}},
     ['foils.0.steer.min_angle_deg is 10', 'less than max_angle_deg, -10']),
    ({'steer': {'min_angle_deg': -10.0, 'max_angle_deg': 10.0, 'rate_deg': 0.0}}, ['foils.0.steer.rate_deg', '0']),
    ({'steer': {'min_angle_deg': -10.0}}, ['foils.0.steer', 'max_angle_deg']),
    ({'wash': {'thruster': 'bow', 'share': 0.5, 'gain': 0.9, 'diameter': 0.08}},
     ['foils.0.wash.thruster', 'bow', 'left, right']),
    ({'medium': 'air', 'wash': {'thruster': 'left', 'share': 0.5, 'gain': 0.9, 'diameter': 0.08}},
     ['foils.0.wash.thruster', 'one in water', 'one in air']),
    ({'lifft': 1.0}, ['foils.0', 'lifft'])])
def test_a_fault_of_a_foil_is_named(boat_with, changes, parts):
    with pytest.raises(InputError) as caught:
        boat_with(**changes)
    assert [part for part in parts if part not in str(caught.value)] == [], caught.value
