"""Phrases about a mission's study that both its text and its page use, and the assumptions of the estimate."""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from usv_energy.boats.boat_remarks import shallow_depth, wave_note
from usv_energy.boats.cell_file import KELVIN
from usv_energy.earth import KNOT, LocalPlane
from usv_energy.files.locate import share_folder
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.on_earth import remarks_of
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.text_table import charge_text, fixed, formatted, interval, joules, metres, percent, seconds
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO, UNSURE, BrownOut
from usv_energy.studies.mission.mission_reserve import (
    SAME,
    PointOnWay,
    SpeedRow,
    cheapest_row,
    ends_at_home,
    without_hotel_load,
)
from usv_energy.studies.mission.mission_scenario import ALL_LEGS
from usv_energy.studies.mission.mission_study import NO_INTERVALS, MissionStudy
from usv_energy.studies.plan.boat_in_sea import sea_words
from usv_energy.units import moment_words, speed_with_knots

MOST_NAMED = 40         # waypoints, at most, whose order is written
DEARER = 1.1            # times the energy of the mission: what takes less is not said to be dearer
COURSES = '(courses in degrees of the compass, true)'
MEDIA = {'current': WATER, 'wind': AIR}
OUTSIDE = 'leaves the flow file: not counted'
VERDICTS = {GO: 'GO', NO_GO: 'NO GO', UNSURE: 'UNSURE', NO_BATTERY: 'NO BATTERY'}


def words_of_flow(flow: Any, name: str) -> str:
    """Return a flow, `current` or `wind`, in words: speed and direction, or its shipped name, or that of its file."""
    if isinstance(flow, UniformFlow):
        return flow_words(flow.x, flow.y, MEDIA[name])
    shipped = flow.path.is_relative_to(share_folder() / 'config' / 'flows')
    return str(flow.name if shipped else flow.path.name)


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
    return (f'leg {found.leg + 1}{f", to {name}," if name else ""} asks for {formatted(found.asked, ".4g")} W at '
            f'{100.0 * found.charge:.1f} % charge; the pack gives at most {formatted(found.most, ".4g")} W within '
            f'{limits}')


def battery_words(study: MissionStudy) -> str:
    """Return the kind of battery and, for cells, their lowest voltage; empty without a battery."""
    boat, course = study.scenario.boat, study.pack
    if boat.battery is None:
        return ''
    if boat.pack is None or course is None or study.battery is None or boat.battery_sheet is None:
        return (f'Battery: a counter of {formatted(boat.battery.capacity_wh, ".4g")} Wh, which knows of no sag, cold '
                'or cutoff (docs/batteries.md makes cells of it)')
    leg = int(course.voltage.argmin())
    cell = boat.battery_sheet.cell
    return (f'Battery: cells, {cell.name if cell else ""}, {boat.pack.series:g} in series, '
            f'{study.battery.ambient - KELVIN:.3g} degC around them; at least {course.voltage[leg]:.2f} V under load, '
            f'in leg {leg + 1}; at the end it could give {formatted(course.most_power[-1], ".4g")} W')


def speed_words(study: MissionStudy) -> str:
    """Return the speed used on legs for which the mission gives none; empty if it gives all."""
    scenario = study.scenario
    if scenario.speed is None:
        return ''
    if study.mission.speed_from == ALL_LEGS:
        return f'{scenario.speed:.3g} m/s over ground {ALL_LEGS}'
    if all(order.speed is not None for order in scenario.orders):
        return ''
    return f'{scenario.speed:.3g} m/s over ground where the mission says none: {study.mission.speed_from}'


def is_shown(part: float, total: float) -> bool:
    """Return whether a part of an energy is at least a tenth of a percent of the total, as tables show it."""
    return total != 0.0 and abs(round(100.0 * part / total, 1)) > 0.0


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
    return f'the thrusters can go leg {number} at no speed from that ordered to a tenth of it in this current and wind'


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


def departure_words(study: MissionStudy, departure: float) -> str:
    """Return a departure, s of the flow's time: as a moment where that is known, else as seconds."""
    return flow_time_words(study.zero, departure)


def flow_time_words(zero: datetime | None, time: float) -> str:
    """Return a time of the flow, s, as a moment where that of its time 0 is known, else as seconds."""
    return seconds(time) if zero is None else moment_words(zero + timedelta(seconds=time))


def broken_off_words(study: MissionStudy) -> str:
    """Return what the user's Ctrl-C left out, and how many departures were not tried; empty if all is there."""
    found = study.departures
    if found is None or not found.broken_off:
        return study.broken_off and f'Broken off: {study.broken_off}'
    return (f'Broken off: {found.wanted - found.departure.size} of {found.wanted} departures were not tried; the best '
            f'is that of the {found.departure.size} before' + (study.broken_off and f'; {study.broken_off}'))


def departs_words(study: MissionStudy) -> str:
    """Return when the mission departs and arrives, as a clause; empty if nothing was said of it."""
    if study.zero is None:
        return f"departs at {seconds(study.departure)} of the flow's time" if study.departure else ''
    arrives = f', arrives {departure_words(study, study.departure + study.time)}' if math.isfinite(study.time) else ''
    return f'departs {departure_words(study, study.departure)}{arrives}'


def point_words(study: MissionStudy, point: PointOnWay) -> str:
    """Return a point of a mission: its leg, how far along it, when, and where."""
    name = study.scenario.order_of(point.leg).name
    leg = f'leg {point.leg + 1}{f", to {name}" if name else ""}, {metres(point.along)} along it'
    when = f'{seconds(point.time)} after the departure'
    when += '' if study.zero is None else f' ({departure_words(study, study.departure + point.time)})'
    where = f'x {fixed(point.x, 1)} m, y {fixed(point.y, 1)} m'
    if study.mission.origin is not None:
        where = '{:.6f}, {:.6f}'.format(*LocalPlane(study.mission.origin).degrees_of(point.x, point.y))
    return f'{leg}, {when}, at {where}'


def reserve_words(study: MissionStudy) -> Iterator[str]:
    """Yield where the reserve is reached, from where home is, how many batteries it takes, and the way back."""
    limits = study.limits
    if limits is None:
        return
    if limits.reached is not None and limits.reached.time == 0.0:
        yield f'The boat departs with less than the reserve of {100.0 * study.reserve:.0f} %.'
    elif limits.reached is not None:
        yield f'The reserve of {100.0 * study.reserve:.0f} % is reached on {point_words(study, limits.reached)}.'
    if limits.empty is not None:
        yield f'The battery is empty, at 0 %, on {point_words(study, limits.empty)}.'
    sure = 'with the reserve left' + ('' if study.bands is None else ', at the upper end of the interval too')
    if limits.turn_back is None:
        yield f'From everywhere on its way the boat gets straight home {sure}.'
    elif limits.turn_back.time > 0.0:
        yield (f'Turn back at the latest at the last point from which home is reached {sure}: '
               f'{point_words(study, limits.turn_back)}.')
    else:
        yield f'From nowhere on its way is home reached {sure}.'
    yield from _batteries(study, limits.batteries, limits.most_batteries)
    if limits.way_back is None:
        yield 'It ends at home.'
        return
    back = limits.way_back
    if math.isfinite(back.energy):
        lacking = 100.0 * (study.reserve - back.charge)
        left = (f'{100.0 * back.charge:.1f} % of the battery would be left' if back.charge >= 0.0 else
                f'for both, the reserve kept, the battery lacks {lacking:.1f} % of its charge')
        yield (f'The way home from its end is not counted: straight {metres(back.length)}, {seconds(back.duration)}, '
               f'{joules(back.energy)} more; {left}.')
    else:
        yield (f'The way home from its end, {metres(back.length)}, is not counted: the thrusters cannot go it in this '
               'current and wind.')


def _batteries(study: MissionStudy, number: float, most: float) -> Iterator[str]:
    battery = study.scenario.boat.battery
    assert battery is not None
    capacity = formatted(battery.capacity_wh, '.4g')
    if not math.isfinite(number):
        yield f'No number of full batteries of {capacity} Wh gives its power down to the reserve.'
        return
    if not study.legs.feasible.all():
        yield (f'No number of batteries makes it at these speeds; as fast as the thrusters can it takes {number:.2f} '
               f'batteries of {capacity} Wh' + ('.' if math.isfinite(most) else '; at the upper end of the interval it '
                                                'does not arrive.'))
        return
    more = ''
    if study.bands is not None:
        high = (f'{most:.2f}, so {_counted_batteries(most)},' if math.ceil(most) > max(1, math.ceil(number)) else
                f'{most:.2f}') if math.isfinite(most) else 'no number is enough'
        more = f'; {high} at the upper end of the interval'
    each = ' each' if number > 1.0 + 1e-9 else ''
    yield (f'It takes {_counted_batteries(number)} of {capacity} Wh{each}, full at the start and used down to the '
           f'reserve ({number:.2f} of them{more}).')


def speed_table(study: MissionStudy) -> list[tuple[str, ...]]:
    """Return the rows of a table of speeds against time, energy and charge, its head first; empty without any."""
    rows = study.speeds
    if not rows:
        return []
    best = cheapest_row(rows)
    enough = [number for number, row in enumerate(rows) if row.suffices]
    fastest = min(enough, key=lambda number: rows[number].time, default=-1)
    charged = study.charge is not None
    table: list[tuple[str, ...]] = [('m/s', 'kn', 'takes', 'Wh', *(('charge, %', '') if charged else ()), '')]
    rising = sorted(range(len(rows)), key=lambda one: float(np.nan_to_num(rows[one].speed, nan=-1.0)))
    outside = [(f'{speed:.2f}', f'{speed / KNOT:.1f}', '', '', *(('', '') if charged else ()), OUTSIDE)
               for speed in study.speeds_outside if math.isfinite(speed)]
    for number in rising:
        row = rows[number]
        marks = [mark for mark, holds in (('as here', number == 0 and study.legs.feasible.all()),
                                          ('least energy', number == best),
                                          ('fastest within the reserve', number == fastest)) if holds]
        verdict = (charge_text(row.charge), VERDICTS[row.verdict]) if charged else ()
        own, energy = math.isnan(row.speed), row.energy / JOULES_PER_WH
        table.append(("the plan's" if own else f'{row.speed:.2f}', '' if own else f'{row.speed / KNOT:.1f}',
                      seconds(row.time), fixed(energy, 1) if energy >= 10.0 else formatted(energy), *verdict,
                      ', '.join(marks)))
    return [table[0], *sorted([*outside, *table[1:]], key=lambda row: (row[0][0].isdigit(), len(row[0]), row[0]))]


def speed_note(study: MissionStudy) -> str:
    """Return what is to know of the table of speeds, as a sentence; empty if nothing is."""
    rows = study.speeds     # In a current, slow can be dear without a hotel load, too.
    if rows and without_hotel_load(study.scenario) and rows[cheapest_row(rows)].time == max(row.time for row in rows):
        return ('The boat file has no hotel load, so that slower always costs less; --hotel W says what the boat takes '
                'beside its thrusters.')
    return ''


def help_title(study: MissionStudy) -> str:
    """Return the title of what `helpful` yields: a mission that makes it needs no help."""
    return 'What would cost less, or take less time' if study.verdict == GO else 'What would help'


def helpful(study: MissionStudy) -> Iterator[str]:
    """Yield what would help: other speeds, the opposite direction."""
    advice = study.advice
    if advice is None:
        yield 'nothing that was tried: no speed at which the thrusters could do it all'
        return
    if math.isfinite(advice.slowed_energy):
        yield (f'as fast as the thrusters can, {advice.slowed_speed:.2f} m/s over ground on the slowest leg: '
               f'{joules(advice.slowed_energy)} in {seconds(advice.slowed_time)}')
    least, fastest = advice.cheapest, advice.fastest
    none_suffices = study.charge is not None and least is not None and fastest is None
    if charge := enough_charge(study):
        yield (f'a battery charged to {100.0 * charge:.0f} % at the start, in place of '
               f'{100.0 * study.charge_at_start:.0f} %, leaves the reserve at its own speeds{_surely(study)}')
    if least and not none_suffices and not without_hotel_load(study.scenario) and not (
            abs(least.energy - study.energy) <= SAME * study.energy):
        yield f'{_at_speed(least)}, the least energy of those tried'
    if fastest and abs(fastest.time - study.time) > SAME * study.time:
        all_leave_it = fastest.time == min(row.time for row in study.speeds)
        dearer = fastest.energy / study.energy
        yield (f'{_at_speed(fastest)}, '
               + (f'{dearer:.1f} times the energy, ' if dearer > DEARER else '')
               + ('which leaves the reserve, too' if all_leave_it else
                  'the fastest that leaves the reserve, of those tried'))
    elif none_suffices and least:
        yield _larger_battery(study, least)
    if ends_at_home(study.scenario) and (advice.reversed_energy < (1.0 - SAME) * study.energy or (
            math.isfinite(advice.reversed_energy) and not study.legs.feasible.all())):
        yield f'the other way round: {joules(advice.reversed_energy)}'


def _larger_battery(study: MissionStudy, cheapest: SpeedRow) -> str:
    """Return what it takes if no speed leaves the reserve: more batteries or a larger one, or less way."""
    limits, battery = study.limits, study.scenario.boat.battery
    none_does = all(row.charge < study.reserve for row in study.speeds)
    least = f'no speed leaves the reserve{"" if none_does else _surely(study)}; the least is {_at_speed(cheapest)}'
    shorter = 'a shorter way'
    if limits is None or limits.turn_back is None or limits.turn_back.leg > 0:     # Else no whole leg of it fits.
        shorter += ' (--write-fitting writes the beginning that fits)'
    if study.charge_at_start <= study.reserve:
        return f'{least}; a boat that departs with no more than the reserve is helped by no shorter way'
    if enough_charge(study):
        return f'{least}. Or it takes {shorter}'
    if limits is None or battery is None or not math.isfinite(limits.most_batteries):
        return f'{least}: it takes a larger battery, or {shorter}'
    enough = math.ceil(10.0 * limits.most_batteries * battery.capacity_wh) / 10.0
    worst = '' if study.bands is None else ', at the upper end of the interval,'
    return (f'{least}. At its own speeds{worst} it takes {_counted_batteries(limits.most_batteries)} of '
            f'{formatted(battery.capacity_wh, ".4g")} Wh, or one of {formatted(enough, ".5g")} Wh, or {shorter}')


def _surely(study: MissionStudy) -> str:
    return '' if study.bands is None else ' at the upper end of the interval too'


def enough_charge(study: MissionStudy) -> float:
    """Return the charge at the start, whole percents as (-), that leaves the reserve; 0 if none, or if it has it."""
    limits = study.limits
    if limits is None or study.verdict not in (NO_GO, UNSURE) or not (
            study.legs.feasible.all() and limits.most_batteries <= 1.0):
        return 0.0
    charge = math.ceil(100.0 * (study.reserve + limits.most_batteries * (1.0 - study.reserve)) - 1e-9) / 100.0
    return charge if charge > study.charge_at_start else 0.0


def _counted_batteries(number: float) -> str:
    """Return how many whole batteries a number of them is, in words."""
    whole = max(1, math.ceil(number - 1e-9))
    return '1 battery' if whole == 1 else f'{whole} batteries'


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


def _at_speed(row: SpeedRow) -> str:
    """Return what a mission costs at a speed of the table, in words."""
    own = "the plan's own speeds" if math.isnan(row.speed) else f'{speed_with_knots(row.speed)} on all legs'
    return f'{own}: {joules(row.energy)} in {seconds(row.time)}'


def assumption_rows(study: MissionStudy) -> Iterator[tuple[str, str]]:
    """Yield the assumptions as pairs of a name and a text."""
    scenario, boat = study.scenario, study.scenario.boat
    yield 'boat file', str(boat.path)
    said = speed_words(study) or 'over ground, as the mission says on every leg'
    yield 'speed', f'{said}; held whatever water and air do, as far as the thrusters can'
    for name, flow in (('current', scenario.current), ('wind', scenario.wind)):
        at = ', at the height of the boat' if name == 'wind' else ''
        more = ''.join(f'; {remark}' for remark in remarks_of(flow))
        if not isinstance(flow, UniformFlow):
            yield name, f'{words_of_flow(flow, name)}, at the places and times that the boat passes{at}{more}'
        elif flow.speed:
            yield name, f'{words_of_flow(flow, name)}, the same everywhere and always{at}{more}'
        else:
            yield name, 'none'
    if boat.caution:
        yield 'caution', boat.caution
    sea = boat.vessel.sea
    yield 'legs', ('steady motion in water and air; waves, and other ships, cost nothing' if sea is None else
                   'steady motion in water, air and waves; other ships cost nothing')
    if sea is not None:
        yield 'sea', sea_words(sea)
    fastest = float(np.max(study.legs.speed, initial=0.0))
    if fastest > 0.0:
        yield 'depth', f'at {fastest:.2f} m/s at least {shallow_depth(fastest):.2g} m, or the bottom adds to the drag'
    if note := wave_note(boat, fastest):
        yield 'drag', note
    if boat.power_curve is None:
        radius = 'as the mission says, else ' if any(order.radius is not None for order in scenario.orders) else ''
        yield 'corners', ("as the simulator's boat turns them in still water; a waypoint counts as reached within "
                          f'{radius}{scenario.radius:.3g} m, a leg is aimed at {scenario.lookahead or 0.0:.3g} m ahead')
    else:
        yield 'corners', 'cost nothing: the boat is known by its watts alone'
    if study.legs.hold.any():
        yield 'stays', 'the boat lies against current and wind at the waypoint'
    if boat.battery is not None:
        capacity = formatted(boat.battery.capacity_wh, '.4g')
        yield 'battery', (f'{capacity} Wh, {100.0 * study.charge_at_start:.0f} % charged at the start; '
                          f'{100.0 * study.reserve:.0f} % to be left')
        yield 'kind of battery', battery_words(study).removeprefix('Battery: ')
    yield from _intervals(study)
    if study.simulated is not None:
        done = study.simulated
        yield 'the simulator says', (
            f'{seconds(done.time)}, {formatted(done.energy / JOULES_PER_WH)} Wh'
            + ('' if done.reached else ', and did not arrive') + f'; the estimate is off by '
            f'{percent(study.time / done.time - 1.0, 2)} in time and {percent(study.energy / done.energy - 1.0, 2)} in '
            'energy')


def _intervals(study: MissionStudy) -> Iterator[tuple[str, str]]:
    bands, doubt = study.bands, study.uncertainty
    if study.broken_off == NO_INTERVALS:
        yield 'intervals', 'none: broken off before them'
        return
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
