"""
Imports go one way, from room to room and within a room; names stand for one thing.

The order of the rooms is RANKS; `docs` and CONTRIBUTING say what each is for.
"""

import ast
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import usv_energy

ROOT = Path(usv_energy.__file__).resolve().parent
RANKS = {'files': 0, 'earth': 0, 'units': 0, 'phrases': 1, 'physics': 1, 'thrusters': 2, 'foils': 2, 'show': 2,
         'allocation': 3, 'boats': 3, 'powering': 4, 'flow': 4, 'missions': 5, 'sim': 6, 'air': 7, 'engine': 7,
         'logs': 7, 'gazebo': 8, 'studies/plan': 8, 'studies/check': 9, 'studies/make': 9, 'studies/range': 9,
         'studies/maps': 9,
         'studies/runs': 9, 'studies/mission': 10, 'studies/analyze': 10, 'studies/compare': 11, 'studies/route': 11,
         'studies/identify': 11, 'studies/team': 11, 'live': 12, 'ros': 13,
         'nodes': 14}
COMMANDS = {'api': 15, 'web': 16, 'cli': 16, 'start': 16, '__main__': 16}
ROS_LAYERS = ('ros', 'nodes')
ROS_PACKAGES = ('rclpy', 'builtin_interfaces', 'rcl_interfaces', 'std_srvs', 'rosidl_runtime_py', 'launch',
                'launch_ros', 'ament_index_python', 'domain_coordinator')
# What the lower layers may import besides the standard library; wherever the import stands.
OTHERS = {'files': {'numpy', 'yaml', 'jsonschema'}, 'physics': {'numpy', 'numba', 'llvmlite'}, 'thrusters': {'numpy'},
          'foils': {'numpy'}, 'allocation': {'numpy'}, 'powering': {'numpy'}, 'sim': {'numpy'},
          'missions': {'numpy', 'pyproj', 'yaml'}, 'earth': {'numpy', 'pyproj'},
          'phrases': set(), 'units': set()}


class Import(NamedTuple):
    layer: str
    target: str         # usv_energy.<layer>... or another package's name
    at_module_level: bool
    place: str

    @property
    def inner_layer(self):
        parts = self.target.split('.')
        return room_of(parts[1:]) if parts[0] == 'usv_energy' and len(parts) > 1 else None


def room_of(parts):
    """Return the room of a module by its place in the package; each study is a room of its own."""
    return '/'.join(parts[:2]) if parts[0] == 'studies' else parts[0]


def imports_in(source, package, layer='', place=''):
    """Return all imports of a module's source; `package` is the dotted name of the package that it lies in."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            in_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            child.lazy = in_function or only_for_types(node) or getattr(node, 'lazy', False)
    found = []
    for node in ast.walk(tree):
        where = f'{place}:{getattr(node, "lineno", 0)}'
        if isinstance(node, ast.Import):
            found += [Import(layer, alias.name, not node.lazy, where) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split('.')[:len(package.split('.')) - node.level + 1] if node.level else []
            base = '.'.join([*above, *([node.module] if node.module else [])])
            # `from .. import sim` names the layer itself; `from ..sim import boat` names it in the module.
            found += [Import(layer, f'{base}.{alias.name}', not node.lazy, where) for alias in node.names]
    return found


def only_for_types(node):
    return isinstance(node, ast.If) and 'TYPE_CHECKING' in ast.dump(node.test)


@cache
def imports_of(path):
    relative = path.relative_to(ROOT)
    layer = room_of([part.removesuffix('.py') for part in relative.parts])
    package = '.'.join(['usv_energy', *relative.parts[:-1]])
    return imports_in(path.read_text(encoding='utf-8'), package, layer, str(relative))


@cache
def all_imports():
    return [one for path in sorted(ROOT.rglob('*.py')) for one in imports_of(path)]


def needs_ros(target):
    package = target.split('.')[0]
    return package in ROS_PACKAGES or package.endswith('_msgs') or package.endswith('_interfaces')


def test_the_parser_sees_every_form_of_import():
    source = '\n'.join([
        'import rclpy.node', 'from std_msgs.msg import Float64', 'from ..sim import plant', 'from .. import ros',
        'from . import frames', 'def f():', '    from ..nodes.recorder import main', 'if TYPE_CHECKING:',
        '    import x'])
    found = {(one.target, one.at_module_level) for one in imports_in(source, 'usv_energy.physics')}
    assert found == {('rclpy.node', True), ('std_msgs.msg.Float64', True), ('usv_energy.sim.plant', True),
                     ('usv_energy.ros', True), ('usv_energy.physics.frames', True),
                     ('usv_energy.nodes.recorder.main', False), ('x', False)}
    found = imports_in('from .. import ros\nimport yaml', 'usv_energy.physics')
    assert [one.inner_layer for one in found] == ['ros', None]


def test_every_folder_has_its_place():
    """A folder that this test does not know would be free to import anything."""
    folders = {room_of(path.relative_to(ROOT).parts) for path in ROOT.rglob('*')
               if path.is_dir() and any(path.glob('*.py'))}
    modules = {path.stem for path in ROOT.glob('*.py')}
    assert folders - set(RANKS) - set(COMMANDS) == {'studies'}
    assert modules <= {'__init__', 'version', 'earth', 'phrases', 'units', *COMMANDS}
    assert len(all_imports()) > 100


@pytest.mark.parametrize('layer', RANKS)
def test_no_layer_imports_one_above(layer):
    wrong = [f'{one.place} imports {one.target}' for one in all_imports()
             if one.layer == layer and {**RANKS, **COMMANDS}.get(one.inner_layer, 0) > RANKS[layer]]
    assert wrong == []


def test_layers_side_by_side_do_not_import_each_other_in_a_circle():
    pairs = {(one.layer, one.inner_layer) for one in all_imports()
             if one.layer in RANKS and one.inner_layer in RANKS and one.layer != one.inner_layer}
    assert {pair for pair in pairs if pair[::-1] in pairs} == set()


def test_the_commands_need_ros_only_where_a_command_needs_it():
    wrong = [f'{one.place} imports {one.target}' for one in all_imports()
             if one.layer in COMMANDS and one.at_module_level and one.inner_layer in ROS_LAYERS]
    assert wrong == []


def test_only_ros_and_nodes_know_ros():
    wrong = [f'{one.place} imports {one.target}' for one in all_imports()
             if one.layer not in ROS_LAYERS and needs_ros(one.target)]
    assert wrong == []
    assert any(needs_ros(one.target) for one in all_imports() if one.layer in ROS_LAYERS)


@pytest.mark.parametrize('layer', OTHERS)
def test_the_lower_layers_need_little(layer):
    wrong = [f'{one.place} imports {one.target}' for one in all_imports()
             if one.layer == layer and one.inner_layer is None and one.target.split('.')[0] not in OTHERS[layer]
             and one.target.split('.')[0] not in sys.stdlib_module_names]
    assert wrong == []


def test_physics_imports_numba_only_when_asked():
    assert [one.place for one in all_imports() if one.target.startswith('numba') and one.at_module_level] == []


def module_of(path):
    return '.'.join(path.relative_to(ROOT.parent).with_suffix('').parts).removesuffix('.__init__')


MODULES = {module_of(path): path for path in sorted(ROOT.rglob('*.py'))}


def imported_modules(path):
    """Return the modules of ours that a module imports, wherever the import stands."""
    module = module_of(path)
    targets = {one.target for one in imports_of(path)}
    found = {target if target in MODULES else target.rpartition('.')[0] for target in targets}
    return {target for target in found if target in MODULES and target != module}


def circle_through(module, graph):
    """Return a way from a module back to itself, shortest first; empty if there is none."""
    ways = [[module]]
    seen = set()
    while ways:
        way = ways.pop(0)
        for target in sorted(graph[way[-1]]):
            if target == module:
                return [*way, module]
            if target not in seen:
                seen.add(target)
                ways.append([*way, target])
    return []


def test_a_circle_is_found():
    graph = {'a': {'b'}, 'b': {'c'}, 'c': {'a', 'd'}, 'd': set()}
    assert circle_through('a', graph) == ['a', 'b', 'c', 'a']
    assert circle_through('d', graph) == []


def test_no_file_imports_in_a_circle():
    graph = {module: imported_modules(path) for module, path in MODULES.items()}
    assert sum(map(len, graph.values())) > 300
    circles = {frozenset(circle) for module in graph if (circle := circle_through(module, graph))}
    assert sorted(map(sorted, circles)) == []


def test_no_two_modules_share_a_name():
    """Verbs aside: cli/range.py is the verb of what studies/range does."""
    names = Counter(module.rpartition('.')[2] for module, path in MODULES.items()
                    if path.name != '__init__.py' and '.cli.' not in module)
    assert [name for name, number in names.items() if number > 1] == []


def test_no_two_public_types_share_a_name():
    places = defaultdict(list)
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding='utf-8')).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith('_'):
                places[node.name].append(module)
    assert len(places) > 100
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
