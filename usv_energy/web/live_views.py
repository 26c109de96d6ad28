"""What the page Live says of a boat: figures, alarms, mission and state, as texts of its figures."""

import math
from collections.abc import Mapping
from typing import Any

from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.show.causes import CAUSES
from usv_energy.show.page.page_parts import Tile
from usv_energy.show.text_table import fixed, joules, metres, seconds
from usv_energy.studies.plan.home_guard import NO_ANSWER

State = Mapping[str, Any]
SILENT = 'nothing heard for'     # How a live session's problem of that begins.
LATE = 2.0          # s since the boat was heard, from which that is said first.
LEAST = 0.05        # W: what is less of a cause is not shown.


def headline(state: State) -> tuple[str, str]:
    """Return what matters most of a boat now, in words, and how grave it is: `bad`, `warn`, `good` or `unknown`."""
    margin, status = state.get('home_margin_j'), state.get('home_status')
    if state.get('return_home'):
        return f'Turn back now: margin {_energy(margin)}', 'bad'
    if status is None or status & int(NO_ANSWER) or margin is None:
        return state.get('home_message') or 'Nothing is known of the way home', 'unknown'
    if margin < 0.0:
        return f'Too far: {_energy(-margin)} are missing for the way home', 'bad'
    left = state.get('no_return_duration_s')
    words = 'no point of no return on this course' if left is None else f'no return in {seconds(left)}'
    return f'It gets home, with {_energy(margin)} to spare; {words}', 'warn' if state.get('alarms') else 'good'


def tiles_of(state: State, speed_words: Any) -> list[Tile]:
    """
    Return the figures at the top.

    :param speed_words: From a speed, m/s, to its words.
    """
    charge, doubt = state.get('state_of_charge'), state.get('state_of_charge_std')
    tiles = [Tile(_energy(state.get('home_margin_j')), 'margin beyond the way home'),
             Tile(_energy(state.get('home_energy_j')), f'way home, {_known(state.get("home_distance_m"), metres)}'),
             Tile(_known(state.get('no_return_duration_s'), seconds), 'until the point of no return'),
             Tile('-' if charge is None else f'{100.0 * charge:.1f} %', 'of the battery' if doubt is None else
                  f'of the battery, ± {200.0 * doubt:.1f} % (95 %)'),
             Tile(_known(state.get('remaining_range_m'), metres), 'range at the last minute\'s energy per metre'),
             Tile(fixed(state.get('power_total_w'), 1, 'W'), 'power now'),
             Tile(_energy(state.get('energy_total_j')), f'since {_known(state.get("duration_s"), seconds)}')]
    for key, name in (('speed_over_ground_m_s', 'over ground'), ('speed_through_water_m_s', 'through the water')):
        speed = state.get(key)
        tiles.append(Tile('-' if speed is None else speed_words(speed), name))
    return tiles


def cause_rows(state: State) -> list[tuple[str, str, str, str]]:
    """Return the causes of the power now: key, name, power and energy so far, as texts."""
    rows = []
    for cause in CAUSES:
        power, energy = state.get(f'power_{cause.key}_w'), state.get(f'energy_{cause.key}_j')
        if any(value is not None and abs(value) >= LEAST for value in (power, energy)):
            rows.append((cause.key, cause.name, fixed(power, 1), fixed(energy, 1)))
    return [*rows, ('', 'total', fixed(state.get('power_total_w'), 1), fixed(state.get('energy_total_j'), 1))]


def mission_words(state: State) -> list[str]:
    """Return what is left of the autopilot's mission, and whether the boat makes it; nothing where none is known."""
    mission = state.get('mission')
    if not mission:
        return []
    if 'error' in mission:
        return [mission['error']]
    charge, turn = mission['state_of_charge_at_end'], mission['turn_back_before_item']
    words = [f'{mission["verdict"].replace("_", " ")}: {metres(mission["length_m"])} left from item {mission["item"]}, '
             f'{_known(mission["time_s"], seconds)}, {_energy(mission["energy_j"])}'
             + ('' if charge is None else f', {100.0 * charge:.0f} % at its end')]
    return words if turn is None else [*words, f'turn back before item {turn}']


def state_rows(state: State) -> list[tuple[str, str]]:
    """Return what else is known: flows, battery, hull, vehicle."""
    heading = state.get('heading_deg')
    rows = [('heard', 'nothing yet' if state.get('age_s') is None else f'{state["age_s"]:.1f} s ago'),
            ('vehicle', str(state.get('vehicle') or '-')),
            ('heading', '-' if heading is None else f'{heading:03.0f}°')]
    for name, medium in (('current', WATER), ('wind', AIR)):
        flow = state.get(name) or {}
        speed, words = flow.get('speed_m_s'), '-'
        if speed is not None:
            angle = math.radians(flow['direction_deg']) if speed else 0.0
            words = flow_words(speed * math.cos(angle), speed * math.sin(angle), medium) if speed else 'none'
        rows.append((name, f'{words} ({flow.get("status") or "not known"})'))
    if state.get('battery_voltage_v') is not None:
        rows.append(('battery', f'{state["battery_voltage_v"]:.2f} V; {state.get("battery_message") or ""}'))
    if state.get('hull_state'):
        ratio = state.get('drag_ratio')
        rows.append(('hull', state['hull_state'] + ('' if ratio is None else f', drag {ratio:.2f} of the file\'s')))
    return rows


def problems_of(state: State, ended: bool = False) -> list[str]:
    """Return what is wrong, the silence of the boat first, which is none where a replay has `ended`."""
    late = not ended and (state.get('age_s') or 0.0) > LATE
    return [*([f'not heard for {state["age_s"]:.0f} s'] if late else []),
            *dict.fromkeys(
                text for text in state.get('problems') or () if text and not (ended and text.startswith(SILENT)))]


def _energy(value: float | None) -> str:
    return '-' if value is None else joules(value)


def _known(value: float | None, words: Any) -> str:
    return '-' if value is None else str(words(value))
