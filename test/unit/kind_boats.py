"""A small boat of every kind of arrangement, each run for seconds: what the backends must agree on."""

import numpy as np
import yaml

from usv_energy.engine.cases import cases_of
from usv_energy.sim.scenario import read_scenario

MAP = [[-20.0, 400.0], [-10.0, 150.0], [0.0, 0.0], [10.0, 100.0], [20.0, 300.0]]  # N at standstill, W


def _thruster(name, x, y, most, **more):
    return {'name': name, 'x': x, 'y': y, 'min_thrust': -most, 'max_thrust': most, **more}


def _turning(name, x, y, degrees, **more):
    turn = {'min_angle_deg': -degrees, 'max_angle_deg': degrees, 'rate_deg': 90.0}
    return {'name': name, 'x': x, 'y': y, 'min_thrust': 0.0, 'max_thrust': 6.0, 'azimuth': turn, **more}


def _pair(most, **more):
    return [_thruster('port', -0.4, 0.2, most, **more), _thruster('starboard', -0.4, -0.2, most, **more)]


TABLE = {'thrusts': [-25.0, 0.0, 25.0], 'speeds': [0.0, 1.0, 2.0],
         'powers': [[300.0, 5.0, 250.0], [320.0, 8.0, 290.0], [350.0, 15.0, 350.0]],
         'least': [-22.0, -20.0, -15.0], 'most': [22.0, 18.0, 12.0]}
INFLOW = {'coefficient': 1.2, 'torque_ratio': 0.8, 'voltage_drop': 0.1}
_WATER, _AIR = {'density': 997.0, 'lift': 1.5, 'drag': 1.0}, {'density': 1.2, 'lift': 1.5, 'drag': 1.0, 'medium': 'air'}
_RUDDER = {'name': 'rudder', 'x': -0.6, 'y': 0.0, 'area': 0.0024, **_WATER,
           'steer': {'min_angle_deg': -40.0, 'max_angle_deg': 40.0, 'rate_deg': 90.0}}
_WASH = {'thruster': 'screw', 'share': 0.8, 'gain': 1.0, 'diameter': 0.08}
_KEEL = {'name': 'keel', 'x': 0.0, 'y': 0.0, 'area': 0.05, **_WATER}
_SAIL = {'name': 'sail', 'x': 0.1, 'y': 0.0, 'aft': 0.2, 'area': 0.3, **_AIR,
         'steer': {'min_angle_deg': -90.0, 'max_angle_deg': 90.0, 'rate_deg': 90.0}}
KINDS = {
    'pair': {'thrusters': _pair(11.5)},
    'pair with propellers': {'thrusters': _pair(20.0, propeller={'map': MAP, 'inflow': INFLOW})},
    'rudder': {'thrusters': [_thruster('screw', -0.5, 0.0, 22.0, propeller={'table': TABLE})],
               'foils': [{**_RUDDER, 'wash': _WASH}]},
    'fan': {'thrusters': [_turning('fan', -0.4, 0.0, 45.0, medium='air')]},
    'tunnel': {'thrusters': [*_pair(10.0), _thruster('bow', 0.4, 0.0, 5.0, angle_deg=90.0)]},
    'two sizes': {'thrusters': [*_pair(20.0), _thruster('left', -0.4, 0.1, 5.0), _thruster('right', -0.4, -0.1, 5.0)]},
    'ferry': {'thrusters': [_turning(f'{x}{y}', x, y, 180.0) for x in (0.4, -0.4) for y in (0.2, -0.2)]},
    'cells': {'thrusters': [{'name': name, 'x': -0.4, 'y': y, 'propeller': {'model': 't200', 'voltage': 16}}
                            for name, y in (('port', 0.2), ('starboard', -0.2))],
              'battery': {'chemistry': 'nmc', 'series': 4, 'capacity_ah': 10.0, 'capacity_wh': None,
                          'initial_state_of_charge': 0.9}},
    'sail': {'thrusters': [_thruster('screw', -0.5, 0.0, 15.0)], 'foils': [{**_RUDDER, 'area': 0.02}, _KEEL, _SAIL]},
}


def cases_of_kind(kind, folder, number=1, seconds=1.0, **more):
    """
    Return runs of a boat of a kind in a current and 4 m/s of wind from ahead and port, its bow 50 degrees off its way.

    :param folder: Where its file is written.
    :param number: Of runs, which differ in speed and current.
    :param seconds: After which they end.
    :param more: Parameters that the cases vary besides, as `cases_of` takes them.
    """
    path = folder / 'boat.yaml'
    plain = {'base': 'lutra_prop_usvsim', 'name': 'kind', **KINDS[kind]}
    path.write_text(yaml.safe_dump(plain))
    scenario = read_scenario('6').with_options(boat=str(path), plant=str(path))
    share = np.linspace(0.0, 1.0, number)
    return cases_of(scenario, number, **{
        'speed.target': 0.9 + 0.3 * share, 'current.speed': 0.3 - 0.2 * share, 'start.heading_deg': 50.0 - 30.0 * share,
        'wind.speed': 4.0, 'wind.direction_deg': -100.0, 'stop.timeout': seconds, **more})
