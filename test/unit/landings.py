"""Landings on a deck that goes through current and waves, in wind from any side: for tests and bench/landing.py."""

import math

import numpy as np
import yaml

from usv_energy.air.flight import LANDED, Deck, Flight, FlightOrders
from usv_energy.air.flight_control import CASCADE, FlightController
from usv_energy.air.quadcopter import read_quadcopter
from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import run_team
from usv_energy.flow.sea import SeaState, irregular_sea

CRAFT = read_quadcopter('ar_drone')
COUNTED = CRAFT._replace(pack=None)  # The same with watt-hours alone.
SHORT = FlightOrders(take_off=0.5, height=2.0, land=5.0)
STEP = 0.01


def moving(seed, height=0.0):
    """A boat at 1 m/s through the water in any direction, 0.3 m/s of current in another; waves from a JONSWAP sea."""
    rng = np.random.default_rng(seed)
    course, set_, lag = rng.uniform(0.0, math.tau, 3)
    vx = math.cos(course) + 0.3 * math.cos(set_)
    vy = math.sin(course) + 0.3 * math.sin(set_)
    times = np.arange(0.0, 90.0, 0.05)
    sea = irregular_sea(SeaState(height, 3.5, direction=lag), seed, 40) if height else None
    up = np.array([sea.elevation(t, np.array([vx * t]), np.array([vy * t]))[0] for t in times]) if sea else 0.0 * times
    rise = np.gradient(up, 0.05)

    def deck(time):
        return Deck((vx * time, vy * time, 0.3 + float(np.interp(time, times, up))),
                    (vx, vy, float(np.interp(time, times, rise))), course)
    return deck


def landed(seed, kind=CASCADE, height=0.0, orders=SHORT):
    """Fly in 3 m/s of wind from any direction with gusts of 15 % over it, until it has landed or a minute is over."""
    rng = np.random.default_rng([seed, 7])
    deck, towards = moving(seed, height), rng.uniform(0.0, math.tau)
    flight = Flight(FlightController(CRAFT, kind=kind), orders, deck(0.0), CRAFT.battery)
    gust, keep = np.zeros(3), math.exp(-STEP / 2.0)
    kicks = 0.45 * math.sqrt(1.0 - keep ** 2) * rng.standard_normal((6000, 3)) * (1.0, 1.0, 0.5)
    for kick in kicks:
        gust = keep * gust + kick
        flight.advance(deck, (3.0 * math.cos(towards) + gust[0], 3.0 * math.sin(towards) + gust[1], gust[2]), STEP)
        if flight.stage == LANDED:
            break
    return flight


def landed_on_otter(seed, kind, height, folder):
    """
    Fly from the Otter on its pontoons, whose deck heaves, rolls and pitches, in a JONSWAP sea; return the CraftRun.

    It goes 25 m at 1 m/s over ground in any direction, the sea in any other; current, wind and gusts as `landed`. The
    flow's file is written into a folder.
    """
    rng = np.random.default_rng([seed, 11])
    course, set_, wave, towards = rng.uniform(0.0, 360.0, 4).tolist()
    flow = {'title': 'a sea', 'medium': 'water', 'analytic': {'kind': 'uniform', 'speed': 0.3, 'direction_deg': set_}}
    if height:
        flow['waves'] = {'kind': 'irregular', 'significant_height': height, 'peak_period': 3.5, 'direction_deg': wave,
                         'seed': seed, 'components': 60}
    (folder / f'sea{seed}.yaml').write_text(yaml.safe_dump(flow))
    there = {'x': 25.0 * math.cos(math.radians(course)), 'y': 25.0 * math.sin(math.radians(course))}
    team = {'title': 'an Otter', 'seed': seed, 'gusts': 0.15, 'current': {'flow': f'sea{seed}.yaml'},
            'wind': {'speed': 3.0, 'direction_deg': towards},
            'boats': [{'name': 'otter', 'scenario': 'waves/otter_head_sea', 'waypoints': [there],
                       'start': {'x': 0.0, 'y': 0.0, 'heading_deg': course}}],
            'quadcopters': [{'name': 'bee', 'deck': 'otter', 'quadcopter': 'ar_drone', 'controller': kind,
                             'pad': {'x': 0.0, 'y': 0.0, 'z': 0.4},
                             'flight': {'take_off': 3.0, 'land': 10.0, 'height': 2.0}}]}
    path = folder / f'team{seed}.yaml'
    path.write_text(yaml.safe_dump(team))
    return run_team(read_team(str(path))).crafts[0]
