"""Make docs/messages.md from the comments of usv_energy_msgs: python3 docs/make_messages.py [-], where - is stdout."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / 'usv_energy_msgs'
HEAD = """\
<!-- Made from the files of usv_energy_msgs by docs/make_messages.py; do not edit. -->
# Messages and services

Units are SI, the earth frame is ENU, the body frame FLU (REP-103), unless a field says otherwise.
Which node publishes what is in [nodes.md](nodes.md).

"""
LINE = re.compile(r'(?P<type>[\w/]+(?:\[\d*\])?) (?P<name>\w+)\s*(?:=\s*(?P<value>\S+))?\s*(?:#\s*(?P<comment>.*))?$')


def page():
    """Return the page."""
    files = [*sorted((SOURCES / 'msg').glob('*.msg')), *sorted((SOURCES / 'srv').glob('*.srv'))]
    links = ' ·\n'.join(f'[{path.stem}](#{path.stem.lower()})' for path in files)
    return '\n'.join([HEAD + links + '\n', *(section(path) for path in files)])


def section(path):
    """Return the section of a message or service."""
    lines = [f'## {path.stem}', '']
    parts = path.read_text(encoding='utf-8').split('\n---\n')
    for title, text in zip(('Request', 'Answer') if len(parts) > 1 else ('',), parts):
        about, rows = read(text)
        if about:
            lines += [*about, '']
        fields = [one for one in rows if one['value'] is None]
        values = [one for one in rows if one['value'] is not None]
        if values:
            lines += ['| constant | value | meaning |', '|---|---|---|']
            lines += [f'| `{one["name"]}` | {one["value"]} | {cell(one["comment"])} |'.replace('|  |', '| |')
                      for one in values] + ['']
        if fields or title:
            lines += [f'| {title or "field"} | type | meaning |', '|---|---|---|']
            lines += [f'| `{one["name"]}` | {kind(one["type"])} | {cell(one["comment"])} |'.replace('|  |', '| |')
                      for one in fields] + ['']
    return '\n'.join(lines)


def read(text):
    """Return the paragraphs before the first field, and the fields and constants with their comments."""
    about, rows = [], []
    for line in text.splitlines():
        if match := LINE.match(line):
            rows.append({**match.groupdict(), 'comment': match['comment'] or ''})
        elif (comment := re.match(r'\s*# ?(.*)', line)) is not None:
            if rows and line.startswith(' '):
                rows[-1]['comment'] += f' {comment[1].strip()}'
            else:
                about.append(comment[1])
        elif line.strip():
            raise ValueError(f'a line that is neither field nor comment: {line!r}')
    return paragraphs(about), rows


def paragraphs(lines):
    """Return lines of comments as Markdown: indented ones are formulas."""
    found, formulas = [], []
    for line in [*lines, '']:
        if line.startswith('  '):
            formulas.append(line.strip())
            continue
        if formulas:
            found += ['', '```text', *formulas, '```', '']
            formulas = []
        found.append(cell(line))
    return '\n'.join(found).strip('\n').splitlines()


def kind(text):
    """Return a type, as a link where it is one of ours."""
    name = text.partition('[')[0].rpartition('/')[2]
    ours = (SOURCES / 'msg' / f'{name}.msg').is_file()
    return f'[{text}](#{name.lower()})'.replace('[]]', '\\[\\]]') if ours else text.replace('[', '\\[')


def cell(text):
    """Return a text that ends no cell of a table, and in which nothing is taken for emphasis."""
    return re.sub(r'[|<*]', lambda match: f'\\{match[0]}', text)


if __name__ == '__main__':
    if sys.argv[1:] == ['-']:
        sys.stdout.write(page())
    else:
        (HERE / 'messages.md').write_text(page(), encoding='utf-8')
