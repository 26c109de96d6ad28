"""The entry `waves` of a flow file: reading, checks for breaking waves, and description."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.flow.seas.sea import COMPONENTS, SPREADING, LocalSea, Sea, SeaState, irregular_sea, regular_sea
from usv_energy.flow.seas.wave_field import open_wave_field
from usv_energy.physics.waves.linear_wave import JONSWAP_GAMMA, wave_number, zero_crossing_period

# Steeper waves (height over length) break: 0.142 tanh(k h), R. Miche (1944), Annales des Ponts et Chaussees. For a sea,
# by its significant height and zero-crossing period: 1/10, DNV-RP-C205 (2010), 3.5.4.
STEEPEST, STEEPEST_SEA = 0.142, 0.1
LOCAL_COMPONENTS = 600  # Waves of a sea whose direction varies; a third of them run near the local direction.


class Waves(NamedTuple):
    """
    The sea on a water, its drift velocity, m/s, and its entry in the file.

    `local`: the varying sea state, if there is one; `sea` is then that of the file's middle at its first time, and the
    drift 0. `carries`: whether the drift acts on a boat; False if the boat's coefficients contain its effect.
    """

    sea: Sea
    drift: tuple[float, float]
    entry: Mapping[str, Any]
    local: LocalSea | None = None
    carries: bool = True

    def describe(self) -> dict[str, Any]:
        """Return the output of `usv-energy flow info`, for JSON, with units in the keys."""
        entry, waves = self.entry, self.sea.waves
        if self.local is not None:
            return {'kind': 'field', **self.local.field.describe(), 'seed': entry.get('seed', 0),
                    'components': int(waves.amplitude.size)}
        shown = {'kind': entry['kind'], 'direction_deg': entry['direction_deg'],
                'depth_m': entry.get('depth'), 'drift_m_per_s': math.hypot(*self.drift)}
        if entry['kind'] == 'regular':
            number = float(waves.number[0])
            return shown | {'height_m': entry['height'], 'period_s': entry['period'],
                            'length_m': 2.0 * math.pi / number, 'celerity_m_per_s': float(waves.frequency[0]) / number}
        gamma = float(entry.get('gamma', JONSWAP_GAMMA))
        return shown | {'significant_height_m': entry['significant_height'], 'peak_period_s': entry['peak_period'],
                       'zero_crossing_period_s': zero_crossing_period(entry['peak_period'], gamma), 'gamma': gamma,
                       'spreading': entry.get('spreading', SPREADING), 'seed': entry.get('seed', 0),
                       'components': int(waves.amplitude.size)}


def waves_of(entry: Mapping[str, Any], path: Path, origin: tuple[float, float] | None = None) -> Waves:
    """
    Return the waves of a flow file.

    :param entry: Its `waves`, checked against the schema, with plain numbers.
    :param path: Of the file, for errors.
    :param origin: Degrees north and east, from which the water's own metres count, for a field of waves in degrees.
    :raises InputError: If such waves would break.
    """
    if entry['kind'] == 'field':
        return _local_waves(entry, path, origin)
    direction, depth = math.radians(entry['direction_deg']), float(entry.get('depth', math.inf))
    if entry['kind'] == 'regular':
        height, period = float(entry['height']), float(entry['period'])
        _check_height(f'{path}: waves.height', height, period, depth, STEEPEST)
        sea = regular_sea(height, period, direction, depth, math.radians(entry.get('phase_deg', 0.0)))
    else:
        gamma, spreading = float(entry.get('gamma', JONSWAP_GAMMA)), float(entry.get('spreading', SPREADING))
        state = SeaState(float(entry['significant_height']), float(entry['peak_period']), gamma, direction, spreading,
                         depth)
        _check_height(f'{path}: waves.significant_height', state.height,
                      zero_crossing_period(state.period, state.gamma), depth, STEEPEST_SEA)
        sea = irregular_sea(state, int(entry.get('seed', 0)), int(entry.get('components', COMPONENTS)))
    return Waves(sea, sea.stokes_drift(-float(entry.get('drift_depth', 0.0))), entry)


def _local_waves(entry: Mapping[str, Any], path: Path, origin: tuple[float, float] | None) -> Waves:
    given = user_path(entry['path'])
    found = next((file for file in (path.parent / given, Path.cwd() / given) if file.exists()), None)
    if found is None:
        raise InputError(f'{path}: waves.path is {entry["path"]!r}: there is no such file')
    gamma, depth = float(entry.get('gamma', JONSWAP_GAMMA)), float(entry.get('depth', math.inf))
    options = entry.get('options', {}) if origin is None else {**entry.get('options', {}), 'origin': origin[::-1]}
    try:
        field = open_wave_field(found, options, gamma)
    except InputError as error:
        raise InputError(f'{path}: waves: {error}') from None
    state = SeaState(0.0, 1.0, gamma, 0.0, float(entry.get('spreading', SPREADING)), depth)
    local = LocalSea(field, state, int(entry.get('seed', 0)), int(entry.get('components', LOCAL_COMPONENTS)),
                     float(entry.get('drift_depth', 0.0)))
    return Waves(local.sea_in_the_middle(), (0.0, 0.0), entry, local)


def _check_height(what: str, height: float, period: float, depth: float, steepest: float) -> None:
    """Check that waves of a height, m, and period, s, are less steep than breaking waves (height over length, deep)."""
    number = wave_number(2.0 * math.pi / period, depth)
    most = steepest * 2.0 * math.pi / number * math.tanh(number * min(depth, 100.0 / number))
    if height > most:
        raise InputError(f'{what} is {height:g} m; waves of {period:.3g} s break above {most:.3g} m')
