"""`usv-energy live`: a boat that runs now, by its autopilot's MAVLink, without ROS."""

import argparse
import json
import math
import signal
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from usv_energy.cli.arguments import (
    add_sea,
    add_wind_height,
    ambient_kelvin,
    file_or_stdout,
    file_path,
    in_sea,
    warn_of_wind_height,
)
from usv_energy.cli.boat_options import add_boat, add_flow, fitted_boat, say_flows
from usv_energy.cli.quantities import duration, duration_from_zero, positive, share, speed_from_zero
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import STDOUT, check_writable, write_json
from usv_energy.show.terminal import list_files, say

if TYPE_CHECKING:
    from usv_energy.boats.boat_file import Boat
    from usv_energy.live.boat_account import LiveTerms
    from usv_energy.live.link import Link
    from usv_energy.live.live_page import LivePage, Settings
    from usv_energy.live.session import LiveSession

PACKETS, SUMMARY = 'live.tlog', 'summary.json'
RETURN_MODE = 'RTL'
LARGEST_SYSTEM = 255


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('connection', metavar='CONNECTION',
                        help='a UDP port of this machine (14551), any connection of pymavlink (udpin:0.0.0.0:14550, '
                             'udpout:HOST:PORT, tcp:HOST:PORT, /dev/ttyACM0, or with its rate /dev/ttyUSB0,57600), or '
                             'a .tlog file, which is replayed')
    add_boat(parser, 0.1, required=True)
    parser.add_argument('--charge-std', type=share, default=0.1, metavar='SHARE',
                        help='how well the charge at the start is known: its standard deviation, 2%% or 0.02 (0.1)')
    parser.add_argument('--home', metavar='LAT,LON', help="where it goes back to, degrees (the autopilot's home)")
    add_flow(parser, 'current', '; its time 0 is the first position (default: still water)')
    add_flow(parser, 'wind', ', likewise (default: as the autopilot says it, else none)')
    parser.add_argument('--water-speed', default='', metavar='NAME',
                        help='the NAMED_VALUE_FLOAT with the speed through the water, m/s ahead, from which the '
                             'current follows where --current does not say it')
    parser.add_argument('--current-std', type=speed_from_zero, metavar='SPEED',
                        help='how well the current on the way home is known: standard deviation, m/s each way (0.03; '
                             '0.15 without --current)')
    parser.add_argument('--wind-std', type=speed_from_zero, metavar='SPEED',
                        help='likewise of the wind (1; 3 if neither --wind nor the autopilot says it)')
    add_wind_height(parser)
    add_sea(parser)
    parser.add_argument('--lead', type=duration_from_zero, default=10.0, metavar='S',
                        help='how long before the point of no return it is time to turn back, s (%(default)g)')
    parser.add_argument('--may-command', nargs='?', const=RETURN_MODE, type=str.upper, metavar='MODE',
                        help='command the boat into a mode, once, when its margin is gone (RTL; SMART_RTL, HOLD); '
                             'without it nothing is ever commanded')
    parser.add_argument('--system', type=_system_id, metavar='ID',
                        help="MAVLink's system id of the boat (every boat heard)")
    parser.add_argument('--any-vehicle', action='store_true', help='take a vehicle that says it is no boat, too')
    parser.add_argument('--rate', type=positive, default=math.inf, metavar='TIMES',
                        help='of a .tlog: how many times as fast as it was recorded (as fast as it is read)')
    parser.add_argument('--duration', type=duration, metavar='S', help='stop after this time, s')
    parser.add_argument('--period', type=duration, default=1.0, metavar='S', help='s between frames (%(default)g)')
    parser.add_argument('--json', type=file_or_stdout, metavar='FILE',
                        help='write one JSON object a boat and period, one a line, units in the keys; - for stdout')
    parser.add_argument('--record', type=file_path, metavar='FOLDER',
                        help=f'write FOLDER/{PACKETS}, what was received, for `analyze`, and FOLDER/{SUMMARY}')
    parser.add_argument('--page', metavar='[HOST:]PORT',
                        help='serve a page with the view and the settings; a port alone is for this machine only')
    parser.add_argument('--settings', type=file_path, default=Path('live_settings.json'), metavar='FILE',
                        help='with --page: the file of its settings, which go over the options (%(default)s)')


def execute(args: argparse.Namespace) -> int:
    """Follow the boat until its link ends, the time is over or Ctrl-C; status 3 if it refused the command home."""
    from usv_energy.live.session import LiveOptions, LiveSession
    if args.may_command is not None:
        _check_mode(args.may_command)
    is_replay = _is_replay(args)
    if not is_replay and math.isfinite(args.rate):
        raise InputError(f'--rate: {args.connection} is no .tlog file, and comes as fast as it is sent')
    if is_replay and args.may_command is not None:
        raise InputError(f'--may-command: {args.connection} is a log, and nobody would hear the command')
    with ExitStack() as closing:
        _end_as_by_ctrl_c(closing)
        page = _page(args, closing)
        boat, terms = _boat_and_terms(args if page is None else _with_settings(args, page.take()))
        say_flows(args)
        options = LiveOptions(terms, args.system, args.any_vehicle, args.may_command)
        if args.record is not None:
            check_writable(args.record)
        record = None if args.record is None or is_replay else _Output(_new_packets(args.record), closing)
        lines = None if args.json is None else _Output(args.json, closing)
        end = math.inf if args.duration is None else time.monotonic() + args.duration
        link = _opened(args, record, end)
        closing.callback(link.close)
        _check_dates(terms, link.now)
        while True:
            session = LiveSession(link, boat, options)
            interrupted = _follow(session, args, lines, record, page, end)
            session.end()
            if interrupted or page is None or not page.changed:
                break
            boat, terms = _boat_and_terms(_with_settings(args, page.take()))
            options = options._replace(terms=terms)
        _show_end(session, args, lines)
    if args.record is not None:
        write_json(session.figures(), args.record / SUMMARY)
        list_files(*([] if record is None else [record.path]), args.record / SUMMARY)
    if not session.boats and not interrupted:
        said = '; '.join(session.refused.values())
        raise InputError(f'{args.connection}: no boat was heard' + (f': {said}' if said else
                         ', which shows by a heartbeat of its autopilot'))
    return 3 if session.refused_command else 130 if interrupted else 0


def _system_id(text: str) -> int:
    """Return MAVLink's number of a vehicle."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= LARGEST_SYSTEM):
        raise argparse.ArgumentTypeError(f'{text!r} must be a whole number from 1 to {LARGEST_SYSTEM}')
    return int(text)


def _end_as_by_ctrl_c(closing: ExitStack) -> None:
    """Let SIGTERM, by which Docker and systemd end it, keep what was recorded; where it is the main thread."""
    if threading.current_thread() is threading.main_thread():
        closing.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, signal.default_int_handler))


def _is_replay(args: argparse.Namespace) -> bool:
    from usv_energy.live.link import REPLAYED
    return bool(args.connection.lower().endswith(REPLAYED))


def _opened(args: argparse.Namespace, record: '_Output | None', end: float) -> 'Link':
    """Return the link; with a page or a record one by TCP is waited for, as where the router starts later."""
    from usv_energy.live.link import open_link
    waits = args.connection.startswith('tcp:') and (args.page is not None or args.record is not None)
    is_said = False
    while True:
        try:
            return open_link(args.connection, args.rate, record)
        except InputError as error:
            if not (waits and isinstance(error.__context__, OSError)) or time.monotonic() >= end:
                raise
            if not is_said:
                say(f'usv-energy: {args.connection}: {error.__context__}: tried again once a second')
            is_said = True
            time.sleep(1.0)


def _boat_and_terms(args: argparse.Namespace) -> 'tuple[Boat, LiveTerms]':
    """Return the boat, and what is known and asked; InputError for wrong arguments."""
    from usv_energy.boats.boat_file import require_motion
    from usv_energy.flow.flow_argument import flow_of
    from usv_energy.flow.on_earth import remarks_of, world_at
    from usv_energy.flow.wind_height import wind_at_boat
    from usv_energy.live.boat_account import LiveTerms
    boat = in_sea(args, fitted_boat(args))
    require_motion(boat, 'the power of a motion')
    if ambient_kelvin(args.ambient, boat) is not None and boat.battery_sheet is not None:
        boat = replace(boat, battery_sheet=boat.battery_sheet._replace(ambient_degc=args.ambient))
    warn_of_wind_height(args)
    wind = wind_at_boat(flow_of(args.wind, '--wind', 'air', dated=True), boat, args.wind_height)
    home = None if args.home is None else world_at(args.home, '--home')
    current = flow_of(args.current, '--current', 'water', dated=True)
    for remark in remarks_of(current, wind):
        say(f'usv-energy: {remark}')
    return boat, LiveTerms(current, wind, None if home is None else home.origin, args.reserve, lead=args.lead,
                           charge_std=args.charge_std, current_std=args.current_std, wind_std=args.wind_std,
                           water_speed=args.water_speed)


def _check_dates(terms: 'LiveTerms', now: float) -> None:
    """Refuse files of data that have no flow now, s since 1970."""
    from datetime import datetime, timezone

    from usv_energy.flow.flow_file import FlowFile
    from usv_energy.units import moment_words
    for name, flow in (('current', terms.current), ('wind', terms.wind)):
        if (isinstance(flow, FlowFile) and flow.is_data and flow.changes
                and not math.isfinite(flow.from_moment(now).clock.time(0.0))):
            raise InputError(f'--{name} {flow.path}: holds {flow.span_words}, and the boat is heard at '
                             f'{moment_words(datetime.fromtimestamp(now, timezone.utc))}')


def _check_mode(name: str) -> None:
    """Refuse a mode that neither ArduPilot's boats nor PX4 have."""
    from usv_energy.live.return_order import mode_numbers
    try:
        mode_numbers(name, True)
    except InputError:
        mode_numbers(name, False)


def _new_packets(folder: Path) -> Path:
    """Return where the packets of a run go, beside those of the runs before."""
    path, number = folder / PACKETS, 1
    while path.is_file():
        number += 1
        path = (folder / PACKETS).with_stem(f'{Path(PACKETS).stem}_{number}')
    return path


class _Output:
    """A file at `path`, or stdout; `error`: why a file ended, as where the disk is full; the boat is watched on."""

    def __init__(self, target: str | Path, closing: ExitStack) -> None:
        """Open it; `target`: its path, or `-`."""
        self.is_stdout, self.path, self.error = target == STDOUT, Path(target), ''
        if not self.is_stdout:
            self._file = closing.enter_context(self.path.open('wb', buffering=0))

    def write(self, data: bytes) -> None:
        """Write some bytes; what a file does not take is lost, and that is said once."""
        if self.error:
            return
        try:
            self._file.write(data)
        except OSError as error:
            self.error = f'{self.path}: {error.strerror}: nothing more is written there'
            say(f'usv-energy: {self.error}')

    def line(self, state: dict[str, Any]) -> None:
        """Write a state as a line of JSON."""
        text = json.dumps(state, allow_nan=False)
        if self.is_stdout:
            print(text, flush=True)
        else:
            self.write(f'{text}\n'.encode())


def _page(args: argparse.Namespace, closing: ExitStack) -> 'LivePage | None':
    """Return the page of `--page`, which is served until the end; None without."""
    if args.page is None:
        return None
    from usv_energy.live.live_page import LOOPBACK, LivePage
    host, _, port = args.page.rpartition(':')
    if not port.isdecimal():
        raise InputError(f'--page is {args.page!r}; must be a port, or HOST:PORT')
    page = LivePage((host or LOOPBACK, int(port)), args.settings,
                    partial(_check_settings, args), args.may_command is not None)
    say(f'usv-energy: http://{host or LOOPBACK}:{page.port}/')
    return closing.enter_context(page)


def _check_settings(args: argparse.Namespace, settings: 'Settings') -> None:
    """Refuse settings that are wrong."""
    _, terms = _boat_and_terms(_with_settings(args, settings))
    if not _is_replay(args):
        _check_dates(terms, time.time())


def _with_settings(args: argparse.Namespace, settings: 'Settings') -> argparse.Namespace:
    """Return arguments with those that are set on the page; InputError for a share that is none."""
    given: dict[str, Any] = dict(settings)
    for name in ('charge', 'reserve'):
        if name in given:
            try:
                given[name] = share(given[name])
            except argparse.ArgumentTypeError as error:
                raise InputError(f'{name}: {error}') from None
    if 'boat' in given and (beside := args.settings.parent / given['boat']).is_file():
        given['boat'] = str(beside)
    return argparse.Namespace(**{**vars(args), **given})


def _follow(session: 'LiveSession', args: argparse.Namespace, lines: _Output | None, record: _Output | None,
            page: 'LivePage | None', end: float) -> bool:
    """Follow the boats, and show them, until other settings are saved; return whether the user interrupted it."""
    from usv_energy.studies.runs.monitor_view import FrameOutput
    on_terminal = not (lines and lines.is_stdout) and sys.stdout.isatty()
    refused: set[str] = set()

    def is_over() -> bool:
        for text in [text for text in session.refused.values() if text not in refused]:
            say(f'usv-energy: {text}')
            refused.add(text)
        return time.monotonic() >= end or (page is not None and page.changed)
    try:
        with FrameOutput(False, live=on_terminal) as output:
            for figures in session.states(args.period, is_over):
                for state in figures:
                    state['problems'][:0] = [one.error for one in (lines, record) if one and one.error]
                if page is not None:
                    page.show(figures)
                for state in figures:
                    if on_terminal:
                        output.show(state)
                    if lines is not None:
                        lines.line(state)
    except KeyboardInterrupt:
        return True
    return False


def _show_end(session: 'LiveSession', args: argparse.Namespace, lines: _Output | None) -> None:
    """Show the boats as they were last, and all that was said of them."""
    from usv_energy.studies.runs.monitor_view import FrameOutput
    for one, state in zip(session.boats.values(), session.figures()):
        if lines is not None:
            lines.line(state)
        if lines is None or not lines.is_stdout:
            FrameOutput(False, live=False).show(state)
        for text in (*one.differences, *one.said):
            say(f'usv-energy: system {one.sender.system}: {text}')
