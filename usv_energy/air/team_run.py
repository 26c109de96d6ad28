"""Run a team in lockstep: boats, and quadcopters from their decks; and the energy of each vehicle."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from usv_energy.air.deck_track import DeckTrack, deck_of_plant
from usv_energy.air.flight import LANDED, Deck, Flight, FlightSample
from usv_energy.air.flight_battery import shortfall
from usv_energy.air.flight_control import FlightController
from usv_energy.air.team_plan import CraftPlan, TeamPlan
from usv_energy.boats.deck_load import DeckLoad
from usv_energy.files.errors import InputError
from usv_energy.flow.sea import Sea, irregular_sea
from usv_energy.physics.motion import Flow
from usv_energy.sim.record import Run
from usv_energy.sim.runner import ScenarioRun

GUST_TIME = 2.0         # Correlation time of gusts, s.
VERTICAL_SHARE = 0.5    # Vertical over horizontal gusts.
LANDING_TIMEOUT = 60.0  # s after the end of the boat's run, after which flights are ended.
WAVE_COMPONENTS = 60
BATCH = 100             # Random numbers of gusts drawn at once.
SAMPLE_PERIOD = 0.1     # s, between the stored samples of a flight.


class CraftRun(NamedTuple):
    """The run of a quadcopter: its flight, samples at 10 Hz, and the deck at each sample."""

    plan: CraftPlan
    flight: Flight
    samples: list[FlightSample]
    decks: list[Deck]


class TeamRun(NamedTuple):
    """The run of a team: the runs of boats and quadcopters in the order of the plan."""

    plan: TeamPlan
    boats: tuple[Run, ...]
    crafts: tuple[CraftRun, ...]

    def crafts_of(self, boat: str) -> list[CraftRun]:
        """Return the quadcopters of a boat, by its name."""
        return [craft for craft in self.crafts if craft.plan.deck == boat]


def run_team(plan: TeamPlan, progress: Callable[[float], None] = lambda time: None) -> TeamRun:
    """
    Return the run of a team.

    :param progress: Called with the simulated time, s.
    :raises InputError: Before the start, if a quadcopter's battery is not enough for its flight; or as `run_scenario`.
    """
    check_batteries(plan)
    sea = None if plan.waves is None else irregular_sea(plan.waves, plan.seed, WAVE_COMPONENTS)
    groups = [_BoatAndCrafts(plan, boat.name, sea) for boat in plan.boats]
    running = list(groups)
    while running:
        last = min(running, key=lambda group: group.time)
        if not last.advance():
            running.remove(last)
        progress(last.time)
    boats = tuple(group.boat.result() for group in groups)
    crafts = {craft.plan.name: craft for group in groups for craft in group.craft_runs()}
    return TeamRun(plan, boats, tuple(crafts[craft.name] for craft in plan.crafts))


def check_batteries(plan: TeamPlan) -> None:
    """Check that each battery is enough for its flight; raises InputError with both energies."""
    for craft in plan.crafts:
        orders = craft.orders
        short = shortfall(craft.craft, craft.battery, orders.land - orders.take_off, orders.reserve)
        if short:
            raise InputError(f'{plan.path}: flight of {craft.name} from {orders.take_off:g} to {orders.land:g} s: '
                             f'{short}')


class _BoatAndCrafts:
    """A boat and the quadcopters of its deck."""

    def __init__(self, plan: TeamPlan, name: str, sea: Sea | None) -> None:
        scenario = plan.boat(name).scenario
        self._sea = scenario.surroundings().sea if sea is None else sea
        mine = [(number, craft) for number, craft in enumerate(plan.crafts) if craft.deck == name]
        self.boat = ScenarioRun(scenario, _deck_load([craft for _, craft in mine]))
        self.time, self._end = 0.0, math.inf
        self._crafts = [_FlyingCraft(plan, craft, number, self._deck(craft)) for number, craft in mine]
        self._standing = [True for _ in mine]

    def advance(self) -> bool:
        """Advance by a period of the boat, whose deck rests after its run until all are down; False at the end."""
        if self._end == math.inf:
            self._advance_boat()
        else:
            self.time += self.boat.scenario.period
            self._fly(still=True)
        return self._end == math.inf or (self.time < self._end + LANDING_TIMEOUT and any(
            not craft.flight.down for craft in self._crafts))

    def _advance_boat(self) -> None:
        before, flow = self.boat.plant.time, self.boat.plant.flow()
        goes_on = self.boat.advance()
        self.time = self.boat.plant.time
        if not goes_on:
            self._end = self.time
        if self.time > before:
            drawn = self._fly(flow)
            if self._crafts:
                self.boat.set_extra_power(drawn / (self.time - before))
                self._load_deck()

    def _load_deck(self) -> None:
        """Change the boat's load if other quadcopters stand on its deck."""
        standing = [craft.flight.on_deck for craft in self._crafts]
        if standing != self._standing:
            self._standing = standing
            self.boat.set_deck_load(_deck_load([craft.plan for craft in self._crafts if craft.flight.on_deck]))

    def _fly(self, flow: Flow | None = None, still: bool = False) -> float:
        """Advance the flights to the present time; return the energy of the chargers, J."""
        flow = self.boat.plant.flow() if flow is None else flow
        before = sum(craft.flight.charged for craft in self._crafts)
        for craft in self._crafts:
            deck = self._deck(craft.plan)
            was_down = craft.flight.on_deck
            craft.fly(self.time, deck._replace(velocity=(0.0, 0.0, 0.0)) if still else deck, flow)
            touch = craft.flight.touchdown
            if not was_down and craft.flight.stage == LANDED and touch is not None:
                self.boat.plant.struck(craft.plan.craft.mass * touch.relative[2], *craft.plan.pad[:2])
        return sum(craft.flight.charged for craft in self._crafts) - before

    def _deck(self, craft: CraftPlan) -> Deck:
        return deck_of_plant(self.boat.plant, craft.pad, self.boat.scenario.plant.vessel.parts, self._sea)

    def craft_runs(self) -> list[CraftRun]:
        return [CraftRun(craft.plan, craft.flight, craft.samples, craft.decks) for craft in self._crafts]


class _FlyingCraft:
    """A quadcopter of the team, with its flight, its gusts and its samples."""

    def __init__(self, plan: TeamPlan, craft: CraftPlan, number: int, deck: Deck) -> None:
        self.plan, self._step = craft, plan.step
        self.flight = Flight(FlightController(craft.craft, kind=craft.controller), craft.orders, deck,
                             craft.battery * craft.craft.battery)
        self.flight.blind = craft.lost
        self.samples: list[FlightSample] = []
        self.decks: list[Deck] = []
        self._track, self._gusts, self._steps = DeckTrack(0.0, deck), _Gusts(plan, number), 0
        self._every = max(1, round(SAMPLE_PERIOD / plan.step))

    def fly(self, until: float, deck: Deck, flow: Flow) -> None:
        """Advance the flight to a time, s; `deck`: the pad at that time."""
        self._track.add(until, deck)
        while self.flight.time + self._step <= until + 1e-9:
            sample = self.flight.advance(self._track.at, self._gusts.wind(flow), self._step)
            self._steps += 1
            if self._steps % self._every == 0:
                self.samples.append(sample)
                self.decks.append(self._track.at(self.flight.time))


class _Gusts:
    """The wind at a quadcopter: the boat's wind, and gusts as a first-order Gauss-Markov process."""

    def __init__(self, plan: TeamPlan, number: int) -> None:
        self._share = plan.gusts
        self._keep = math.exp(-plan.step / GUST_TIME)
        self._kick = math.sqrt(1.0 - self._keep ** 2)
        self._gust = (0.0, 0.0, 0.0)
        self._rng = np.random.default_rng([plan.seed, 1 + number])
        self._kicks: Iterator[list[float]] = iter(())

    def wind(self, flow: Flow) -> tuple[float, float, float]:
        kicks = next(self._kicks, None)
        if kicks is None:
            self._kicks = iter(self._rng.standard_normal((BATCH, 3)).tolist())
            kicks = next(self._kicks)
        keep, (x, y, z) = self._keep, self._gust
        spread = self._share * math.hypot(flow.wind_x, flow.wind_y) * self._kick
        x, y = keep * x + spread * kicks[0], keep * y + spread * kicks[1]
        z = keep * z + spread * VERTICAL_SHARE * kicks[2]
        self._gust = x, y, z
        return flow.wind_x + x, flow.wind_y + y, z


def _deck_load(crafts: list[CraftPlan]) -> DeckLoad | None:
    """Return the load of quadcopters on a deck, at their centre of mass; None without any."""
    if not crafts:
        return None
    mass = sum(craft.craft.mass for craft in crafts)
    x, y, z = (sum(craft.craft.mass * craft.pad[axis] for craft in crafts) / mass for axis in range(3))
    return DeckLoad(mass, x, y, z)


class CraftEnergy(NamedTuple):
    """The energy of a quadcopter, J: for flying, into its battery, and of the charger."""

    flown: float
    gained: float
    charging: float


class TeamEnergy(NamedTuple):
    """The energy of a team, J: of each boat with chargers, of each quadcopter, and the total, charging counted once."""

    boats: tuple[float, ...]
    crafts: tuple[CraftEnergy, ...]
    total: float


def craft_energy(craft: CraftRun) -> CraftEnergy:
    """Return the energy of a quadcopter."""
    joules = craft.flight.energy.values()
    return CraftEnergy(sum(one for one in joules if one > 0.0), -sum(one for one in joules if one < 0.0),
                       craft.flight.charged)


def team_energy(run: TeamRun) -> TeamEnergy:
    """Return the energies of a team; the total is that of all batteries, less the charge of those of quadcopters."""
    crafts = tuple(craft_energy(craft) for craft in run.crafts)
    boats = tuple(boat.energy.total + sum(craft.flight.charged for craft in run.crafts_of(plan.name))
                  for plan, boat in zip(run.plan.boats, run.boats))
    return TeamEnergy(boats, crafts, sum(boats) + sum(craft.flown - craft.gained for craft in crafts))
