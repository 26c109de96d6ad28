"""
Logs of a boat on drawn seas whose added resistance is known, written out by hand: nothing of usv_energy moves it.

m u' = T - d u - q |u| u - 8 c |z|^2, where z is the complex elevation of the waves at the boat, the mean of 8 |z|^2
being Hs^2; heave, roll and pitch are those of the surface, averaged over the water plane.
"""

import math
from pathlib import Path

import numpy as np

from usv_energy.logs.log import Log

MASS, LINEAR, QUADRATIC = 60.0, 20.0, 40.0     # kg, N s/m, N s^2/m^2
LENGTH, WIDTH = 1.2, 0.6                       # m
DIRECTIONS, PERIODS = (0.0, 90.0, 180.0), (2.0, 3.0)
COEFFICIENTS = ((90.0, 40.0), (12.0, 5.0), (-20.0, -8.0))   # N/m^2, of each direction a row by period
STEP, GRAVITY, WAVES = 0.1, 9.81, 80
COURSES = (0.0, 90.0, 180.0, -90.0)            # deg
BOAT = f"""base: lutra_prop
name: twin
hull: {{length: {LENGTH}, width: {WIDTH}, mass: 50.0, yaw_inertia: 10.0}}
inertia: {{m11: {MASS}, m22: 90.0, m33: 15.0}}
damping:
  linear: {{d11: {LINEAR}, d22: 100.0, d33: 50.0}}
  quadratic: {{d11: {QUADRATIC}, d22: 100.0, d33: 10.0}}
windage: {{frontal_area: 0.0, lateral_area: 0.0, c_x: 0.0, c_y: 0.0, air_density: 1.2}}
thrusters:
- {{name: port, x: -0.5, y: 0.25, min_thrust: -80.0, max_thrust: 100.0, tilt_deg: 0.0}}
- {{name: starboard, x: -0.5, y: -0.25, min_thrust: -80.0, max_thrust: 100.0, tilt_deg: 0.0}}
"""


def coefficient(off_bow_deg, period):
    """Return the coefficient, N/m^2, linear between directions and periods."""
    return float(np.interp(off_bow_deg, DIRECTIONS, [np.interp(period, PERIODS, row) for row in COEFFICIENTS]))


def drawn_sea(height, period, towards, rng):
    """Return frequencies, rad/s, amplitudes, m, directions and phases, rad: JONSWAP (gamma 3.3), spread about it."""
    peak = 2.0 * math.pi / period
    edges = np.geomspace(0.6 * peak, 4.0 * peak, WAVES + 1)
    omega = edges[:-1] + rng.uniform(0.0, 1.0, WAVES) * np.diff(edges)
    width = np.where(omega <= peak, 0.07, 0.09)
    higher = 3.3 ** np.exp(-0.5 * ((omega - peak) / (width * peak)) ** 2)
    shape = omega ** -5 * np.exp(-1.25 * (peak / omega) ** 4) * higher
    variance = shape * np.diff(edges)
    variance *= height ** 2 / 16.0 / variance.sum()
    angles = np.linspace(-math.pi, math.pi, 2001)
    heap = np.cumsum(np.cos(0.5 * angles) ** 20)
    return (omega, np.sqrt(2.0 * variance), towards + np.interp(rng.uniform(size=WAVES), heap / heap[-1], angles),
            rng.uniform(0.0, 2.0 * math.pi, WAVES))


def sea_log(name, height, period, towards_deg, seed, speed=1.2, leg=80.0, noise=0.01, drag_share=1.0):
    """
    Return the log of four legs east, north, west and south on a drawn sea; in calm water where its height is 0.

    The thrust holds the speed of calm water at first, and is a little more or less on every leg.

    :param noise: Of the recorded velocities, m/s.
    :param drag_share: What the boat really drags, over LINEAR and QUADRATIC.
    """
    rng = np.random.default_rng(seed)
    towards, number = math.radians(towards_deg), round(leg / STEP)
    omega, amplitude, direction, phase = drawn_sea(max(height, 1e-9), period, towards, rng)
    wave_number = omega ** 2 / GRAVITY
    east, north = wave_number * np.cos(direction), wave_number * np.sin(direction)
    rows, x, y, u, time = [], 0.0, 0.0, speed, 0.0
    for course_deg in COURSES:
        course = math.radians(course_deg)
        c, s = math.cos(course), math.sin(course)
        asked = drag_share * (LINEAR * speed + QUADRATIC * speed ** 2) * rng.uniform(0.95, 1.05)
        off_bow = math.degrees(math.acos(max(min(-math.cos(course - towards), 1.0), -1.0)))
        force = coefficient(off_bow, period)
        along, across = c * east + s * north, c * north - s * east
        kept = amplitude * np.sinc(0.5 * LENGTH * along / math.pi) * np.sinc(0.5 * WIDTH * across / math.pi)
        for _ in range(number):
            turn = np.exp(1j * (east * x + north * y - omega * time + phase))
            high = abs(complex((amplitude * turn).sum())) ** 2
            rows.append((time, x, y, course, u, asked, float((kept * turn).sum().real),
                         float((1j * across * kept * turn).sum().real),
                         float((-1j * along * kept * turn).sum().real)))
            drag = drag_share * (LINEAR * u + QUADRATIC * abs(u) * u) + 8.0 * force * high * (height > 0.0)
            u += STEP * (asked - drag) / MASS
            x, y, time = x + STEP * u * c, y + STEP * u * s, time + STEP
    columns = np.array(rows).T
    still = np.zeros(len(rows))
    swell = columns[6:9] * (height > 0.0)
    return Log(name, Path(name), columns[0], x=columns[1], y=columns[2], yaw=np.unwrap(columns[3]),
               u=columns[4] + noise * rng.normal(size=still.size), v=noise * rng.normal(size=still.size),
               r=np.clip(np.gradient(np.unwrap(columns[3]), STEP), -3.0, 3.0), current_x=still,
               current_y=still, wind_x=still, wind_y=still,
               thrust=np.column_stack([0.5 * columns[5]] * 2), thrusters=('port', 'starboard'), thrust_given=True,
               extra={'heave_m': swell[0], 'roll_rad': swell[1], 'pitch_rad': swell[2]})


COLUMNS = """title: a twin's logs
frames: {earth: enu, body: flu}
columns:
  time: {column: time_s, unit: s}
""" + ''.join(f'  {name}: {{column: {name}, unit: {unit}}}\n' for name, unit in (
    ('x', 'm'), ('y', 'm'), ('yaw', 'rad'), ('u', 'm/s'), ('v', 'm/s'), ('r', 'rad/s'))) + """thrusters:
  - {name: port, thrust: {column: thrust_port, unit: N}}
  - {name: starboard, thrust: {column: thrust_starboard, unit: N}}
extra: {heave_m: heave_m, roll_rad: roll_rad, pitch_rad: pitch_rad}
"""


def write_log(log, folder):
    """Write a log as a table, and the map of its columns beside it; return their paths."""
    names = ('time', 'x', 'y', 'yaw', 'u', 'v', 'r')
    table = np.column_stack([*(getattr(log, name) for name in names), log.thrust, *log.extra.values()])
    path, columns = folder / f'{log.name}.csv', folder / 'columns.yaml'
    header = ','.join(['time_s', *names[1:], 'thrust_port', 'thrust_starboard', *log.extra])
    np.savetxt(path, table, '%.6f', ',', header=header, comments='')
    columns.write_text(COLUMNS)
    return path, columns
