"""
What `usv-energy live` holds and takes over hours of a boat's time: memory, and processor time.

An autopilot of the tests (test/unit/autopilot_twin.py) sails over a real UDP socket, with a mission, lost packets, a
restart and a minute of silence each hour; its clock is its own, so that hours take minutes.

    python3 bench/live_soak.py --hours 6 --rate 2
"""

import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

from own_command import at_least, ended_by, figures_parser, kept
from soak_memory import growth_percent

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

from autopilot_twin import AutopilotTwin  # type: ignore[import-not-found]

from usv_energy.boats.boat_file import read_boat
from usv_energy.live.boat_account import LiveTerms
from usv_energy.live.link import LiveLink
from usv_energy.live.session import LiveOptions, LiveSession

HOUR, LOOK = 3600.0, 300.0  # s; between two looks at the memory
SILENCE, LOST = 60.0, 0.05  # s once an hour; share of packets
WARM_UP = 0.2               # share of the looks before the growth is measured


def resident_mb() -> float:
    """Return the memory that this process holds, MB, without what it shares."""
    lines = Path(f'/proc/{os.getpid()}/status').read_text(encoding='ascii').splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith('RssAnon')) / 1024.0


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--hours', type=at_least(1), default=6)
    parser.add_argument('--rate', type=at_least(1), default=2, help='sets of messages a second (%(default)s)')
    parser.add_argument('--boat', default='blueboat')
    args = parser.parse_args()
    figures: dict[str, Any] = {'hours': args.hours, 'rate_hz': args.rate}
    with kept(figures, args.json) as table:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
        twin = AutopilotTwin(port)
        twin.lost = twin.doubled = LOST
        twin.set_mission([(300.0, 100.0), (600.0, -200.0), (900.0, 400.0)])
        twin.item = 1
        link = LiveLink(str(port), clock=lambda: twin.now)
        session = LiveSession(link, read_boat(args.boat), LiveOptions(LiveTerms()), threads=False)
        step, taken, looks = 1.0 / args.rate, 0.0, []
        for number in range(round(args.hours * HOUR * args.rate)):
            hour, since = divmod(number * step, HOUR)
            if not 0.0 < since - 0.5 * HOUR <= SILENCE:
                twin.step(step)
            else:
                twin.boat.step(step)
            if hour and since == 0.0:
                twin.boot -= twin.boat.t + twin.boot  # Its autopilot starts anew.
            began = time.process_time()
            session.step(0.0)
            session.figures()
            taken += time.process_time() - began
            twin.listen()
            twin.heard.clear()
            twin.tape.clear()
            if (number * step) % LOOK == 0.0:
                looks.append((number * step, resident_mb()))
        session.end()
        link.close()
        twin.close()
        [boat] = session.figures()
        settled = looks[round(WARM_UP * len(looks)):]
        figures |= {'core_share': taken / (args.hours * HOUR), 'memory_mb': settled[-1][1],
                    'memory_growth_percent': growth_percent(*map(list, zip(*settled))),
                    'energy_wh': boat['energy_total_j'] / 3600.0, 'duration_h': boat['duration_s'] / HOUR,
                    'gaps': boat['gaps'], 'problems': boat['problems']}
        print(f'{args.hours} h at {args.rate} Hz: {100.0 * figures["core_share"]:.2f} % of a core with the screen\'s '
              f'figures at each step; {figures["memory_mb"]:.1f} MB at the end, '
              f'{figures["memory_growth_percent"]:+.2f} % over the time after the first {100.0 * WARM_UP:.0f} %; '
              f'{figures["energy_wh"]:.1f} Wh in {figures["duration_h"]:.2f} h, {figures["gaps"]} gaps', file=table)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
