"""The samples of a run or of an analysed log as labelled arrays with units (xarray)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..analysis.analysed_log import AnalysedLog
from ..analysis.analysed_samples import sample_columns
from ..files.optional import optional
from ..sim.record import Run
from ..sim.samples_file import COLUMNS

if TYPE_CHECKING:
    import xarray

UNITS = {'_rad_s2': 'rad s-2', '_m_s2': 'm s-2', '_rad_s': 'rad s-1', '_m_s': 'm s-1', '_rad': 'rad', '_w': 'W',
         '_j': 'J', '_m': 'm', '_s': 's'}


def to_dataset(result: Run | AnalysedLog) -> 'xarray.Dataset':
    """
    Return the samples of a run or an analysed log as an xarray Dataset over `time`, units in the attributes.

    Place (`x`, `y`), motion (`yaw`, `u`, `v`, `r` and their derivatives), current, wind, power by cause (`power_total`
    and so on), the energy so far, the simulated thrusters' own power and work (NaN where there are none), and `status`,
    the bits of the message PowerStamped; of a run besides the power of each of its boat's loads, `load_<name>`.

    :param result: From `run_scenario` or `analyze_log`.
    :raises InputError: If xarray is not installed.
    """
    if isinstance(result, Run):
        rows = [(row.time, row.x, row.y, *row.motion, *row.flow, *row.power, row.energy, row.thruster_power,
                 row.thruster_energy, row.status) for row in result.rows]
        columns: Sequence[np.ndarray] = list(np.array(rows).reshape(-1, len(COLUMNS)).T)
        boat = result.scenario.boat.name
    else:
        columns, boat = sample_columns(result), result.boat.name
    variables = {}
    for column, values in zip(COLUMNS, columns):
        suffix = next((end for end in UNITS if column.endswith(end)), '')
        variables[column.removesuffix(suffix)] = ('time', values, {'units': UNITS.get(suffix, '1')})
    if isinstance(result, Run):
        for number, name in enumerate(result.scenario.boat.load_names):
            watts = np.array([row.loads[number] if row.loads else np.nan for row in result.rows])
            variables[f'load_{name}'] = ('time', watts, {'units': 'W'})
    variables['status'] = ('time', columns[-1].astype(np.int32), {'units': '1'})
    return optional('xarray', 'sweep', 'labelled samples').Dataset(variables, attrs={'boat': boat})
