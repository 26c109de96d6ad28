"""What the code imports is declared: to rosdep in package.xml, to pip in requirements/, which setup.py reads."""

import ast
import re
import sys
from functools import cache
from xml.etree import ElementTree

from places import ROOT

IN_ROSDEP = {'pyyaml': 'python3-yaml'}  # the rest is python3-NAME
IMPORTED_AS = {'yaml': 'pyyaml'}
BROUGHT_BY = {'llvmlite': 'numba', 'markupsafe': 'jinja2', 'fastapi': 'nicegui', 'uvicorn': 'nicegui'}
OF_NAV2 = {'nav2_msgs'}   # Used where Nav2 is installed, and never needed.
EXTRAS = ('bags', 'flow', 'fast', 'sweep', 'ardupilot', 'learning', 'completion', 'web')
SOURCES = [path for folder in ('usv_energy', 'launch') for path in sorted((ROOT / folder).rglob('*.py'))]


def required(name):
    """Return the libraries in requirements/<name>.txt, lower case."""
    lines = (ROOT / 'requirements' / f'{name}.txt').read_text().splitlines()
    return {re.split(r'[^\w-]', line)[0].lower() for line in lines if line[:1].isalpha()}


CORE = required('core')
OPTIONAL = {library: extra for extra in EXTRAS for library in required(extra)}
DECLARED = {entry.text for entry in ElementTree.parse(ROOT / 'package.xml').iter('exec_depend')}


@cache
def nodes():
    """Return the nodes of all syntax trees, by file."""
    return {path.relative_to(ROOT): [node for node in ast.walk(ast.parse(path.read_text()))
                                     if isinstance(node, (ast.Import, ast.ImportFrom, ast.Call, ast.Constant))]
            for path in SOURCES}


@cache
def imported():
    """Return the packages that are imported anywhere, but for Python's and our own, each with a file that does."""
    found = {}
    for path, among in nodes().items():
        for node in among:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            for name in {name.partition('.')[0] for name in names} - set(sys.stdlib_module_names) - {'usv_energy'}:
                found.setdefault(IMPORTED_AS.get(name, name).lower(), path)
    return found


def optional_calls():
    """Return library and extra of each call of `optional` that has both as plain texts."""
    for among in nodes().values():
        for node in among:
            if (isinstance(node, ast.Call) and getattr(node.func, 'id', '') == 'optional'
                    and all(isinstance(argument, ast.Constant) for argument in node.args[:2])):
                yield node.args[0].value.partition('.')[0].lower(), node.args[1].value


def test_what_is_imported_is_declared():
    undeclared = {}
    for package, path in imported().items():
        library = BROUGHT_BY.get(package, package)
        declared = IN_ROSDEP.get(library, f'python3-{library}') in DECLARED if library in CORE else (
            library in OPTIONAL or library in DECLARED | OF_NAV2)
        if not declared:
            undeclared[library] = f'{path} imports it'
    assert undeclared == {}
    assert len(imported()) > 20


def test_what_is_declared_is_used():
    """By an import, or by its name: Gazebo's packages are started and not imported."""
    texts = {re.split('[./]', node.value)[0] for among in nodes().values() for node in among
             if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    named = {package for package in DECLARED if package in texts}
    for_core = {IN_ROSDEP.get(library, f'python3-{library}') for library in CORE}
    assert not DECLARED - set(imported()) - named - for_core
    assert for_core <= DECLARED
    assert {'ros_gz_bridge', 'ros_gz_interfaces', 'ros_gz_sim'} <= named
    unused = CORE - {BROUGHT_BY.get(package, package) for package in imported()}
    assert unused == set()


def test_a_missing_optional_library_is_said_to_be_in_an_extra_that_has_it():
    calls = set(optional_calls())
    assert ('xarray', 'flow') in calls and ('numba', 'fast') in calls
    assert [call for call in calls if call[0] not in required(call[1])] == []


def test_run_installs_every_requirement_in_the_version_it_names_and_by_hashes():
    names = {path.name for path in (ROOT / 'requirements').glob('*.txt')} - {'locked.txt', 'locked_extras.txt'}
    asked = {line.partition(';')[0].strip().lower() for name in names
             for line in (ROOT / 'requirements' / name).read_text().splitlines() if line[:1].isalpha()}
    locked = [line.split() for name in ('locked.txt', 'locked_extras.txt')
              for line in (ROOT / 'requirements' / name).read_text().splitlines() if line[:1] != '#']
    versions = dict(pin.split('==') for pin, *_ in locked)
    assert len(versions) == len(locked)
    assert all(re.fullmatch('(--hash=sha256:[0-9a-f]{64} ?)+', ' '.join(hashes)) for _, *hashes in locked)
    for requirement in asked:
        name, _, version = re.sub(r'\[.*\]', '', requirement).partition('==')
        assert (found := versions.get(re.split('[<>=]', name)[0])) and found == (version or found), requirement
