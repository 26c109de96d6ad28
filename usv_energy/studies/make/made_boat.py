"""
A boat file from facts: every number with its value, its doubt, and whether it was measured, derived or guessed.

A boat made from facts as text: its numbers by origin, its power, and what one measurement more would tell.
"""

import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import boat_from
from usv_energy.boats.boat_values import NORMAL_95
from usv_energy.boats.numbers import row_of
from usv_energy.boats.outfit import battery_label
from usv_energy.files.text_file import without_nan
from usv_energy.physics.hull_resistance import HullForm, form_factor, froude_number, wave_source
from usv_energy.physics.motion import STILL
from usv_energy.show.text_table import percent, text_table
from usv_energy.studies.make.boat_facts import (
    DERIVED,
    GUESSED,
    MEASURED,
    WATER_DENSITY,
    BoatFacts,
    ValueHow,
    hull_form,
)
from usv_energy.studies.make.power_fit import (
    AIR,
    C_X,
    DOUBT_READING,
    DRIVE,
    FILLED,
    FRICTION,
    HOTEL,
    HOTEL_GUESS,
    LEAST_HOTEL,
    TOO_FAR,
    WAVES,
    MadeDrive,
    Measurement,
    PowerFit,
    always_on,
    area_above,
    doubt_of_shape,
    fastest_given,
    height_above,
    made_drive,
    narrowed,
    power_fit,
    speed_by_theory,
    total_power,
)
from usv_energy.studies.plan.steady_motion import steady_state, top_speed

CROSS_FLOW = 1.0        # (-), drag coefficient of a hull that drifts sideways.
SETTLING = 1.0          # s, in which slow sway and yaw die away: Fossen's rule for small craft.
GYRATION = 0.25         # (-), radius of gyration over length.
C_Y = 1.0               # (-)
LAG = 0.1               # s
AFT, ABEAM = -0.4, 0.3  # (-), place of thrusters over length, and of a pair over width.
STEERED, STEERED_FASTER = 35.0, 60.0    # deg and deg/s, of a single thruster.
VAGUE = 0.4             # Standard deviation of what is guessed, as a share of it.
SHARES = 0.3, 0.45, 0.6, 0.8, 1.0       # Of the fastest speed: where powers are shown.
HELD = 0.99             # (-), of a speed that is given: as good as held.
NEW_POWER, NEW_DRAG = 0.05, 0.07        # Doubt of a new measurement.


class MadeBoat(NamedTuple):
    """
    A boat made of facts.

    `document`: the content of its file; `origins`: of its numbers, by their paths; `form`, `drive`, `fit`: what they
    follow from; `shape`: the origins of the form; `speeds`: m/s, at which its power is shown; `next`: what each of some
    measurements would leave of the doubt in the power, the most useful first; `top`: what the file's thrusters hold,
    m/s.
    """

    facts: BoatFacts
    document: dict[str, Any]
    origins: dict[str, tuple[ValueHow, float]]
    form: HullForm
    shape: dict[str, ValueHow]
    drive: MadeDrive
    fit: PowerFit
    speeds: np.ndarray
    next: list[tuple[str, float]]
    top: float


def made_boat(facts: BoatFacts, provenance: Mapping[str, Any]) -> MadeBoat:
    """
    Return the boat that facts tell of.

    :param facts: The BoatFacts.
    :param provenance: Date, command and so on, kept in the file.
    :raises InputError: If the sheet of its thruster has no such voltage.
    """
    form, shape = hull_form(facts)
    drive = made_drive(facts)
    fit = power_fit(facts, form, drive, total_power(drive, facts.number))
    numbers = _Numbers(facts)
    _hull(numbers, facts, form)
    _drag(numbers, facts, form, drive, fit)
    _windage(numbers, facts)
    document = numbers.document
    document['damping']['wave'] |= {'source': f'derived: {wave_source(form)}', 'table': [
        [float(f'{speed:.4g}'), float(f'{force:.4g}')] for speed, force in zip(fit.theory.speed, fit.theory.waves)]}
    document['thrusters'] = _thrusters(numbers, facts, form, drive, fit)
    before = always_on(facts, drive)[0]
    hotel = float(fit.factors[HOTEL]) if before > LEAST_HOTEL else 0.0
    words = f'{HOTEL_GUESS:g} W of electronics (guessed)' if facts.hotel is None else f'{facts.hotel:g} W as given'
    given = None if drive.standby else facts.hotel
    certain = given is not None
    words += ', and the standby of thrusters' if drive.standby else ''
    words += f', times {hotel / before:.3g} by the readings' if facts.speeds and not certain else ''
    numbers.put('static_load', ValueHow(hotel, GUESSED, words) if given is None else ValueHow(given, MEASURED, words),
        0.0 if certain else _std(fit, HOTEL) * hotel)
    if facts.battery is not None:
        _battery(numbers, facts.battery)
    document['correlation'] = _correlation(fit, not certain)
    vessel, fastest = boat_from(document, facts.path).vessel, fastest_given(facts)
    force = float(steady_state(vessel, 0.0, fastest, STILL).thrusts[0])
    if facts.top_speed is None and 'max_power' not in facts.thrusters and facts.speeds:
        force *= math.exp(NORMAL_95 * fit.doubt_of_drag(fastest))   # So that drawn boats hold what was read, too.
    if facts.top_speed is not None or not drive.knows_thrust:
        drive = drive.of_facts(float(fit.factors[DRIVE]), force, fastest)
    document['thrusters'] = _thrusters(numbers, facts, form, drive, fit)
    vessel = boat_from(document, facts.path).vessel
    if caution := _apart(facts, form, fit, drive):
        document['caution'] = caution
    document['identification'] = {'make': dict(provenance)}
    speeds = np.array(SHARES) * fit.theory.speed[-1] / 1.1
    return MadeBoat(facts, document, numbers.origins, form, shape, drive, fit, speeds,
                    narrowed(fit, speeds, _possible(facts, drive, fit)), top_speed(vessel))


class _Numbers:
    """The numbers of a boat file that is made, with unit, source and std, and their origins."""

    def __init__(self, facts: BoatFacts) -> None:
        said = f'; facts: {facts.source}' if facts.source else ''
        self.document: dict[str, Any] = {
            'name': facts.name, 'description': f'made from facts by usv-energy boat make{said}'}
        self.origins: dict[str, tuple[ValueHow, float]] = {}

    def put(self, path: str, number: ValueHow, std: float = 0.0) -> None:
        """Put a number at its path in the document."""
        node: Any = self.document
        *sections, name = path.split('.')
        for section in sections:
            node = node.setdefault(section, {})
        node[name] = self.entry(path, number, std)

    def entry(self, path: str, number: ValueHow, std: float = 0.0) -> dict[str, Any]:
        """Return a number as an entry of the file; its origin is kept."""
        value = float(f'{number.value:.5g}')
        unit = row_of(path).unit
        self.origins[path] = number._replace(value=value, unit=unit), std
        found: dict[str, Any] = {'value': value, 'unit': unit, 'source': f'{number.how}: {number.words}'}
        return {**found, 'std': float(f'{std:.3g}')} if std > 0.0 else found


def _hull(numbers: _Numbers, facts: BoatFacts, form: HullForm) -> None:
    """Put the hull's size and its inertia with added mass."""
    hull, length, mass = facts.hull, form.length, facts.mass
    for name in ('length', 'width'):
        numbers.put(f'hull.{name}', ValueHow(float(hull[name]), MEASURED, 'as given'))
    numbers.put('hull.mass', ValueHow(mass, MEASURED, 'as given'))
    if facts.payload:
        numbers.put('hull.payload', ValueHow(facts.payload, MEASURED, 'as given'))
    whole = form.hulls * form.volume
    ahead = 2.7 * WATER_DENSITY * whole ** (5.0 / 3.0) / length ** 2
    aside = form.hulls * 0.5 * WATER_DENSITY * math.pi * form.draught ** 2 * length
    arm = (GYRATION * length) ** 2 + (0.0 if form.spacing is None else (0.4 * form.spacing) ** 2)
    for name, value, words, share in (
            ('m11', mass + ahead, "mass, and Soeding's 2.7 rho V^(5/3) / L^2", 0.05),
            ('m22', mass + aside, 'mass, and 0.5 rho pi T^2 L for each hull', 0.2),
            ('m33', mass * arm + aside * length ** 2 / 12.0, f'mass with a radius of gyration of {GYRATION:g} L, and '
             'rho pi T^2 L^3 / 24 for each hull', 0.3)):
        numbers.put(f'inertia.{name}', ValueHow(value, DERIVED, words), share * value)


def _drag(numbers: _Numbers, facts: BoatFacts, form: HullForm, drive: MadeDrive, fit: PowerFit) -> None:
    """Put the drag: ahead by the fit, aside and in yaw by cross flow."""
    theory, factor = fit.theory, float(fit.factors[FRICTION])
    linear, quadratic = theory.linear, theory.quadratic
    by_top_speed = facts.top_speed is not None and (drive.knows_thrust or 'max_power' in facts.thrusters)
    told = 'facts and theory' if facts.speeds or by_top_speed else 'theory alone'
    words = (f'ITTC (1957) friction times {form_factor(form):.3g} (Watanabe), and the drag of thrusters'
             f'{" and transom" if form.transom else ""}, times {factor:.3g} by {told}')
    spread = _std(fit, FRICTION)
    numbers.put('damping.linear.d11', ValueHow(factor * linear, DERIVED, words), spread * factor * linear)
    aside, turning = (numbers.document['inertia'][name]['value'] / SETTLING for name in ('m22', 'm33'))
    numbers.put('damping.linear.d22', ValueHow(aside, GUESSED, f'm22 over {SETTLING:g} s'), VAGUE * aside)
    numbers.put('damping.linear.d33', ValueHow(turning, GUESSED, f'm33 over {SETTLING:g} s'), VAGUE * turning)
    numbers.put('damping.quadratic.d11', ValueHow(factor * quadratic, DERIVED, words), spread * factor * quadratic)
    area = form.hulls * form.length * form.draught
    turn = WATER_DENSITY * CROSS_FLOW * area * form.length ** 3 / 64.0
    for name, value, rule in (('d22', 0.5 * WATER_DENSITY * CROSS_FLOW * area, '0.5 rho C_D T L'),
                              ('d33', turn, 'rho C_D T L^4 / 64')):
        numbers.put(f'damping.quadratic.{name}', ValueHow(
            value, DERIVED, f'cross flow, {rule} for each hull, C_D {CROSS_FLOW:g} guessed'), VAGUE * value)
    scale = float(fit.factors[WAVES])
    numbers.put('damping.wave.scale', ValueHow(scale, DERIVED, f'1 by theory, {scale:.3g} by {told}'),
                _std(fit, WAVES) * scale)


def _windage(numbers: _Numbers, facts: BoatFacts) -> None:
    height = height_above(facts)
    for name, side in (('frontal_area', 'width'), ('lateral_area', 'length')):
        area = area_above(facts, side)
        numbers.put(f'windage.{name}', ValueHow(area, GUESSED, f'{FILLED:g} of {side} and height above water, '
                                                f'{height.value:.3g} m ({height.how})'), VAGUE * area)
    for name, value in (('c_x', C_X), ('c_y', C_Y)):
        numbers.put(f'windage.{name}', ValueHow(value, GUESSED, 'as of many small craft'))
    numbers.put('windage.height', ValueHow(0.5 * height.value, DERIVED, 'half of the height above water'))
    numbers.put('windage.air_density', ValueHow(AIR, DERIVED, 'standard atmosphere at sea level'))


def _thrusters(numbers: _Numbers, facts: BoatFacts, form: HullForm, drive: MadeDrive,
               fit: PowerFit) -> list[dict[str, Any]]:
    """Return the thrusters: a pair side by side, or one that turns."""
    factor, low = float(fit.factors[DRIVE]), drive.described.limits
    by_top_speed = facts.top_speed is not None and 'max_power' in facts.thrusters and not drive.knows_thrust
    told = 'facts' if facts.speeds or by_top_speed else 'nothing but its sheet, pull or guess'
    scale = numbers.entry('thrusters.*.power_scale', ValueHow(factor, DERIVED, f'by {told}'), _std(fit, DRIVE) * factor)
    aft = ValueHow(AFT * float(facts.hull['length']), GUESSED, f'{AFT:g} of the length')
    place = numbers.entry('thrusters.*.x', aft)
    abeam = ABEAM * float(facts.hull['width']) if form.spacing is None else 0.5 * form.spacing
    lag = numbers.entry('thrusters.*.lag', ValueHow(LAG, GUESSED, 'as of small thrusters'))
    limits = {name: numbers.entry(f'thrusters.*.{name}', drive.origins.get(name, ValueHow(value, *(
        (MEASURED, 'its sheet or the bollard pull') if drive.knows_thrust else (GUESSED, 'by its power, tied')))))
        for name, value in zip(('min_thrust', 'max_thrust'), low)}
    common = {'x': place, **limits, 'lag': lag, 'power_scale': scale, **drive.entry}
    if facts.number == 1:
        turn = {name: numbers.entry(f'thrusters.*.azimuth.{name}', ValueHow(value, GUESSED, 'as of an outboard'))
                for name, value in (('min_angle_deg', -STEERED), ('max_angle_deg', STEERED),
                                    ('rate_deg', STEERED_FASTER))}
        return [{'name': 'outboard', 'y': numbers.entry('thrusters.*.y', ValueHow(0.0, GUESSED, 'amidships')),
                 **common, 'azimuth': turn}]
    return [{'name': name, 'y': numbers.entry('thrusters.*.y', ValueHow(sign * abeam, *(
        (GUESSED, f'{ABEAM:g} of the width') if form.spacing is None else (GUESSED, 'behind the hulls')))), **common}
        for name, sign in (('left', 1.0), ('right', -1.0))]


def _battery(numbers: _Numbers, text: str) -> None:
    """Put the battery of a label."""
    label = battery_label(text, 'battery')
    guesses = {'initial_state_of_charge': 'full'}
    if not re.search(r'\d\s*[vs]', text.lower()):
        guesses['nominal_voltage'] = 'its label has none'
    for name, value in label.entry.items():
        if isinstance(value, str):
            numbers.document.setdefault('battery', {})[name] = value
        else:
            numbers.put(f'battery.{name}', ValueHow(value, GUESSED, guesses[name]) if name in guesses else ValueHow(
                value, DERIVED, f'by its label: {label.words}'))


def _std(fit: PowerFit, factor: int) -> float:
    return float(math.sqrt(fit.covariance[factor, factor]))


def _correlation(fit: PowerFit, with_hotel: bool) -> dict[str, Any]:
    """Return the correlation of the drag, the drive and the hotel load; both parts of the friction are one."""
    rows = [FRICTION, FRICTION, WAVES, DRIVE] + ([HOTEL] if with_hotel else [])
    names = ['damping.linear.d11', 'damping.quadratic.d11', 'damping.wave.scale', 'thrusters.*.power_scale']
    covariance = fit.covariance[np.ix_(rows, rows)]
    size = np.sqrt(np.diag(covariance))
    matrix = (covariance / size / size[:, None]).round(6)
    return {'numbers': names + (['static_load'] if with_hotel else []), 'matrix': matrix.tolist(),
            'source': 'usv-energy boat make: what the facts leave open together'}


def _log_power(fit: PowerFit, speed: np.ndarray, factors: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(fit.power(speed, factors)))


def _possible(facts: BoatFacts, drive: MadeDrive, fit: PowerFit) -> list[Measurement]:
    """Return measurements that were not made."""
    top = fit.theory.speed[-1] / 1.1
    known = [speed for speed, _ in facts.speeds]
    found = []
    fastest = 'the fastest reading' if known and facts.top_speed is None else 'the top speed'
    for share, words in ((0.6, f'six tenths of {fastest}'), (1.0, fastest)):
        at = np.array([share * top])
        if not any(abs(speed - share * top) < 0.1 * top for speed in known):
            found.append(Measurement(
                f'the electrical power at {words}, {share * top:.2f} m/s', partial(_log_power, fit, at), NEW_POWER,
                doubt_of_shape(drive.knows_thrust, [*known, share * top])))
    if not drive.knows_thrust:
        found.append(Measurement('a bollard pull with its electrical power', lambda factors: np.log(
            factors[DRIVE:DRIVE + 1]), NEW_POWER, doubt_of_shape(True, known)))
    if facts.hotel is None:
        found.append(Measurement('the hotel load', lambda factors: np.log(factors[HOTEL:HOTEL + 1]), NEW_POWER,
                                 fit.shape))
    at = np.array([0.6 * top])
    found.append(Measurement(f'the drag at {0.6 * top:.2f} m/s, towed or by a coast-down',
                             lambda factors: np.log(fit.theory.drag(at, factors)), NEW_DRAG, fit.shape))
    return found


TITLES = {MEASURED: 'Measured, as given:', DERIVED: 'Derived:', GUESSED: 'Guessed:'}


def make_figures(made: MadeBoat) -> dict[str, Any]:
    """Return the made boat for JSON: units in the keys, None for NaN."""
    power, low, high = _powers(made)
    return without_nan({
        'boat': made.facts.name, 'waves': wave_source(made.form), 'top_speed_m_s': made.top,
        'factors_on_theory': dict(zip(('friction', 'waves', 'drive'), made.fit.factors.tolist())),
        'power': [{'speed_m_s': speed, 'froude': float(froude_number(speed, made.form.length)), 'power_w': middle,
                   'power_low_w': least, 'power_high_w': most} for speed, middle, least, most in zip(
                       made.speeds.tolist(), power.tolist(), low.tolist(), high.tolist())],
        'numbers': [{'number': name, 'value': number.value, 'unit': number.unit, 'std': std or math.nan,
                     'how': number.how, 'source': number.words} for name, number, std in _numbers(made)],
        'doubt_in_power': float(np.mean(made.fit.doubt(made.speeds))),
        'measurements': [{'what': name, 'doubt_in_power': left} for name, left in made.next]})


def curve_figures(made: MadeBoat, number: int = 60) -> list[dict[str, float]]:
    """Return the power over speed and its 95 % interval as `make_figures` does, at more speeds, up to the fastest."""
    speeds = np.linspace(made.fit.theory.speed[0], made.speeds[-1], number)
    return [{'speed_m_s': speed, 'power_w': middle, 'power_low_w': low, 'power_high_w': high}
            for speed, middle, low, high in zip(speeds.tolist(), *(row.tolist() for row in _powers(made, speeds)))]


def _powers(made: MadeBoat, speeds: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the power at speeds, by default the shown ones, W, and the ends of its 95 % interval."""
    speeds = made.speeds if speeds is None else speeds
    power, doubt = made.fit.power(speeds), made.fit.doubt(speeds)
    return power, power * np.exp(-NORMAL_95 * doubt), power * np.exp(NORMAL_95 * doubt)


def _numbers(made: MadeBoat) -> list[tuple[str, Any, float]]:
    """Return names, origins and standard deviations of the boat's numbers, those of its shape and drive included."""
    shape = [(f'hull, {name}', number, 0.0) for name, number in made.shape.items()]
    drive = [(f'thruster, {name}', number, 0.0) for name, number in made.drive.origins.items()
             if name not in ('min_thrust', 'max_thrust')]
    return shape + drive + [(path, number, std) for path, (number, std) in made.origins.items()]


def _readings(made: MadeBoat) -> list[str]:
    """Return what is made of the readings, a line each; they are met as closely as the other facts let them."""
    lines = []
    for speed, watts in made.facts.speeds:
        here = float(made.fit.power(np.array([speed]))[0])
        off = here / watts - 1.0
        lines.append(f'Given {watts:g} W at {speed:g} m/s, made {here:.0f} W ({percent(off, 0)}; a reading counts as '
                     f'known to {100.0 * DOUBT_READING:g} %)'
                     + ('; it does not go with the other facts' if abs(off) > DOUBT_READING else ''))
    return lines


def _apart(facts: BoatFacts, form: HullForm, fit: PowerFit, drive: MadeDrive) -> str:
    """Return which facts do not go together, by factors that no theory is off by; empty where all do."""
    number, name = max(((FRICTION, 'friction'), (WAVES, 'waves')), key=lambda pair: abs(np.log(fit.factors[pair[0]])))
    factor = float(fit.factors[number])
    if 1.0 / TOO_FAR <= factor <= TOO_FAR:
        return ''
    keys = [key for key, told in (('speeds', facts.speeds), ('top_speed', facts.top_speed)) if told]
    by_theory = (f'; by theory its thrusters hold {speed_by_theory(facts, form, drive):.2f} m/s: is '
                 f'{facts.top_speed:g} m/s full throttle in still water?'
                 if drive.knows_thrust and facts.top_speed else '')
    return (f'{" and ".join(keys)} of its facts do not go with hull, mass and thrusters: they ask for {factor:.3g} '
            f'times the {name} of theory{by_theory}')


def _held(made: MadeBoat) -> list[str]:
    """Return what to know of the thrusters of the file, a line each: whether they hold the speeds that are given."""
    facts, fastest, most = made.facts, fastest_given(made.facts), made.drive.origins.get('largest power')
    given, lines = facts.thrusters.get('max_power'), []
    if given is not None and (made.drive.knows_thrust or (facts.speeds and facts.top_speed)):
        says = 'the sheet or bollard pull has it' if made.drive.knows_thrust else 'the readings have it'
        lines.append(f'thrusters.max_power, {given:g} W, does not count for the power: {says}')
    if made.top < HELD * fastest:
        return [*lines, f'The boat of this file holds {made.top:.2f} m/s, not the {fastest:g} m/s that are given: its '
                'sheet or bollard pull gives no more thrust there']
    if most is not None and facts.top_speed and HELD * made.top > facts.top_speed:
        lines.append(f'The boat of this file holds {made.top:.2f} m/s, more than its top speed, {facts.top_speed:g} '
                     f'm/s: each thruster turns up to {most.value:.0f} W ({most.how}: {most.words})')
    if most is not None and given is not None and most.value > given / HELD:
        lines.append(f'So that its thrusters hold {fastest:g} m/s, they can turn as fast at standstill, too, where '
                     f'each then takes {most.value:.0f} W of the file, not {given:g}: their '
                     'pull at standstill is too large')
    return lines


def make_text(made: MadeBoat) -> str:
    """Return the made boat as lines."""
    power, low, high = _powers(made)
    lines = [f'{made.facts.name}: {made.facts.displacement:g} kg, {made.form.length:.3g} m on the water; waves by '
             f'{wave_source(made.form)}', '']
    head = ('speed, m/s', 'Froude', 'power, W', '95 %, W')
    lines += text_table([head, *(
        (f'{speed:.2f}', f'{froude_number(speed, made.form.length):.2f}', f'{middle:.0f}', f'{least:.0f} to {most:.0f}')
        for speed, middle, least, most in zip(made.speeds, power, low, high))], 'r', rule=True)
    said = [*_readings(made), *_held(made)]
    said += [f'Caution: {made.document["caution"]}'] if 'caution' in made.document else []
    lines += ['', *said] if said else []
    for how, title in TITLES.items():
        rows = [(f'  {name}', f'{number.value:.4g}', f'+- {std:.3g}' if std else '', number.unit, number.words)
                for name, number, std in _numbers(made) if number.how == how]
        lines += ['', title, *text_table(rows)] if rows else []
    doubt = float(np.mean(made.fit.doubt(made.speeds)))
    lines += ['', f'The power is known to {100.0 * doubt:.0f} % (one standard deviation). One measurement more would '
              'leave:', *text_table([(f'  {100.0 * left:.0f} %', name) for name, left in made.next])]
    return '\n'.join(lines)
