"""Flows in closed form: uniform, river, jet, vortex, gust."""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import Extent, Velocities, extent_polygon, in_extent, outside, speed_summary, steps_summary
from usv_energy.physics.frames import polar_to_earth


class UniformFlow(NamedTuple):
    """A constant velocity in the earth frame (ENU): east and north component, m/s."""

    x: float = 0.0
    y: float = 0.0

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the constant velocity at many points; see FlowField.velocity."""
        shape = np.shape(x)
        return np.full(shape, self.x), np.full(shape, self.y), np.full(shape, True)

    def later(self, seconds: float) -> 'UniformFlow':
        """Return the flow for a clock that begins later, s: the same."""
        return self

    def scaled(self, share: float) -> 'UniformFlow':
        """Return the flow with its speed multiplied by a share."""
        return UniformFlow(share * self.x, share * self.y)

    @property
    def speed(self) -> float:
        """Speed of the flow, m/s."""
        return math.hypot(self.x, self.y)

    @property
    def direction_deg(self) -> float:
        """Direction it flows to, degrees counter-clockwise from east."""
        return math.degrees(math.atan2(self.y, self.x))


class RemarkedFlow(UniformFlow):
    """A flow of a text of which something is not used: what, a sentence, stands in `remark`."""

    remark = ''

    @classmethod
    def of(cls, flow: UniformFlow, remark: str) -> UniformFlow:
        """Return a flow with a remark; the flow itself without."""
        if not remark:
            return flow
        found = cls(*flow)
        found.remark = remark
        return found

    def scaled(self, share: float) -> UniformFlow:
        """Return the flow with its speed multiplied by a share, and its remark."""
        return RemarkedFlow.of(super().scaled(share), self.remark)


EVERYWHERE = (-math.inf, -math.inf, math.inf, math.inf)


class AnalyticFlow:
    """Base class of flows in closed form: a FlowSource that is exact at every time from the first to the last."""

    kind: ClassVar[str]
    start: datetime | None = None

    def __init__(self, parameters: Mapping[str, Any], times: tuple[float, ...] = (0.0,)) -> None:
        """
        Take the parameters, in SI units and degrees.

        :param parameters: Of the kind; `extent` limits the field, m, which is unlimited by default.
        :param times: First and last time, s; one for a steady field.
        """
        self.parameters = dict(parameters)
        self.extent: Extent = _extent(parameters.get('extent'))
        self.times = np.array(times)

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the velocity at many points at one time; see FlowField.velocity."""
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if not self.times[0] <= t <= self.times[-1]:
            return outside(x.shape)
        inside = in_extent(self.extent, x, y) & self._has(x, y)
        vx, vy = self._flow(t, np.where(inside, x, np.nan), np.where(inside, y, np.nan))
        return vx, vy, inside

    def velocities(self, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the velocity at many points, each at its own time, s, all of one shape; NaN without a value."""
        inside = in_extent(self.extent, x, y) & self._has(x, y)
        if self.times.size > 1:
            inside &= (t >= self.times[0]) & (t <= self.times[-1])
        return self._flow(t, np.where(inside, x, np.nan), np.where(inside, y, np.nan))

    def _has(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.isfinite(x) & np.isfinite(y)

    def _flow(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return vx, vy, m/s; NaN where x is. The time, s, is one for all points or one each."""
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        """Return the output of `usv-energy flow info`."""
        unit = {'speed': 'm_s', 'amplitude': 'm_s', 'advection': 'm_s', 'circulation': 'm2_s', 'duration': 's',
                'period': 's', 'arrival': 's'}
        plain = {f'{key}_{unit.get(key, "m")}' if isinstance(value, (int, float)) and not key.endswith('_deg') else key:
                 value for key, value in self.parameters.items() if key not in ('kind', 'extent')}
        bounded = all(map(math.isfinite, self.extent))
        return {'reader': 'analytic', 'kind': self.kind, **plain, **steps_summary(self.times, self.start),
                'extent_m': list(self.extent) if bounded else None,
                'speeds': [self._speeds(t) for t in sorted({0.0, 0.5 * self.times[-1], self.times[-1]})] if bounded
                else [],
                'notes': [] if bounded else ['without bounds: give the extent to see it on a map']}

    def _speeds(self, t: float) -> dict[str, Any]:
        """Return the speeds at one time on a lattice of 101 by 101 points."""
        xmin, ymin, xmax, ymax = self.extent
        x, y = np.meshgrid(np.linspace(xmin, xmax, 101), np.linspace(ymin, ymax, 101))
        vx, vy, inside = self.velocity(t, x.ravel(), y.ravel())
        return speed_summary(float(t), 'points_with_value', np.hypot(vx, vy)[inside])

    def outline(self) -> list[np.ndarray]:
        """Return the polygon of the extent; none if the field is unlimited."""
        return [extent_polygon(self.extent)] if all(map(math.isfinite, self.extent)) else []

    def close(self) -> None:
        """Do nothing; there is no file."""


class Uniform(AnalyticFlow):
    """A uniform and constant flow: speed, m/s, direction_deg."""

    kind = 'uniform'

    def _flow(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        vx, vy = polar_to_earth(self.parameters['speed'], self.parameters['direction_deg'])
        return vx + 0.0 * x, vy + 0.0 * y


class River(AnalyticFlow):
    """
    A straight river that is slower towards its banks, with land beyond them.

    With n the distance from its centre line, W `width` and d `bank_layer` (m, at most W/2, which is the default): speed
    V for abs(n) <= W/2 - d, else V (1 - ((abs(n) - W/2 + d) / d)^2), so 0 at the bank. With d = W/2 this is the
    parabola of a laminar channel. The mean over the width is V (1 - 2 d / (3 W)), the shear at the bank 2 V / d. `x`,
    `y`: its middle, m. `length`: m. It flows to `direction_deg`.
    """

    kind = 'river'

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Take speed V, direction_deg, width, length, and x, y, bank_layer if they differ from the default."""
        width = float(parameters['width'])
        super().__init__({'x': 0.0, 'y': 0.0, 'bank_layer': 0.5 * width, **parameters})
        if self.parameters['bank_layer'] > 0.5 * width:
            raise InputError(f'bank_layer is {self.parameters["bank_layer"]:g}; must be at most half the width, '
                             f'{0.5 * width:g} m')
        self._along = polar_to_earth(1.0, self.parameters['direction_deg'])
        corners = self.outline()[0]
        box = (*corners.min(axis=0), *corners.max(axis=0))
        self.extent = (float(box[0]), float(box[1]), float(box[2]), float(box[3]))

    def _aside(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the distances along the river and to the left of its middle, m."""
        east, north = x - self.parameters['x'], y - self.parameters['y']
        cosine, sine = self._along
        return cosine * east + sine * north, cosine * north - sine * east

    def _has(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        along, aside = self._aside(x, y)
        return ((np.abs(along) <= 0.5 * self.parameters['length'])
                & (np.abs(aside) <= 0.5 * self.parameters['width']))

    def _flow(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        layer = self.parameters['bank_layer']
        into = np.maximum(np.abs(self._aside(x, y)[1]) - 0.5 * self.parameters['width'] + layer, 0.0) / layer
        speed = self.parameters['speed'] * (1.0 - into * into)
        return self._along[0] * speed, self._along[1] * speed

    def outline(self) -> list[np.ndarray]:
        """Return the rectangle of the river."""
        half, side = 0.5 * self.parameters['length'], 0.5 * self.parameters['width']
        (cosine, sine), corners = self._along, np.array([(-half, -side), (half, -side), (half, side), (-half, side)])
        turned = corners @ np.array([(cosine, sine), (-sine, cosine)])
        return [turned + np.array([self.parameters['x'], self.parameters['y']])]


class Jet(AnalyticFlow):
    """
    A river mouth: a plane turbulent jet from a channel into still water.

    With s the distance downstream of the mouth at (`x`, `y`), m, n that to the left of its centre line, B `width`, m,
    and c = 0.109: up to s_c = B / (c sqrt(pi)) = 5.18 B there is a core with the channel's speed V, whose edges are at
    b = B / 2 (1 - s / s_c) on either side. Beside it the speed is V exp(-((abs(n) - b) / (c s))^2 / 2); from s_c on it
    is V sqrt(s_c / s) exp(-(n / (c s))^2 / 2). The direction is the same everywhere; the entrainment from the sides, a
    few per cent of V, is neglected. Upstream of the mouth the speed is V within the banks of the channel, and 0 beside
    it. The momentum flux, the integral of the squared speed across the jet, is V^2 B at every s.

    Source: Albertson, Dai, Jensen and Rouse, Diffusion of Submerged Jets, Trans. ASCE 115 (1950), plane jet, c = 0.109.
    """

    kind = 'jet'
    SPREAD = 0.109

    def _flow(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        along = polar_to_earth(1.0, self.parameters['direction_deg'])
        east, north = x - self.parameters.get('x', 0.0), y - self.parameters.get('y', 0.0)
        s = np.maximum(along[0] * east + along[1] * north, 0.0)
        n = np.abs(along[0] * north - along[1] * east)
        width = self.parameters['width']
        core_end = width / (self.SPREAD * math.sqrt(math.pi))
        core = 0.5 * width * np.maximum(1.0 - s / core_end, 0.0)
        middle = np.sqrt(core_end / np.maximum(s, core_end))
        beside = np.maximum(n - core, 0.0)
        scale = np.maximum(self.SPREAD * s, 1e-9)
        speed = self.parameters['speed'] * middle * np.exp(-0.5 * np.minimum(beside / scale, 40.0) ** 2)
        return along[0] * speed, along[1] * speed


class Vortex(AnalyticFlow):
    """
    A Lamb-Oseen vortex: around (x, y), m, the speed is G / (2 pi r) (1 - exp(-r^2 / c^2)).

    G is `circulation`, m^2/s, positive counter-clockwise, and c `core_radius`, m. Source: Saffman, Vortex Dynamics
    (1992), section 13.1. Its divergence is 0, and its circulation around a circle of radius r G (1 - exp(-r^2/c^2)).
    """

    kind = 'vortex'

    def _flow(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        east, north = x - self.parameters.get('x', 0.0), y - self.parameters.get('y', 0.0)
        square = (east * east + north * north) / self.parameters['core_radius'] ** 2
        # (1 - exp(-s)) / s, which is 1 at the centre.
        share = np.where(square > 0.0, -np.expm1(-square) / np.where(square > 0.0, square, 1.0), 1.0)
        rate = self.parameters['circulation'] / (2.0 * math.pi * self.parameters['core_radius'] ** 2) * share
        return -rate * north, rate * east


class Gust(AnalyticFlow):
    """
    A steady flow with gusts that repeat every `period`, s, from the first time on.

    A gust adds `amplitude` / 2 (1 - cos(2 pi s / `duration`)) for 0 <= s <= `duration`, s, in the direction of the
    flow: the "one minus cosine" gust of the airworthiness rules (EASA CS-25.341). s counts from `arrival`, s, at the
    origin; elsewhere it arrives later by the distance downstream over `advection`, m/s, or everywhere at once without
    that. The mean over a period is `speed` + `amplitude` `duration` / (2 `period`).
    """

    kind = 'gust'

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Take speed, direction_deg, amplitude, duration and period, and arrival (default 0) and advection."""
        super().__init__({'arrival': 0.0, **parameters}, (0.0, float(parameters['period'])))
        if parameters['duration'] > parameters['period']:
            raise InputError(f'duration is {parameters["duration"]:g}; must be at most the period, '
                             f'{parameters["period"]:g} s')

    def _flow(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        east, north = polar_to_earth(1.0, self.parameters['direction_deg'])
        advection = self.parameters.get('advection')
        late = self.parameters['arrival'] + ((east * x + north * y) / advection if advection else 0.0 * x)
        since = np.minimum(np.mod(t - late, self.parameters['period']) / self.parameters['duration'], 1.0)
        speed = self.parameters['speed'] + 0.5 * self.parameters['amplitude'] * (1.0 - np.cos(2.0 * math.pi * since))
        return east * speed, north * speed


KINDS: dict[str, type[AnalyticFlow]] = {kind.kind: kind for kind in (Uniform, River, Jet, Vortex, Gust)}


def _extent(given: Any) -> Extent:
    if given is None:
        return EVERYWHERE
    xmin, ymin, xmax, ymax = map(float, given)
    if not (xmin < xmax and ymin < ymax):
        raise InputError(f'extent is {list(given)}; must be xmin, ymin, xmax, ymax in m, rising')
    return xmin, ymin, xmax, ymax
