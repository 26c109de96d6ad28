"""Files that come by mail, and arguments that no boat meets: status 2 and one line, soon and without a traceback."""

import json
import os
import re
import time
import tracemalloc
import zipfile

import pytest
from places import ROOT

from usv_energy.cli.main import main
from usv_energy.files.errors import InputError
from usv_energy.logs.bags.cdr import Field, layout_of_definition
from usv_energy.web.drawn_mission import rings_of_text

THETIS = re.sub('duration:.*\n', '', (ROOT / 'config' / 'acoustics' / 'thetis.yaml').read_text())
SCENARIO = 'base: "3"\npublished: null\n'
BOAT = 'base: lutra_prop\n'
COLUMNS = ('title: t\ncolumns:\n' + ''.join(f'  {name}: {{column: {name}, unit: {unit}}}\n' for name, unit in (
    ('time', 's'), ('x', 'm'), ('y', 'm'), ('yaw', 'rad'), ('u', 'm/s'), ('v', 'm/s'), ('r', 'rad/s'))))
GPX = ('<gpx><rte><extensions><speed>0.8</speed></extensions>'
       '<rtept lat="45" lon="9"/><rtept lat="45" lon="9.001"><extensions><doing>go</doing><speed>{}</speed>'
       '</extensions></rtept></rte></gpx>')
LINE = ('{{"type": "Feature", "properties": {{"name": "{}"}}, "geometry": {{"type": "LineString", '
        '"coordinates": [[9, 45], [9.001, 45]]}}}}')

RASTER = ['--reader', 'raster', '--option', 'kind=components', '--option', 'unit=m/s']
ROUTE = ['route', '--boat', 'lutra_prop', '--from', '0', '0', '--to', '9', '9', '--origin', '45', '9']


def rows(step):
    return 'time,x,y,yaw,u,v,r\n' + ''.join(f'{n * step!r},0,0,0,1,0,0\n' for n in range(300))


CASES = {
    'current of 300 m/s': ('run', 'a.yaml', f'{SCENARIO}current: {{speed: 300, direction_deg: 0}}', 'speed is 300'),
    'wind of 1e4 m/s': ('run', 'a.yaml', SCENARIO + 'wind: {speed: 1.0e+4, direction_deg: 0}', 'wind.speed is 10000'),
    'timeout': ('run', 'a.yaml', SCENARIO + 'stop: {timeout: 1.0e+12}', 'stop.timeout is'),
    'a step of 10 ns': ('run', 'a.yaml', SCENARIO + 'simulation: {step: 1.0e-8}', 'must be at least 0.0001 s'),
    'load of 1e12 W': ('boat check', 'a.yaml', BOAT + 'static_load: {value: 1.0e+12, unit: W, source: x}', 'at most'),
    'drag of 1e308': ('boat check', 'a.yaml', BOAT + 'damping: {linear: {d11: 1.0e+308}}',
                      'd11 is 1e+308; must be at most 1e+09'),
    'drag of 1e-320': ('boat check', 'a.yaml', BOAT + 'damping: {linear: {d11: 1.0e-320}}',
                       'from 1e-30 to 1e+15 in magnitude'),
    'name': ('boat check', 'a.yaml', BOAT + 'name: "\\e]0;title\\a"', 'control character'),
    'bytes for a name': ('boat check', 'a.yaml', BOAT + f'name: !!binary "{"A" * 100_000}"', 'bytes (!!binary) stand'),
    'half a character': ('boat check', 'a.yaml', BOAT + 'name: "\\uD800"', 'wrong YAML'),
    'sweep of 1e12': ('sweep', 'a.yaml', 'scenario: "6"\ngrid: {speed.target: {from: 1, to: 2, number: 1000000000000}}',
                      'at most 1000000'),
    'acoustics': ('acoustics', 'a.yaml', f'{THETIS}duration: 1.0e+9\n', 'duration is 1000000000'),
    'slow speed': ('mission', 'a.gpx', GPX.format('1e-320'), 'must be from 0.001 to 100 m/s'),
    'fast speed': ('mission', 'a.gpx', GPX.format('1e300'), 'must be from 0.001 to 100 m/s'),
    'escape in a name': ('mission', 'a.geojson', LINE.format('\\u001b[31mRED'), 'U+001B'),
    'terminal control in a name': ('mission', 'a.geojson', LINE.format('\\u009b2J'), 'U+009B'),
    'stamps 1e15 s apart': ('analyze', 'a.csv', rows(1e15), 'at most 3.16e+08 s'),
    'stamps an hour apart': ('analyze', 'a.csv', rows(3600.0), 'must be at most 600 s'),
    'stamps 5 ns apart': ('analyze', 'a.csv', rows(5e-9), 'must be at least 0.1 s'),
    'a tag that does not suit': ('boat check', 'a.yaml', BOAT + 'name: !!timestamp x', 'wrong YAML'),
    'a header of 100 000 names': ('analyze', 'b.csv', ';' * 100_000 + '\n' + '1;' * 100_000, 'must be at most 10000'),
    'a raster of 1.7e9 columns': ('flow info', 'a.asc', 'ncols 1.7e9\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n',
                                  'truncated'),
    'a ring that is none': ('route', 'a.geojson', '{"type": "Polygon", "coordinates": [null]}', 'must be a list'),
    'a log of columns at rest': ('identify', 'a.csv', rows(0.1), 'has the thrusters (none)'),
    'a cell of two million characters': ('analyze', 'a.csv', rows(0.1) + 'x' * 2_000_000 + ',0,0,0,1,0,0\n', ''),
}


@pytest.mark.parametrize('case', CASES, ids=list(CASES))
def test_it_is_refused_in_a_line_and_soon(case, tmp_path, capsys):
    verb, name, text, words = CASES[case]
    path = tmp_path / name
    path.write_text(text, encoding='utf-8')
    (tmp_path / 'columns.yaml').write_text(COLUMNS)
    mapped = ['--columns', str(tmp_path / 'columns.yaml')] if name == 'a.csv' else []
    more = {'analyze': ['--boat', 'lutra_prop', *mapped], 'identify': ['--boat', 'lutra_prop', *mapped],
            'sweep': ['--out', str(tmp_path / 'a.nc')],
            'mission': ['--boat', 'lutra_prop'], 'flow info': [*RASTER, '--option', f'partner={path}']}.get(verb, [])
    given = [*ROUTE, '--land', str(path)] if verb == 'route' else [*verb.split(), str(path), *more]
    assert_refused(given, words, capsys)


@pytest.mark.parametrize('verb', [['mission'], ['analyze'], ['flow', 'info'], ['run'], ['boat', 'check'], ['live']])
def test_what_never_ends_is_refused_before_it_is_read(verb, tmp_path, capsys):
    os.mkfifo(tmp_path / 'a.tlog')
    more = ['--boat', 'lutra_prop'] if verb in (['mission'], ['live']) else []
    assert_refused([*verb, str(tmp_path / 'a.tlog'), *more], '', capsys)
    words = 'is a device' if verb == ['boat', 'check'] else ''
    assert_refused([*verb, '/dev/zero', *more], words, capsys)


def test_a_pipe_is_called_a_pipe_and_a_name_of_5000_characters_is_refused(tmp_path, capsys):
    os.mkfifo(tmp_path / 'a.csv')
    assert_refused(['analyze', str(tmp_path / 'a.csv')], 'is a pipe; must be a file', capsys)
    assert_refused(['analyze', 'x' * 5000], 'at most 255 bytes', capsys)


def test_a_small_table_of_two_days_takes_neither_minutes_nor_gigabytes(tmp_path, capsys):
    (tmp_path / 'a.csv').write_text(rows(500.0))
    (tmp_path / 'columns.yaml').write_text(COLUMNS)
    begin = time.process_time()
    tracemalloc.start()
    try:
        status = main(['analyze', str(tmp_path / 'a.csv'), '--columns', str(tmp_path / 'columns.yaml'), '--boat',
                       'lutra_prop'])
        assert tracemalloc.get_traced_memory()[1] < 2e8
    finally:
        tracemalloc.stop()
    assert status in (0, 2) and time.process_time() - begin < 10.0, capsys.readouterr().err


@pytest.mark.parametrize('option, value', [('--current', '30,0'), ('--current', '0.1,9999'), ('--wind', '1e4,0'),
                                           ('--current', '1e308,1e308')])
def test_a_flow_that_no_boat_meets_is_refused_as_an_argument(option, value, capsys):
    assert_refused(['range', '--boat', 'lutra_prop', option, value], 'the direction from -720 to 720', capsys)


def test_an_archive_that_unpacks_to_gigabytes_is_refused(tmp_path, capsys):
    path = tmp_path / 'a.kmz'
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('doc.kml', b' ' * 70_000_000)
    assert_refused(['mission', str(path), '--boat', 'lutra_prop'], 'must be at most 67 MB', capsys)


def assert_refused(arguments, words, capsys):
    begin = time.process_time()
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (status, out) == (2, '') and words in err and err.count('\n') <= 2, err
    assert '\x1b' not in err and time.process_time() - begin < 10.0


def test_names_of_files_are_shown_without_their_control_characters(tmp_path, capsys):
    assert main(['mission', str(tmp_path / 'a\x1b[31m\nb.plan'), '--boat', 'lutra_prop']) == 2
    err = capsys.readouterr().err
    assert '\\x1b[31m' in err and '\x1b' not in err and err.count('\n') == 1


def test_no_option_and_no_title_moves_the_cursor_or_fills_the_screen(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(['run', '3', '--\x1b]0;title\x07', '1'])
    assert '--\\x1b]0;title\\x07' in capsys.readouterr().err
    (tmp_path / 'a\rb.yaml').write_text(f'{SCENARIO}title: "{"t" * 1_000_000}"\n')
    assert main(['run', str(tmp_path / 'a\rb.yaml')]) == 0
    err = capsys.readouterr().err
    assert 'a\\rb: ttt' in err and '\r' not in err and len(err) < 1000


ULOG = b'ULog\x01\x12\x35\x01' + bytes(8)
SPACES = (f'<kml><Placemark><LineString><coordinates>9,45 9.1,45 9{" " * 300_000}</coordinates></LineString>'
          '</Placemark></kml>').encode()
SLOW = {   # Each took 40 s of processor time or more, or gigabytes: patterns that began to search again at each byte.
    'spaces.kml': ('mission', SPACES, "'9' stands where"),
    'field.ulg': ('analyze', ULOG + (4006).to_bytes(2, 'little') + b'Fa:' + b'x' * 4000 + b'\n;y', 'has no motion'),
    'subtitles.ass': ('analyze', b'[Script Info]\n[Events]\n' + b'Dialogue: a\n' * 150_000, 'no list of records'),
    'begins.raw': ('analyze', b'\x10\x02\x93' + b'\x10\x10\x02' * 500_000, 'none of the messages'),
    'escapes.raw': ('analyze', b'\x10\x02\x93' + b'\x10\x10' * 5_000_000, 'none of the messages'),
    'escapes.ebl': ('analyze', b'\x1b\x01a\x1b\n' + b'\x1b\x1b' * 5_000_000, 'none of the messages'),
}


@pytest.mark.parametrize('name', SLOW)
def test_texts_that_fit_a_pattern_almost_are_refused_soon(name, tmp_path, capsys):
    verb, content, words = SLOW[name]
    path = tmp_path / name
    path.write_bytes(content)
    assert_refused([verb, str(path)], words, capsys)


def test_layouts_drawings_and_places_are_read_soon(tmp_path):
    begin = time.process_time()
    layout = layout_of_definition('uint64 a\n=\n' + '\n' * 60_000 + ''.join(
        f'{"=" * 80}\nMSG: p/M{level}\n' + f'M{level + 1} f\n' * 20 for level in range(9)) + 'M0 b\n')
    assert layout == (Field('a', 'u8', 1, False),)
    assert layout_of_definition(f'uint64 a\nuint8[{"9" * 5000}] b\nuint8 c\n') == layout
    with pytest.raises(InputError, match='line 1 is'):
        rings_of_text('45' + ' ' * 20_000 + 'x')
    places = 'time [s],position,sog [m/s]\n' + ''.join(f'{n},"{"N " * 60_000}",1\n' for n in range(3))
    (tmp_path / 'a.csv').write_text(places)
    assert main(['analyze', str(tmp_path / 'a.csv'), '--write-columns', str(tmp_path / 'b.yaml')]) in (0, 2)
    assert time.process_time() - begin < 10.0


def test_a_damaged_part_of_a_kmz_is_refused(tmp_path, capsys):
    packed = tmp_path / 'a.kmz'
    with zipfile.ZipFile(packed, 'w', zipfile.ZIP_LZMA) as archive:
        archive.writestr('doc.kml', '<kml/>' + ' ' * 5000)
    content = bytearray(packed.read_bytes())
    content[46:66] = bytes(0xFF ^ byte for byte in content[46:66])
    packed.write_bytes(bytes(content))
    assert_refused(['mission', str(packed)], 'is wrong KMZ', capsys)


def test_a_long_chain_of_bases_is_refused_as_one(tmp_path, capsys):
    for number in range(40):
        (tmp_path / f'b{number}.yaml').write_text(f'base: b{number + 1}.yaml\n')
    assert_refused(['boat', 'check', str(tmp_path / 'b0.yaml')], 'b0.yaml: has more than 20 files', capsys)


def test_records_with_keys_of_their_own_are_columns_soon(tmp_path, capsys):
    path = tmp_path / 'a.jsonl'
    path.write_text(''.join(json.dumps({f'k{20 * row + key}': 1.0 for key in range(20)}) + '\n' for row in range(8000)))
    begin = time.process_time()
    assert main(['analyze', str(path)]) == 2 and time.process_time() - begin < 10.0
