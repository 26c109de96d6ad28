"""`usv-energy hil`: a simulated boat for an external autopilot, by ArduPilot's JSON interface."""

import argparse
import math
import socket
import time
from pathlib import Path

from usv_energy.cli.arguments import add_json, file_path
from usv_energy.cli.boat_options import add_battery, add_flow, say_battery, scenario_with_outfit
from usv_energy.cli.quantities import duration
from usv_energy.files.errors import InputError, not_listening
from usv_energy.show.terminal import list_files, say, show_result
from usv_energy.sim.hil.sitl_frames import HilSession, Servo, ServoChannels, decoded, reply
from usv_energy.sim.record import TIMED_OUT, Run
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.mission.scenario_to_run import RunChoice, with_choice
from usv_energy.studies.runs.run_tables import hil_summary, hil_text

PORT = 9002         # The default port of ArduPilot's JSON interface.
TICK = 0.05         # Timeout of receiving, after which the boat moves by the wall clock, s of wall time.
SENDER_TIMEOUT = 2.0    # s of wall time without a frame, after which another sender may be the autopilot.
MAX_PACKET = 2048   # Bytes.
MAX_PORT, MAX_CHANNELS = 65535, 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('scenario', help='where the boat begins, its boat, current, wind: a name or the path of a file')
    parser.add_argument('--boat', default='', help="name or YAML file of another boat (default: the scenario's)")
    add_battery(parser, None, with_ambient=False)
    for medium in ('current', 'wind'):
        add_flow(parser, medium, " (default: the scenario's)", default='')
    parser.add_argument('--channels', type=_channels, metavar='NAME=N,...',
                        help='servo channel of each thruster, and of each part that turns: thrusters and rudders by '
                             'name, as motor=3,rudder=1, the angle of a thruster that turns as bow.angle=2, angles at '
                             '1100 and 1900 us where not those of the boat file as rudder=1:-45:45 (deg); or numbers '
                             "alone, in the order of the boat file (an ArduPilot Rover's: 1,3 of a pair, motor 3 and "
                             'rudder 1)')
    parser.add_argument('--host', default='127.0.0.1', help='address to listen at (%(default)s)')
    parser.add_argument('--port', type=_port, default=PORT, help='to listen at; 0 picks a free one (%(default)s)')
    parser.add_argument('--duration', type=duration, metavar='S', help='of simulated time, then it ends (none)')
    parser.add_argument('--realtime', action='store_true',
                        help='the boat goes on by the wall clock while no frame comes, its last order held')
    parser.add_argument('--hold', type=duration, metavar='S',
                        help='with --realtime: after so long without a frame the thrusters stop (never)')
    parser.add_argument('--out', type=file_path, metavar='FOLDER', help="write the run's files there, as `run` does")
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Serve one autopilot until the duration is over or Ctrl-C, and print energy and lateness."""
    if args.hold is not None and not args.realtime:
        raise InputError('--hold goes with --realtime: in lockstep nothing happens without a frame')
    say_battery(args)
    choice = RunChoice(args.boat, current=args.current, wind=args.wind)
    scenario = scenario_with_outfit(with_choice(read_scenario(args.scenario), choice), args)
    channels = ServoChannels(scenario.plant, args.channels)
    session = HilSession(scenario, channels, args.hold or float('inf'))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        try:
            link.bind((args.host, args.port))
        except OSError as error:
            raise not_listening(f'--host {args.host} --port {args.port}', error) from None
        link.settimeout(TICK)
        say(f'waiting for an autopilot at {args.host}:{link.getsockname()[1]} (UDP); Ctrl-C ends')
        fault = None
        try:
            _serve(link, session, channels, args)
        except KeyboardInterrupt:
            say('ended by Ctrl-C')
        except InputError as error:  # The boat has left its flow; the run until then is shown and written first.
            fault = error
    show_result(hil_text(session), hil_summary(session), args.json)
    if args.out is not None:
        _write(session, args.out)
    if fault is not None:
        raise fault
    return 0


def _serve(link: socket.socket, session: HilSession, channels: ServoChannels, args: argparse.Namespace) -> None:
    connected, has_warned, alive, since = False, False, True, time.monotonic()
    autopilot: tuple[str, int] | None = None
    heard, has_strangers = -math.inf, False
    while args.duration is None or session.plant.time < args.duration - 1e-9:
        try:
            packet, sender = link.recvfrom(MAX_PACKET)
        except TimeoutError:
            now = time.monotonic()
            if connected and args.realtime:
                was_alive, alive = alive, session.on_silence(now, now - since)
                if was_alive and not alive:
                    say(f'no frame for {args.hold:g} s: the thrusters stop')
            since = now
            continue
        frame = decoded(packet)
        if frame is None:
            continue
        if len(frame.pulses) < channels.largest:
            if not has_warned:
                say(f'frames of {len(frame.pulses)} channels are passed over: --channels has {channels.largest}; '
                    "ArduPilot's SERVO_32_ENABLE gives 32")
            has_warned = True
            continue
        if sender != autopilot and time.monotonic() - heard < SENDER_TIMEOUT:
            if not has_strangers:
                say(f'frames of a second sender, {sender[0]}:{sender[1]}, are passed over: one autopilot steers the '
                    f'boat; another is heard after {SENDER_TIMEOUT:g} s of its silence')
            has_strangers = True
            continue
        autopilot, heard = sender, time.monotonic()
        if not connected:
            say(f'autopilot at {sender[0]}:{sender[1]}, {frame.rate} Hz')
        connected, alive, since = True, True, time.monotonic()
        link.sendto(reply(session.on_frame(frame, since)), sender)


def _write(session: HilSession, folder: Path) -> None:
    from usv_energy.studies.runs.run_folder import write_run
    observer, scenario = session.observer, session.scenario
    run = Run(scenario, scenario.convention, TIMED_OUT, observer.rows, observer.energy, session.plant.state.work,
              observer.rows[-1].time, observer.legs.legs(), observer.by_load)
    write_run(run, folder, True, 'usv-energy')
    list_files(folder)


def _port(text: str) -> int:
    """Return an argument as a UDP port."""
    if not text.isdecimal() or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f'{text!r} is no port, a whole number from 0 to {MAX_PORT}')
    return int(text)


def _channels(text: str) -> dict[str, Servo] | list[int]:
    """Return channels, 1 to 32, separated by commas; by name if names are given."""
    parts = [part.strip() for part in text.split(',')]
    if not any('=' in part for part in parts):
        return [_channel(part, text) for part in parts]
    found = {}
    for part in parts:
        name, _, value = part.partition('=')
        channel, *angles = value.split(':')
        if not name or name in found or len(angles) not in (0, 2):
            raise argparse.ArgumentTypeError(f'{part!r} of {text!r} must be NAME=CHANNEL or NAME=CHANNEL:LEAST:LARGEST'
                                             ' (deg), each name once, as motor=3,rudder=1')
        found[name] = Servo(_channel(channel, text), *_angles(part, angles))
    return found


def _channel(channel: str, text: str) -> int:
    if not (channel.isdecimal() and 1 <= int(channel) <= MAX_CHANNELS):
        raise argparse.ArgumentTypeError(f'{channel!r} of {text!r} is no channel, a whole number from 1 to '
                                         f'{MAX_CHANNELS}; as 1,3 or motor=3,rudder=1')
    return int(channel)


def _angles(part: str, texts: list[str]) -> list[float]:
    try:
        angles = [math.radians(float(text)) for text in texts]
    except ValueError:
        angles = [math.nan, math.nan]
    if angles and not -math.tau <= angles[0] < angles[1] <= math.tau:
        raise argparse.ArgumentTypeError(f'the angles of {part!r} must be two numbers from -360 to 360 deg, the least '
                                         'first')
    return angles
