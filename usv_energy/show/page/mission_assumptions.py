"""What the estimate of a mission takes for granted, with its numbers."""

from collections.abc import Iterator

from ...flow.uniform import UniformFlow
from ...physics.battery import JOULES_PER_WH
from ...planning.mission_study import MissionStudy
from ..rounding import percent, seconds
from ..text.mission_words import battery_words, speed_words, words_of_flow


def assumption_rows(study: MissionStudy) -> Iterator[tuple[str, str]]:
    """Give what is assumed, by name, as texts."""
    scenario, boat = study.scenario, study.scenario.boat
    yield 'boat file', str(boat.path)
    said = speed_words(study) or 'over ground, as the mission says on every leg'
    yield 'speed', f'{said}; held whatever water and air do, as far as the thrusters can'
    for name, flow in (('current', scenario.current), ('wind', scenario.wind)):
        at = ', at the height of the boat' if name == 'wind' else ''
        if not isinstance(flow, UniformFlow):
            yield name, f'{words_of_flow(flow)}, at the places and times that the boat passes{at}'
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
