"""The results of a sweep as text, and as a picture of the energy over its axes or of its spread."""

import math
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.earth import compass_text
from usv_energy.engine.run_state import REACHED
from usv_energy.engine.sweep.results_file import open_results
from usv_energy.engine.sweep.sweep_file import SAMPLE, Sweep, plain_name
from usv_energy.engine.sweep.sweep_summary import parameter_words
from usv_energy.show.figure import BLUE, GREY, NO_VALUE, ORANGE, SKY, VERMILION, picture, rows_of
from usv_energy.show.text_table import formatted, text_table

LABELS = {'energy_j': 'energy, J', 'duration_s': 'duration, s', 'distance_over_ground_m': 'way over ground, m',
          'battery_charge_at_end': 'charge left, -', 'battery_voltage_at_end_v': 'voltage at the end, V'}
QUANTITIES = 'min', 'p05', 'p25', 'median', 'p75', 'p95', 'max', 'mean', 'std'

BINS = 60
TICKS = 9
PANELS, ACROSS = 8, 4   # values of a third axis that are shown, and panels side by side
ENERGY = 'Energy, J'
LABEL_WIDTH = 30        # characters of a line of a parameter's words
# Directions as a skipper says them, and what turns those of a sweep into these, degrees.
DIRECTIONS = {'current.direction_deg': ('Current set', 0.0), 'wind.direction_deg': ('Wind from', 180.0)}


def sweep_text(summary: Mapping[str, Any]) -> str:
    """Return the summary of a sweep (`sweep_summary`) as text: outcomes, spreads, and influence of the inputs."""
    runs = summary['runs']
    words = {plain_name(path): words for path, words in summary['parameters'].items()} | {SAMPLE: 'samples'}
    axes = ' x '.join(f'{words[name]}: {size}' for name, size in summary['shape'].items())
    outcomes = ', '.join(f'{count} {name} ({100.0 * count / runs:.1f} %)'
                         for name, count in summary['outcomes'].items() if count)
    rows = _spread_rows('of those that reached', summary['spread'])
    if summary.get('battery_empty'):
        rows += _spread_rows('until the battery was empty', summary['battery_empty'])
    return '\n'.join([
        summary['title'], f'{runs} runs ({axes}) of scenario {summary["scenario"]}, boat {summary["boat"]}, '
        f'{summary["convention"]}: {summary["file"]}', '', f'outcome     {outcomes}', '', *text_table(rows, 'lr'),
        *_influence_lines(summary)])


def _spread_rows(heading: str, spreads: Mapping[str, Any]) -> list[list[str]]:
    return [[heading, *QUANTITIES], *(
        [LABELS[key], *(formatted(spread[name], '.5g') if spread else '-' for name in QUANTITIES)]
        for key, spread in spreads.items())]


def _influence_lines(summary: Mapping[str, Any]) -> list[str]:
    influence = summary['influence']
    words = summary['parameters']
    rows = [[f'{words[one["parameter"]]} ({one["parameter"]})', f'{formatted(100.0 * one["share"], ".1f")} %',
             formatted(one['coefficient'], '+.3f')] for one in influence['inputs']]
    if not rows:
        return []
    rows.append(['not monotone, interactions', f'{100.0 * (1.0 - influence["explained_share"]):.1f} %', ''])
    return ['', "what explains the energy's variance (ranks regressed on ranks; share, coefficient):",
            *text_table(rows, 'lr', indent='  ')]


def plot_sweep(sweep: Sweep, path: Path, summary: Mapping[str, Any], out: Path) -> None:
    """
    Draw a finished sweep: a histogram and its causes (samples only), a line (one axis), or maps (two and more).

    :param path: The file of results; its PNG is `out`.
    :param summary: From `sweep_summary`.
    :raises OSError: If it cannot be written.
    """
    with open_results(path) as dataset:
        energy = dataset['energy_total'].transpose(*sweep.dims)
        energy = energy.where(dataset['outcome'].transpose(*sweep.dims) == REACHED).values
    if not np.isfinite(energy).any():
        energy = np.zeros_like(energy)
    if not sweep.axes:
        _plot_spread(sweep, energy, summary, out)
    else:
        (_plot_line if len(sweep.axes) == 1 else _plot_maps)(sweep, energy, out)


def _plot_spread(sweep: Sweep, energy: np.ndarray, summary: Mapping[str, Any], out: Path) -> None:
    inputs = summary['influence']['inputs']
    with picture(out, 10.6 if inputs else 6.4, 4.4) as figure:
        axes = figure.subplots(1, 2 if inputs else 1, squeeze=False)[0]
        axes[0].hist(energy[np.isfinite(energy)], bins=BINS, color=SKY)
        if spread := summary['spread']['energy_j']:
            for name, style in (('p05', ':'), ('median', '-'), ('p95', ':')):
                axes[0].axvline(spread[name], color=VERMILION, linestyle=style, linewidth=1.5,
                                label=f'{name} {formatted(spread[name], ".4g")} J')
            axes[0].legend(loc='lower left', bbox_to_anchor=(0.0, 1.0), ncols=3, borderaxespad=0.2, handlelength=1.4)
        axes[0].set(xlabel=ENERGY, ylabel='Runs')
        figure.suptitle(_title(sweep), fontsize=11, fontweight='bold')
        if inputs:
            axes[1].barh(range(len(inputs)), [100.0 * one['share'] for one in inputs],
                         color=[BLUE if one['coefficient'] >= 0.0 else ORANGE for one in inputs])
            axes[1].set_yticks(range(len(inputs)), [
                textwrap.fill(parameter_words(sweep.scenario, one['parameter']), LABEL_WIDTH) for one in inputs])
            axes[1].invert_yaxis()
            axes[1].axvline(0.0, color=GREY, linewidth=0.8)
            axes[1].set(xlabel='Share of the variance of the ranks, %',
                        title='What explains it (blue: more gives more)')
            axes[1].grid(axis='y', visible=False)


def _plot_line(sweep: Sweep, energy: np.ndarray, out: Path) -> None:
    (name, values), = sweep.axes.items()
    with picture(out, 6.8, 4.4) as figure:
        axis = figure.subplots()
        if sweep.drawn_paths:
            low, middle, high = _quantiles_over_samples(energy, (0.05, 0.5, 0.95))
            axis.fill_between(values, low, high, color=SKY, alpha=0.4, linewidth=0.0, label='5 % to 95 %')
            axis.plot(values, middle, color=BLUE, marker='o', markersize=4, label='median')
            axis.legend()
        else:
            axis.plot(values, energy, color=BLUE, marker='o', markersize=4)
        axis.set(ylabel=ENERGY, title=_title(sweep))
        _name_axis(sweep, name, axis.xaxis)


def _plot_maps(sweep: Sweep, energy: np.ndarray, out: Path) -> None:
    """Draw maps over the first two axes, one per value of the third, in the middle of the others; median of samples."""
    if sweep.drawn_paths:
        energy = _quantiles_over_samples(energy, (0.5,))[0]
    names = list(sweep.axes)
    more = [sweep.axes[name].size // 2 for name in names[3:]]
    for place in reversed(more):
        energy = energy[..., place]
    third = sorted({round(n) for n in np.linspace(0, energy.shape[2] - 1, PANELS)}) if len(names) > 2 else []
    panels = [energy[:, :, n] for n in third] or [energy]
    fixed = ', '.join(_value(sweep, name, float(sweep.axes[name][n])) for name, n in zip(names[3:], more))
    rows = -(-len(panels) // ACROSS)
    across = -(-len(panels) // rows)
    with picture(out, 3.3 * across + 1.8, 3.2 * rows + 0.8) as figure:
        axes = figure.subplots(rows, across, squeeze=False, sharex=True, sharey=True).ravel()
        for axis in axes[len(panels):]:
            axis.set_visible(False)
        for number, (axis, panel) in enumerate(zip(axes, panels)):
            mesh = axis.pcolormesh(sweep.axes[names[0]], sweep.axes[names[1]], panel.T, shading='nearest',
                                   cmap='viridis_r', vmin=np.nanmin(panels), vmax=np.nanmax(panels))
            axis.grid(False)
            axis.set(facecolor=NO_VALUE)
            if number % across == 0:
                _name_axis(sweep, names[1], axis.yaxis)
            if number + across >= len(panels):
                _name_axis(sweep, names[0], axis.xaxis)
                axis.tick_params(labelbottom=True)
            if third:
                axis.set_title(_value(sweep, names[2], float(sweep.axes[names[2]][third[number]])), fontsize=9,
                               fontweight='normal')
        figure.colorbar(mesh, ax=list(axes), label=ENERGY)
        figure.suptitle(_title(sweep) + (f' ({fixed})' if fixed else ''), fontsize=11, fontweight='bold')


def _quantiles_over_samples(energy: np.ndarray, shares: tuple[float, ...]) -> np.ndarray:
    """Return quantiles over the samples, the last axis; NaN if no sample arrived."""
    none = ~np.isfinite(energy).any(axis=-1, keepdims=True)
    quantiles = np.nanquantile(np.where(none, 0.0, energy), shares, axis=-1)
    return np.where(none[..., 0], np.nan, quantiles)


def _name_axis(sweep: Sweep, name: str, side: Any) -> None:
    """Label an axis of a picture with a parameter's words and unit; directions are those of the compass."""
    if name in DIRECTIONS:
        words, turn = DIRECTIONS[name]
        values = sweep.axes[name][rows_of(sweep.axes[name].size, TICKS)]
        side.set_ticks(values, [compass_text(math.radians(value + turn), '') for value in values.tolist()])
        side.set_label_text(f'{words}, deg of the compass')
        return
    words, unit = parameter_words(sweep.scenario, name), sweep.units[name]
    said = textwrap.fill(f'{words[0].upper()}{words[1:]}{f", {unit}" if unit not in ("", "-", "1") else ""}', 60)
    side.set_label_text(said)


def _value(sweep: Sweep, name: str, value: float) -> str:
    """Return a value of an axis with its words and unit; directions as on a compass."""
    if name in DIRECTIONS:
        words, turn = DIRECTIONS[name]
        return f'{words} {compass_text(math.radians(value + turn))}'
    unit = sweep.units[name].removesuffix('-')
    return f'{parameter_words(sweep.scenario, name)} {value:g} {unit}'.rstrip()


def _title(sweep: Sweep) -> str:
    """Return the title of a sweep's picture: its own, with the scenario's if the file gives it none."""
    given = sweep.title != sweep.path.stem
    return sweep.title if given else f'Energy of {sweep.scenario.name}: {sweep.scenario.title}'
