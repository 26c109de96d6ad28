"""
`usv-energy live` on the link of a real ArduPilot Rover (SITL): its energy beside that of `analyze`, and the way home.

ArduPilot drives boats of `usv-energy hil`, and a boat of its own model, in real time; see test/unit/ardurover_rig.py.

    ARDUROVER=~/ardupilot/build/sitl/bin/ardurover python3 bench/live_ardupilot.py
"""

import math
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from own_command import ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

from ardurover_rig import ABSENT, BINARY, HOME, METRES, Rover  # type: ignore[import-not-found]

from usv_energy.files.errors import InputError

LONGEST = 240.0        # s of a mission, alignment of the estimator included
SETTLED = 60.0         # s before it: a younger estimator's places wander by metres against its velocities.
SECOND = 'NAMED_VALUE_FLOAT'
RUDDER = ('SERVO1_FUNCTION', 26), ('SERVO3_FUNCTION', 70), ('WP_RADIUS', 4)
STILL = ('--current', '0,0', '--wind', '0,0')


class Trip(NamedTuple):
    """A mission: its boat, its water and air, its places, m north and east, its speed, and what else is said."""

    boat: str
    flows: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    speed: float
    model: str | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    options: tuple[str, ...] = ()


TRIPS = {
    'still': Trip('blueboat', STILL, ((0.0, 20.0), (15.0, 20.0), (15.0, 0.0)), 1.0),
    'current and wind': Trip('blueboat', ('--current', '0.25,70', '--wind', '4,-60'),
                             ((0.0, 25.0), (20.0, 25.0), (20.0, 0.0), (5.0, 0.0)), 1.0),
    'its own motorboat': Trip('lutra_rudder', STILL, ((0.0, 30.0), (25.0, 30.0)), 1.0, 'motorboat', RUDDER),
    'home by margin': Trip('blueboat', STILL, ((0.0, 40.0), (0.0, 400.0)), 1.5, options=(
        '--charge', '20%', '--charge-std', '0', '--reserve', '0.158', '--may-command'))}


def drive(trip: Trip, folder: Path) -> dict[str, Any]:
    """Return the figures of a trip; energies in J, without the hotel load."""
    rover = Rover(folder, trip.boat, trip.flows, trip.model, trip.parameters)
    try:
        rover.watch(*trip.options)
        rover.hear(SETTLED)
        rover.drive(trip.places, trip.speed, LONGEST, home='--may-command' in trip.options)
        rover.hear(3.0)
    finally:
        rover.close()
    place = rover.heard['GLOBAL_POSITION_INT'][-1]
    north, east = METRES * (1e-7 * place.lat - HOME[0]), METRES * (1e-7 * place.lon - HOME[1]) * 0.69952
    energies = rover.answers()
    return {'energies_j': energies,
            'differences_percent': {name: 100.0 * (energy / energies['live'] - 1.0)
                                    for name, energy in energies.items() if name != 'live'},
            'values_heard': len(rover.heard[SECOND]), 'from_home_m': math.hypot(north, east),
            'texts': [one.text for one in rover.heard['STATUSTEXT'] if one.text.startswith('energy')]}


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--trip', choices=list(TRIPS), help='one of them (all)')
    parser.add_argument('--folder', type=Path, help='where logs stay (a temporary one)')
    args = parser.parse_args()
    if BINARY is None:
        raise InputError(ABSENT)
    figures: dict[str, Any] = {}
    with kept(figures, args.json) as table, tempfile.TemporaryDirectory() as temporary:
        for name, trip in TRIPS.items():
            if args.trip in (None, name):
                one = figures[name] = drive(trip, (args.folder or Path(temporary)) / name.replace(' ', '_'))
                energies = ', '.join(f'{who} {energy:.1f} J' for who, energy in one['energies_j'].items())
                print(f'{name}: {energies}; {one["values_heard"]} values heard by a second client; ends '
                      f'{one["from_home_m"]:.1f} m from home; {"; ".join(one["texts"])}', file=table, flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
