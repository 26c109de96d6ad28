"""Phrases about a mission's study that both its text and its page use, and the assumptions of the estimate."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from usv_energy.boats.cell_file import KELVIN
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_words
from usv_energy.physics.batteries.battery import JOULES_PER_WH
from usv_energy.show.text_table import joules, percent, seconds
from usv_energy.studies.mission.mission_battery import BrownOut
from usv_energy.studies.mission.mission_study import GO, NO_BATTERY, NO_GO, UNSURE, MissionStudy

MOST_NAMED = 40         # waypoints, at most, whose order is written
SAME = 0.005            # relative difference of energies and times that is too small to be advice
COURSES = '(courses in degrees counter-clockwise from east)'
VERDICTS = {GO: 'GO', NO_GO: 'NO GO', UNSURE: 'UNSURE', NO_BATTERY: 'NO BATTERY'}


def words_of_flow(flow: Any) -> str:
    """Return a flow in words: speed and direction, or the file that holds it."""
    return flow_words(flow.x, flow.y) if isinstance(flow, UniformFlow) else str(flow.path)


def verdict_reason(study: MissionStudy) -> str:
    """Return the reason for a mission's verdict, as a clause."""
    legs = study.legs
    if not legs.feasible.all():
        number = int(legs.feasible.argmin()) + 1
        return (f'the thrusters cannot do leg {number} in this current and wind at {study.ordered[number - 1]:.3g} m/s '
                'over ground')
    if study.charge is None:
        return f'the file of {study.scenario.boat.name} has no battery: whether it makes it is not known'
    if study.pack is not None and study.pack.brown_out is not None:
        return brown_out_words(study, study.pack.brown_out)
    left = f'{100.0 * study.reserve:.0f} % to be left'
    if study.charge[-1] < 0.0:
        return (f'the battery is empty on leg {int((study.charge < 0.0).argmax()) + 1}; the mission takes '
                f'{100.0 * (study.charge_at_start - study.charge[-1]):.0f} % of one, {left}')
    end = f'{100.0 * study.charge[-1]:.1f} % of the battery left at the end, {left}'
    if study.verdict != UNSURE or study.bands is None:
        return end
    if study.pack_ends is not None and study.pack_ends[0].brown_out is not None and math.isfinite(
            study.bands.so_far[1, -1]):
        return f'{end}, but at the upper end of the interval {brown_out_words(study, study.pack_ends[0].brown_out)}'
    if study.bands.so_far[1, -1] < math.inf:
        return f'{end}, and the interval goes below that'
    return f'{end}, but in {study.bands.unable} of {study.bands.draws} draws the thrusters are too weak'


def brown_out_words(study: MissionStudy, found: BrownOut) -> str:
    """Return where the battery cannot give the power, as a clause."""
    pack = study.scenario.boat.pack
    assert pack is not None
    name = study.scenario.order_of(found.leg).name
    limits = f'its cutoff of {pack.series * pack.cell.cutoff_voltage:.3g} V'
    if math.isfinite(pack.cell.most_current):
        limits += f' and {pack.parallel * pack.cell.most_current:.3g} A'
    return (f'leg {found.leg + 1}{f", to {name}," if name else ""} asks for {found.asked:.4g} W at '
            f'{100.0 * found.charge:.1f} % charge; the pack gives at most {found.most:.4g} W within {limits}')


def battery_words(study: MissionStudy) -> str:
    """Return the kind of battery and, for cells, their lowest voltage; empty without a battery."""
    boat, course = study.scenario.boat, study.pack
    if boat.battery is None:
        return ''
    if boat.pack is None or course is None or study.battery is None or boat.battery_sheet is None:
        return (f'Battery: a counter of {boat.battery.capacity_wh:.4g} Wh, which knows of no sag, cold or cutoff '
                '(docs/batteries.md makes cells of it)')
    leg = int(course.voltage.argmin())
    cell = boat.battery_sheet.cell
    return (f'Battery: cells, {cell.name if cell else ""}, {boat.pack.series:g} in series, '
            f'{study.battery.ambient - KELVIN:.3g} degC around them; at least {course.voltage[leg]:.2f} V under load, '
            f'in leg {leg + 1}; at the end it could give {course.most_power[-1]:.4g} W')


def speed_words(study: MissionStudy) -> str:
    """Return the speed used on legs for which the mission gives none; empty if it gives all."""
    scenario = study.scenario
    if scenario.speed is None or all(order.speed is not None for order in scenario.orders):
        return ''
    return f'{scenario.speed:.3g} m/s over ground where the mission says none: {study.mission.speed_from}'


def number_or_dash(value: float, form: str) -> str:
    """Return a number as text, or a dash for NaN."""
    return format(float(value), form) if math.isfinite(value) else '-'


def interval(ends: Any, scale: float = 1.0, form: str = '.3g') -> str:
    """Return an interval, scaled, as `1.2 to 1.4`; an infinite end is `inf`."""
    return ' to '.join(format(scale * float(end), form).lstrip('+' if math.isinf(end) else '') for end in ends)


def unheld_words(study: MissionStudy) -> str:
    """Return a clause that says on how many legs the ordered speed cannot be held; empty if it can on all."""
    unable = int((~study.legs.feasible).sum())
    if not unable:
        return ''
    total = study.legs.feasible.size
    which = 'any leg' if unable == total else f'{unable} of {total} legs'
    if not study.is_possible:
        return 'no energy: ' + _impossible_leg(study)
    return f'as fast as the thrusters can: what is ordered cannot be held on {which}'


def _impossible_leg(study: MissionStudy) -> str:
    number = int(np.isnan(study.legs.total).argmax()) + 1
    return f'the thrusters can go leg {number} at no speed that was tried in this current and wind'


def energy_words(study: MissionStudy) -> str:
    """Return the energy with its interval."""
    more = '' if study.bands is None else f' [{interval(study.bands.so_far[:, -1], 1.0 / JOULES_PER_WH)} Wh]'
    return joules(study.energy) + more


def time_words(study: MissionStudy) -> str:
    """Return the time, with its interval if it has one."""
    bands = study.bands
    if bands is None or bands.time_held:
        return seconds(study.time)
    low, high = (seconds(float(end)) for end in bands.end[:, -1])
    return f'{seconds(study.time)} [{low} to {high}]'


def time_doubt(study: MissionStudy) -> str:
    """Return how certain the time is, as a sentence; empty if nothing is uncertain."""
    bands = study.bands
    if bands is None:
        return ''
    if bands.time_held:
        return (f'Speeds over ground are held in all of {bands.draws} draws, so the time is the same: what is '
                'uncertain is energy.')
    unable = f'; {bands.unable} cannot go it at any speed' if bands.unable else ''
    return (f'In {bands.slower} of {bands.draws} draws the thrusters cannot hold the speeds over ground, and the boat '
            f'goes as fast as it can{unable}.')


def helpful(study: MissionStudy) -> Iterator[str]:
    """Yield what would help: other speeds, the opposite direction, another departure."""
    advice = study.advice
    if advice is None:
        yield 'nothing that was tried: no speed at which the thrusters could do it all'
        return
    if math.isfinite(advice.slowed_energy):
        yield (f'as fast as the thrusters can, {advice.slowed_speed:.2f} m/s over ground on the slowest leg: '
               f'{joules(advice.slowed_energy)} in {seconds(advice.slowed_time)}')
    if math.isfinite(advice.cheapest_ratio) and not (
            abs(advice.cheapest_energy - study.energy) <= SAME * study.energy):
        yield (f'{_speed(study, advice.cheapest_ratio)}: {joules(advice.cheapest_energy)} in '
               f'{seconds(advice.cheapest_time)}, the least from {0.3:g} to {2.0:g} times the speed')
    if math.isfinite(advice.fastest_ratio) and abs(advice.fastest_time - study.time) > SAME * study.time:
        yield (f'{_speed(study, advice.fastest_ratio)}: {joules(advice.fastest_energy)} in '
               f'{seconds(advice.fastest_time)}, the fastest that leaves the reserve')
    elif study.charge is not None and math.isfinite(advice.cheapest_ratio) and not math.isfinite(advice.fastest_ratio):
        yield 'no speed leaves the reserve: a larger battery, less current or a shorter way'
    if advice.reversed_energy < (1.0 - SAME) * study.energy or (
            math.isfinite(advice.reversed_energy) and not study.legs.feasible.all()):
        yield f'the other way round: {joules(advice.reversed_energy)}'
    yield from _departure_advice(study)


def order_words(study: MissionStudy) -> str:
    """Return the chosen order of the waypoints and what it saves, as a sentence; empty if the order is not free."""
    found = study.order
    if found is None:
        return ''
    taken = ', '.join(str(number + 1) for number in found.order[:MOST_NAMED])
    more = ', ...' if len(found.order) > MOST_NAMED else ''
    how = ('the best of all orders' if found.exact else
           f'found by nearest neighbour, 2-opt and Or-opt, at most {100.0 * found.gap:.1f} % above the best')
    saved = (f'{joules(found.as_given - found.energy)} less than in that of the file'
             if math.isfinite(found.as_given) else 'in that of the file the thrusters cannot go it')
    return f'Order of the waypoints, as the file numbers its legs: {taken}{more} ({how}; {saved}, corners left out).'


def _speed(study: MissionStudy, ratio: float) -> str:
    if study.scenario.speed is not None and all(order.speed is None for order in study.scenario.orders):
        return f'{ratio * study.scenario.speed:.2f} m/s over ground'
    return f'all speeds times {ratio:.2f}'


def _departure_advice(study: MissionStudy) -> Iterator[str]:
    found = study.departures
    if found is None or not found.changing:
        return
    least, most = float(found.energy[found.best]), float(max(found.energy[found.held], default=math.nan))
    if most > least:
        yield (f'departing at {seconds(float(found.departure[found.best]))}, as here: '
               f'{joules(most - least)} less than at the dearest time of the window')


def assumption_rows(study: MissionStudy) -> Iterator[tuple[str, str]]:
    """Yield the assumptions as pairs of a name and a text."""
    scenario, boat = study.scenario, study.scenario.boat
    yield 'boat file', str(boat.path)
    said = speed_words(study) or 'over ground, as the mission says on every leg'
    yield 'speed', f'{said}; held whatever water and air do, as far as the thrusters can'
    for name, flow in (('current', scenario.current), ('wind', scenario.wind)):
        at = ', at the height of the boat' if name == 'wind' else ''
        if not isinstance(flow, UniformFlow):
            where = f'; {flow.remark}' if flow.remark else ''
            yield name, f'{words_of_flow(flow)}, at the places and times that the boat passes{at}{where}'
        elif flow.speed:
            yield name, f'{words_of_flow(flow)} (counter-clockwise from east), the same everywhere and always{at}'
        else:
            yield name, 'none'
    yield 'legs', 'steady motion in water and air; waves, and other ships, cost nothing'
    if boat.power_curve is None:
        radius = 'as the mission says, else ' if any(order.radius is not None for order in scenario.orders) else ''
        yield 'corners', ("as the simulator's boat turns them in still water; a waypoint counts as reached within "
                          f'{radius}{scenario.radius:.3g} m, a leg is aimed at {scenario.lookahead or 0.0:.3g} m ahead')
    else:
        yield 'corners', 'cost nothing: the boat is known by its watts alone'
    if study.legs.hold.any():
        yield 'stays', 'the boat lies against current and wind at the waypoint'
    if boat.battery is not None:
        yield 'battery', (f'{boat.battery.capacity_wh:.4g} Wh, {100.0 * study.charge_at_start:.0f} % charged at the '
                          f'start; {100.0 * study.reserve:.0f} % to be left')
        yield 'kind of battery', battery_words(study).removeprefix('Battery: ')
    yield from _intervals(study)
    if study.simulated is not None:
        done = study.simulated
        yield 'the simulator says', (
            f'{seconds(done.time)}, {done.energy / JOULES_PER_WH:.3g} Wh'
            + ('' if done.reached else ', and did not arrive') + f'; the estimate is off by '
            f'{percent(study.time / done.time - 1.0, 2)} in time and {percent(study.energy / done.energy - 1.0, 2)} in '
            'energy')


def _intervals(study: MissionStudy) -> Iterator[tuple[str, str]]:
    bands, doubt = study.bands, study.uncertainty
    if bands is None:
        yield 'intervals', ('none: the boat file says of no number how well it is known, and nor was it said of '
                            'current and wind (--current-std, --wind-std)')
        return
    yield 'intervals', f'95 % of {bands.draws} boats and flows that were drawn'
    for name, value in (('current', doubt.current), ('wind', doubt.wind)):
        if value:
            yield f'{name} known to', f'{value:g} m/s each way (standard deviation)'
    for one in study.doubts:
        spread = f'{one.below:.3g}' if one.below == one.above else f'-{one.below:.3g} +{one.above:.3g}'
        yield one.name, f'{one.value:.4g}, standard deviation {spread}'
