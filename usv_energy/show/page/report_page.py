"""The report of a log: one HTML page that holds all it shows, and asks nobody for anything."""

import json
import math
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path

from ... import __version__
from ...analysis.analyze_log import name_of
from ...analysis.log_energy import Drive, mean_or_nan
from ...analysis.log_summary import NAMES, Findings, summary_of_drive
from ...files.whole_file import write_text
from ...flow.flow_argument import flow_words
from ...logs.log import WARNING
from ...sim.run_summary import relative
from ..rounding import joules, metres, percent, seconds
from . import page_pictures as figures
from .page_style import CSS
from .page_svg import HALF, NARROW, WIDE, Size, both

SINCE_1970 = 1e9      # s: a log that starts later than this says its date.
# Nothing is fetched and no script runs; what is drawn is in the page.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
ARROW = ('<svg class="arrow" viewBox="0 0 20 20" style="transform: rotate({:.0f}deg)">'
         '<path d="M3 10H17M11 4l6 6-6 6"/></svg>')


def write_report(found: Findings, path: Path) -> None:
    """
    Write the page of an analysed log.

    :param found: What is told of it.
    :param path: The HTML file; it is replaced whole or not at all.
    :raises OSError: If it cannot be written.
    """
    write_text(report_html(found), path)


def report_html(found: Findings) -> str:
    """Return the page as HTML."""
    drive = found.drive
    title = f'Energy report: {name_of(drive)}'
    sections = [_tiles(found), _warnings(found), _track(drive), _power(drive), _causes(drive), _two(drive),
                _measured(found), _what_if(found), _details(found)]
    data = json.dumps(summary_of_drive(found), allow_nan=False).replace('<', '\\u003c')
    return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<link rel="icon" href="data:,">\n'
            f'<style>{CSS}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{escape(title)}</h1>\n'
            f'<p class="sub">{_subtitle(drive)}</p>\n</header>\n' + '\n'.join(filter(None, sections))
            + f'\n<p class="foot">usv_energy {escape(__version__)}. The figures of this page as JSON: see its source, '
              f'id="summary".</p>\n</main>\n<script type="application/json" id="summary">{data}</script>\n'
              '</body>\n</html>\n')


def _subtitle(drive: Drive) -> str:
    parts = [f'boat {drive.boat.name}', f'{len(drive.log):,} samples'.replace(',', '\N{NARROW NO-BREAK SPACE}')]
    if math.isfinite(drive.log.period) and drive.log.period > 0.0:
        parts.append(f'{1.0 / drive.log.period:.3g} Hz')
    if drive.log.start > SINCE_1970:
        parts.append(f'{datetime.fromtimestamp(drive.log.start, UTC):%Y-%m-%d %H:%M} UTC')
    return ' · '.join(escape(part) for part in (*parts, str(drive.log.path)))


def _tiles(found: Findings) -> str:
    drive, energy = found.drive, found.drive.energy
    mean = energy.total / energy.duration if energy.duration else math.nan
    speed = energy.distance_over_ground / energy.duration if energy.duration else math.nan
    value, _, more = joules(energy.total).partition(' (')
    tiles = [(value, f'energy{", " + more.rstrip(")") if more else ""}'),
             (_or_dash(mean, 1, 'W'), 'mean power'), (metres(energy.distance_over_ground), 'over ground'),
             (_or_dash(energy.energy_per_meter, 1, 'J/m'), 'per metre over ground'),
             (seconds(energy.duration), 'with a power'), (_or_dash(speed, 2, 'm/s'), 'mean speed over ground')]
    for name, what in (('current', 'water current'), ('wind', 'wind')):
        tiles.append(_flow_tile(drive, name, what))
    charge = drive.charge()
    if charge is not None:
        used = float(charge[0] - charge[-1])
        tiles.append((f'{100.0 * used:.{1 if used > 0.01 else 2}f} %', 'of the battery used'))
    return '<div class="tiles">' + ''.join(
        f'<div class="tile"><b>{value}</b><span>{escape(what)}</span></div>' for value, what in tiles) + '</div>'


def _or_dash(value: float, digits: int, unit: str) -> str:
    return f'{value:.{digits}f} {unit}' if math.isfinite(value) else '-'


def _flow_tile(drive: Drive, name: str, what: str) -> tuple[str, str]:
    x, y = (mean_or_nan(getattr(drive.flow, f'{name}_{axis}')) for axis in 'xy')
    speed = math.hypot(x, y)
    source = drive.sources[name].split('/')[-1]
    if not speed > 0.0:
        return ('none' if speed == 0.0 else '?'), f'{what} ({source})'
    arrow = ARROW.format(-math.degrees(math.atan2(y, x)))
    return f'{speed:.2f} m/s {arrow}', f'{flow_words(x, y).split(" to ")[-1]}, mean {what} ({source})'


def _warnings(found: Findings) -> str:
    texts = list(dict.fromkeys(note.text for note in found.notes if note.level == WARNING))
    if not texts:
        return ''
    items = ''.join(f'<li>{escape(text)}</li>' for text in texts)
    return f'<section class="card warn"><h2>Look at this first</h2><ul>{items}</ul></section>'


def _card(title: str, body: str, caption: str = '') -> str:
    told = f'<figcaption>{caption}</figcaption>' if caption else ''
    return f'<section class="card"><h2>{escape(title)}</h2><figure>{body}{told}</figure></section>'


def _picture(name: str, told: str, draw, drive: Drive, wide: tuple[int, int], narrow: int) -> str:
    return both(name, told, partial(draw, drive=drive), Size(*wide, False), Size(NARROW, narrow, True))


def _track(drive: Drive) -> str:
    if not figures.has_track(drive):
        return _card('Track', '<p>The log has no places: there is no track to draw.</p>')
    return _card('Track, coloured by power', _picture(
        'track', 'Map of the track; colour is total power', figures.draw_track, drive,
        (WIDE, figures.track_height(drive)), 400))


def _power(drive: Drive) -> str:
    return _card('Power by cause', _picture(
        'power', 'Power by cause over time', figures.draw_power, drive, (WIDE, 360), 340),
        'Inertia is what speeding up takes; it comes back as less power while the boat slows down, but what exceeds '
        'the drag then is not recovered.')


def _causes(drive: Drive) -> str:
    energy = drive.energy
    parts = [(cause, getattr(energy, cause)) for cause in figures.causes_of(drive)]
    whole = sum(value for _, value in parts if value > 0.0)
    strip = ''.join(f'<i style="width: {100.0 * value / whole:.2f}%; background: var(--c-{cause})"></i>'
                    for cause, value in parts if value > 0.0) if whole > 0.0 else ''
    rows = ''.join(
        f'<tr><td><span class="key" style="background: var(--c-{cause})"></span>{NAMES[cause]}</td>'
        f'<td>{value:,.1f}</td><td>{_share(value, energy.total)}</td>'
        f'<td>{_share(value / energy.duration, 0.0, " W") if energy.duration else "-"}</td></tr>'
        for cause, value in sorted(parts, key=lambda part: -abs(part[1])))
    table = ('<table><tr><th>cause</th><th>energy,&nbsp;J</th><th>share</th><th>mean power</th></tr>' + rows
             + f'<tr><td><b>total</b></td><td><b>{energy.total:,.1f}</b></td><td></td>'
               f'<td>{_share(energy.total / energy.duration, 0.0, " W") if energy.duration else "-"}</td></tr></table>')
    picture = _picture('energy', 'Energy so far, stacked by cause', figures.draw_energy, drive, (HALF, 360), 330)
    return ('<div class="two">' + _card('Energy by cause', f'<div class="bar">{strip}</div>{table}')
            + _card('How it grew', picture) + '</div>')


def _share(value: float, whole: float, unit: str = '') -> str:
    if unit:
        return f'{value:.2f}{unit}'
    return f'{100.0 * value / whole:.1f} %' if whole else '-'


def _two(drive: Drive) -> str:
    cards = []
    if drive.energy.samples:
        cards.append(_card('Speed and power', _picture(
            'speed', 'Power over speed through the water, of the run and of the boat in steady motion',
            figures.draw_speed_power, drive, (HALF, 370), 360)))
    if drive.energy.distance_over_ground > 0.0:
        cards.append(_card('Energy per metre along the way', _picture(
            'per-meter', 'Energy per metre over ground along the way', figures.draw_per_meter, drive, (HALF, 370),
            320)))
    return f'<div class="two">{"".join(cards)}</div>' if cards else ''


def _measured(found: Findings) -> str:
    measured = found.measured
    if measured is None:
        return ''
    told = (f'Measured {escape(joules(measured.measured_energy))}, model {percent(measured.energy_error, 1)}; error of '
            f'the power: mean {measured.mean_error:+.2f} W, RMS {measured.rms_error:.2f} W, R² {measured.r2:.3f}; '
            f'measured = {measured.slope:.3g} x model {measured.offset:+.2f} W.')
    return _card('Model against the measured electrical power', _picture(
        'measured', 'Measured electrical power and the model over time', figures.draw_measured, found.drive,
        (WIDE, 330), 320), told)


def _what_if(found: Findings) -> str:
    rows = ''
    for one in (found.steady, *found.changes):
        as_driven = one is found.steady
        beyond = '' if as_driven else f'{100.0 * one.beyond:.0f} % of time' if one.beyond > 0.005 else 'no'
        change = '' if as_driven else percent(one.relative, 1)
        rows += (f'<tr><td>{escape(one.name)}</td><td>{one.energy:,.1f}</td><td>{change}</td>'
                 f'<td>{seconds(one.duration)}</td><td>{beyond}</td></tr>')
    table = ('<table><tr><th></th><th>energy,&nbsp;J</th><th>change</th><th>time</th><th>too much thrust</th></tr>'
             f'{rows}</table>')
    return _card('What if', table, 'The same places at the same speed over ground, each stretch taken as steady motion '
                                   'with the boat pointing where it then has to; speeding up and turning are left out. '
                 '"Too much thrust" is where the thrusters could not do it.')


def _details(found: Findings) -> str:
    drive, energy = found.drive, found.drive.energy
    options = drive.options
    filtered = 'none' if not options.time_constant else f'{options.time_constant:g} s'
    rows = [('boat file', str(drive.boat.path)), ('convention', options.convention),
            ('current', drive.sources['current']), ('wind', drive.sources['wind']),
            ('low-pass on the acceleration', filtered),
            ('longest gap integrated over', f'{options.max_gap:g} s'),
            ('gaps', f'{energy.gaps}, {seconds(energy.gap_duration)}'),
            ('samples without a power', f'{energy.invalid_samples}')]
    if math.isfinite(found.live_energy):
        rows.append(('energy recorded live', f'{joules(found.live_energy)}; this analysis: '
                                             f'{percent(relative(found.live_part, found.live_energy), 3)}'))
    if math.isfinite(found.thruster_energy):
        rows.append(('work of the thrusters', f'{joules(found.thruster_energy)}; the model\'s thrust energy: '
                                              f'{percent(relative(energy.thrust, found.thruster_energy), 2)}'))
    if found.estimate is not None:
        rows.append(('current estimated to', f'{found.estimate.std_x:.3f} m/s east, {found.estimate.std_y:.3f} m/s '
                                             f'north (standard deviations), {found.estimate.knots.size} knot(s)'))
    table = '<table>' + ''.join(f'<tr><td>{escape(name)}</td><td class="text">{escape(value)}</td></tr>'
                                for name, value in rows) + '</table>'
    notes = list(dict.fromkeys(note.text for note in found.notes if note.level != WARNING))
    listed = f'<h2 style="margin-top: 14px">Notes</h2><ul>{"".join(f"<li>{escape(n)}</li>" for n in notes)}</ul>'
    return ('<section class="card screen"><details><summary>How this was computed</summary>' + table
            + (listed if notes else '') + '</details></section>')
