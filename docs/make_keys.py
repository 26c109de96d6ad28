"""
Make docs/keys.md from the schemas that the readers check files by: python3 docs/make_keys.py [-], where - is stdout.

What a key means is its `description`; where a schema has none, the comment on the line of the key.
"""

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from usv_energy.air.team_plan import _fleet_schema  # noqa: E402
from usv_energy.boats.cell_file import CELL_NUMBERS, cell_schema  # noqa: E402
from usv_energy.boats.numbers import BOAT_NUMBERS, boat_schema  # noqa: E402
from usv_energy.boats.sensor import QUANTITIES, sensor_schema_of  # noqa: E402
from usv_energy.files.checked import LIMITS  # noqa: E402
from usv_energy.files.limits import RANGES  # noqa: E402
from usv_energy.thrusters.kind import KINDS  # noqa: E402
from usv_energy.thrusters.propeller_file import propeller_schema  # noqa: E402

SCHEMAS = HERE.parent / 'config' / 'schema'
HEAD = """\
<!-- Made from config/schema and the tables of numbers by docs/make_keys.py; do not edit. -->
# Keys of the files

What each YAML file may hold. A number is given bare, in the unit of its row, or with its unit and source:
`{value: 9.75, unit: kg, source: "..."}`; a boat file also takes how well it is known, `std` or `interval`. A key with
`[]` is that of each entry of a list. An unknown key is an error that names the file, the key and what is allowed.
`base: NAME` takes everything from another file of the kind and lays the file's own keys over it; `null` removes a key.

"""


class Kind(NamedTuple):
    """A kind of file: title, what it is for, the stem of its schema's file, and the schema where code completes it."""

    title: str
    purpose: str
    stem: str
    schema: Any = None


FILES = (
    Kind('Boat', 'A boat: [boats.md](boats.md). Shipped ones are in `config/boats`.', 'boat', boat_schema),
    Kind('Propeller', 'Under `thrusters[].propeller` of a boat file: [propellers.md](propellers.md).', '',
         propeller_schema(tuple(KINDS))),
    Kind('Pulse widths', 'Under `thrusters[].pwm` of a boat file: [boats.md](boats.md).', 'pwm'),
    Kind('Boat known by its power over speed', 'In place of hull, drag and thrusters: [boats.md](boats.md).',
         'power_curve'),
    Kind('Facts for boat make', 'What an owner knows: [hulls.md](hulls.md).', 'facts'),
    Kind('Scenario', 'Where a boat goes, in which water and air: [files.md](files.md).', 'scenario'),
    Kind('Flow', 'Water current, wind or waves, from a file or in closed form (one `analytic` or `waves` kind each):\n'
         '[flows.md](flows.md), [waves.md](waves.md).', 'flow'),
    Kind('Sweep', 'What of a scenario varies: [sweeps.md](sweeps.md).', 'sweep'),
    Kind('Maneuver', 'Thrusts or pulses over time: [trials.md](trials.md).', 'maneuver'),
    Kind('Column map', 'What the columns of a table hold: [identify.md](identify.md).\nA column is a mapping of '
         '`column`, its name in the header (required), `unit`, where the row has one `frame`, `sign` (1 or -1),\n'
         '`limits` (the least and the largest value that can be), and of a folder `file`, the table that holds it;\n'
         'a time that is a calendar also `date`, the column of its date.', 'columns'),
    Kind('Battery cell', 'Of `config/batteries`, or by `identify battery`: [batteries.md](batteries.md).', 'battery',
         cell_schema),
    Kind('Thruster', "A maker's sheets, of `config/thrusters`: [propellers.md](propellers.md).", 'thruster'),
    Kind('Sensor', 'Of `config/sensors`, or under `sensors[]` of a boat: [sensors.md](sensors.md).', 'sensor'),
    Kind('Quadcopter', 'Of `config/quadcopters`: [air.md](air.md).', 'quadcopter'),
    Kind('Team of a boat and a quadcopter', 'Of `config/teams`: [air.md](air.md).', 'team'),
    Kind('Team of several vehicles', 'Of `config/teams`: [air.md](air.md).', 'fleet', _fleet_schema),
    Kind('Acoustic run', 'Of `config/acoustics`: [acoustics.md](acoustics.md).', 'acoustics'),
    Kind('Acoustic modem', 'Of `config/modems`: [acoustics.md](acoustics.md).', 'modem'))
TYPES = {'string': 'text', 'integer': 'whole number', 'boolean': 'true, false', 'object': 'mapping', 'array': 'list',
         'number': 'number'}


def page():
    """Return the page."""
    parts = [HEAD + ' ·\n'.join(f'[{kind.title}](#{kind.title.lower().replace(" ", "-")})' for kind in FILES) + '\n']
    for kind in FILES:
        schema = kind.schema() if kind.schema else yaml.safe_load(
            (SCHEMAS / f'{kind.stem}.schema.yaml').read_text(encoding='utf-8'))
        comments = comments_of(SCHEMAS / f'{kind.stem}.schema.yaml') if kind.stem else {}
        rows = Walk(schema, comments).rows()
        parts.append(f'## {kind.title}\n\n{kind.purpose}\n')
        parts.append(sensors(comments) if kind.stem == 'sensor' else table(rows))
    return '\n'.join(parts)


def table(rows):
    """Return a table of rows of key, value and meaning."""
    lines = [f'| `{key}` | {value} | {meaning} |'.replace('|  |', '| |') for key, value, meaning in rows]
    return '\n'.join(['| key | value | meaning |', '|---|---|---|', *lines, ''])


def sensors(comments):
    """Return the tables of sensors: keys of all kinds, errors of any quantity, and what else a kind has."""
    rows = {kind: Walk(sensor_schema_of(kind)(), comments).rows() for kind in QUANTITIES}
    known = [{row[0] for row in own} for own in rows.values()]
    common = [row for row in next(iter(rows.values())) if all(row[0] in names for names in known)]
    quantity = next(iter(QUANTITIES['gnss']))
    errors = [(key.replace(quantity, 'QUANTITY'), value, meaning) for key, value, meaning in rows['gnss']
              if key.startswith(f'{quantity}.')]
    parts = [table(common), 'The errors of a quantity, in its unit where the row has none of its own:\n',
             table([(key, re.sub(r', m(?=,|$)', '', value), meaning) for key, value, meaning in errors])]
    for kind, own in rows.items():
        parts += [f'### kind: {kind}\n', table([row for row in own if row not in common and '.' not in row[0]])]
    return '\n'.join(parts)


def comments_of(path):
    """Return the comments at the ends of the lines of a schema's keys, by the path of the key in the document."""
    text = path.read_text(encoding='utf-8')
    lines, found = text.splitlines(), {}

    def visit(node, place):
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                line = lines[key.start_mark.line]
                if (comment := re.search(r'\s#\s*(.+)$', line)) and '"' not in comment[1]:
                    found.setdefault((*place, key.value), comment[1])
                visit(value, (*place, key.value))

    visit(yaml.compose(text), ())
    return found


class Walk:
    """The rows of a schema: key, value in words, and meaning."""

    def __init__(self, schema, comments):
        self.schema, self.comments = schema, comments
        self.numbers = {'usv_energy boat': BOAT_NUMBERS, 'usv_energy battery cell': {
            f'cell.{name}': row for name, row in CELL_NUMBERS.items()}}.get(schema.get('title'), {})

    def rows(self):
        """Return the rows of the whole schema."""
        return list(self.properties(self.schema, (), ''))

    def resolved(self, node, place):
        """Return a node with what it refers to laid under it, and the place of that."""
        if '$ref' in node:
            name = node['$ref'].rpartition('/')[2]
            under, place = self.resolved(self.schema['$defs'][name], ('$defs', name))
            own = {key: value for key, value in node.items() if key != '$ref'}
            node = {**under, **own, 'properties': {**under.get('properties', {}), **own.get('properties', {})}}
        if 'allOf' in node and not any('if' in one for one in node['allOf']):
            merged, properties = {}, {}
            for one in node['allOf']:
                one = self.resolved(one, place)[0]
                for key, value in one.get('properties', {}).items():
                    there = properties.get(key)
                    both = isinstance(there, dict) and isinstance(value, dict)
                    properties[key] = {**there, **value} if both else value
                merged.update(one)
            node = {**merged, **{key: value for key, value in node.items() if key != 'allOf'}, 'properties': properties}
        return node, place

    def properties(self, node, place, prefix):
        """Yield the rows of a mapping's properties and of what lies below them."""
        for name, child in (node.get('properties') or {}).items():
            key = f'{prefix}{name}'
            if not isinstance(child, dict):
                if name != 'kind':
                    yield key, 'as of any boat' if name in ('length', 'width', 'height', 'mass', 'frontal_area', 'c_x',
                                                            'air_density', 'efficiency') else '', ''
                continue
            own = (*place, 'properties', name)
            full, there = self.resolved(child, own)
            needed = ', required' if name in node.get('required', ()) else ''
            meaning = child.get('description') or self.comments.get(own) or full.get('description') or ''
            yield key, value_of(full) + needed, cell(meaning + self.default_of(key))
            yield from self.below(full, there, key)

    def default_of(self, key):
        """Return what a number of a boat or a cell is where its key is left out, as the end of its meaning."""
        row = self.numbers.get(key.replace('[]', '.*'))
        return '' if row is None or row.default is None else f' ({row.default:g} if left out)'

    def below(self, node, place, key):
        """Yield the rows below a property: of a mapping, of the entries of a list, and of each kind of a mapping."""
        if is_number(node) or is_column(node):
            return
        yield from self.properties(node, place, f'{key}.')
        if isinstance(items := node.get('items'), dict):
            full, there = self.resolved(items, (*place, 'items'))
            yield from self.properties(full, there, f'{key}[].')
        if isinstance(more := node.get('additionalProperties'), dict):
            full, there = self.resolved(more, (*place, 'additionalProperties'))
            yield f'{key}.NAME', value_of(full), cell(full.get('description') or '')
            yield from self.properties(full, there, f'{key}.NAME.')
        for one in node.get('allOf', ()):
            if 'if' in one:
                kind = one['if']['properties']['kind']['const']
                full, there = self.resolved(one['then'], place)
                yield from self.properties(full, there, f'{key}({kind}).')


def is_number(node):
    """Return whether a node is a number that may be given with its unit and source."""
    return node.get('if') == {'type': 'object'} or set(node.get('properties') or ()) >= {'value', 'unit'}


def is_column(node):
    """Return whether a node is a column of a table."""
    return 'column' in (node.get('properties') or {})


def value_of(node):
    """Return in words what a value may be."""
    if is_column(node):
        return 'column' + ''.join(f'; {name} {value_of(node["properties"][name])}' for name in ('unit', 'frame')
                                  if name in node['properties'])
    if node.get('if') == {'type': 'object'}:
        unit = node['then'].get('properties', {}).get('unit', {}).get('const', '')
        return ', '.join(filter(None, ('number', unit if unit != '-' else '', limits_of(node['else'], unit))))
    if node.get('if') == {'type': 'string'}:
        return f'{node["then"].get("const", "text")}, or a number'
    if node.get('if') == {'type': 'array'}:
        other = node['else'].get('$ref', '').rpartition('/')[2]
        return f'list of numbers, or {"one for all" if not other else "a mapping from, to, number"}'
    if is_number(node):
        unit, value = (node['properties'][key] for key in ('unit', 'value'))
        unit = unit.get('const', '') if isinstance(unit, dict) else ''
        limits = limits_of(value, '') if isinstance(value, dict) else ''
        return ', '.join(filter(None, ('number with unit', unit if unit != '-' else '', limits)))
    if 'enum' in node:
        return ', '.join(f'`{one}`'.replace('`\t`', 'tab').replace('` `', 'blank').replace('|', '\\|')
                         for one in node['enum'])
    if 'const' in node:
        return f'`{node["const"]}`'
    kind = node.get('type')
    if kind == 'array':
        return list_of(node)
    words = ' or '.join(TYPES[one] for one in ([kind] if isinstance(kind, str) else kind or ())) or 'mapping'
    limits = limits_of(node, '')
    return f'{words}, {limits}' if limits else words


def list_of(node):
    """Return in words what a list holds."""
    items = node.get('items') or {}
    if items.get('type') == 'array':
        return f'rows of {items["minItems"]} numbers' if items.get('minItems') == items.get('maxItems') \
            and 'minItems' in items else 'rows of numbers'
    if items.get('type') in ('number', 'integer'):
        number = node['minItems'] if node.get('minItems') == node.get('maxItems') and 'minItems' in node else ''
        return f'{number} numbers'.strip()
    return 'list of texts' if items.get('type') == 'string' else 'list'


def limits_of(node, unit):
    """Return the limits of a number in words, without those that any quantity in its unit has."""
    most = RANGES.get(unit)
    signs = {'minimum': '>=', 'exclusiveMinimum': '>', 'maximum': '<=', 'exclusiveMaximum': '<'}
    return ', '.join(f'{signs[name]} {node[name]:g}' for name in LIMITS
                     if name in node and (most is None or abs(node[name]) != most))


def cell(text):
    """Return a text that ends no cell of a table, with links to the pages that it names."""
    return re.sub(r'docs/(\w+\.md)', r'[\1](\1)', ' '.join(text.split()).replace('|', '\\|'))


if __name__ == '__main__':
    if sys.argv[1:] == ['-']:
        sys.stdout.write(page())
    else:
        (HERE / 'keys.md').write_text(page(), encoding='utf-8')
