"""A boat with water jets, a kind of thruster in one file (`water_jet.py`), and its steady motion in closed form."""

import importlib
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import yaml

from usv_energy.physics.elementwise import BY_TYPE
from usv_energy.thrusters import kinds
from usv_energy.thrusters.kind import KINDS

FILE = Path(__file__).with_name('water_jet.py')
KEY, MODULE = 'jet', f'{kinds.__name__}.{FILE.stem}'
MASS_FLOW, SQUARE, MOST = 4.0, 0.15, 30.0   # kg/s, W/N^2, N at standstill, of each of the two
LINEAR, QUADRATIC, HOTEL = 3.0, 8.0, 5.0    # N s/m, N s^2/m^2, W


@contextmanager
def installed():
    """Have the package find the kind as if its file lay in usv_energy/thrusters/kinds."""
    kinds.__path__.append(str(FILE.parent))
    try:
        yield importlib.import_module(MODULE)
    finally:
        kinds.__path__.remove(str(FILE.parent))
        kind = sys.modules.pop(MODULE).WaterJet
        delattr(kinds, FILE.stem)
        KINDS.pop(KEY)
        for _, bodies in BY_TYPE.values():
            bodies.pop(kind, None)


def write_boat_file(folder):
    """Write the boat's file into a folder; return its path as a text."""
    path = Path(folder) / 'jet_boat.yaml'
    jet = {'jet': {'mass_flow': MASS_FLOW, 'power': SQUARE, 'most': MOST}}
    path.write_text(yaml.safe_dump({
        'base': 'lutra_prop', 'name': 'jet_boat', 'losses': None, 'static_load': HOTEL,
        'damping': {'linear': {'d11': LINEAR}, 'quadratic': {'d11': QUADRATIC}},
        'windage': {'frontal_area': 0.0, 'lateral_area': 0.0}, 'battery': {'capacity_wh': 500.0},
        'thrusters': [{'name': name, 'x': -0.4, 'y': y, 'propeller': jet}
                      for name, y in (('port', 0.2), ('starboard', -0.2))]}))
    return str(path)


def drag(speed):
    """Return the drag at a speed straight ahead, N."""
    return (LINEAR + QUADRATIC * abs(speed)) * speed


def command_at(speed):
    """Return the command of each of the two jets at a steady speed, N at standstill."""
    return 0.5 * drag(speed) + MASS_FLOW * speed


def watts_at(speed):
    """Return all electrical power at a steady speed, W."""
    return 2.0 * SQUARE * command_at(speed) ** 2 + HOTEL


def top_speed():
    """Return the speed, m/s, at which the drag takes all that both give: q v^2 + (l + 2 m) v = 2 C."""
    slope = LINEAR + 2.0 * MASS_FLOW
    return float((np.sqrt(slope * slope + 8.0 * QUADRATIC * MOST) - slope) / (2.0 * QUADRATIC))


def cheapest():
    """Return the speed, m/s, at which a metre takes the fewest joules, and these, J/m: to 1e-4 m/s and 1e-8."""
    speeds = np.arange(0.1, top_speed(), 1e-4)
    joules = watts_at(speeds) / speeds
    return float(speeds[joules.argmin()]), float(joules.min())
