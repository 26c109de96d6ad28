"""The pictures of a boat: drag, thrust, power, turning circles, and full throttle on cells."""

import math
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.foils.foil import Foil
from usv_energy.show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.studies.check.boat_check import BoatCheck, FullThrottle, SheetPoint

FOIL_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
ATTACK = np.linspace(0.0, 90.0, 181)  # deg
PANELS = (('bollard', 'Thrust at standstill, N'), ('speed', 'Top speed, m/s'), ('power', 'Power at top speed, W'))


def plot_boat_check(check: BoatCheck, path: Path) -> None:
    """Draw a boat's curves into a PNG. Raises OSError if it cannot be written."""
    panels = check_panels(check)
    with picture(path, max(4.4 * len(panels), 6.0), 4.4) as figure:
        figure.suptitle(textwrap.fill(f'{check.boat.name}: {check.kind}', 52 * len(panels)), x=0.012, ha='left',
                        fontsize=11)
        for place, draw in enumerate(panels.values(), start=1):
            draw(figure.add_subplot(1, len(panels), place))


def check_panels(check: BoatCheck) -> dict[str, Callable[[Any], None]]:
    """Return the pictures that there are for a boat, by name, as functions that draw into axes."""
    panels = (('forces', _draw_forces, check.boat.power_curve is None),
              ('power', _draw_power, np.isfinite(check.curves.power).any()),
              ('turning', _draw_turning, check.turning is not None),
              ('foils', _draw_foils, bool(check.boat.vessel.foils)), ('battery', _draw_battery, bool(check.battery)))
    return {name: partial(draw, check=check) for name, draw, there in panels if there}


def _draw_forces(axes: Any, check: BoatCheck) -> None:
    curves = check.curves
    axes.set(title='Drag and available thrust, N' if check.boat.vessel.thrusters else 'Drag, N',
             xlabel='Speed through the water, m/s')
    axes.plot(curves.speed, curves.drag, color=BLUE, label='drag')
    if check.boat.vessel.thrusters:
        axes.plot(curves.speed, curves.available, color=ORANGE, label='most thrust ahead')
    if np.isfinite(check.top_ahead):
        axes.axvline(check.top_ahead, color=GREY, linewidth=1.0, linestyle=':')
        axes.annotate(f'{check.top_ahead:.2f} m/s', (check.top_ahead, 0.0), xytext=(-4, 6), rotation=90, color=GREY,
                      textcoords='offset points', fontsize=9, ha='right', va='bottom')
    axes.set_xlim(left=0.0)
    axes.set_ylim(bottom=0.0, top=1.25 * max(float(np.max(curves.drag)), float(np.max(curves.available)), 1e-3))
    axes.legend(loc='upper left')


def _draw_power(axes: Any, check: BoatCheck) -> None:
    curves, vessel = check.curves, check.boat.vessel
    axes.set(title='Electrical power, W', xlabel='Speed through the water, m/s')
    axes.plot(curves.speed, curves.power, color=GREEN)
    if check.boat.power_curve is not None:
        axes.plot(check.table.speed, check.table.power, 'o', color=GREEN, markersize=5)
    if vessel.static_load > 0.0:
        axes.axhline(vessel.static_load, color=GREY, linewidth=1.0, linestyle=':')
        axes.annotate('static load', (1.0, vessel.static_load), xycoords=('axes fraction', 'data'), xytext=(-4, 3),
                      textcoords='offset points', color=GREY, fontsize=9, ha='right')
    best = check.best
    if best is not None and np.isfinite(best.speed) and best.speed > 0.01 * check.top_ahead:
        axes.plot([best.speed], [best.power], 'o', color=VERMILION, markersize=7)
        axes.annotate('cheapest metre', (best.speed, best.power), xytext=(-6, 12), textcoords='offset points',
                      color=VERMILION, fontsize=9, ha='center')
    axes.set_xlim(0.0, float(curves.speed[-1]))
    axes.set_ylim(bottom=0.0)


def _draw_turning(axes: Any, check: BoatCheck) -> None:
    turning = check.turning
    if turning is None:
        return
    axes.set(title=f'Steady turns by {turning.by}', xlabel='Speed in the turn, m/s')
    axes.plot(turning.speed, turning.radius, '.-', color=BLUE, markersize=4)
    axes.set_ylabel('Radius, m', color=BLUE)
    known = turning.radius[np.isfinite(turning.radius)]
    axes.set_ylim(0.0, 1.15 * min(float(known.max()), 10.0 * max(float(np.median(known)), 1e-3)))
    axes.set_xlim(left=0.0)
    beside = axes.twinx()
    beside.grid(False)
    beside.spines['right'].set_visible(True)
    beside.plot(turning.speed, np.degrees(abs(turning.rate)), '.--', color=ORANGE, markersize=4)
    beside.set_ylabel('Yaw rate, deg/s', color=ORANGE)
    beside.set_ylim(bottom=0.0)


def _draw_foils(axes: Any, check: BoatCheck) -> None:
    axes.set(title='Lift (solid) and drag (dashed) of foils', xlabel='Angle of attack, deg', ylabel='Coefficient')
    drawn: list[tuple[np.ndarray, np.ndarray]] = []
    for name, foil in zip(check.boat.foil_names, check.boat.vessel.foils):
        lift, drag = foil_coefficients(foil, np.radians(ATTACK))
        if any(np.array_equal(lift, other[0]) and np.array_equal(drag, other[1]) for other in drawn):
            continue
        colour = FOIL_COLOURS[len(drawn) % len(FOIL_COLOURS)]
        drawn.append((lift, drag))
        axes.plot(ATTACK, lift, color=colour, label=name)
        axes.plot(ATTACK, drag, color=colour, linestyle='--')
    axes.set_xlim(0.0, 90.0)
    axes.set_ylim(bottom=0.0)
    axes.legend(loc='upper left')


def _draw_battery(axes: Any, check: BoatCheck) -> None:
    axes.set(title='Battery (dashed: at 0 degC)', xlabel='Charge drawn, Ah', ylabel='Voltage, V')
    shown = sorted({curve.current for curve in check.battery})
    for curve in check.battery:
        colour = FOIL_COLOURS[shown.index(curve.current) % len(FOIL_COLOURS)]
        warm = curve.ambient == check.battery[0].ambient
        axes.plot(curve.current * curve.course.time / 3600.0, curve.course.voltage, '-' if warm else '--', color=colour,
                  linewidth=1.4, label=f'{curve.current:.3g} A' if warm else None)
    axes.set_xlim(left=0.0)
    axes.legend(loc='lower left')


def foil_coefficients(foil: Foil, attack: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lift and drag coefficient of a foil, (-), at angles of attack, rad."""
    if foil.curve is not None:
        curve = foil.curve
        return np.interp(attack, curve.angle, curve.lift), np.interp(attack, curve.angle, curve.drag)
    return foil.lift * np.sin(2.0 * attack), foil.drag0 + foil.drag * (1.0 - np.cos(2.0 * attack))


def plot_full_throttle(name: str, found: FullThrottle, sheets: tuple[SheetPoint, ...], path: Path) -> None:
    """
    Draw a boat's discharge at full throttle into a PNG. Raises OSError if it cannot be written.

    :param name: Of the boat.
    :param found: The discharge.
    :param sheets: The boat at the voltages of the thrusters' sheets.
    """
    with picture(path, 11.4, 4.0) as figure:
        figure.suptitle(f'{name} at full throttle, its thrusters at the voltage under load', x=0.012, ha='left',
                        fontsize=11, fontweight='bold')
        axes = figure.subplots(1, 3)
        for axis, (quantity, title) in zip(axes, PANELS):
            axis.plot(100.0 * found.charge, getattr(found, quantity), color=BLUE, label='on its cells')
            _draw_sheets(axis, quantity, sheets)
            axis.set(title=title, xlabel='Charge, %', xlim=(102.0, -2.0))
            most = [*getattr(found, quantity), *(getattr(point, quantity) for point in sheets)]
            axis.set_ylim(0.0, 1.12 * float(np.max(most)))
        beside = axes[0].twinx()
        beside.plot(100.0 * found.charge, found.voltage, color=GREY, linestyle=':', linewidth=1.4)
        beside.set_ylabel('Voltage under load, V (dotted)', color=GREY)
        beside.grid(False)
        beside.spines['right'].set_visible(True)
        axes[1].legend(loc='lower left')


def _draw_sheets(axis: Any, quantity: str, sheets: tuple[SheetPoint, ...]) -> None:
    for number, point in enumerate(sheets):
        value = getattr(point, quantity)
        axis.axhline(value, color=VERMILION, linestyle='--', linewidth=1.0,
                     label="by the maker's sheets" if not number else None)
        axis.annotate(f'{point.voltage:g} V', (100.0, value), xytext=(2, 3), textcoords='offset points',
                      color=VERMILION, fontsize=9)
        if math.isfinite(point.charge):
            axis.plot([100.0 * point.charge], [value], 'o', color=VERMILION, markersize=7, zorder=3)
