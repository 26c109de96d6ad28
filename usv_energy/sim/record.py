"""The record of a run: one row per sample, the outcome, its summary, and whether it is complete."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_remarks import caution_figures
from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.text_file import without_nan
from usv_energy.flow.flow_file import FlowFile
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.energy import CAUSES, Energy, is_valid, with_mean
from usv_energy.powering.power import Power
from usv_energy.sim.leg_energy import LegEnergy, leg_figures
from usv_energy.sim.plants.plant import HullAttitude
from usv_energy.sim.plants.supplied_plant import SupplyState
from usv_energy.sim.scenario import Scenario
from usv_energy.sim.sensors.sensor_suite import SensorReading

LATE = 0.5  # Share of a period by which a longer step means that a sample is missing.


class Missing(NamedTuple):
    """The number of samples that a recording lacks at its start, in between and at its end, and in its energy."""

    at_start: int = 0
    within: int = 0
    at_end: int = 0
    from_energy: int = 0

    @property
    def samples(self) -> int:
        """Number of samples that the table lacks."""
        return self.at_start + self.within + self.at_end

    @property
    def nothing(self) -> bool:
        """Whether the recording is complete."""
        return not any(self)


def missing_samples(times: Sequence[float], duration: float, counted: int) -> Missing:
    """
    Return the number of missing samples of a recording.

    The period is estimated from the recording itself, as the median of its steps.

    :param times: Of the samples, s since the start of the scenario.
    :param duration: Of the scenario, as its driver reports it, s; NaN if it does not: then the end is the last sample.
    :param counted: Number of samples in the energy, valid and invalid ones.
    """
    steps = np.diff(np.asarray(times, dtype=float))
    steps = steps[steps > 0.0]
    if not len(steps):
        return Missing()
    period = float(np.median(steps))
    end = times[-1] if math.isnan(duration) else duration
    table = (_count(times[0], period), sum(_count(step - period, period) for step in steps[steps > period]),
             _count(end - times[-1], period))
    return Missing(*table, max(len(steps) + 1 + sum(table) - counted, 0))


def missing_in_words(missing: Missing, samples: int) -> str:
    """
    Return what a recording lacks as one sentence without its full stop.

    :param samples: Number of samples in the recording.
    """
    places = [f'{count} {place}' for count, place in (
        (missing.at_start, 'at the start'), (missing.within, 'within'), (missing.at_end, 'at the end')) if count]
    parts = [f'{missing.samples} of {samples + missing.samples} samples are missing ({", ".join(places)})'
             ] if places else []
    if missing.from_energy:
        parts.append(f'the energy lacks {missing.from_energy} samples')
    return 'the recording is incomplete: ' + '; '.join(parts)


def _count(time: float, period: float) -> int:
    """Return the number of samples that fit into some time at a period; less than half a period counts as none."""
    return max(math.floor(time / period + LATE), 0)


REACHED, TIMED_OUT, ABORTED, BATTERY_EMPTY = 'reached', 'timed_out', 'aborted', 'battery_empty'
# Exit status of a process; 1 is Python's own, for a crash, and 2 is for wrong input.
GOAL_MISSED = 3
Summary = dict[str, Any]
CLOSURE_LIMIT = 0.05  # Largest closure error of a model of the simulated boat itself.
COUNTS = ('samples', 'invalid_samples', 'gaps', 'segments')


def exit_status(*outcomes: str) -> int:
    """Return the exit status after runs with these outcomes: 0, or 3 if a goal was not reached."""
    return 0 if all(outcome == REACHED for outcome in outcomes) else GOAL_MISSED


class Row(NamedTuple):
    """
    One sample of a run.

    Time s since the start; position m (ENU); Motion over ground; Flow; Power W, the mean since the previous sample;
    total energy so far J; thruster power W and work J of the plant (NaN without a plant); status bits of PowerStamped;
    mean power of each varying load since the previous sample, W; `supply`: state of a battery of cells, None without;
    `attitude`: of a hull of parts, None for a planar boat.
    """

    time: float
    x: float
    y: float
    motion: Motion
    flow: Flow
    power: Power
    energy: float
    thruster_power: float
    thruster_energy: float
    status: int
    loads: tuple[float, ...] = ()
    supply: SupplyState | None = None
    attitude: HullAttitude | None = None


class Run(NamedTuple):
    """
    A run: scenario and convention, the rows, the energy by cause at the end, and the plant's thruster work, J.

    In a recorded run, rows may lack the plant's work (NaN); `thruster_energy` is then that of the last row with one.
    `legs`: the energy leg by leg, which adds up to the whole; none if the legs are not known. `by_load`: energy of each
    varying load of the boat, J, in the order of its file. `supply`: state of the plant's battery of cells at the end;
    None without. `readings`: of the sensors on board, by arrival; none for a run that ROS recorded (they are in its
    bag). `controller`: lateness of an external controller, with units in the keys; None without. `driven`: duration
    that the driver of the run reports, s; NaN if it did not (a run that was interrupted).
    """

    scenario: Scenario
    convention: str
    outcome: str
    rows: list[Row]
    energy: Energy
    thruster_energy: float
    driven: float = math.nan
    legs: tuple[LegEnergy, ...] = ()
    by_load: tuple[float, ...] = ()
    supply: SupplyState | None = None
    readings: Sequence[SensorReading] = ()
    controller: Mapping[str, float | None] | None = None

    @property
    def duration(self) -> float:
        """Duration of the scenario, s; if it is not known, the time from the first to the last sample."""
        if not math.isnan(self.driven):
            return self.driven
        return self.rows[-1].time - self.rows[0].time if self.rows else 0.0

    @property
    def missing(self) -> Missing:
        """Missing samples of the rows and of the energy."""
        counted = self.energy.samples + self.energy.invalid_samples
        return missing_samples([row.time for row in self.rows], self.driven, counted)

    @property
    def closure(self) -> float:
        """
        Energy of the model's thrusters relative to that of the plant's, minus 1, (-); NaN without a plant.

        If the last rows lack the plant's work, both are taken up to the last row that has it.
        """
        later = len(self.rows)
        while later > 0 and math.isnan(self.rows[later - 1].thruster_energy):
            later -= 1
        if not later:
            return math.nan
        since = _given_energy(self.rows[later - 1:])
        return relative(self.energy.thrust + self.energy.unrecovered - since, self.rows[later - 1].thruster_energy)

    @property
    def closure_fault(self) -> str:
        """
        A sentence on the error if the model of the simulated boat itself has another energy than its thrusters; or ''.

        It is empty in waves, which the model does not know.
        """
        own = (self.scenario.boat.path == self.scenario.plant.path and self.convention == 'rep103'
               and not self.scenario.in_waves)
        if not own or not abs(self.closure) > CLOSURE_LIMIT:
            return ''
        return (f'the energy of the model is {100.0 * self.closure:+.1f} % off what the thrusters of the same boat '
                f'gave; simulation.period is {self.scenario.period:g}, too long to see what the boat '
                f'{self.scenario.boat.name} does')

    @property
    def rows_without_thruster_power(self) -> int:
        """Number of rows that lack the plant's thruster power: all of them without a plant."""
        return sum(math.isnan(row.thruster_energy) for row in self.rows)


def last_thruster_energy(rows: Sequence[Row]) -> float:
    """Return the work of the plant's thrusters at the last row that has it, J; NaN if none has."""
    return next((row.thruster_energy for row in reversed(rows) if not math.isnan(row.thruster_energy)), math.nan)


def _given_energy(rows: Sequence[Row]) -> float:
    """Return the energy of the model's thrusters from the first to the last of some rows, J."""
    energy = 0.0
    for before, after in pairwise(rows):
        given = after.power.thrust + after.power.unrecovered
        energy = with_mean(energy, given, after.time - before.time, is_valid(given))
    return energy


def by_load_figures(names: Sequence[str], energies: Sequence[float]) -> Summary:
    """Return the energy of loads by name for JSON, J; empty for a boat without loads."""
    return {'energy_by_load_j': dict(zip(names, energies))} if names else {}


def _drift_figures(scenario: Scenario) -> Summary:
    """Return the wave drift that is contained in the current of a run's samples, for JSON."""
    if not scenario.in_waves:
        return {}
    depth = scenario.surroundings().drift_depth
    drift = scenario.current.drift if isinstance(scenario.current, FlowFile) else None
    return {'drift_depth_m': depth} | ({} if drift is None else {'drift_east_m_per_s': drift[0],
                                                                'drift_north_m_per_s': drift[1]})


def _origin_figures(scenario: Scenario) -> Summary:
    """Return where on the Earth a run's metres count from, for JSON; nothing where nobody says."""
    place = scenario.sensing.origin
    return {} if place is None else {'origin_latitude_deg': place[1], 'origin_longitude_deg': place[0]}


def _supply_figures(run: Run) -> Summary:
    """Return figures of a battery of cells after a run, for JSON."""
    supplies = [row.supply for row in run.rows if row.supply is not None]
    if not supplies:
        return {}
    end, last = supplies[-1], run.rows[-1]
    return {
        'battery_energy_j': end.energy, 'battery_energy_relative': relative(run.energy.total, end.energy),
        'battery_charge_at_end': end.cells.charge, 'battery_voltage_at_end_v': end.voltage,
        'battery_lowest_voltage_v': min(supply.voltage for supply in supplies),
        'battery_temperature_at_end_degc': end.cells.temperature - KELVIN,
        **({} if run.outcome != BATTERY_EMPTY else {
            'battery_empty_at': {'time_s': last.time, 'x_m': last.x, 'y_m': last.y}})}


def relative(value: float, reference: float) -> float:
    """Return the relative difference of a value from a reference, (-); NaN without a reference."""
    return value / reference - 1.0 if reference else math.nan


def summary_of(run: Run, run_by: str) -> Summary:
    """
    Return the summary of a run; units are in the keys, None where there is no number.

    :param run_by: `usv-energy` or `ros`.
    """
    scenario, energy, published = run.scenario, run.energy, run.scenario.published
    payload = scenario.boat.hull.payload
    missing = run.missing
    return without_nan({
        'scenario': scenario.name, 'title': scenario.title, 'boat': scenario.boat.name, 'plant': scenario.plant.name,
        **({'payload_kg': payload} if payload else {}), **caution_figures(scenario.boat, scenario.plant),
        'convention': run.convention, 'run_by': run_by, 'outcome': run.outcome,
        'duration_s': run.duration, 'duration_from': 'samples' if math.isnan(run.driven) else 'scenario',
        'published_duration_s': published.duration, 'duration_relative': relative(run.duration, published.duration),
        'energy_j': energy.total, 'published_energy_j': published.energy,
        'energy_relative': relative(energy.total, published.energy),
        'published_source': published.source, 'published_note': published.note,
        'closure_relative': run.closure, 'thruster_energy_j': run.thruster_energy,
        **{f'energy_{cause}_j': getattr(energy, cause) for cause in CAUSES if cause != 'total'},
        **by_load_figures(scenario.boat.load_names, run.by_load),
        'distance_over_ground_m': energy.distance_over_ground,
        'distance_through_water_m': energy.distance_through_water,
        'energy_per_meter_j_m': energy.energy_per_meter,
        'mean_power_w': energy.total / energy.duration if energy.duration else math.nan,
        **_supply_figures(run),
        **{count: getattr(energy, count) for count in COUNTS},
        'complete': missing.nothing, 'samples_recorded': len(run.rows),
        **{f'samples_missing_{place}': count for place, count in missing._asdict().items()},
        'samples_without_thruster_power': run.rows_without_thruster_power,
        'gap_duration_s': energy.gap_duration, 'stale_duration_s': energy.stale_duration,
        **_drift_figures(scenario), **_origin_figures(scenario),
        'legs': [leg_figures(leg) for leg in run.legs],
        **({} if run.controller is None else {'controller': dict(run.controller)}),
    })
