"""
Make docs/api.md from the docstrings of the public Python API: python3 docs/make_api.py [-], where - is stdout.

`python3 docs/make_api.py signatures` writes test/unit/api/signatures.txt, which holds what may not change.
"""

import ast
import inspect
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIGNATURES = HERE.parent / 'test' / 'unit' / 'api' / 'signatures.txt'
sys.path.insert(0, str(HERE.parent))

import usv_energy  # noqa: E402

HEAD = """\
<!-- Made from the docstrings by docs/make_api.py; do not edit. -->
# The Python API

`import usv_energy` offers these names. Importing it loads neither numpy nor ROS: a name's module is imported when the
name is first used. Vectors of water and wind (`Vector`) are pairs (east, north), m/s, where they flow *to*; an
`ArrayLike` is a float, a list, an array, a pandas Series or an xarray DataArray; a `FlowLike` is a `Vector`, a text as
people say it, a flow of `read_flow` or the path of its file; a `SeaLike` three numbers or a text. Axes and signs are in
[frames.md](frames.md), a first tour is [python.md](python.md). All examples below are run by a test.

**What may change.** From version 0.2 on these names, their parameters and defaults, and what their docstrings name as
fields and methods, stay. What is to go warns (`DeprecationWarning`) for one release at least, and CHANGELOG.rst says
what takes its place. New names, new parameters with defaults and new fields may come with any release. Parameters
after `*` go by name. Everything else in the package, modules and classes alike, may change from one version to the
next.

"""
GROUPS = {
    'Boats': ('read_boat', 'fit_out', 'check_boat', 'make_boat', 'discharge'),
    'Power and energy of a motion': ('power', 'energy', 'uniform_flow', 'read_flow'),
    'Plans': ('range_study', 'read_plan', 'write_plan', 'mission', 'route', 'energy_map'),
    'Runs': ('read_scenario', 'run_scenario', 'track_figures', 'run_sweep'),
    'Recordings': ('read_log', 'log_of', 'analyze_log', 'compare', 'follow_boat'),
    'Numbers of a boat from logs and trials': (
        'identify_boat', 'identify_electrical', 'identify_speed_power', 'identify_bollard', 'identify_coast_down',
        'identify_steady', 'identify_waves', 'identify_battery', 'identify_pack'),
    'Results': ('Result', 'to_dataset', 'PowerResult', 'EnergyResult', 'CheckResult', 'MadeResult', 'DischargeResult',
                'RangeResult', 'MissionResult', 'RouteResult', 'ScenarioResult', 'LogResult', 'AnalysisResult',
                'ComparisonResult', 'FitResult', 'BoatFitResult'),
    'Errors': ('InputError',)}
FIELDS = re.compile(r':(param|return|raises)\s?(\w*):\s(.*?)(?=\n:|\n\n|\Z)', re.DOTALL)


def names():
    """Return the public names in the order of the page."""
    return [name for group in GROUPS.values() for name in group]


def page():
    """Return the page."""
    assert sorted([*names(), '__version__']) == sorted(usv_energy.__all__)
    lines = [HEAD.rstrip(), '']
    for group, members in GROUPS.items():
        lines += [f'**{group}**', '', '| name | |', '|---|---|',
                  *(f'| [`{name}`](#{name.lower()}) | {summary(name)} |' for name in members), '']
    return '\n'.join([*lines, *(section(name) for name in names())])


def summary(name):
    """Return the first sentence of a docstring."""
    return ' '.join(inspect.getdoc(getattr(usv_energy, name)).split('\n\n')[0].split()).removeprefix('Return ')


def section(name):
    """Return the section of a name: its signature, its text, its parameters and errors, its example."""
    thing = getattr(usv_energy, name)
    told, _, example = inspect.getdoc(thing).partition('\n\n>>> ')
    text, _, fields = told.partition('\n:')
    lines = [f'## {name}', '']
    if not inspect.isclass(thing):
        lines += ['```text', signature(name, thing), '```', '']
    lines += [text.strip(), '']
    entries = FIELDS.findall(f':{fields}' if fields else '')
    for kind, subject, told in entries:
        told = ' '.join(told.split())
        lines.append(f'- `{subject}`: {told}' if kind == 'param' else
                     f'- Raises `{subject}`: {told}' if kind == 'raises' else f'- Returns {told}')
    lines += [''] if entries else []
    if inspect.isclass(thing) and name != 'InputError':
        lines += [*(f'- `{call_of(thing, method)}`: {summary_of(thing, method)}' for method in own_methods(thing)), '']
    if example:
        lines += ['```pycon', f'>>> {example.strip()}', '```', '']
    return '\n'.join(lines)


def own_methods(kind):
    """Return the public methods and properties that a class of results defines itself, in their order."""
    shared = () if kind is usv_energy.Result else ('text', 'figures', 'tabulated', 'to_xarray', 'to_dataframe')
    return [name for name, member in vars(kind).items() if not name.startswith('_') and name not in shared
            and (inspect.isfunction(member) or isinstance(member, property) or hasattr(member, 'attrname'))]


def call_of(kind, method):
    """Return how a method is called, `name(parameters) -> result`; the name alone of a property."""
    member = vars(kind)[method]
    if not inspect.isfunction(member):
        return method
    parameters, returns = parts(member)
    return f'{method}({re.sub(r"^self(, )?", "", parameters)}) -> {returns}'


def summary_of(kind, method):
    """Return the first sentence of a method's docstring."""
    return ' '.join(inspect.getdoc(getattr(kind, method)).split('\n\n')[0].split()).removeprefix('Return ')


def parts(function):
    """Return the parameters of a function as its source has them, and its result, without quotes."""
    [node] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    for child in ast.walk(node):
        if isinstance(child, ast.arg) and isinstance(child.annotation, ast.Constant):
            child.annotation = ast.parse(child.annotation.value, mode='eval').body
    returns = node.returns.value if isinstance(node.returns, ast.Constant) else ast.unparse(node.returns)
    return ast.unparse(node.args), returns


def signature(name, function):
    """Return a function's signature, one parameter a line where it is long."""
    parameters, returns = parts(function)
    if len(name) + len(parameters) + len(returns) <= 105:
        return f'{name}({parameters}) -> {returns}'
    split = re.split(r', (?=\w+: |\*)', parameters)
    return f'{name}(\n    ' + ',\n    '.join(split) + f') -> {returns}'


def signatures():
    """Return the golden file: a line for each function with its parameters and defaults, one for each type."""
    lines = []
    for name in sorted(names()):
        thing = getattr(usv_energy, name)
        if inspect.isclass(thing):
            lines.append(f'class {name}: {", ".join(sorted(public_members(thing)))}')
        else:
            parameters = [f'{"*, " if one.kind is one.KEYWORD_ONLY and first else ""}{one.name}'
                          + ('' if one.default is one.empty else f'={one.default!r}')
                          for one, first in with_first(inspect.signature(thing).parameters.values())]
            lines.append(f'{name}({", ".join(parameters)})')
    return '\n'.join(lines) + '\n'


def public_members(kind):
    """Return the public methods of a type of results, and the fields that its docstring names."""
    methods = {name for name in dir(kind) if not name.startswith('_') and callable(getattr(kind, name))
               and getattr(getattr(kind, name), '__module__', '').startswith('usv_energy.api')}
    spans = [] if kind is usv_energy.InputError else re.findall(r'`([^`]+)`', kind.__doc__)
    named = {word for span in spans for word in re.findall(r'\w+', span)}
    fields = {*dir(kind), *getattr(kind, '__dataclass_fields__', ())}
    return methods | (named & fields)


def with_first(parameters):
    """Yield parameters, each with whether it is the first that goes by name only."""
    seen = False
    for one in parameters:
        by_name = one.kind is one.KEYWORD_ONLY
        yield one, by_name and not seen
        seen = seen or by_name


if __name__ == '__main__':
    if sys.argv[1:] == ['-']:
        sys.stdout.write(page())
    elif sys.argv[1:] == ['signatures']:
        SIGNATURES.write_text(signatures(), encoding='utf-8')
    else:
        (HERE / 'api.md').write_text(page(), encoding='utf-8')
