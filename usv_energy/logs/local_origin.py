"""Where on the Earth the local metres of a log count from, by fixes that were recorded beside them."""

import numpy as np

from usv_energy.earth import LocalPlane, Place, is_place
from usv_energy.logs.log import INFO, Note

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
