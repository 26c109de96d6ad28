"""Gazebo as a process of the launch: started by ros_gz_sim's launch file, alone in its world, and gone at the end."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from launch import LaunchContext
from launch.actions import GroupAction, IncludeLaunchDescription, RegisterEventHandler, SetLaunchConfiguration
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.logging import get_logger

from usv_energy.files.errors import InputError

# The command line tools of Gazebo (Harmonic and later), and of Fortress.
PROGRAMS = ('gz', 'ign')
# A listing takes 2 s; s.
LISTING_TIME = 20.0
# It names what has answered within two heartbeats of its own and waits for nothing: on a busy machine it missed a world
# that was running two times in eight, so there it is made anew.
LISTINGS_WHEN_BUSY = 4
# With a window Gazebo takes 5 s for the window and 5 s for the server to end; s after SIGTERM.
KILLING_TIME = 15.0
CONTROL = re.compile(r'/world/([^/]+)/control')


def gazebo_process(share: str, words: list[str], headless: bool) -> list[Any]:
    """
    Return the actions that start Gazebo by the launch file of ros_gz_sim; where it ends early, the launch fails.

    That file starts it through a shell, and launch would signal the shell only: each run would leave its server behind.
    With the prefix `exec` Gazebo takes the shell's place. (A launch-prefix of the command line is for the other
    processes.)

    :param share: The share folder of ros_gz_sim.
    :param words: Gazebo's arguments, as a shell reads them.
    :param headless: Whether it has no window.
    """
    include = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(Path(share) / 'launch' / 'gz_sim.launch.py')),
        launch_arguments={'gz_args': ' '.join(words)}.items())
    scope = GroupAction([include], launch_configurations={'launch-prefix': 'exec', 'launch-prefix-filter': ''})
    # Launch reads this when it ends its processes, so it cannot be in the scope.
    patience = [] if headless else [SetLaunchConfiguration('sigkill_timeout', str(KILLING_TIME))]
    return [*patience, scope, RegisterEventHandler(OnProcessExit(on_exit=on_gazebo_exit))]


def on_gazebo_exit(event: ProcessExited, context: LaunchContext) -> list[Any]:
    """End the launch with an error where Gazebo ends before the scenario; the recorders then write what they have."""
    if event.process_name.rpartition('-')[0] == 'gazebo' and not context.is_shutdown:
        raise RuntimeError(f'Gazebo ended before the scenario, with exit code {event.returncode}; '
                           'what was recorded until then is kept')
    return []


def refuse_another_gazebo(world: str) -> None:
    """
    Look for a Gazebo that is running already, of which topics and services would be mixed with those of a new one.

    A world of another name is only warned of: its boats may have other names, too.

    :param world: The name of the world that is to be started.
    :raises InputError: If that world is running.
    """
    running = worlds_running()
    for _ in range(LISTINGS_WHEN_BUSY - 1):
        if world in running or not machine_is_busy():
            break
        running |= worlds_running()
    if world in running:
        raise InputError(
            f'a Gazebo with the world {world!r} is running already (its service /world/{world}/control is there), and '
            'would take the commands of this one. End it, or give one of them a GZ_PARTITION (Fortress: '
            'IGN_PARTITION) of its own')
    for other in sorted(running):
        get_logger('gazebo.launch').warning(
            f'a Gazebo with the world {other!r} is running already; boats of the same names would be mixed')


def machine_is_busy() -> bool:
    """Return whether more processes wanted to run in the last minute than there are processors."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def worlds_running() -> set[str]:
    """
    Return the names of the worlds that Gazebo's own tool finds now; none where the tool is not there.

    Where every tool that is there fails, or does not end, a warning says that what runs is not known.
    """
    found: set[str] = set()
    faults, listed = [], False
    for program in filter(shutil.which, PROGRAMS):
        try:
            done = subprocess.run([program, 'service', '-l'], capture_output=True, text=True, timeout=LISTING_TIME,
                                  check=True)
        except (OSError, subprocess.SubprocessError) as error:
            faults.append(str(error))
            continue
        listed = True
        found |= {match[1] for match in map(CONTROL.fullmatch, done.stdout.split()) if match}
    if faults and not listed:
        get_logger('gazebo.launch').warning(f'whether a Gazebo is running already is not known: {"; ".join(faults)}')
    return found
