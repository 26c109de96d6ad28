"""
A boat and a quadcopter as one team: the boat's scenario runs as ever, the quadcopter flies over its track.

The boat does not feel the quadcopter (0.4 kg beside its own mass), but pays for its charging on the deck.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files import checked
from ..files.errors import InputError
from ..files.locate import resolve
from ..flow.sea import Sea, SeaState, irregular_sea
from ..flow.uniform import UniformFlow
from ..sim.record import Run
from ..sim.runner import run_scenario
from ..sim.scenario import Scenario, read_scenario
from .deck_track import between, pad_of
from .flight import Deck, Flight, FlightOrders, FlightSample
from .flight_control import CASCADE, FlightController
from .quadcopter import Quadcopter
from .quadcopter_file import read_quadcopter
from .take_off_check import shortfall

STEP = 0.01             # s: [V]'s.
GUST_TIME = 2.0         # s, over which a gust fades.
UPWARD = 0.5            # Of the gusts along the ground: the share upward.
PATIENCE = 60.0         # s after the boat's run has ended until a flight is given up.
WAVE_COMPONENTS = 60
SURFACE_STEP = 0.05     # s, between which the deck's height is interpolated.


class TeamPlan(NamedTuple):
    """A team's file, read: see config/schema/team.schema.yaml; `pad`, m: ahead, to port, above the water."""

    title: str
    path: Path
    scenario: Scenario
    craft: Quadcopter
    controller: str
    orders: FlightOrders
    seed: int
    step: float
    gusts: float
    battery: float
    pad: tuple[float, float, float]
    waves: SeaState | None
    lost: tuple[tuple[float, float], ...]


class TeamRun(NamedTuple):
    """What a team did: the boat's run, the flight, its samples at 10 Hz, the decks under them."""

    plan: TeamPlan
    boat: Run
    flight: Flight
    samples: list[FlightSample]
    decks: list[Deck]


def read_team(name: str) -> TeamPlan:
    """
    Return a team by its name in config/teams or by the path of its file.

    :raises InputError: If there is none, or it is wrong: file, key, value, what is allowed.
    """
    path = resolve('teams', name)
    document = checked.read_yaml(path)
    checked.check(document, 'team', path)
    flight = {key: float(value) for key, value in document['flight'].items()}
    orders = FlightOrders(**flight)
    if orders.land <= orders.take_off:
        raise InputError(f'{path}: flight.land is {orders.land:g} s; must be after take_off, {orders.take_off:g} s')
    if orders.threshold > orders.abort:
        raise InputError(f'{path}: flight.threshold is {orders.threshold:g} m; must be at most abort, '
                         f'{orders.abort:g} m')
    pad, waves = document.get('pad', {}), document.get('waves')
    state = None if waves is None else SeaState(float(waves['height']), float(waves['period']),
                                                direction=math.radians(float(waves.get('direction_deg', 0.0))))
    return TeamPlan(
        document['title'], path, _scenario(document, path),
        read_quadcopter(document['quadcopter'], path.parent), document.get('controller', CASCADE), orders,
        int(document.get('seed', 1)), float(document.get('step', STEP)), float(document.get('gusts', 0.1)),
        float(document.get('battery', 1.0)), (float(pad.get('x', 0.0)), float(pad.get('y', 0.0)),
                                              float(pad.get('z', 0.3))), state,
        tuple((float(begin), float(end)) for begin, end in document.get('lost', [])))


def run_team(plan: TeamPlan, progress: Callable[[float], None] = lambda time: None) -> TeamRun:
    """
    Return what a team does.

    :param progress: Called with the simulated time, s, of the boat, then of the flight.
    :raises InputError: If the quadcopter's battery does not hold what the flight needs, before anything takes off; or
        as `run_scenario` does.
    """
    check_battery(plan)
    boat = run_scenario(plan.scenario, progress)
    deck = deck_of(plan, boat)
    flight = Flight(FlightController(plan.craft, kind=plan.controller), plan.orders, deck(0.0),
                    plan.battery * plan.craft.battery)
    flight.blind = plan.lost
    samples, decks, wind, rng = [], [], _Gusts(plan), np.random.default_rng([plan.seed, 1])
    every, number = max(1, round(0.1 / plan.step)), 0
    while flight.time < boat.duration or (not flight.down and flight.time < boat.duration + PATIENCE):
        sample = flight.advance(deck, wind.at(flight.time, boat, rng), plan.step)
        number += 1
        if number % every == 0:
            samples.append(sample)
            decks.append(deck(flight.time))
            progress(flight.time)
    return TeamRun(plan, boat, flight, samples, decks)


def check_battery(plan: TeamPlan) -> None:
    """Refuse a flight that its battery does not hold, before take-off; InputError with both figures."""
    orders = plan.orders
    short = shortfall(plan.craft, plan.battery, orders.land - orders.take_off, orders.reserve)
    if short:
        raise InputError(f'{plan.path}: flight from {orders.take_off:g} to {orders.land:g} s: {short}')


def deck_of(plan: TeamPlan, boat: Run) -> Callable[[float], Deck]:
    """Return where the pad is by time: on the boat's track between its rows, and on the sea's surface."""
    times = [row.time for row in boat.rows]
    pads = [pad_of((row.x, row.y, row.motion.yaw), row.motion[1:4], plan.pad) for row in boat.rows]
    resting = pads[-1]._replace(velocity=(0.0, 0.0, 0.0))  # The run has ended: the boat lies still.
    lift = _lift(plan, boat)

    def deck(time: float) -> Deck:
        at = max(0, min(bisect_right(times, time) - 1, len(times) - 2))
        share = (time - times[at]) / (times[at + 1] - times[at])
        pad = resting if share > 1.0 else between(pads[at], pads[at + 1], share)
        (x, y, z), (vx, vy, _), (up, rise) = pad.place, pad.velocity, lift(time)
        return Deck((x, y, z + up), (vx, vy, rise), pad.heading)

    return deck


def _lift(plan: TeamPlan, boat: Run) -> Callable[[float], tuple[float, float]]:
    """Return the deck's height and rise, m and m/s, by time: the sea's surface where the boat is then."""
    if plan.waves is None:
        return lambda time: (0.0, 0.0)
    sea: Sea = irregular_sea(plan.waves, plan.seed, WAVE_COMPONENTS)
    times = np.arange(0.0, boat.duration + PATIENCE + 1.0, SURFACE_STEP)
    place = [np.interp(times, [row.time for row in boat.rows], [getattr(row, axis) for row in boat.rows])
             for axis in ('x', 'y')]
    heights = np.array([float(sea.elevation(float(t), np.array([x]), np.array([y]))[0])
                        for t, x, y in zip(times, *place)])
    rises = np.gradient(heights, SURFACE_STEP)

    def lift(time: float) -> tuple[float, float]:
        return float(np.interp(time, times, heights)), float(np.interp(time, times, rises))

    return lift


class _Gusts:
    """The wind at the quadcopter: the boat's, and gusts about it that fade (first-order Gauss-Markov)."""

    def __init__(self, plan: TeamPlan) -> None:
        self._share, self._step = plan.gusts, plan.step
        self._keep = math.exp(-plan.step / GUST_TIME)
        self._gust = [0.0, 0.0, 0.0]
        self._at = 0

    def at(self, time: float, boat: Run, rng: np.random.Generator) -> tuple[float, float, float]:
        while self._at + 1 < len(boat.rows) and boat.rows[self._at + 1].time <= time:
            self._at += 1
        flow = boat.rows[self._at].flow
        spread = self._share * math.hypot(flow.wind_x, flow.wind_y) * math.sqrt(1.0 - self._keep ** 2)
        kicks = rng.standard_normal(3)
        self._gust = [self._keep * gust + spread * (UPWARD if axis == 2 else 1.0) * float(kicks[axis])
                      for axis, gust in enumerate(self._gust)]
        return flow.wind_x + self._gust[0], flow.wind_y + self._gust[1], self._gust[2]


def _scenario(document: Mapping[str, Any], path: Path) -> Scenario:
    """Return the boat's scenario, with the file's own wind and current where it has them."""
    scenario = read_scenario(_beside(document['scenario'], path))
    wind, current = (UniformFlow(float(document[key]['x']), float(document[key]['y'])) if key in document else own
                     for key, own in (('wind', scenario.wind), ('current', scenario.current)))
    return replace(scenario, wind=wind, current=current)


def _beside(name: str, path: Path) -> str:
    """Return a scenario's name, or its path beside the file that names it."""
    near = path.parent / name
    return str(near) if near.is_file() else name


def team_figures(run: TeamRun) -> Mapping[str, Any]:
    """Return a team's energies, J: the boat's by cause, the quadcopter's by stage, charging, and their sums."""
    energy, flight = run.boat.energy, run.flight
    return {'boat': energy, 'charging': flight.charged, 'boat_total': energy.total + flight.charged,
            'quadcopter': flight.energy, 'flown': sum(joules for joules in flight.energy.values() if joules > 0.0),
            'charge_gained': -sum(joules for joules in flight.energy.values() if joules < 0.0)}
