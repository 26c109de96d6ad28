"""Options that all commands about endurance share: the boat, its battery and hotel load, the water and the air."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from usv_energy.boats.outfit import with_static_load
from usv_energy.cli.arguments import add_ambient, add_payload, boat_name, warn_of_payload
from usv_energy.cli.quantities import not_negative, share
from usv_energy.phrases import flow_words
from usv_energy.show.terminal import say

if TYPE_CHECKING:
    from usv_energy.boats.boat_file import Boat
    from usv_energy.sim.scenario import Scenario

MEDIA = {'current': 'water', 'wind': 'air'}
FLOW_HELP = {
    'current': 'water, `0.5 kn set 090` or `0.4 m/s to E`, or 0.4,45: m/s, and degrees counter-clockwise from east '
               'that it flows to; or a flow file, or netCDF with its dates',
    'wind': 'air, `12 kn from NE` or `6 m/s from 045`, or 6,225: m/s, and degrees counter-clockwise from east that it '
            'blows to; or a flow file, or netCDF with its dates'}


def add_flow(parser: Any, medium: str, note: str = '', **more: Any) -> None:
    """Add `--current` or `--wind`; `note`: what else the help says of it, `more`: for `add_argument`."""
    parser.add_argument(f'--{medium}', metavar='FLOW', help=f'{FLOW_HELP[medium]}{note}', **more)


def say_flows(args: argparse.Namespace) -> None:
    """Say on stderr, in a line, how `--current` and `--wind` were understood, where they are phrases."""
    told = [f'--{name} {getattr(args, name)}{words}' for name in MEDIA if (words := understood_flow(args, name))]
    if told:
        say(f'usv-energy: {"; ".join(told)}')


def understood_flow(args: argparse.Namespace, name: str) -> str:
    """Return how `--current` or `--wind` was understood, as `: 0.50 m/s ...`; empty for other options and for files."""
    from usv_energy.flow.analytic import UniformFlow
    from usv_energy.flow.flow_argument import flow_of
    if name not in MEDIA or not getattr(args, name):
        return ''
    flow = flow_of(getattr(args, name), f'--{name}', MEDIA[name], dated=True)
    if isinstance(flow, UniformFlow):
        return f': {flow_words(flow.x, flow.y, MEDIA[name])}'
    if flow is not None:
        flow.close()
    return ''


def add_battery(parser: Any, reserve: float | None, with_ambient: bool = True) -> None:
    """Add `--battery`, `--charge`, `--hotel`, `--ambient` if so said and, with a default, `--reserve`."""
    parser.add_argument('--battery', metavar='LABEL', help="another battery than the boat file's, by its label: 148Wh, "
                                                           '4S18Ah, 12V 100Ah AGM, 2x148Wh')
    parser.add_argument('--charge', type=share, metavar='SHARE',
                        help="at the start, 80%% or 0.8 (the boat file's; full with --battery)")
    parser.add_argument('--hotel', type=not_negative, metavar='W',
                        help="power of all but the thrusters, W, in place of the boat file's static_load")
    if reserve is not None:
        parser.add_argument('--reserve', type=share, default=reserve, metavar='SHARE',
                            help=f'share of the battery that is to be left, 20%% or 0.2 ({reserve:g})')
    if with_ambient:
        add_ambient(parser)


def add_boat(parser: Any, reserve: float | None, **more: Any) -> None:
    """Add `--boat`, `--payload` and the options of `add_battery`; `more`: for `add_argument` of `--boat`."""
    parser.add_argument('--boat', type=boat_name, help='name or YAML file of the boat', **more)
    add_payload(parser, steady=True)
    add_battery(parser, reserve)


def fitted_boat(args: argparse.Namespace) -> 'Boat':
    """
    Return the boat of the options of `add_boat`, and say on stderr how a battery's label was understood.

    :raises InputError: If the file or the label is wrong, or there is `--charge` and no battery.
    """
    from usv_energy.boats.boat_file import read_boat
    boat = read_boat(args.boat, payload=args.payload)
    warn_of_payload(args.payload)
    say_battery(args)
    return with_outfit(boat, args)


def say_battery(args: argparse.Namespace) -> None:
    """Say on stderr how a battery's label was understood; InputError if it is none."""
    if args.battery is not None:
        from usv_energy.boats.outfit import battery_label
        say(f'usv-energy: --battery {args.battery}: {battery_label(args.battery, "--battery").words}')


def scenario_with_outfit(scenario: 'Scenario', args: argparse.Namespace) -> 'Scenario':
    """Return a scenario whose boats have the battery, the charge and the hotel load of the options."""
    boat = with_outfit(scenario.boat, args)
    plant = boat if scenario.plant is scenario.boat else with_outfit(scenario.plant, args)
    return replace(scenario, boat=boat, plant=plant)


def with_outfit(boat: 'Boat', args: argparse.Namespace) -> 'Boat':
    """Return a boat with the hotel load, the battery and the charge of the options of `add_battery`; itself without."""
    from usv_energy.boats.outfit import with_battery, with_charge
    fitted = with_static_load(boat, args.hotel)
    if args.battery is not None:
        from usv_energy.boats.outfit import battery_label
        fitted = with_battery(fitted, battery_label(args.battery, '--battery'))
    return with_charge(fitted, args.charge)
