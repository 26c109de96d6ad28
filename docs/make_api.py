"""Make docs/api.md from the docstrings of the public Python API: python3 docs/make_api.py [-], where - is stdout."""

import ast
import inspect
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import usv_energy  # noqa: E402

HEAD = """\
<!-- Made from the docstrings by docs/make_api.py; do not edit. -->
# The Python API

`import usv_energy` offers these names; everything else in the package may change from one version to the next.
Importing it loads neither numpy nor ROS: a name's module is imported when the name is first used. Vectors of water and
wind (`Vector`) are pairs (east, north), m/s, where they flow *to*; an `ArrayLike` is a float, a list or an array.
Axes and signs are in [frames.md](frames.md), examples in [python.md](python.md).

"""
ORDER = ('read_boat', 'power', 'energy', 'uniform_flow', 'read_flow', 'read_scenario', 'run_scenario', 'track_figures',
         'read_log', 'analyze_log', 'to_dataset', 'run_sweep', 'energy_map', 'range_study', 'identify_boat',
         'InputError')


def page():
    """Return the page."""
    assert set(ORDER) | {'__version__'} == set(usv_energy.__all__)
    table = [f'| [`{name}`](#{name.lower()}) | {summary(name)} |' for name in ORDER]
    return '\n'.join([HEAD + '| name | |', '|---|---|', *table, '', *(section(name) for name in ORDER)])


def summary(name):
    """Return the first sentence of a docstring."""
    return ' '.join(inspect.getdoc(getattr(usv_energy, name)).split('\n\n')[0].split()).removeprefix('Return ')


def section(name):
    """Return the section of a name: its signature, its text, its parameters and errors."""
    thing = getattr(usv_energy, name)
    text, _, fields = inspect.getdoc(thing).partition('\n:')
    lines = [f'## {name}', '']
    if not inspect.isclass(thing):
        lines += ['```text', signature(name, thing), '```', '']
    lines += [text.strip(), '']
    entries = re.findall(r':(param|return|raises)\s?(\w*):\s(.*?)(?=\n:|\Z)', f':{fields}' if fields else '', re.DOTALL)
    for kind, subject, told in entries:
        told = ' '.join(told.split())
        lines.append(f'- `{subject}`: {told}' if kind == 'param' else
                     f'- Raises `{subject}`: {told}' if kind == 'raises' else f'- Returns {told}')
    return '\n'.join([*lines, *([''] if entries else [])])


def signature(name, function):
    """Return a function's signature as its source has it, one parameter a line where it is long."""
    [node] = ast.parse(inspect.getsource(function)).body
    for child in ast.walk(node):
        if isinstance(child, ast.arg) and isinstance(child.annotation, ast.Constant):
            child.annotation = ast.parse(child.annotation.value, mode='eval').body
    returns = node.returns.value if isinstance(node.returns, ast.Constant) else ast.unparse(node.returns)
    parameters = ast.unparse(node.args)
    if len(name) + len(parameters) + len(returns) <= 105:
        return f'{name}({parameters}) -> {returns}'
    split = re.split(r', (?=\w+: |\*)', parameters)
    return f'{name}(\n    ' + ',\n    '.join(split) + f') -> {returns}'


if __name__ == '__main__':
    if sys.argv[1:] == ['-']:
        sys.stdout.write(page())
    else:
        (HERE / 'api.md').write_text(page(), encoding='utf-8')
