"""The samples of one run of an ensemble: motion, flow, power, thrusts over time."""

import math

import numpy as np

from .cases import Cases, Column
from .pack import pack
from .single_run import RESULT_ROWS, run_alone

COLUMNS = {
    'time': Column('s', 'since the start'),
    'x': Column('m', 'place, east'), 'y': Column('m', 'place, north'),
    'yaw': Column('rad', 'counter-clockwise from east, not wrapped'),
    'u': Column('m/s', 'surge velocity over ground'), 'v': Column('m/s', 'sway velocity over ground, to port'),
    'r': Column('rad/s', 'yaw rate, counter-clockwise'),
    'current_x': Column('m/s', 'water current, east'), 'current_y': Column('m/s', 'water current, north'),
    **{f'power_{cause}': Column('W', f'power by cause: {cause}') for cause in (
        'inertia', 'damping', 'wind', 'thrust', 'unrecovered', 'losses', 'static_load', 'total')},
    'energy_total': Column('J', 'energy so far'),
    'thruster_energy': Column('J', "work of the plant's thrusters so far"),
    'thrust_port': Column('N', 'thrust of the first thruster'),
    'thrust_starboard': Column('N', 'thrust of the second thruster'),
}


def trace_of(cases: Cases, index: int = 0) -> dict[str, np.ndarray]:
    """
    Return the samples of one run, by the names in COLUMNS, each of shape (samples,).

    :param cases: From `cases_of`.
    :param index: Which run.
    """
    from .backends import has_numba
    packed = pack(cases.part(index, index + 1))
    timeout = float(np.max(packed.case.timeout))
    rows = np.full((math.floor(timeout / (packed.clock.steps * packed.clock.step)) + 2, len(COLUMNS)), math.nan)
    if has_numba():
        from .numba_engine import compiled, run_one
        results = np.empty((RESULT_ROWS, 1))
        compiled(run_one)(packed.template, packed.clock, *packed.tables, packed.rows, packed.ways, results,
                           0, rows)
    else:
        run_alone(packed.lone_case, packed.clock, packed.water, packed.air, packed.ways, 0, rows)
    kept = rows[~np.isnan(rows[:, 0])]
    return dict(zip(COLUMNS, kept.T.copy()))


