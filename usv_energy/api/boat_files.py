"""Boats, their batteries and their files: `read_boat`, `fit_out`, `check_boat`, `make_boat`, `discharge`."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.api.given import boat_of, number_of, optional_number, path_of, shown, with_parameter_names
from usv_energy.api.plans import ambient_of
from usv_energy.api.results import Result, ResultTable
from usv_energy.boats import boat_file
from usv_energy.boats.boat_file import Boat, write_boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.boats.outfit import battery_label, with_battery, with_charge, with_static_load
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.batteries.cell import JOULES_PER_WH, rested
from usv_energy.physics.batteries.cell_discharge import Discharge
from usv_energy.physics.batteries.cell_discharge import discharge as discharge_of_cells
from usv_energy.show.figure import Panel
from usv_energy.show.text_table import joules, seconds
from usv_energy.studies.check.boat_check import BoatCheck, boat_check
from usv_energy.studies.make.made_boat import MadeBoat, made_boat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 101        # of a discharge of a counter of watt-hours


class CheckResult(Result, BoatCheck):
    """
    What a boat file says, and what it lacks.

    `top_ahead`, `top_astern` m/s; `bollard_ahead`, `bollard_astern`: `thrust` N and `power` W at standstill; `curves`:
    drag, available thrust and power over speed; `best`: the cheapest speed, None without a battery; `turning`,
    `coasting`, `crash_stop`; `remarks`: what is left out or assumed.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return what `usv-energy boat check` prints."""
        from usv_energy.studies.check.boat_check_text import boat_check_text
        return boat_check_text(self.figures())

    def figures(self) -> dict[str, Any]:
        """Return what `usv-energy boat check --json` writes."""
        from usv_energy.studies.check.boat_check_text import boat_check_figures
        return boat_check_figures(self)

    def tabulated(self) -> ResultTable:
        """Return one row a speed through still water."""
        curves = self.curves
        return ResultTable('speed', {'speed': (curves.speed, 'm s-1'), 'drag': (curves.drag, 'N'), 'available': (
            curves.available, 'N'), 'power': (curves.power, 'W')}, {'boat': self.boat.name, 'kind': self.kind})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws, what there is of it: `forces`, `power`, `turning`, `foils`, `battery`."""
        from usv_energy.studies.check.boat_check_picture import check_panels
        return check_panels(self)


class MadeResult(Result, MadeBoat):
    """
    A boat made from facts. `document`: the content of its file; `speeds` m/s, at which its power is shown.

    `write(path)` writes the file, and returns the boat.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return what `usv-energy boat make` prints."""
        from usv_energy.studies.make.made_boat import make_text
        return make_text(self)

    def figures(self) -> dict[str, Any]:
        """Return what `usv-energy boat make --json` writes."""
        from usv_energy.studies.make.made_boat import make_figures
        return make_figures(self)

    def tabulated(self) -> ResultTable:
        """Return one row a speed: the power and its 95 % interval."""
        rows = self.figures()['power']
        keys = {'speed': ('speed_m_s', 'm s-1'), 'power': ('power_w', 'W'), 'power_low': ('power_low_w', 'W'),
                'power_high': ('power_high_w', 'W')}
        return ResultTable('speed', {name: ([row[key] for row in rows], unit) for name, (key, unit) in keys.items()},
                           {'boat': self.facts.name})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: the power over speed, with its 95 % interval."""
        def power(axes: 'Axes') -> None:
            speed, watts, low, high = (values for values, _ in self.tabulated().columns.values())
            axes.plot(speed, watts, marker='o')
            axes.fill_between(speed, low, high, alpha=0.2, label='95 % interval')
            axes.set(xlabel='Speed through the water, m/s', ylabel='Power, W')
            axes.legend()
        return {'power': power}

    def write(self, path: str | Path) -> Boat:
        """
        Write the boat file (.yaml), and return the boat that it describes.

        :raises OSError: If it cannot be written.
        """
        return write_boat(self.document, user_path(path_of(path, 'path')),
                          'Made by usv_energy.make_boat; sources say measured, derived or guessed.')


class DischargeResult(Result, Discharge):
    """
    A discharge of a battery to its end, arrays over `time`, s.

    `voltage` V, under load; `current` A; `charge` of its cells, (-); `temperature` K; `energy` so far, J. A counter of
    watt-hours has its nominal voltage all the time, and no temperature (NaN).
    """

    __slots__ = ()

    @property
    def duration(self) -> float:
        """How long it takes, s."""
        return float(self.time[-1])

    def text(self) -> str:
        """Return how long it takes, and what it gives."""
        return (f'{joules(float(self.energy[-1]))} in {seconds(self.duration)}, down to {self.voltage[-1]:.2f} V and '
                f'{100.0 * self.charge[-1]:.1f} % of the charge')

    def figures(self) -> dict[str, Any]:
        """Return duration, energy and what is left at the end."""
        return {'duration_s': self.duration, 'energy_j': float(self.energy[-1]), 'voltage_v': float(self.voltage[-1]),
                'state_of_charge': float(self.charge[-1])}

    def tabulated(self) -> ResultTable:
        """Return one row a time."""
        units = {'time': 's', 'voltage': 'V', 'current': 'A', 'charge': '1', 'temperature': 'K', 'energy': 'J'}
        return ResultTable('time', {name: (getattr(self, name), unit) for name, unit in units.items()}, {})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: `voltage` or `charge` over time."""
        def over_time(name: str, label: str) -> Panel:
            def draw(axes: 'Axes') -> None:
                axes.plot(self.time / 3600.0, getattr(self, name))
                axes.set(xlabel='Time, h', ylabel=label)
            return draw
        return {'voltage': over_time('voltage', 'Voltage, V'), 'charge': over_time('charge', 'State of charge, (-)')}


@with_parameter_names
def read_boat(name: str | Path, *, payload: float | None = None) -> Boat:
    """
    Return a boat by its name in config/boats or by the path of its YAML file.

    `result.vessel` has the numbers of its hull and thrusters, `result.battery` its battery; docs/boats.md says what
    they are.

    :param name: A shipped one, or a path.
    :param payload: Mass on board, kg, in place of the file's `hull.payload`, at the position in the file.
    :raises InputError: If there is none, or its file is wrong; the message names file, key, value and what is allowed.

    >>> usv_energy.read_boat('lutra_prop').vessel.inertia.m11
    9.75
    """
    return boat_file.read_boat(path_of(name, 'name'), payload=optional_number(payload, 'payload', 0.0))


@with_parameter_names
def fit_out(boat: Boat | str | Path, *, battery: str | None = None, charge: float | None = None,
            hotel: float | None = None, payload: float | None = None) -> Boat:
    """
    Return a boat as it is fitted out for a day, for `range_study`, `mission` and `route`.

    :param boat: The boat, or the name or path of its file.
    :param battery: Another battery by its label, full: `148Wh`, `4S18Ah`, `12V 100Ah AGM`, `2x148Wh`.
    :param charge: State of charge at the start, (-); the boat file's where None.
    :param hotel: Power of all but the thrusters, W, in place of the file's `static_load`.
    :param payload: Mass on board, kg, in place of the file's.
    :raises InputError: If no battery can be as the label says, or there is `charge` and no battery.

    >>> usv_energy.fit_out('blueboat', battery='240 Wh', charge=0.8).battery.capacity_wh
    240.0
    """
    load = optional_number(payload, 'payload', 0.0)
    if isinstance(boat, Boat):
        fitted = boat if load is None else checked_boat_with(boat, {'hull.payload': load})
    else:
        fitted = boat_file.read_boat(path_of(boat, 'boat'), payload=load)
    fitted = with_static_load(fitted, optional_number(hotel, 'hotel', 0.0))
    if battery is not None:
        fitted = with_battery(fitted, battery_label(battery if isinstance(battery, str) else shown(battery), 'battery'))
    return with_charge(fitted, optional_number(charge, 'charge', 0.0, 1.0))


def check_boat(boat: Boat | str | Path) -> CheckResult:
    """
    Return what a boat file lacks and assumes, and the boat's speeds, thrusts, power, turns, stops and battery.

    :param boat: The boat, or the name or path of its file.
    :raises InputError: If there is none, or its file is wrong.

    >>> round(usv_energy.check_boat('blueboat').top_ahead, 2)
    2.87
    """
    return CheckResult(*boat_check(boat_of(boat)))


@with_parameter_names
def make_boat(facts: Mapping[str, Any] | str | Path, *, name: str = 'boat') -> MadeResult:
    """
    Return a whole boat file from what is known of a boat, with the doubt in each number.

    :param facts: A mapping as the file of facts has it (docs/boats.md), or the path of that file (YAML).
    :param name: Of the boat, where the facts say none.
    :raises InputError: If a fact is wrong, or a speed is one at which such a hull planes.

    >>> facts = {'hull': {'kind': 'catamaran', 'length': 1.2, 'width': 0.93}, 'mass': 18.0, 'speeds': [[1.5, 90.0]]}
    >>> made = usv_energy.make_boat(facts, name='mine')
    >>> made.write('mine.yaml').name
    'mine'
    """
    from usv_energy.studies.make.boat_facts import facts_from
    if isinstance(facts, Mapping):
        document, path = dict(facts), Path('make_boat')
    else:
        path = user_path(path_of(facts, 'facts'))
        document = read_yaml(path)
    document.setdefault('name', path_of(name, 'name'))
    return MadeResult(*made_boat(facts_from(document, path), {'command': 'usv_energy.make_boat'}))


@with_parameter_names
def discharge(boat: Boat | str | Path, *, power: float | None = None, current: float | None = None,
              charge: float | None = None, ambient_degc: float | None = None) -> DischargeResult:
    """
    Return the discharge of a boat's battery to its end, at a constant power or a constant current.

    :param boat: The boat, or the name or path of its file; `fit_out` gives it another battery.
    :param power: W; or
    :param current: A.
    :param charge: State of charge at the beginning, (-); the boat file's where None.
    :param ambient_degc: Temperature around a battery of cells, degC; the boat file's where None.
    :raises InputError: If there is no battery, or not one of power and current.

    >>> cells = usv_energy.fit_out('blueboat', battery='4S 15.6Ah NMC')
    >>> round(usv_energy.discharge(cells, power=200.0).duration / 60.0)
    64
    """
    known = boat_of(boat)
    watts, amperes = (optional_number(value, name, above=0.0) for value, name in ((power, 'power'),
                                                                                  (current, 'current')))
    if (watts is None) == (amperes is None):
        raise InputError(f'power is {shown(power)} and current is {shown(current)}; must be one of the two')
    if known.battery is None:
        raise InputError(f'{known.path}: has no battery; fit_out(boat, battery=...) gives it one')
    begin = known.battery.initial_state_of_charge if charge is None else number_of(charge, 'charge', 0.0, 1.0)
    ambient = ambient_of(known, ambient_degc)
    if known.pack is not None:
        kelvin = known.ambient if ambient is None else ambient
        return DischargeResult(*discharge_of_cells(rested(begin, kelvin), kelvin, known.pack, amperes, watts))
    volts = known.battery.nominal_voltage
    drawn = watts / volts if watts is not None else amperes or 0.0
    share = np.linspace(0.0, 1.0, POINTS)
    time = share * begin * known.battery.capacity_wh * JOULES_PER_WH / (drawn * volts)
    same = np.ones(POINTS)
    return DischargeResult(time, volts * same, drawn * same, begin * (1.0 - share), math.nan * same)
