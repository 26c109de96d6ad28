"""
The places that a boat can reach on its battery, one way or there and back, in water and air that vary in space.

With an energy, or a battery that counts watt-hours, a path is limited by its joules. With cells it is limited by the
share of the battery that it uses (`pack_shares`); the boat slows down when the cells no longer give the power of its
best speed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.show.text_table import formatted
from usv_energy.studies.maps.lattice import (
    EVERYWHERE,
    LEAST_METRE_COST,
    RADIUS,
    CurrentAndWind,
    FlowsAtPoints,
    Lattice,
    cheapest_paths,
    costs_at,
    direction_error,
    extent_of,
    flows_at,
    move_costs,
    moves_of,
    reach_in_directions,
)
from usv_energy.studies.maps.pack_shares import (
    PackShares,
    metre_shares,
    missing_share,
    move_shares,
    not_held,
    share_of_range,
    usable_before_return,
    used_on_arrival,
)

COURSES = np.radians(np.arange(0.0, 360.0, 10.0))       # of `Reach.distances`, and of the first guess of the box
FINE = np.radians(np.arange(0.0, 360.0, 0.5))
NARROW_POINTS = 24      # least number of points across a narrow box,
MOST_ELONGATION = 4     # unless there would be more than so many times `points` along it
BOX_POINTS = 9          # along each side of the box, at which the flow is sampled for the first guess
SUBDIVISION = 8         # of a cell's sides for the area
MARGIN = 1.04           # of the first box around what can be reached
ATTEMPTS = 8            # to find a lattice that neither cuts the reach nor is much larger
GROWTH = 0.5            # of the lattice on a side that cuts the reach, as a share of its size
LEAST_USED = 0.6        # a lattice is built again, finer, if the reach is shorter than this share of it
SEARCH_LIMIT = 1.5      # longest paths that are searched, in times of the energy
LEAST_METRE_SHARE = 1e-14   # of a battery, lower bound on the use of a metre
FAR_OUT, JUST_OUT = 1e3, 1.01   # shares of a battery that mark a place far out of reach, and one just out of reach
MetreCosts = Callable[[FlowsAtPoints, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Reach:
    """
    What can be reached with an amount of energy, or on the cells of a battery.

    `out` and `back`: the least energy from the start to each point of the lattice and from there to the start, J, shape
    (rows, columns), inf if the boat cannot get there (or only far beyond the limit); `back` is None for one way.
    `distances`: by COURSES, m. `uniform_area`: m^2, computed without the lattice, if current and wind are the same
    everywhere, else NaN. `direction_error`: upper bound on the relative excess cost of paths at the start due to the
    lattice's directions. `cut`: the reach extends to the end of the flow, or of the requested extent.

    On cells `limit` is 1, and `out` and `back` are shares of the battery: the least used on arrival, and what must be
    kept for the way back. `needed`: the share that the whole path needs, more than 1 if the point is out of reach; None
    without cells. `not_held`: places that would be within reach, but at which the boat cannot hold its position at the
    voltage on arrival.
    """

    start: tuple[float, float]
    limit: float
    lattice: Lattice
    out: np.ndarray
    back: np.ndarray | None
    flows: FlowsAtPoints
    area: float
    distances: np.ndarray
    uniform_area: float
    direction_error: float
    cut: bool
    needed: np.ndarray | None = None
    not_held: np.ndarray | None = None

    @property
    def on_cells(self) -> bool:
        """Whether the reach is on cells, not on an energy."""
        return self.needed is not None

    @property
    def not_held_area(self) -> float:
        """The area of the places of `not_held`, m^2."""
        return 0.0 if self.not_held is None else float(np.count_nonzero(self.not_held)) * self.lattice.spacing ** 2

    @property
    def energy(self) -> np.ndarray:
        """Energy of the path out, or out and back, J; on cells the share of the battery that it needs."""
        if self.needed is not None:
            return self.needed
        return self.out if self.back is None else self.out + self.back


class _Paths(NamedTuple):
    """Paths on a lattice; `metre`: energy, J, or share of the battery per metre at its points; others as in Reach."""

    metre: np.ndarray
    out: np.ndarray
    back: np.ndarray | None
    needed: np.ndarray | None
    not_held: np.ndarray | None

    @property
    def energy(self) -> np.ndarray:
        if self.needed is not None:
            return self.needed
        return self.out if self.back is None else self.out + self.back


def reach(vessel: Vessel, fields: CurrentAndWind, start: tuple[float, float], limit: float | PackShares,
          speeds: np.ndarray, points: int = 121, round_trip: bool = False,
          extent: tuple[float, float, float, float] | None = None, progress: Progress = no_progress) -> Reach:
    """
    Return what can be reached from a place with an amount of energy, or on cells, with the boat at its cheapest speed.

    :param start: East and north, m.
    :param limit: Energy, J; or cells.
    :param speeds: Over ground, m/s, rising: the lowest and highest, and those between at which power is computed.
    :param points: Of the lattice along its longer side.
    :param round_trip: The energy must last for the way back, too.
    :param extent: xmin, ymin, xmax, ymax, m: the boat stays inside; None: no limit.
    :raises InputError: If there is no flow at the start, the boat cannot move there, its cells do not give the power of
        any motion there, or the reach is only a line.
    """
    shares, most = (limit, 1.0) if isinstance(limit, PackShares) else (None, limit)
    costs = partial(_metre_costs, vessel, speeds, shares)
    here = flows_at(fields, np.array([start[0]]), np.array([start[1]]))
    _check_start(vessel, here, start, speeds, shares, costs)
    bounds = _bounds(fields, extent)
    fine = costs(here, FINE)[0]
    if fine.min() < (LEAST_METRE_COST if shares is None else LEAST_METRE_SHARE) and not np.isfinite(bounds).all():
        raise InputError(f'towards {math.degrees(FINE[fine.argmin()]):g} degrees a metre costs nothing: the boat is '
                         'carried, and its reach has no end. Give it a static load, or an extent')
    box = _first_box(costs, fields, start, most, round_trip, bounds)
    for _ in range(ATTEMPTS):
        lattice, origin = _lattice(box, start, points)
        if min(lattice.rows, lattice.columns) < 2:
            raise InputError(f'what can be reached is narrower than a grid of {points} points along its longer side '
                             'shows: the flow is so much faster than the boat, or the extent so thin')
        x, y = lattice.points()
        flows = flows_at(fields, x, y)
        ways = _paths(vessel, lattice, origin, flows, speeds, limit, round_trip, progress)
        box, before = _next_box(ways.energy <= most, lattice, bounds), box
        if np.allclose(box, before, rtol=0.0, atol=lattice.spacing):
            break
    cut = _is_cut(ways.energy <= most, flows.inside.reshape(x.shape))
    same = bool(flows.inside.all()) and np.ptp(flows.values, axis=0).max() == 0.0
    return Reach(start, most, lattice, ways.out, ways.back, flows, _area(ways.energy, most, lattice.spacing),
                 _distances(ways.energy, lattice, start, most),
                 _uniform_area(fine, most, round_trip) if same and not cut else math.nan,
                 direction_error(moves_of(lattice).direction, ways.metre[origin], FINE, fine), cut, ways.needed,
                 ways.not_held)


def _check_start(vessel: Vessel, here: FlowsAtPoints, start: tuple[float, float], speeds: np.ndarray,
                 shares: PackShares | None, costs: MetreCosts) -> None:
    if not here.inside[0]:
        raise InputError(f'the start, x = {start[0]:g} m, y = {start[1]:g} m: there is no water or no wind there')
    if np.isfinite(costs(here, COURSES)).any():
        return
    if shares is not None and np.isfinite(costs_at(vessel, here, COURSES, speeds, (0.0,)).cost).any():
        raise InputError(f'{shares.boat.path}: the battery of {shares.boat.name}, charged to {shares.energy.charge:g}, '
                         'cannot give the power of any motion at the start above its cutoff voltage: '
                         f'{formatted(shares.energy.most_power, ".4g")} W at most')
    raise InputError('the boat cannot hold any course at the start, at any of the speeds: the flow is too strong')


def _metre_costs(vessel: Vessel, speeds: np.ndarray, shares: PackShares | None, flows: FlowsAtPoints,
                 directions: np.ndarray) -> np.ndarray:
    """Return the cost of a metre, J, or on cells the share of the range, (-); shape (points, directions)."""
    if shares is None:
        return np.asarray(costs_at(vessel, flows, directions, speeds, (0.0,)).cost[0])
    return share_of_range(metre_shares(vessel, flows, directions, speeds, shares))


def _paths(vessel: Vessel, lattice: Lattice, origin: int, flows: FlowsAtPoints, speeds: np.ndarray,
          limit: float | PackShares, round_trip: bool, progress: Progress) -> _Paths:
    """Return the paths from a point of the lattice to all others, and back."""
    shape, moves = (lattice.rows, lattice.columns), moves_of(lattice)
    if not isinstance(limit, PackShares):
        metre = costs_at(vessel, flows, moves.direction, speeds, (0.0,), progress).cost[0]
        total = move_costs(lattice, moves, metre.reshape(*shape, -1))
        out, _ = cheapest_paths(lattice, moves, total, origin, limit=SEARCH_LIMIT * limit)
        back = cheapest_paths(lattice, moves, total, origin, True, SEARCH_LIMIT * limit)[0] if round_trip else None
        return _Paths(metre, out, back, None, None)
    per_metre = metre_shares(vessel, flows, moves.direction, speeds, limit, progress)
    going = move_shares(lattice, moves, per_metre)
    used = used_on_arrival(lattice, moves, going, origin)
    usable = usable_before_return(lattice, moves, going, origin) if round_trip else None
    needed = np.minimum(1.0 + missing_share(lattice, moves, going, used, origin, usable), FAR_OUT)
    weak = not_held(vessel, limit, flows, np.where(needed <= 1.0, used, np.inf))
    return _Paths(share_of_range(per_metre), used.reshape(shape),
                 None if usable is None else 1.0 - usable.reshape(shape),
                 np.where(weak, np.maximum(needed, JUST_OUT), needed).reshape(shape), weak.reshape(shape))


def _first_box(costs: MetreCosts, fields: CurrentAndWind, start: tuple[float, float], limit: float, round_trip: bool,
         bounds: np.ndarray) -> np.ndarray:
    """Return the first box, xmin, ymin, xmax, ymax, m: a metre costs as little as at the best of a few places."""
    place = np.array(start)
    least = np.full(COURSES.size, np.inf)
    box, x, y = np.array([*place, *place]), place[:1], place[1:]
    for _ in range(ATTEMPTS):
        flows = flows_at(fields, x, y)
        if flows.inside.any():
            least = np.minimum(least, costs(flows, COURSES).min(axis=0))
        ahead = MARGIN * limit * _with_return(reach_in_directions(COURSES, least, COURSES), round_trip)
        ends = place + ahead[:, None] * np.column_stack((np.cos(COURSES), np.sin(COURSES)))
        before, box = box, _within(np.array([*ends.min(axis=0), *ends.max(axis=0)]), bounds)
        if np.allclose(before, box, rtol=0.0, atol=0.01 * float(np.ptp(box[0::2]))):
            break
        x, y = np.meshgrid(*(np.linspace(box[axis], box[axis + 2], BOX_POINTS) for axis in (0, 1)))
    return box


def _next_box(reachable: np.ndarray, lattice: Lattice, bounds: np.ndarray) -> np.ndarray:
    """Return the box for the next attempt, xmin, ymin, xmax, ymax, m; the lattice's own if its size is right."""
    x, y = lattice.points()
    own = np.array([x[0, 0], y[0, 0], x[-1, -1], y[-1, -1]])
    size = own[2:] - own[:2]
    edges = reachable[:, 0].any(), reachable[0].any(), reachable[:, -1].any(), reachable[-1].any()
    if any(edges):
        return _within(np.where(edges, own + GROWTH * np.array([*-size, *size]), own), bounds)
    room, places = RADIUS * lattice.spacing, np.array([x[reachable], y[reachable]])
    box = np.array([*(places.min(axis=1) - room), *(places.max(axis=1) + room)])
    return own if max(box[2:] - box[:2]) >= LEAST_USED * size.max() else _within(box, bounds)


def _is_cut(reachable: np.ndarray, inside: np.ndarray) -> bool:
    """Return whether the reach touches the lattice's edge, or a point without water or wind."""
    nothing = np.pad(~inside, 1, constant_values=True)
    beside = nothing[:-2, 1:-1] | nothing[2:, 1:-1] | nothing[1:-1, :-2] | nothing[1:-1, 2:]
    return bool((reachable & beside).any())


def _bounds(fields: CurrentAndWind, extent: tuple[float, float, float, float] | None) -> np.ndarray:
    """Return the intersection of the bounding boxes of current and wind and the extent: xmin, ymin, xmax, ymax, m."""
    given = np.array([extent_of(fields.current), extent_of(fields.wind), extent or EVERYWHERE])
    return np.array([*given[:, :2].max(axis=0), *given[:, 2:].min(axis=0)])


def _within(box: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    return np.array([*np.maximum(box[:2], bounds[:2]), *np.minimum(box[2:], bounds[2:])])


def _lattice(box: np.ndarray, start: tuple[float, float], points: int) -> tuple[Lattice, int]:
    """Return a lattice over a box, with a point at the start, and that point's number."""
    shorter, longer = sorted((float(box[2] - box[0]), float(box[3] - box[1])))
    spacing = max(min(longer / (points - 1), shorter / NARROW_POINTS), longer / (MOST_ELONGATION * points))
    left, down = (math.ceil((start[axis] - box[axis]) / spacing - 1e-9) for axis in (0, 1))
    right, up = (math.ceil((box[axis + 2] - start[axis]) / spacing - 1e-9) for axis in (0, 1))
    columns, rows = left + right + 1, down + up + 1
    lattice = Lattice(start[0] - left * spacing, start[1] - down * spacing, 0.0, spacing, columns, rows)
    return lattice, down * columns + left


def _area(energy: np.ndarray, limit: float, spacing: float) -> float:
    """Return the area in which the energy does not exceed the limit, m^2; bilinear within each cell."""
    shares = (np.arange(SUBDIVISION) + 0.5) / SUBDIVISION
    energy = np.minimum(energy, 1e3 * limit)
    columns = [(1.0 - u) * energy[:, :-1] + u * energy[:, 1:] for u in shares]
    inside = sum(np.count_nonzero((1.0 - v) * part[:-1] + v * part[1:] <= limit) for part in columns for v in shares)
    return inside * (spacing / SUBDIVISION) ** 2


def _distances(energy: np.ndarray, lattice: Lattice, start: tuple[float, float], limit: float) -> np.ndarray:
    """Return the distance on each course up to which every point can be reached, m."""
    from scipy.ndimage import map_coordinates
    steps = np.arange(1, 4 * max(energy.shape)) * (0.5 * lattice.spacing)
    x, y = (start[axis] + steps * way[:, None] for axis, way in enumerate((np.cos(COURSES), np.sin(COURSES))))
    places = (y - lattice.y) / lattice.spacing, (x - lattice.x) / lattice.spacing
    along = map_coordinates(np.minimum(energy, 1e3 * limit), places, order=1, mode='constant', cval=1e3 * limit)
    along = np.column_stack((np.zeros(COURSES.size), along))
    first, rows = np.argmax(along > limit, axis=1), np.arange(COURSES.size)
    before, after = along[rows, first - 1], along[rows, first]
    return np.asarray((first - 1 + (limit - before) / (after - before)) * 0.5 * lattice.spacing)


def _uniform_area(cost: np.ndarray, limit: float, round_trip: bool) -> float:
    ahead = _with_return(reach_in_directions(FINE, cost, FINE), round_trip)
    step = FINE[1] - FINE[0]
    return float(0.5 * np.sum(ahead * np.roll(ahead, -1)) * math.sin(step)) * limit * limit


def _with_return(ahead: np.ndarray, round_trip: bool) -> np.ndarray:
    """Return how far a unit of energy reaches in each direction, m; for a round trip, out and back."""
    if not round_trip:
        return ahead
    with np.errstate(divide='ignore'):
        return 1.0 / (1.0 / ahead + 1.0 / np.roll(ahead, ahead.size // 2))
