"""A boat by its watts over speed with a battery of a constant voltage and a resistance, for closed forms by hand."""

import math

import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study

VOLTAGE, RESISTANCE, AMPERE_HOURS = 14.4, 0.2, 18.0   # V, Ohm, Ah: of the whole battery
WATTS = {0.5: 2.08, 1.0: 12.59, 1.5: 113.9, 2.0: 197.8, 2.5: 400.0}     # Of blueboat_watts_only, by m/s.
CELL = {
    'name': 'ohmic', 'description': 'a voltage and a resistance',
    'cell': {'capacity_ah': AMPERE_HOURS, 'nominal_voltage': 3.6, 'full_voltage': 4.2, 'cutoff_voltage': 3.0,
             'heat_capacity': 1e9, 'conductance': 1.0,
             'open_circuit_voltage': {'unit': 'V', 'rows': [[0.0, 3.6], [1.0, 3.6 + 1e-9]]},
             'resistance': {'unit': 'Ohm', 'rows': [[0.0, 0.05], [1.0, 0.05]]}}}


def ohmic_boat(folder, cutoff=12.0, **more):
    """Return the boat, of files in a folder, whose battery cuts off at a voltage, V, under load."""
    (folder / 'ohmic.yaml').write_text(yaml.safe_dump(CELL))
    battery = {'chemistry': './ohmic.yaml', 'series': 4, 'cutoff_voltage': cutoff, 'capacity_wh': None, **more}
    (folder / 'boat.yaml').write_text(yaml.safe_dump({'base': 'blueboat_watts_only', 'battery': battery}))
    return read_boat(str(folder / 'boat.yaml'))


def current_at(power):
    """Return the current at which the battery gives a power, A: V I - R I^2 = P."""
    return (VOLTAGE - math.sqrt(VOLTAGE ** 2 - 4.0 * RESISTANCE * power)) / (2.0 * RESISTANCE)


def study_of(boat, *legs, **options):
    """Return the study of a mission straight on: legs of a length, m, and a speed, m/s, and perhaps a name."""
    way, x = [], 0.0
    for number, (length, speed, *name) in enumerate(legs, start=1):
        x += length
        way.append(Waypoint(LocalPlace(x, 0.0), number, speed=speed, name=name[0] if name else ''))
    itinerary = Itinerary('m', LocalPlace(0.0, 0.0), True, tuple(way))
    return mission_study(mission_scenario(itinerary, boat, UniformFlow(), UniformFlow(), 1.0), **options)
