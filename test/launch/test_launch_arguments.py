"""The launch files' arguments as ROS's own launch has them: those of the one table, and as options of compose."""

import importlib.util
import subprocess
import sys

import pytest
from places import ROOT

from usv_energy.ros.graph.compose import parser
from usv_energy.ros.graph.graph_options import LAUNCH_FILES, OPTIONS, Text

NEEDS = ('launch',)


@pytest.mark.parametrize('file', LAUNCH_FILES)
def test_a_launch_file_declares_its_table(file):
    from launch import LaunchContext
    from launch.utilities import perform_substitutions
    spec = importlib.util.spec_from_file_location(file, ROOT / 'launch' / f'{file}.launch.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arguments = module.generate_launch_description().get_launch_arguments()
    assert [one.name for one in arguments] == [one.name for one in LAUNCH_FILES[file]]
    for argument, one in zip(arguments, LAUNCH_FILES[file]):
        text = perform_substitutions(LaunchContext(), argument.default_value)
        assert text == (str(one.default).lower() if isinstance(one.default, bool) else str(one.default))
        assert tuple(argument.choices or ()) == (one.allowed if isinstance(one, Text) else ())
        assert argument.description.startswith(one.description)


@pytest.mark.parametrize('graph', OPTIONS)
def test_arguments_as_options_of_compose_are_what_compose_takes_them_for(graph):
    from launch import LaunchContext

    from usv_energy.ros.graph.launch_arguments import Arguments
    context = LaunchContext()
    given = {one.name: one for one in LAUNCH_FILES[graph]}
    context.launch_configurations.update({
        **{name: str(one.default) for name, one in given.items()}, 'boat': 'wamv', 'wind_height': '10',
        'autostart': 'False', 'out': 'elsewhere'})
    words = Arguments(context, given).options(graph, out='there', bag=False)
    args = vars(parser().parse_args(words))
    assert {name: args[name] for name in ('what', 'boat', 'wind_height', 'autostart', 'out', 'bag')} == {
        'what': graph, 'boat': 'wamv', 'wind_height': 10.0, 'autostart': False, 'out': 'there', 'bag': False}
    assert {one.name for one in OPTIONS[graph].table if f'--{one.name.replace("_", "-")}' in ' '.join(words)} >= {
        one.name for one in OPTIONS[graph].table if one.name in given and one.name != 'bag'}


# Ctrl-C at the one moment at which it had left `ros2 launch` waiting for ever: a process has started, and the task that
# started it has not heard so.
CTRL_C = """
import asyncio.base_events, os, signal, sys
from launch import LaunchDescription, LaunchService
from launch.actions import ExecuteProcess
from usv_energy.ros.graph.launch_arguments import description_of
call_soon, os.environ['ROS_LOG_DIR'] = asyncio.base_events.BaseEventLoop.call_soon, sys.argv[1]
def interrupted(self, callback, *args, **options):
    handle = call_soon(self, callback, *args, **options)
    if getattr(callback, '__name__', '') == 'connection_made' and 'Subprocess' in type(args[0]).__name__:
        os.kill(os.getpid(), signal.SIGINT)
    return handle
asyncio.base_events.BaseEventLoop.call_soon = interrupted
file = sys.argv[2]
sys.argv = ['ros2', 'launch', file]
service = LaunchService()
service.include_launch_description(description_of(
    'energy', file, lambda arguments: [ExecuteProcess(cmd=['sleep', '0.2'])]))
print('ended with', service.run())
"""


def test_ctrl_c_while_launch_starts_a_process_ends_the_launch(tmp_path):
    done = subprocess.run([sys.executable, '-c', CTRL_C, str(tmp_path), str(ROOT / 'launch' / 'energy.launch.py')],
                          capture_output=True, text=True, timeout=60.0)
    assert 'process has finished cleanly' in done.stdout + done.stderr and 'ended with 0' in done.stdout
