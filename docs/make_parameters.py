"""
Make docs/parameters.md: python3 docs/make_parameters.py [-], where - is stdout.

It is made of what the nodes declare (`declared`) and of the options of graphs (usv_energy/ros/graph/graph_options.py),
and needs rclpy and usv_energy_msgs: ./run shell python3 docs/make_parameters.py
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from usv_energy.ros.framework.parameters import AUTOSTART, BOND_HEARTBEAT_PERIOD, EXIT_WHEN_DONE  # noqa: E402
from usv_energy.ros.graph.graph import NodeSpec  # noqa: E402
from usv_energy.ros.graph.graph_options import EXIT_WITH_SCENARIO, LAUNCH_FILES, OF_PROCESS, OPTIONS  # noqa: E402

HEAD = """\
<!-- Made from the nodes and usv_energy/ros/graph/graph_options.py by docs/make_parameters.py; do not edit. -->
# Parameters of the nodes, arguments of the launch files

What the nodes do, and their topics, is in [nodes.md](nodes.md). `ros2 param describe` and `ros2 launch usv_energy
scenario.launch.py --show-args` say the same as these tables. A live parameter may be changed while the node works,
the others before it is configured. A path may begin with `~`; numbers are at most 1e9 in magnitude.
A timeout in s of wall time may come a quarter of itself late, 0.25 s at most. Nodes: {nodes}.
Then the [launch files](#launch-files) and [compose](#compose).

## Every node

{common}
`exit_when_done` is a parameter of those nodes that are done some time: {done}.

"""
ARGUMENTS = """\
## Launch files

An argument that is the parameter of nodes has its meaning and limits. Arguments that are given win over a
`params_file`, defaults of arguments do not: [ros.md](ros.md#parameters-from-a-file).

"""
COMPOSE = """\
## compose

`ros2 run usv_energy compose energy`, `scenario` or `drive` runs a graph as one process. An option is `--wind-height 10`
for `wind_height`, and `--no-bag` for `bag` false.

"""
NODES = sorted(path.stem for path in (HERE.parent / 'usv_energy' / 'nodes').glob('*.py')
               if path.stem not in ('__init__', 'flow_client'))


def page():
    """Return the page."""
    classes = {name: NodeSpec(name, name, {}).node_class() for name in NODES}
    done = ', '.join(f'`{name}`' for name, node in classes.items() if node.has_end())
    head = HEAD.format(nodes=', '.join(f'[{name}](#{name})' for name in NODES), done=done,
                       common=parameters((AUTOSTART, BOND_HEARTBEAT_PERIOD, EXIT_WHEN_DONE)))
    parts = [head, *(f'## {name}\n\n{parameters(node.declared)}\n' for name, node in classes.items())]
    parts += [ARGUMENTS, *(f'### {name}.launch.py\n\n{options(table)}\n' for name, table in LAUNCH_FILES.items())]
    ends = {'scenario': (EXIT_WITH_SCENARIO,)}
    parts += [COMPOSE, *(f'### compose {name}\n\n{options((*kind.table, *ends.get(name, ()), *OF_PROCESS))}\n'
                         for name, kind in OPTIONS.items())]
    return ''.join(parts).rstrip('\n') + '\n'


def parameters(declared):
    """Return a table of parameters."""
    rows = [f'| `{one.name}` | {shown(one)} | {allowed(one)} | {"live" if one.live else ""} | {plain(one)} |'
            for one in declared]
    return '\n'.join(['| parameter | default | allowed | live | meaning |', '|---|---|---|---|---|', *rows, ''])


def options(declared):
    """Return a table of the arguments of a launch file, or options of compose."""
    rows = [f'| `{one.name}` | {shown(one)} | {allowed(one)} | {plain(one)} |' for one in declared]
    return '\n'.join(['| argument | default | allowed | meaning |', '|---|---|---|---|', *rows, ''])


def shown(one):
    """Return a default in words."""
    if isinstance(one.default, list):
        return ', '.join(filter(None, one.default)) or 'empty'
    if isinstance(one.default, bool):
        return str(one.default).lower()
    return f'{one.default:g}' if isinstance(one.default, int | float) else one.default or 'empty'


def allowed(one):
    """Return what may be given, in words."""
    return one.constraints().removeprefix('one of ') or {bool: 'true, false', str: 'a text', list: 'texts'}[
        type(one.default)]


def plain(one):
    """Return a description that ends no cell."""
    return one.description.replace('|', '\\|')


if __name__ == '__main__':
    if sys.argv[1:] == ['-']:
        sys.stdout.write(page())
    else:
        (HERE / 'parameters.md').write_text(page(), encoding='utf-8')
