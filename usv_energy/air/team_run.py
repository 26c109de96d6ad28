"""A team in lockstep: boats and quadcopters over their decks, and whose joules went where."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from usv_energy.air.deck_track import DeckTrack, deck_of_plant
from usv_energy.air.flight import LANDED, Deck, Flight, FlightSample
from usv_energy.air.flight_control import FlightController
from usv_energy.air.take_off_check import shortfall
from usv_energy.air.team_plan import CraftPlan, TeamPlan
from usv_energy.boats.deck_load import DeckLoad
from usv_energy.files.errors import InputError
from usv_energy.flow.seas.sea import Sea, irregular_sea
from usv_energy.physics.motion import Flow
from usv_energy.sim.record import Run
from usv_energy.sim.runner import ScenarioRun

GUST_TIME = 2.0         # s, over which a gust fades.
UPWARD = 0.5            # Of the gusts along the ground: the share upward.
PATIENCE = 60.0         # s after the boat's run has ended until a flight is given up.
WAVE_COMPONENTS = 60
KICKS = 100             # Of a gust, drawn at once.
SAMPLE_PERIOD = 0.1     # s, between the samples of a flight that are kept.


class CraftRun(NamedTuple):
    """What a quadcopter did: its flight, samples at 10 Hz, and the decks under them."""

    plan: CraftPlan
    flight: Flight
    samples: list[FlightSample]
    decks: list[Deck]


class TeamRun(NamedTuple):
    """What a team did: the boats' runs and the quadcopters', in the order of the plan."""

    plan: TeamPlan
    boats: tuple[Run, ...]
    crafts: tuple[CraftRun, ...]

    def crafts_of(self, boat: str) -> list[CraftRun]:
        """Return the quadcopters of a boat, by its name."""
        return [craft for craft in self.crafts if craft.plan.deck == boat]


def run_team(plan: TeamPlan, progress: Callable[[float], None] = lambda time: None) -> TeamRun:
    """
    Return what a team does.

    :param progress: Called with the simulated time, s.
    :raises InputError: If a quadcopter's battery does not hold what its flight needs, before anything takes off; or as
        `run_scenario` does.
    """
    check_batteries(plan)
    sea = None if plan.waves is None else irregular_sea(plan.waves, plan.seed, WAVE_COMPONENTS)
    parties = [_Party(plan, boat.name, sea) for boat in plan.boats]
    going = list(parties)
    while going:
        behind = min(going, key=lambda party: party.time)
        if not behind.advance():
            going.remove(behind)
        progress(behind.time)
    boats = tuple(party.boat.result() for party in parties)
    crafts = {craft.plan.name: craft for party in parties for craft in party.craft_runs()}
    return TeamRun(plan, boats, tuple(crafts[craft.name] for craft in plan.crafts))


def check_batteries(plan: TeamPlan) -> None:
    """Refuse flights that their batteries do not hold, before take-off; InputError with both figures."""
    for craft in plan.crafts:
        orders = craft.orders
        short = shortfall(craft.craft, craft.battery, orders.land - orders.take_off, orders.reserve)
        if short:
            raise InputError(f'{plan.path}: flight of {craft.name} from {orders.take_off:g} to {orders.land:g} s: '
                             f'{short}')


class _Party:
    """A boat and the quadcopters of its deck."""

    def __init__(self, plan: TeamPlan, name: str, sea: Sea | None) -> None:
        scenario = plan.boat(name).scenario
        self._sea = scenario.surroundings().sea if sea is None else sea
        mine = [(number, craft) for number, craft in enumerate(plan.crafts) if craft.deck == name]
        self.boat = ScenarioRun(scenario, _load_of([craft for _, craft in mine]))
        self.time, self._end = 0.0, math.inf
        self._flyers = [_Flyer(plan, craft, number, self._deck(craft)) for number, craft in mine]
        self._standing = [True for _ in mine]

    def advance(self) -> bool:
        """Go on by a period of the boat; after its end the decks lie still until all are down. False at the end."""
        if self._end == math.inf:
            self._go_on()
        else:
            self.time += self.boat.scenario.period
            self._fly(still=True)
        return self._end == math.inf or (self.time < self._end + PATIENCE and any(
            not flyer.flight.down for flyer in self._flyers))

    def _go_on(self) -> None:
        before, flow = self.boat.plant.time, self.boat.plant.flow()
        goes_on = self.boat.advance()
        self.time = self.boat.plant.time
        if not goes_on:
            self._end = self.time
        if self.time > before:
            drawn = self._fly(flow)
            if self._flyers:
                self.boat.draw(drawn / (self.time - before))
                self._load_deck()

    def _load_deck(self) -> None:
        """Have the boat carry what stands on its deck, where that has changed."""
        standing = [flyer.flight.on_deck for flyer in self._flyers]
        if standing != self._standing:
            self._standing = standing
            self.boat.carry(_load_of([flyer.plan for flyer in self._flyers if flyer.flight.on_deck]))

    def _fly(self, flow: Flow | None = None, still: bool = False) -> float:
        """Fly up to now; return what the chargers drew meanwhile, J."""
        flow = self.boat.plant.flow() if flow is None else flow
        before = sum(flyer.flight.charged for flyer in self._flyers)
        for flyer in self._flyers:
            deck = self._deck(flyer.plan)
            was_down = flyer.flight.on_deck
            flyer.fly(self.time, deck._replace(velocity=(0.0, 0.0, 0.0)) if still else deck, flow)
            touch = flyer.flight.touchdown
            if not was_down and flyer.flight.stage == LANDED and touch is not None:
                self.boat.plant.struck(flyer.plan.craft.mass * touch.relative[2], *flyer.plan.pad[:2])
        return sum(flyer.flight.charged for flyer in self._flyers) - before

    def _deck(self, craft: CraftPlan) -> Deck:
        return deck_of_plant(self.boat.plant, craft.pad, self.boat.scenario.plant.vessel.parts, self._sea)

    def craft_runs(self) -> list[CraftRun]:
        return [CraftRun(flyer.plan, flyer.flight, flyer.samples, flyer.decks) for flyer in self._flyers]


class _Flyer:
    """A quadcopter on its way."""

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
        """Fly up to a time, s, at which the deck is known."""
        self._track.add(until, deck)
        while self.flight.time + self._step <= until + 1e-9:
            sample = self.flight.advance(self._track.at, self._gusts.about(flow), self._step)
            self._steps += 1
            if self._steps % self._every == 0:
                self.samples.append(sample)
                self.decks.append(self._track.at(self.flight.time))


class _Gusts:
    """The wind at a quadcopter: the boat's, and gusts about it that fade (first-order Gauss-Markov)."""

    def __init__(self, plan: TeamPlan, number: int) -> None:
        self._share = plan.gusts
        self._keep = math.exp(-plan.step / GUST_TIME)
        self._kick = math.sqrt(1.0 - self._keep ** 2)
        self._gust = (0.0, 0.0, 0.0)
        self._rng = np.random.default_rng([plan.seed, 1 + number])
        self._kicks: Iterator[list[float]] = iter(())

    def about(self, flow: Flow) -> tuple[float, float, float]:
        kicks = next(self._kicks, None)
        if kicks is None:
            self._kicks = iter(self._rng.standard_normal((KICKS, 3)).tolist())
            kicks = next(self._kicks)
        keep, (x, y, z) = self._keep, self._gust
        spread = self._share * math.hypot(flow.wind_x, flow.wind_y) * self._kick
        x, y, z = (keep * x + spread * kicks[0], keep * y + spread * kicks[1], keep * z + spread * UPWARD * kicks[2])
        self._gust = x, y, z
        return flow.wind_x + x, flow.wind_y + y, z


def _load_of(crafts: list[CraftPlan]) -> DeckLoad | None:
    """Return what stands on a deck as one load, at its centre of mass; None where nothing does."""
    if not crafts:
        return None
    mass = sum(craft.craft.mass for craft in crafts)
    x, y, z = (sum(craft.craft.mass * craft.pad[axis] for craft in crafts) / mass for axis in range(3))
    return DeckLoad(mass, x, y, z)


class CraftEnergy(NamedTuple):
    """Of a quadcopter, J: what it flew for, what its battery got, and what the charger drew for that."""

    flown: float
    gained: float
    charging: float


class TeamEnergy(NamedTuple):
    """Of a team, J: each boat with its chargers, each quadcopter, and all together, the charge counted once."""

    boats: tuple[float, ...]
    crafts: tuple[CraftEnergy, ...]
    total: float


def craft_energy(craft: CraftRun) -> CraftEnergy:
    """Return the energy of a quadcopter."""
    joules = craft.flight.energy.values()
    return CraftEnergy(sum(one for one in joules if one > 0.0), -sum(one for one in joules if one < 0.0),
                       craft.flight.charged)


def team_energy(run: TeamRun) -> TeamEnergy:
    """Return the energies of a team; what its batteries gave is their sum, less what the quadcopters' were given."""
    crafts = tuple(craft_energy(craft) for craft in run.crafts)
    boats = tuple(boat.energy.total + sum(craft.flight.charged for craft in run.crafts_of(plan.name))
                  for plan, boat in zip(run.plan.boats, run.boats))
    return TeamEnergy(boats, crafts, sum(boats) + sum(craft.flown - craft.gained for craft in crafts))
