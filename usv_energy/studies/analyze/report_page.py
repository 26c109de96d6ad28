"""The report of a log: one HTML page that holds all it shows, and asks nobody for anything."""

import math
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.boats.boat_remarks import caution_figures
from usv_energy.files.text_file import write_text
from usv_energy.logs.log import INFO, WARNING
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.powering.energy import Energy
from usv_energy.show.page.page_parts import Picture, Tile, picture, rendered
from usv_energy.show.text_table import fixed, joules, metres, metres_per_second, percent, seconds
from usv_energy.studies.analyze.analysed_log import AnalysedLog, mean_or_nan
from usv_energy.studies.analyze.current.flow_along_log import SINCE_1970
from usv_energy.studies.analyze.leg_shares import leg_shares, share_figures
from usv_energy.studies.analyze.log_report import LogReport, MeasuredPower, log_title, report_figures
from usv_energy.studies.analyze.log_text import check_rows, measured_words
from usv_energy.studies.analyze.page_pictures import drawings_of, measured_drawing
from usv_energy.studies.analyze.picture_data import causes_of
from usv_energy.studies.runs.run_tables import LEG_HEAD, MOST_LEGS, leg_cells

REPORT_TEMPLATE = 'report.html.j2'


class CauseRow(NamedTuple):
    """A row of the table of causes, as texts; `width`: of its part of the bar, empty where it has none."""

    key: str
    name: str
    energy: str
    share: str
    mean_power: str
    width: str = ''


def write_report(report: LogReport, path: Path, pictures: Mapping[str, Picture] | None = None) -> None:
    """Write the page of an analysed log as an HTML file: whole, or not at all (OSError); pictures as `report_html`."""
    write_text(report_html(report, pictures), path)


def report_html(report: LogReport, pictures: Mapping[str, Picture] | None = None, name: str = '') -> str:
    """
    Return the page as HTML.

    :param pictures: By their drawings' names, where they are drawn already.
    :param name: Of the log; empty: as `log_title` says.
    """
    analysed, measured = report.analysed, report.measured
    figures, fields = report_figures(report), report_fields(report)
    if name:
        figures['name'], fields['title'] = name, report_title(name)
    if pictures is None:
        drawings = [*drawings_of(analysed), *([] if measured is None else [measured_drawing(analysed)])]
        pictures = {one.name: picture(one) for one in drawings}
    return rendered(REPORT_TEMPLATE, pictures=pictures, figures=figures, **fields)


def report_title(name: str) -> str:
    """Return the title of the page of a log of a name."""
    return f'Energy report: {name}'


def report_fields(report: LogReport, speed: Callable[[float], str] = metres_per_second) -> dict[str, Any]:
    """
    Return all texts of a report's page by the names that its template has for them.

    :param speed: From a speed, m/s, to its words in the tiles.
    """
    analysed, measured, trust = report.analysed, report.measured, report.trust
    total, *causes = _cause_rows(analysed)
    return {'title': report_title(log_title(analysed.log)), 'subtitle': _subtitle(analysed),
            'tiles': _tiles(analysed, speed), 'warnings': report.note_texts(WARNING), 'notes': report.note_texts(INFO),
            'causes': causes, 'total': total, 'changes': _change_rows(report), 'details': _details(report),
            'trust': trust.doubts, 'verdict': trust.verdict, 'useless': trust.useless,
            'leg_head': LEG_HEAD, 'legs': _leg_rows(analysed),
            'measured': '' if measured is None else _measured_line(measured)}


def _measured_line(measured: MeasuredPower) -> str:
    words = f'Measured {measured_words(measured)}'
    if measured.is_charged:
        return f'{words}. What a battery gives that is charged meanwhile is not compared with the model.'
    return (f'{words}, model {percent(measured.energy_error, 1)}; error of the power: mean '
            f'{measured.mean_error:+.2f} W, RMS {measured.rms_error:.2f} W, R² {measured.r2:.3f}; measured = '
            f'{measured.slope:.3g} x model {measured.offset:+.2f} W.')


def _subtitle(analysed: AnalysedLog) -> list[str]:
    log = analysed.log
    parts = [f'boat {analysed.boat.name}', f'{len(log):,} samples'.replace(',', '\N{NARROW NO-BREAK SPACE}')]
    if math.isfinite(log.period) and log.period > 0.0:
        parts.append(f'{1.0 / log.period:.3g} Hz')
    if log.start > SINCE_1970:
        parts.append(f'{datetime.fromtimestamp(log.start, timezone.utc):%Y-%m-%d %H:%M} UTC')
    return [*parts, str(log.path)]


def _tiles(analysed: AnalysedLog, speed: Callable[[float], str]) -> list[Tile]:
    energy = analysed.energy
    value, _, more = joules(energy.total).partition(' (')
    tiles = [Tile(value, f'energy{", " + more.rstrip(")") if more else ""}'),
             Tile(fixed(_mean(energy.total, energy), 1, 'W'), 'mean power'),
             Tile(metres(energy.distance_over_ground), 'over ground'),
             Tile(fixed(energy.energy_per_meter, 1, 'J/m'), 'per metre over ground'),
             Tile(seconds(energy.duration), 'with a power'),
             Tile(speed(_mean(energy.distance_over_ground, energy)), 'mean speed over ground'),
             _flow_tile(analysed, 'current', 'water current', speed), _flow_tile(analysed, 'wind', 'wind', speed),
             *_sea_tiles(analysed)]
    used = analysed.state_of_charge_used
    if math.isfinite(used):
        empty = '' if math.isnan(analysed.battery_empty_at) else ', all that it held'
        tiles.append(Tile(f'{100.0 * used:.{1 if used > 0.01 else 2}f} %', f'of the battery used{empty}'))
    return tiles


def _mean(integral: float, energy: Energy) -> float:
    """Return an integral over time per second; NaN where nothing was integrated."""
    return integral / energy.duration if energy.duration else math.nan


def _flow_tile(analysed: AnalysedLog, name: str, medium: str, words: Callable[[float], str]) -> Tile:
    x, y = (mean_or_nan(getattr(analysed.flow, f'{name}_{axis}')) for axis in 'xy')
    speed = math.hypot(x, y)
    source = analysed.flow_sources[name].split('/')[-1]
    if not speed > 0.0:
        return Tile('none' if speed == 0.0 else '?', f'{medium} ({source})')
    way = flow_words(x, y, AIR if name == 'wind' else WATER).partition(') ')[2]
    return Tile(words(speed), f'{way}, mean {medium} ({source})',
                -round(math.degrees(math.atan2(y, x))))


def _sea_tiles(analysed: AnalysedLog) -> list[Tile]:
    """Return a tile of the sea that the log shows; none where it shows none."""
    if analysed.waves is None:
        return []
    sea = analysed.waves.sea
    way = None if math.isnan(sea.direction) else -round(math.degrees(sea.direction))
    meaning = f'significant height of waves of {sea.period:.1f} s, from {sea.seen_from}'
    return [Tile(f'{sea.height:.2f} m', meaning, way)]


def _cause_rows(analysed: AnalysedLog) -> list[CauseRow]:
    """Return the row of the total, and those of the causes that matter, the largest first."""
    energy = analysed.energy
    parts = [(cause, getattr(energy, cause.key)) for cause in causes_of(analysed)]
    positive = sum(value for _, value in parts if value > 0.0)
    rows = [CauseRow('total', 'total', f'{energy.total:.1f}', '', fixed(_mean(energy.total, energy), 2, 'W')),
            *(CauseRow(cause.key, cause.name, f'{value:.1f}',
                       f'{100.0 * value / energy.total:.1f} %' if energy.total else '-',
                       fixed(_mean(value, energy), 2, 'W'), f'{100.0 * value / positive:.2f}%' if value > 0.0 else '')
              for cause, value in sorted(parts, key=lambda part: -abs(part[1])))]
    place = next((number for number, row in enumerate(rows, start=1) if row.key == 'loads'), None)
    if place is not None:
        rows[place:place] = [CauseRow('loads', f'of this {name}', f'{value:.1f}',
                                      f'{100.0 * value / energy.total:.1f} %' if energy.total else '-',
                                      fixed(_mean(value, energy), 2, 'W'), '')
                             for name, value in zip(analysed.boat.load_names, analysed.by_load)]
    return rows


def _leg_rows(analysed: AnalysedLog) -> list[list[str]]:
    """Return the rows of the table of legs; none where there are fewer than two."""
    legs = leg_shares(analysed)
    rows = [leg_cells(share_figures(leg), analysed.energy.total) for leg in legs[:MOST_LEGS]]
    more = len(legs) - MOST_LEGS
    if more > 0:
        rows.append([f'and {more} more, in this page\'s JSON', *[''] * (len(LEG_HEAD) - 1)])
    return rows if len(legs) > 1 else []


def _change_rows(report: LogReport) -> list[list[str]]:
    steady = report.steady
    return [[steady.name, f'{steady.energy:.1f}', '', seconds(steady.duration), ''],
            *([change.name, f'{change.energy:.1f}', percent(change.relative, 1), seconds(change.duration),
               f'{100.0 * change.beyond:.0f} % of time' if change.beyond > 0.005 else 'no']
              for change in report.changes)]


def _details(report: LogReport) -> list[tuple[str, str]]:
    analysed, energy, options = report.analysed, report.analysed.energy, report.analysed.options
    return [('boat file', str(analysed.boat.path)), *caution_figures(analysed.boat).items(),
            ('convention', options.convention),
            ('current', analysed.flow_sources['current']), ('wind', analysed.flow_sources['wind']),
            ('motion', options.motion if report.analysed.estimate is not None else 'as recorded'),
            ('longest gap integrated over', f'{analysed.log.max_gap:g} s'),
            ('gaps', f'{energy.gaps}, {seconds(energy.gap_duration)}'),
            ('samples without a power', f'{energy.invalid_samples}'), *check_rows(report),
            *([] if report.hull is None else [('hull and propellers', report.hull.report.message)])]
