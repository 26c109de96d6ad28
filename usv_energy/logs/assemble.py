"""From the series of any source, in the house's units and frames, to a Log: what is missing is derived and noted."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane, Place, is_place
from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import LOGGED
from usv_energy.logs.derive import body_velocity, derivative, unwrapped, without_spikes
from usv_energy.logs.frozen import without_frozen
from usv_energy.logs.log import INFO, SERIES, WARNING, Log, Note
from usv_energy.logs.quality import refuse_degrees
from usv_energy.logs.steps import take_out_steps
from usv_energy.logs.tables.column_map import APPARENT, FROM_BOW
from usv_energy.logs.tables.ways import ways_of
from usv_energy.logs.unfilled import VELOCITIES, without_unfilled
from usv_energy.physics.frames import to_earth
from usv_energy.physics.sampling import longest_interval, period_of

FAR, SHARE = 20.0, 0.02  # m, and of the way's extent: fixes this far from the local places do not tell their origin.
PASSES = 3               # Each is better by the square of the distance over the Earth's radius.


def with_fixes(series: dict[str, np.ndarray], time: np.ndarray, stamps: np.ndarray, longitude: np.ndarray,
               latitude: np.ndarray) -> dict[str, np.ndarray]:
    """
    Return the series of a motion with the fixes of satellites at its times, degrees; NaN beyond their ends.

    :param time: Of the series, s, shape (n,).
    :param stamps: Of the fixes, s, rising, shape (m,); those at 0, 0 are none.
    """
    fixed = np.isfinite(longitude) & np.isfinite(latitude) & ((longitude != 0.0) | (latitude != 0.0))
    if not fixed.any():
        return series
    return {**series, **{name: np.interp(time, stamps[fixed], values[fixed], np.nan, np.nan)
                         for name, values in (('longitude', longitude), ('latitude', latitude))}}


def origin_of_fixes(x: np.ndarray, y: np.ndarray, longitude: np.ndarray, latitude: np.ndarray) -> Place | None:
    """
    Return the place of x = y = 0: that from which the fixes lie, in the median, where the local places are.

    :param x: m east, shape (n,); `y`: north.
    :param longitude: Degrees of the same places; `latitude`: the same. NaN where there is no fix.
    :return: None where there are no fixes, or these and the places are no one way, as of axes that are not east and
        north.
    """
    rows = np.flatnonzero(np.isfinite(x) & np.isfinite(y) & is_place(latitude, longitude)
                          & ((longitude != 0.0) | (latitude != 0.0)))
    if not rows.size:
        return None
    rows = rows[np.unique(np.linspace(0, rows.size - 1, min(rows.size, 2000)).round().astype(int))]
    x, y, longitude, latitude = x[rows], y[rows], longitude[rows], latitude[rows]
    origin = Place(float(latitude[0]), float(longitude[0]))
    for _ in range(PASSES):
        plane = LocalPlane(origin)
        there = np.array(plane.projected(latitude, longitude)) - (x, y)
        off = np.median(there, axis=1)
        if not np.isfinite(off).all():
            return None
        origin = Place(*plane.degrees_of(*off.tolist()))
        if not np.isfinite(origin).all():       # Further away than the Earth is round.
            return None
    spread = float(np.percentile(np.hypot(*(there - off[:, None])), 90.0))
    return origin if spread <= FAR + SHARE * float(np.hypot(np.ptp(x), np.ptp(y))) else None


def origin_note(origin: Place) -> Note:
    """Return the note that says where local metres count from."""
    return Note(INFO, 'local_origin', f'x = y = 0 lies at {origin.longitude:.6f} deg east, {origin.latitude:.6f} deg '
                'north, by the fixes of the log', {'longitude_deg': origin.longitude, 'latitude_deg': origin.latitude})


PAIRS = {'x', 'y'}, {'longitude', 'latitude'}, {'velocity_x', 'velocity_y'}   # Of no use without the other.
# Series that are made of others where they hold no number.
MOTION = ('x', 'y', 'yaw', 'u', 'v', 'r', 'u_dot', 'v_dot', 'r_dot', 'velocity_x', 'velocity_y', 'speed', 'course')
MOST = 0.5    # Share of the samples with a speed from which on positions that tell velocities are used instead.
LEAST_SPEED, FOULED, OVER = 0.3, 0.1, 30.0  # m/s, share of the speed over ground: below it a log is fouled; s.
# A hole is none where the places step no further than so many times as always, at speeds alike to that share, told by
# so many samples on each side, and where the boat would have gone so many times as far; m, least step.
LEAP_STEPS, LEAP_ALIKE, LEAP_SAMPLES, LEAP_WAY, LEAST_STEP = 3.0, 0.7, 9, 8.0, 0.05
# Share of the speed over ground (squares) that no steady current explains, for the courses to tell the scale of a speed
# through the water; how well that is known at best and at worst (95 %).
TELLS, CALIBRATED, VAGUE = 0.25, 0.02, 0.25
TIDE, TIDE_PERIOD = 1.0, 44_712.0  # m/s of a stream at its strongest, as it usually is at most; s.
APART = 0.15  # Share by which a speed may differ from what the positions say before that is noted.


class ThrusterSeries(NamedTuple):
    """
    Thrust, N, and command, us, of one thruster, shape (n,); None where not recorded.

    `neutral`: us, no thrust. `mirrored`: whether the command was turned about it, longer pulses having been astern.
    """

    name: str
    thrust: np.ndarray | None = None
    command: np.ndarray | None = None
    neutral: float = np.nan
    mirrored: bool = False


class Source(NamedTuple):
    """
    Where a log comes from, and what its reader noted.

    `max_gap`: samples further apart than this, s, do not belong together; None: it follows from their own period.
    `origin`: longitude and latitude of x = y = 0, degrees, where the source says it.
    """

    name: str
    path: Path
    max_gap: float | None = None
    notes: tuple[Note, ...] = ()
    origin: tuple[float, float] | None = None

    def longest_interval(self, time: np.ndarray) -> float:
        """Return the longest time between samples of one series that belong together, s, by its stamps, (n,)."""
        own = longest_interval(period_of(time))
        return own if self.max_gap is None else max(own, self.max_gap)


def assembled(source: Source, time: np.ndarray, series: Mapping[str, np.ndarray],
              thrusters: tuple[ThrusterSeries, ...] = (), extra: Mapping[str, np.ndarray] | None = None) -> Log:
    """
    Return the Log of a source's series.

    :param source: Name, path and notes.
    :param time: The source's own time, s, strictly rising, shape (n,).
    :param series: By the names of `quantities.QUANTITIES`, each (n,), in house units and frames (ENU, FLU): those of
        Log, longitude and latitude (deg), through_water, velocity_x and velocity_y, speed and course, *_speed and
        *_direction, and APPARENT and FROM_BOW.
    :param thrusters: From port to starboard.
    :param extra: Further series to keep.
    :raises InputError: If it has no sample, headings in degrees, or places that are none.
    """
    if not len(time):
        raise InputError(f'{source.path}: has no sample')
    notes = list(source.notes)
    known = _possible(series, notes)
    max_gap = longest_interval(period_of(time)) if source.max_gap is None else source.max_gap
    start = float(time[0])
    time = time - start
    origin = _place(known, source, notes)
    own_gap = longest_interval(period_of(time))
    time = _without_leaps(known, time, own_gap, notes)
    for flow in ('current', 'wind'):
        if f'{flow}_speed' in known:
            angle = known[f'{flow}_direction']
            known[f'{flow}_x'], known[f'{flow}_y'] = to_earth(known[f'{flow}_speed'], 0.0, np.cos(angle), np.sin(angle))
    known = without_unfilled(without_frozen(known, time, notes), time, notes)
    _heading(known, time, source.path, notes)
    extra = dict(extra or {})
    take_out_steps(known, extra, time, min(max_gap, own_gap), notes)
    _velocities(known, time, max_gap, notes)
    _current_of_bow(known, time, notes)
    _wind_of_bow(known, 'yaw' in series, notes)
    if 'electrical_power' not in known and 'volts' in known and 'amperes' in known:
        known['electrical_power'] = known['volts'] * known['amperes']
    if 'electrical_power' not in series and np.isfinite(known.get('electrical_power', np.nan)).any():
        notes.append(Note(INFO, 'power_of_volts_amperes', 'electrical power is volts times amperes'))
    stacked = _stacked(thrusters, len(time), notes)
    return Log(
        name=source.name, path=source.path, time=time, start=start,
        **{name: known[name] for name in SERIES if name in known},  # type: ignore[arg-type]
        **stacked, max_gap=max_gap, extra=extra, notes=tuple(notes), origin=origin)


def _possible(series: Mapping[str, np.ndarray], notes: list[Note]) -> dict[str, np.ndarray]:
    """Return series with NaN for numbers that no quantity has, without motion of which nothing is known."""
    known = {name: _without_absurd(name, values, notes) for name, values in series.items()}
    known = {name: values for name, values in known.items() if name not in MOTION or np.isfinite(values).any()}
    for pair in PAIRS:
        if len(pair & set(known)) == 1:
            del known[(pair & set(known)).pop()]
    return known


def _without_absurd(name: str, values: np.ndarray, notes: list[Note]) -> np.ndarray:
    absurd = np.abs(values) > LOGGED
    if not absurd.any():
        return values
    notes.append(Note(WARNING, 'absurd_values', f'{counted(int(absurd.sum()), "value")} of {name} beyond {LOGGED:g}: '
                      'not used', {'samples': int(absurd.sum())}))
    return np.where(absurd, np.nan, values)


def _stacked(thrusters: tuple[ThrusterSeries, ...], n: int, notes: list[Note]) -> dict[str, Any]:
    unknown = np.broadcast_to(np.nan, (n,))
    if not thrusters:
        return {}
    columns = {name: [unknown if (one := getattr(t, name)) is None else
                      _without_absurd(f'{name} of {t.name}', one, notes) for t in thrusters]
               for name in ('thrust', 'command') if any(getattr(t, name) is not None for t in thrusters)}
    return {**{name: np.column_stack(values) for name, values in columns.items()},
            'thrusters': tuple(t.name for t in thrusters), 'neutral': tuple(t.neutral for t in thrusters),
            'mirrored': tuple(t.mirrored for t in thrusters)}


def _place(known: dict[str, np.ndarray], source: Source, notes: list[Note]) -> Place | None:
    """Make local metres of degrees where there are none; return where on the Earth these count from."""
    if 'x' in known:
        if source.origin is not None or 'longitude' not in known:
            return None if source.origin is None else Place(*source.origin[::-1])
        found = origin_of_fixes(known['x'], known['y'], known['longitude'], known['latitude'])
        notes += [] if found is None else [origin_note(found)]
        return found
    if 'longitude' not in known:
        return None
    longitude, latitude = known['longitude'], known['latitude']
    fixed = np.isfinite(longitude) & np.isfinite(latitude) & ((longitude != 0.0) | (latitude != 0.0))
    if not fixed.any() and any(np.isfinite(known[name]).any() for name in VELOCITIES if name in known):
        notes.append(Note(WARNING, 'position_never_filled', 'longitude and latitude hold no fix, nobody filled them '
                          'in: the velocities are used'))
        return None
    if not fixed.any():
        raise InputError(f'{source.path}: longitude and latitude hold no fix')
    if np.abs(latitude[fixed]).max() > 90.0 or np.abs(longitude[fixed]).max() > 360.0:
        raise InputError(f'{source.path}: latitude goes to {np.abs(latitude[fixed]).max():g}, longitude to '
                         f'{np.abs(longitude[fixed]).max():g}; must be degrees, up to 90 and 360')
    first = int(np.flatnonzero(fixed)[0])
    origin = source.origin or (float(longitude[first]), float(latitude[first]))
    x, y = LocalPlane(origin[::-1]).projected(*(np.where(fixed, one, at)
                                                for one, at in ((latitude, origin[1]), (longitude, origin[0]))))
    known['x'], known['y'] = np.where(fixed, x, np.nan), np.where(fixed, y, np.nan)
    notes.append(Note(INFO, 'local_plane', f'x, y are on a plane that touches at {origin[0]:.6f} deg east, '
                      f'{origin[1]:.6f} deg north', {'longitude_deg': origin[0], 'latitude_deg': origin[1]}))
    return Place(*origin[::-1])


def _without_leaps(known: dict[str, np.ndarray], time: np.ndarray, longest: float, notes: list[Note]) -> np.ndarray:
    """
    Return times, s, without holes in which a boat under way went no further than from sample to sample.

    There the clock was set forward: places go on within LEAP_STEPS steps, and the velocity is the same before and
    after, where the boat would have gone LEAP_WAY times as far.
    """
    holes = np.flatnonzero(np.diff(time) > longest)
    if 'x' not in known or not holes.size:
        return time
    rows = np.flatnonzero(np.isfinite(known['x']) & np.isfinite(known['y']))
    places, period, moved = np.column_stack([known['x'], known['y']]), period_of(time), []
    for hole in holes.tolist():
        at = int(np.searchsorted(rows, hole, side='right'))
        sides = rows[max(at - LEAP_SAMPLES, 0):at], rows[at:at + LEAP_SAMPLES]
        if min(map(len, sides)) < LEAP_SAMPLES or any(np.ptp(time[one]) > 2.0 * LEAP_SAMPLES * period for one in sides):
            continue
        before, after = (np.polyfit(time[one] - time[one[0]], places[one], 1)[0] for one in sides)
        speed = min(np.hypot(*before), np.hypot(*after))
        step = max(float(np.median(np.hypot(*np.diff(places[one], axis=0).T))) for one in sides)
        near = LEAP_STEPS * max(step, LEAST_STEP)
        across = float(np.hypot(*(places[sides[1][0]] - places[sides[0][-1]])))
        length = float(time[hole + 1] - time[hole])
        if np.hypot(*(after - before)) < LEAP_ALIKE * speed and across < near and speed * length > LEAP_WAY * near:
            moved.append((hole, length - period))
    if moved:
        time = time.copy()
        first, longest = float(time[moved[0][0]]), max(length for _, length in moved)
        for hole, length in moved:
            time[hole + 1:] -= length
        notes.append(Note(WARNING, 'clock_set_forward', f'the clock was set forward {counted(len(moved), "time")}, the '
                          f'first {first:.1f} s after the begin, by up to {longest:.6g} s: the boat is where it was, '
                          'and as fast; taken out, the later samples follow at once',
                          {'steps': len(moved), 'first_s': first, 'largest_s': longest}))
    return time


def _heading(known: dict[str, np.ndarray], time: np.ndarray, path: Path, notes: list[Note]) -> None:
    if 'yaw' in known:
        refuse_degrees(path, time, known['yaw'], known.get('r'))
        r = known.get('r', np.full(len(time), np.nan))
        known['yaw'], spikes = without_spikes(time, known['yaw'], r)
        if spikes:
            notes.append(Note(INFO, 'heading_spikes', f'{spikes} samples of the heading lay half way round the circle '
                              '(interpolated from 360 to 0 degrees?); put right', {'samples': spikes}))
    elif 'course' in known:
        known['yaw'] = unwrapped(known['course'])
        notes.append(Note(WARNING, 'heading_from_course', 'no heading was recorded: the course over ground stands for '
                          'it, so that the boat is taken to move straight ahead, without drift'))


def _velocities(known: dict[str, np.ndarray], time: np.ndarray, max_gap: float, notes: list[Note]) -> None:
    if 'r' not in known and 'yaw' in known:
        known['r'] = derivative(time, known['yaw'], max_gap)
        notes.append(Note(INFO, 'yaw_rate_derived', 'the yaw rate is the smoothed derivative of the heading '
                          '(parabola over 1 s)'))
    if 'u' in known:
        return
    if 'velocity_x' not in known and 'speed' in known and 'course' in known:
        angle = known['course']
        known['velocity_x'], known['velocity_y'] = to_earth(known['speed'], 0.0, np.cos(angle), np.sin(angle))
    if 'velocity_x' not in known and 'x' in known:
        derived = [derivative(time, known[axis], max_gap) for axis in ('x', 'y')]
        speed = known.get('speed', np.full(len(time), np.nan))
        if np.isfinite(derived[0]).sum() >= MOST * np.isfinite(speed).sum():
            known['velocity_x'], known['velocity_y'] = derived
            notes.append(Note(INFO, 'velocity_derived', 'velocities are smoothed derivatives of the positions '
                              '(parabola over 1 s, at least 5 samples): changes faster than that are lost'))
            share = 1.0 / ways_of(time, known['x'], known['y']).share_of_speed(speed)
            if abs(share - 1.0) > APART:
                notes.append(Note(WARNING, 'speed_differs', f'the speed over ground that was recorded is {share:.3g} '
                                  'times what the positions say (another unit?); the positions are used',
                                  {'ratio': share}))
    if 'velocity_x' not in known and 'speed' in known:
        known['u'] = known['speed']
        notes.append(Note(WARNING, 'surge_from_speed', 'only the speed over ground was recorded: it stands for the '
                          'surge velocity, sway is not known'))
        return
    if 'velocity_x' in known and 'yaw' in known:
        known['u'], known['v'] = body_velocity(known['velocity_x'], known['velocity_y'], known['yaw'])


def _current_of_bow(known: dict[str, np.ndarray], time: np.ndarray, notes: list[Note]) -> None:
    """Make the current along the bow of the speeds over ground and through the water, as means over 30 s."""
    through = known.pop('through_water', None)
    if through is None or 'current_x' in known or 'u' not in known or 'yaw' not in known:
        return
    moves = known['u'] > LEAST_SPEED
    turning = moves & (through > FOULED * known['u'])
    if turning.sum() <= 0.5 * (moves & np.isfinite(through)).sum():
        notes.append(Note(WARNING, 'speed_through_water', 'the speed through the water is not used: it stays near 0, '
                          'or is not known, while the boat moves'))
        return
    ground, water = known['u'][turning], through[turning]
    mean_ground, mean_water = float(ground.mean()), float(water.mean())
    scale, off = _scale_of_sensor(ground, water, known['yaw'][turning], time[turning])
    values = {'over_ground_m_s': mean_ground, 'through_water_m_s': mean_water}
    means = f'{mean_ground:.2f} m/s over ground and {mean_water:.2f} m/s through the water'
    apart, differs = abs(mean_water - mean_ground) > APART * mean_ground, mean_ground / mean_water - 1.0
    if off > VAGUE:
        text = f'that of the mean speeds of {means}; the courses do not tell whether that is a current or the scale of '
        text += 'the sensor, so that the interval reaches to where it is the scale (--current says the current)'
        less, more = min(differs, -CALIBRATED), max(differs, CALIBRATED)
    elif scale != 1.0:
        through, apart, less, more = through / scale, True, -off, off
        values['scale'] = scale
        text = f'that of the mean speeds of {means}, the latter divided by {scale:.3g}: it differs to the same side on '
        text += 'opposite courses, as by the scale of its sensor'
    else:
        text, less, more = f'that of the mean speeds of {means}', -off, off
    rows = np.flatnonzero(turning | ~moves & np.isfinite(known['u'] + through))
    along = known['u'][rows] - through[rows]
    begin, end = (np.searchsorted(time[rows], time[rows] + side) for side in (-0.5 * OVER, 0.5 * OVER))
    sums = np.append(0.0, np.cumsum(along))
    along = np.interp(time, time[rows], (sums[end] - sums[begin]) / (end - begin))
    known['current_x'], known['current_y'] = to_earth(along, 0.0, np.cos(known['yaw']), np.sin(known['yaw']))
    notes.append(Note(WARNING if apart else INFO, 'current_of_bow', f'the water current along the bow is {text}; '
                      'across it nothing is known', {**values, 'less': less, 'more': more}))


def _scale_of_sensor(ground: np.ndarray, water: np.ndarray, yaw: np.ndarray, time: np.ndarray) -> tuple[float, float]:
    """
    Return the scale of a speed through the water, 1 within noise, and how far it is known (95 %); inf: not at all.

    Least squares of water = scale * (ground - steady current along the bow): on opposite courses what the current does
    changes its sign, and what the scale does keeps it; on one course they are the same. A tide that turns as the boat
    does looks like a scale, too: how much of one a TIDE would feign is a doubt, small where courses are sailed again.

    :param ground, water: Speeds, m/s, heading, rad, and times, s, of samples under way, (n,).
    """
    sides = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    left, of_water = (one - sides @ np.linalg.lstsq(sides, one, rcond=1e-9)[0] for one in (ground, water))
    size = float(left @ left)
    if size < TELLS * float(ground @ ground):
        return 1.0, np.inf
    scale = float(left @ of_water) / size
    missed = of_water - scale * left
    noise = 2.0 * np.sqrt(missed @ missed / size / max(np.ptp(time) / OVER - 3.0, 1.0))
    phase = 2.0 * np.pi / TIDE_PERIOD * (time - time.mean())
    tide = TIDE / size * np.linalg.norm([(left * turn) @ sides for turn in (np.sin(phase), np.cos(phase))])
    is_told = abs(scale - 1.0) > max(noise, CALIBRATED)
    return scale if is_told else 1.0, max(float(np.hypot(noise, tide)), CALIBRATED)


def _wind_of_bow(known: dict[str, np.ndarray], with_heading: bool, notes: list[Note]) -> None:
    """Make the wind over ground of one that is counted from the bow, or felt by the boat that moves."""
    if 'wind_x' in known:
        return
    for speed, angle in (FROM_BOW, APPARENT):
        if not np.isfinite(known.get(speed, np.nan) * known.get(angle, np.nan)).any():
            continue
        if not with_heading:
            notes.append(Note(WARNING, 'wind_not_turned', 'the wind is counted from the bow, and there is no heading: '
                              'it is not used'))
            return
        yaw = known['yaw']
        east, north = to_earth(-known[speed], 0.0, np.cos(yaw + known[angle]), np.sin(yaw + known[angle]))
        if speed == APPARENT[0]:
            if 'u' not in known:
                notes.append(Note(WARNING, 'wind_not_turned', 'the apparent wind is not used: there is no speed'))
                return
            own = to_earth(known['u'], np.nan_to_num(known.get('v', 0.0)), np.cos(yaw), np.sin(yaw))
            east, north = east + own[0], north + own[1]
            notes.append(Note(INFO, 'wind_of_apparent', 'the wind over ground is the apparent wind and the velocity of '
                              'the boat'))
        known['wind_x'], known['wind_y'] = east, north
        return
