"""A route's study as text, with tables of alternatives, legs and departures, and as figures for JSON."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from usv_energy.boats.boat_remarks import caution_figures, lacks_for_range
from usv_energy.earth import compass_text
from usv_energy.files.text_file import without_nan
from usv_energy.phrases import point_name
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.text_table import (
    charge_text,
    compass,
    degrees,
    fixed,
    formatted,
    interval,
    joules,
    metres,
    percent,
    seconds,
    text_list,
    text_table,
)
from usv_energy.studies.mission.mission_battery import charge_left
from usv_energy.studies.mission.mission_study_text import mission_study_figures
from usv_energy.studies.mission.mission_words import (
    COURSES,
    VERDICTS,
    energy_words,
    flow_time_words,
    time_doubt,
    time_words,
    unheld_words,
    verdict_reason,
    words_of_flow,
)
from usv_energy.studies.plan.boat_in_sea import sea_figures, sea_notes, sea_words
from usv_energy.studies.route.departures import NOT_TRIED, MeanFlow
from usv_energy.studies.route.route_legs import LegConditions, leg_conditions, leg_waves
from usv_energy.studies.route.route_problem import Route
from usv_energy.studies.route.route_study import CHEAPEST, FASTEST, OTHER, SHORTEST, STRAIGHT, RouteChoice, RouteStudy

ROWS = 60
# What the figures of a route have of its plan, as those of a mission have it.
OF_PLAN = ('energy_low_j', 'energy_high_j', 'time_low_s', 'time_high_s', 'interval_share', 'draws', 'draws_slower',
           'draws_unable', 'time_held', 'of_corners_j', 'of_holds_j', 'state_of_charge_at_end_low',
           'state_of_charge_at_end_high', 'reserve', 'reserve_reached', 'battery_empty', 'turn_back_by')
KINDS = {CHEAPEST: 'least energy', FASTEST: 'least time', STRAIGHT: 'straight, at one speed',
         SHORTEST: 'shortest, at one speed', OTHER: 'another way'}


def route_text(study: RouteStudy, words: Callable[[str], str] = str) -> str:
    """
    Return the study for a terminal, at most 120 columns wide.

    :param words: Makes what is shown of each text: the same with its speeds in knots, for one.
    """
    def table(rows: Iterator[tuple[str, ...]], sides: str) -> list[str]:
        return text_table([tuple(map(words, row)) for row in rows], sides, rule=True, indent='  ')

    lacking = lacks_for_range(study.boat)
    lines = [f'Route of {study.boat.name}, {places_words(study)}', *([lacking] if lacking else []), '']
    lines += [f'  {name:<10}{words(text)}' for name, text in summary(study)]
    lines += ['', 'The ways side by side', *table(choice_rows(study), 'lrrrrl')]
    lines += ['', 'Legs', *table(leg_rows(study), 'rrrrrrrrrrr'), f'  {COURSES}']
    if study.departures is not None:
        lines += ['', departures_head(study), *table(departure_rows(study), 'rrrll')]
    if study.front is not None:
        lines += ['', 'Between least time and least energy', *table(front_rows(study), 'rrrrrl')]
    if study.forecasts is not None:
        lines += ['', 'Forecasts', *table(forecast_rows(study), 'lr')]
    lines += text_list('Notes', map(words, notes(study)))
    return '\n'.join(lines)


def summary(study: RouteStudy) -> Iterator[tuple[str, str]]:
    """Yield the main results, each as a name and a text."""
    yield 'verdict', f'{VERDICTS[study.verdict]}: {route_reason(study)}'
    plan = study.plan if study.plan is not None and study.plan.is_possible else None
    energy, time = (joules(study.energy), seconds(study.time)) if plan is None else (
        energy_words(plan), time_words(plan))
    unheld = '' if study.plan is None else unheld_words(study.plan)
    yield 'energy', (f'{energy}, {formatted(study.energy / max(study.time, 1e-9))} W on the mean'
                     f'{unheld and f"; {unheld}"}')
    begin, end = (flow_time_words(study.zero, float(study.legs.time[0]) + later) for later in (0.0, study.time))
    yield 'time', f'{time}, from {begin} to {end}' + (" of the flow's time" if study.zero is None else '')
    yield 'way', f'{metres(study.route.length)} over ground'
    for name, flow in (('current', study.problem.current), ('wind', study.problem.wind)):
        yield name, words_of_medium(flow, name)
    if study.boat.vessel.sea is not None:
        yield 'sea', sea_words(study.boat.vessel.sea)
        yield 'waves', waves_words(study)
    if math.isfinite(study.gap):
        yield 'gap', gap_words(study)
    if study.forecasts is not None:
        mean, low, high = (value / JOULES_PER_WH for value in study.forecasts.spread)
        yield 'forecasts', (f'{formatted(mean)} Wh expected, {interval((low, high))} Wh' if math.isfinite(mean) else
                            'in one of them the boat cannot keep to this route')
    if study.simulated is not None:
        yield 'simulated', simulated_words(study)


def words_of_medium(flow: Any, name: str) -> str:
    """Return a route's water or air, `current` or `wind`, in words."""
    return flow.name if isinstance(flow, MeanFlow) else words_of_flow(flow, name)


def waves_words(study: RouteStudy) -> str:
    """Return the energy against the waves on the legs, of a study in a sea."""
    found = leg_waves(study.legs, study.problem, study.boat.vessel)
    assert found is not None
    return (f'{formatted(found.energy.sum() / JOULES_PER_WH, "+.3g")} Wh against these legs in calm water; '
            f'{100.0 * found.share:.1f} % of what the thrusters give is against waves')


def gap_words(study: RouteStudy) -> str:
    """Return the gap between the route and the lower bound, in words."""
    what = 'time' if study.problem.objective == 'time' else 'energy'
    return f'the least {what} there can be is at most {formatted(100.0 * study.gap, ".2g")} % below this'


def simulated_words(study: RouteStudy) -> str:
    """Return the result of the simulated legs, in words."""
    found = study.simulated
    assert found is not None
    if not found.reached:
        return f'the boat does not arrive: {seconds(found.time)}, {joules(found.energy)} until it was given up'
    return (f'{joules(found.energy)} in {seconds(found.time)}: {percent(study.simulation_error, 1)} energy against the '
            'legs as promised')


def route_reason(study: RouteStudy) -> str:
    """Return the reason for the verdict on a route, as a clause: that for the mission of its legs."""
    if study.plan is None:
        return f'the legs cannot be judged as a mission: {study.unjudged}'
    return verdict_reason(study.plan)


def places_words(study: RouteStudy) -> str:
    """Return start and goals, in words."""
    places = [study.problem.start, *study.goals] if study.goals else [study.problem.start, study.problem.goal]
    if study.frame is None:
        return ' to '.join(f'({x:.6g}, {y:.6g}) m' for x, y in places)
    latitude, longitude = study.frame.to_geodetic(*np.array(places, float).T)
    return ' to '.join(f'{north:.5f}, {east:.5f}' for north, east in zip(latitude, longitude))


def choice_rows(study: RouteStudy) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table of the alternative routes, its head first."""
    yield ('way', 'Wh', 'against this', 'time', 'length', '')
    for choice in study.choices:
        name = choice_name(choice)
        if choice.route is None:
            yield (name, '-', '-', '-', '-', choice.why)
            continue
        more = float(choice.route.energy[-1]) - study.route_energy
        more = 0.0 if abs(more) < 1e-4 * study.route_energy else more
        yield (name, formatted(choice.route.energy[-1] / JOULES_PER_WH, '.4g'),
               '' if choice.route is study.route else f'{formatted(more / JOULES_PER_WH, "+.3g")} Wh',
               seconds(choice.route.duration), metres(choice.route.length), choice.why)


def choice_name(choice: RouteChoice) -> str:
    """Return the name of an alternative; a way past another side is named by how far, and to which side, it leads."""
    if choice.kind != OTHER or choice.route is None:
        return KINDS[choice.kind]
    x, y = choice.route.x - choice.route.x[0], choice.route.y - choice.route.y[0]
    angle = math.atan2(y[-1], x[-1])
    aside = math.cos(angle) * y - math.sin(angle) * x
    most = float(aside[np.abs(aside).argmax()])
    side = point_name(angle + math.copysign(0.5 * math.pi, most))
    return f'{KINDS[OTHER]}, {metres(abs(most))} to the {side}'


def leg_rows(study: RouteStudy) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table of the legs, its head first."""
    charge, waves = study.charge, leg_waves(study.legs, study.problem, study.boat.vessel)
    yield ('leg', 'm', 'course', 'over ground', 'in water', 'current along', 'arrival', 'Wh', *(
        ('by waves, Wh',) if waves is not None else ()), *(('charge, %',) if charge is not None else ()))
    legs, found = study.legs, leg_conditions(study.legs, study.problem)
    arrival, energy = leg_costs(study)
    for number in range(legs.speed.size):
        if number >= ROWS:
            yield ('...', *[''] * (7 + (charge is not None) + (waves is not None)))
            break
        yield (str(number + 1), f'{found.length[number]:.1f}',
               '-' if found.length[number] == 0.0 else compass_text(float(found.course[number])),
               f'{found.ground_speed[number]:.2f} m/s' if found.length[number] else 'waits',
               f'{legs.speed[number]:.2f} m/s', f'{formatted(found.current_along[number], "+.2f")} m/s',
               seconds(float(arrival[number])), formatted(energy[number] / JOULES_PER_WH),
               *((formatted(waves.energy[number] / JOULES_PER_WH, '+.3g'),) if waves is not None else ()),
               *((charge_text(charge[number + 1]),) if charge is not None else ()))


def leg_costs(study: RouteStudy) -> tuple[np.ndarray, np.ndarray]:
    """Return when each leg ends, s since the departure, and its energy, J: of the plan, where there is one."""
    if study.plan is None or not study.plan.is_possible:
        return study.legs.time[1:] - study.legs.time[0], np.diff(study.legs.energy)
    legs, part = study.plan.legs, study.plan_parts
    ends, spent = ((np.column_stack(pair).ravel()[part]) for pair in (
        (legs.begin + legs.under_way, legs.end), (legs.total - legs.of_hold, legs.of_hold)))
    return ends, spent


def departures_head(study: RouteStudy) -> str:
    """Return what the table of the departures is of."""
    return 'Departures, ' + (
        'each without starts, turns and stops' if study.departures is None or not study.departures.verdicts else
        'with starts, turns and stops in proportion to those of the best')


def departure_rows(study: RouteStudy) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table of the departures, its head first."""
    found = study.departures
    assert found is not None
    yield ('departs at', 'takes', 'Wh', '', '')
    step = math.ceil(found.departure.size / ROWS)
    for number in range(found.departure.size):
        if number % step == 0 or number == found.best:
            energy = float(found.energy[number])
            lacking = 'not tried' if found.why and found.why[number] == NOT_TRIED else 'no way'
            yield (flow_time_words(study.zero, float(found.departure[number])),
                   seconds(float(found.duration[number])) if math.isfinite(energy) else '-',
                   fixed(energy / JOULES_PER_WH, 2),
                   VERDICTS[found.verdicts[number]] if found.verdicts and math.isfinite(energy) else '',
                   'best' if number == found.best else
                   lacking if not math.isfinite(energy) else 'about' if found.about(number) else '')


def front_rows(study: RouteStudy) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table of the front, its head first, then the quickest; with the saving against the last."""
    front = study.front
    assert front is not None
    yield ('takes', 'arrives at', 'Wh', 'length', 'a minute more saves', '')
    for number, route in enumerate(front.routes):
        saved = ''
        if number:
            before = front.routes[number - 1]
            minutes = (route.duration - before.duration) / 60.0
            saved = f'{formatted((before.energy[-1] - route.energy[-1]) / JOULES_PER_WH / minutes)} Wh'
        end = 'least time' if number == 0 else 'least energy' if number == len(front.routes) - 1 else ''
        yield (seconds(route.duration), seconds(float(route.time[-1])),
               formatted(route.energy[-1] / JOULES_PER_WH, '.4g'), metres(route.length), saved, end)


def forecast_rows(study: RouteStudy) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table of the routes and their energy in each forecast, its head first."""
    found = study.forecasts
    assert found is not None
    yield ('route of', *(f'{name}, Wh' for name in found.names), 'mean, Wh', '')
    for number, way in enumerate(found.ways):
        row = found.energy[number] / JOULES_PER_WH
        yield (way, *(fixed(value, 2) for value in row), fixed(float(row.mean()), 2),
               'chosen' if number == found.chosen else '')


def notes(study: RouteStudy) -> Iterator[str]:
    """Yield the notes, each a sentence."""
    if study.plan is not None and study.plan.bands is not None and not study.plan.bands.time_held:
        yield time_doubt(study.plan).removesuffix('.')
    yield from study.notes
    yield from (note.removesuffix('.') for note in sea_notes(study.boat.vessel.sea))
    found = study.departures
    if found is not None and any(found.about(number) for number in range(found.departure.size)):
        yield ('departures with `about` take what they do on the lattice of the search, less what the polish saved of '
               'the best: to about 2 % in energy, and 25 % in time'
               + ('' if study.broken_off else '; they are more than 3 % dearer there than the cheapest'))
    if study.front is not None and len(study.front.routes) < study.front.number:
        yield (f'{len(study.front.routes)} of the {study.front.number} arrival times have a route that is neither '
               'later nor dearer than another')
    if study.broken_off:
        untried = '; other ways were not looked for' if len(study.choices) == 1 else ''
        yield f'broken off: what was done until then is here{_untried_words(study)}{untried}'
    more = percent(study.energy / study.route_energy - 1.0, 2)
    yield ('verdict, energy, time and legs are what `usv-energy mission` finds for the plan that --out writes, with '
           'the same boat, water and departure: few legs, with starts, turns and stops. Without these the route '
           f'itself, and the ways beside it, are compared: it takes {joules(study.route_energy)} in '
           f'{seconds(study.route.duration)}, the plan {more}')


def _untried_words(study: RouteStudy) -> str:
    """Return which departures the user's Ctrl-C came before, as a clause; empty for none."""
    found = study.departures
    untried = [] if found is None else [number for number, why in enumerate(found.why) if why == NOT_TRIED]
    if found is None or not untried:
        return ''
    first, last = (flow_time_words(study.zero, float(found.departure[number])) for number in (untried[0], untried[-1]))
    return (f'; {len(untried)} of {found.departure.size} departures were not tried, '
            + (f'that at {first}' if len(untried) == 1 else f'from {first} to {last}'))


def route_figures(study: RouteStudy) -> dict[str, Any]:
    """Return the study for JSON: units in the keys, angles in degrees from east, those of the compass named so."""
    problem, route, sea = study.problem, study.route, study.boat.vessel.sea
    waves = leg_waves(study.legs, problem, study.boat.vessel)
    charge, begin = study.charge, float(study.legs.time[0])
    of_plan = {} if study.plan is None else mission_study_figures(study.plan)
    return without_nan({
        'boat': study.boat.name, 'verdict': study.verdict, 'reason': route_reason(study),
        **caution_figures(study.boat), 'lacks_for_range': lacks_for_range(study.boat), 'objective': problem.objective,
        'start_m': list(problem.start), 'goals_m': [list(goal) for goal in study.goals] or [list(problem.goal)],
        'depart_s': begin, 'arrive_s': begin + study.time, 'arrive_by_s': problem.arrive_by,
        'speed_through_water_m_s': problem.speed, 'time_s': study.time, 'length_m': route.length,
        'energy_j': study.energy, 'energy_wh': study.energy / JOULES_PER_WH,
        **{key: of_plan[key] for key in OF_PLAN if key in of_plan},
        'route_energy_j': study.route_energy, 'route_time_s': route.duration, 'gap': study.gap,
        'state_of_charge_at_start': None if charge is None else float(charge[0]),
        'state_of_charge_at_end': None if charge is None else charge_left(float(charge[-1])),
        'sea': None if sea is None or waves is None else {
            **sea_figures(sea), 'waves_energy_j': float(waves.energy.sum()), 'waves_share_of_thrust': waves.share},
        'choices': [_choice(choice) for choice in study.choices],
        'legs': _legs(study, leg_conditions(study.legs, problem), None if waves is None else waves.energy),
        'route': _points(study, route),
        'departures': None if study.departures is None else {
            'best_s': float(study.departures.departure[study.departures.best]),
            'departure_s': study.departures.departure, 'energy_j': study.departures.energy,
            'time_s': study.departures.duration, 'why_not': [why or None for why in study.departures.why],
            'verdict': ['not_tried' if study.departures.why and study.departures.why[at] == NOT_TRIED else verdict
                        for at, verdict in enumerate(study.departures.verdicts)] or None,
            'about': [study.departures.about(number) for number in range(study.departures.departure.size)]},
        'forecasts': None if study.forecasts is None else {
            'names': list(study.forecasts.names), 'ways': list(study.forecasts.ways),
            'energy_j': study.forecasts.energy, 'chosen': study.forecasts.ways[study.forecasts.chosen],
            'mean_j': study.forecasts.spread[0], 'least_j': study.forecasts.spread[1],
            'most_j': study.forecasts.spread[2]},
        'front': None if study.front is None else [
            {'time_s': route.duration, 'arrive_s': route.time[-1], 'energy_j': route.energy[-1],
             'length_m': route.length} for route in study.front.routes],
        'simulated': None if study.simulated is None else {
            'reached': study.simulated.reached, 'time_s': study.simulated.time, 'energy_j': study.simulated.energy,
            'energy_against_promise': study.simulation_error},
        'broken_off': study.broken_off, 'notes': list(notes(study))})


def _choice(choice: RouteChoice) -> dict[str, Any]:
    route = choice.route
    return {'way': choice.kind, 'name': choice_name(choice), 'why_not': choice.why or None,
            'energy_j': None if route is None else route.energy[-1],
            'time_s': None if route is None else route.duration, 'length_m': None if route is None else route.length}


def _legs(study: RouteStudy, found: LegConditions, waves: np.ndarray | None) -> list[dict[str, Any]]:
    legs, charge, (arrival, energy) = study.legs, study.charge, leg_costs(study)
    return [{'length_m': float(found.length[number]), 'course_deg': degrees(float(found.course[number])),
             'course_compass_deg': compass(float(found.course[number])),
             'speed_over_ground_m_s': float(found.ground_speed[number]),
             'speed_through_water_m_s': float(legs.speed[number]),
             'current_along_m_s': float(found.current_along[number]),
             'arrival_s': float(legs.time[0] + arrival[number]), 'energy_j': float(energy[number]),
             **({} if waves is None else {'waves_energy_j': float(waves[number])}),
             'state_of_charge_at_end': None if charge is None else charge_left(float(charge[number + 1]))}
            for number in range(legs.speed.size)]


def _points(study: RouteStudy, route: Route) -> dict[str, Any]:
    places: dict[str, Any] = {'time_s': route.time, 'x_m': route.x, 'y_m': route.y, 'energy_j': route.energy}
    if study.frame is not None:
        latitude, longitude = study.frame.to_geodetic(route.x, route.y)
        places |= {'latitude_deg': latitude, 'longitude_deg': longitude}
    return places
