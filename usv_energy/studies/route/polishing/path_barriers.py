"""Barriers as constraints on the parts of a path: samples of each part must keep a small clearance."""

from typing import NamedTuple

import numpy as np

from usv_energy.studies.route.barriers.area_barriers import Barriers

SAMPLES = 2             # of a part near a barrier: the nearest place of each half
SEARCH_PLACES = np.linspace(-1.0, 1.0, 7)  # of a half, among which the nearest is searched
REFINEMENTS = 1         # of that search
CLEARANCE = 0.03        # of the samples, in lengths of a part
STIFFNESS = 60.0        # of the penalty, in stiffnesses of the path itself
HELD = 0.05             # distance beyond the clearance, in lengths of a part, up to which a multiplier attracts
LEVEL = 0.005           # missing distance, in lengths of a part, below which a half is taken as nearest at its end


class Contact(NamedTuple):
    """
    Samples near barriers, arrays of shape (K,).

    `part`: the part of the path; `place` on it, 0 to 1; `number` of the sample on its part; `distance` from the
    barriers, m.
    """

    part: np.ndarray
    place: np.ndarray
    number: np.ndarray
    distance: np.ndarray


class PathBarriers:
    """
    Penalty for a path too near to barriers: an augmented Lagrangian with a multiplier for each sample.

    `scale`: length of a part, m. Penalties are in units of the cost of a part.
    """

    def __init__(self, barriers: Barriers, parts: int, scale: float, clearance: float = CLEARANCE) -> None:
        """Take the barriers and the path's number of parts; all multipliers are 0."""
        self.barriers, self.scale = barriers, scale
        self.edge_distance = float(getattr(barriers, 'clearance', 0.0))     # of the places at distance 0, m
        self.clearance = clearance * scale
        self.multiplier, self._place = np.zeros((parts, SAMPLES)), np.zeros((parts, SAMPLES))
        self._known = np.zeros((parts, 2)), np.full(parts, -np.inf)     # last known middles and their distances, m
        self._touched: tuple[np.ndarray, Contact] | None = None     # The last path, and its samples near a barrier.

    def finer(self, clearance: float) -> 'PathBarriers':
        """Return the penalty of the same path in twice as many parts, with the same multipliers."""
        half = PathBarriers(self.barriers, 2 * len(self.multiplier), 0.5 * self.scale, clearance)
        part, number = np.nonzero(self.multiplier > 0.0)
        force, place = self.multiplier[part, number], 2.0 * self._place[part, number] - number
        level = place == number     # A force along a straight edge is shared with the new point.
        for some, sample, share in ((level, number, 0.5), (level, 1 - number, 0.5),
                                    (~level, (place >= 0.5).astype(int), 1.0)):
            np.add.at(half.multiplier, (2 * part[some] + number[some], sample[some]), share * force[some])
        return half

    def contact(self, path: np.ndarray) -> Contact:
        """Return the samples of a path, shape (N + 1, 2), that are near a barrier; the path is not changed later."""
        if self._touched is None or self._touched[0] is not path:
            self._touched = path, self._contact(path)
        return self._touched[1]

    def _contact(self, path: np.ndarray) -> Contact:
        middle, way = 0.5 * (path[1:] + path[:-1]), np.diff(path, axis=0)
        reach = 0.5 * np.hypot(way[:, 0], way[:, 1]) + 2.0 * self.clearance + 0.1 * self.scale
        off = self._least_distance(middle)
        unsure = off < reach
        off[unsure] = self._distance(middle[unsure])
        self._known = (np.where(unsure[:, None], middle, self._known[0]), np.where(unsure, off, self._known[1]))
        some = np.flatnonzero(off < reach)
        if not some.size:
            return Contact(some, np.zeros(0), some, np.zeros(0))
        part, number = np.tile(some, SAMPLES), np.repeat(np.arange(SAMPLES), some.size)
        place = self._nearest(path[part], way[part], number / SAMPLES, (number + 1) / SAMPLES)
        distance, at_end = self._distance(path[part] + place[:, None] * way[part]), self._distance(path[part + number])
        # Along a straight edge the nearest place would jump from end to end of a half as the part turns a little.
        level = at_end - distance < LEVEL * self.scale
        return Contact(part, np.where(level, number, place), number, np.where(level, at_end, distance))

    def moved(self, contact: Contact, path: np.ndarray) -> Contact:
        """Return the same samples on another path, with their distances; those at a corner follow it."""
        if not contact.part.size:
            return contact
        part, place = contact.part, contact.place.copy()
        way = path[part + 1] - path[part]
        turns = np.flatnonzero((place != contact.number) & (self._violation(contact) > -HELD))
        if turns.size:
            first = contact.number[turns] / SAMPLES
            place[turns] = self._nearest(path[part[turns]], way[turns], first, first + 1.0 / SAMPLES)
        return contact._replace(place=place, distance=self._distance(path[part] + place[:, None] * way))

    def crossed(self, paths: np.ndarray) -> np.ndarray:
        """Return which parts of paths, shape (S, N + 1, 2), cross a barrier, shape (S, N)."""
        begin, end = paths[:, :-1], paths[:, 1:]
        half_length = 0.5 * np.hypot(*np.moveaxis(end - begin, -1, 0))
        found: np.ndarray = self._least_distance(0.5 * (begin + end)) <= half_length
        if found.any():
            found[found] = self.barriers.crossed(begin[found, 0], begin[found, 1], end[found, 0], end[found, 1])
        return found

    def _least_distance(self, middle: np.ndarray) -> np.ndarray:
        """Return a lower bound on the distance of middles, (..., N, 2), m: the last known one, less the way moved."""
        return self._known[1] - np.hypot(*np.moveaxis(middle - self._known[0], -1, 0))

    def _nearest(self, begin: np.ndarray, way: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return the places, from `first` to `last`, at which parts are nearest to a barrier, shape (K,)."""
        every = np.arange(len(way))
        middle, half = 0.5 * (first + last), 0.5 / SAMPLES
        for _ in range(1 + REFINEMENTS):
            tried = np.clip(middle[:, None] + half * SEARCH_PLACES, first[:, None], last[:, None])
            square = self.edge_distance + self._distance(begin[:, None] + tried[:, :, None] * way[:, None])
            square *= abs(square)       # The square of the distance to a corner is a parabola.
            inner = np.clip(np.argmin(square, axis=1), 1, SEARCH_PLACES.size - 2)
            middle = tried[every, np.argmin(square, axis=1)]
            half *= SEARCH_PLACES[1] - SEARCH_PLACES[0]
        low, best, high = (square[every, inner + k] for k in (-1, 0, 1))
        curvature, step = low - 2.0 * best + high, tried[every, inner + 1] - tried[every, inner]
        even = (curvature > 0.0) & (abs(tried[every, inner - 1] + step - tried[every, inner]) < 1e-9)
        vertex = tried[every, inner] + 0.5 * step * (low - high) / np.where(even, curvature, 1.0)
        found = np.where(even & (abs(vertex - middle) <= step), vertex, middle)
        return np.asarray(np.clip(found, first, last))

    def _distance(self, at: np.ndarray) -> np.ndarray:
        """Return the distances of points, m, shape (..., 2), from the barriers."""
        return self.barriers.distance(at[..., 0].ravel(), at[..., 1].ravel()).reshape(at.shape[:-1])

    def penalty(self, contact: Contact) -> np.ndarray:
        """Return the penalty of each part, shape (N,), as a share of the cost of a part."""
        multiplier = self.multiplier[contact.part, contact.number]
        force = np.maximum(multiplier + STIFFNESS * self._violation(contact), 0.0)
        each = (force ** 2 - multiplier ** 2) / (2.0 * STIFFNESS)
        return np.bincount(contact.part, each, minlength=len(self.multiplier))

    def penalty_derivatives(self, path: np.ndarray, contact: Contact) -> tuple[np.ndarray, np.ndarray]:
        """Return the penalty's first and second derivatives by each part's ends, shapes (N, 4) and (N, 4, 4)."""
        gradient, hessian = np.zeros((len(self.multiplier), 4)), np.zeros((len(self.multiplier), 4, 4))
        multiplier, violation = self.multiplier[contact.part, contact.number], self._violation(contact)
        force = multiplier + STIFFNESS * violation
        on = (force > 0.0) | ((multiplier > 0.0) & (violation > -HELD))     # A finer mesh begins a little off.
        if on.any():
            part, place = contact.part[on], contact.place[on]
            at = path[part] + place[:, None] * (path[part + 1] - path[part])
            away = self._distance_gradient(at) / -self.scale
            by_ends = np.concatenate(((1.0 - place)[:, None] * away, place[:, None] * away), axis=1)
            np.add.at(gradient, part, force[on, None] * by_ends)
            np.add.at(hessian, part, STIFFNESS * by_ends[:, :, None] * by_ends[:, None, :])
            turns = (place > 0.0) & (place < 1.0) & (place != 0.5)
            part, place, away = part[turns], place[turns], -self.scale * away[turns]
            each = self._distance_hessian(path[part + 1] - path[part], place, away, contact.distance[on][turns])
            np.add.at(hessian, part, (force[on][turns] / -self.scale)[:, None, None] * each)
        return gradient, hessian

    @staticmethod
    def _distance_hessian(way: np.ndarray, place: np.ndarray, away: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """
        Return the second derivatives of the distance of parts from points by the parts' ends, (K, 4, 4), 1/m.

        If a part turns by theta and slides by t along itself, the nearest place moves along it, and the distance
        changes by - theta t - 1/2 distance theta^2.

        :param away: Gradient of the distance, (K, 2).
        """
        length = np.hypot(way[:, 0], way[:, 1])[:, None]
        turn = np.concatenate((-away, away), axis=1) / length
        slide = np.concatenate(((1.0 - place)[:, None] * way, place[:, None] * way), axis=1) / length
        both = turn[:, :, None] * slide[:, None, :]
        twice = distance[:, None, None] * turn[:, :, None] * turn[:, None, :]
        return np.asarray(-both - both.transpose(0, 2, 1) - twice)

    def update_multipliers(self, contact: Contact) -> None:
        """Set the multipliers to the forces of the penalty."""
        new = np.zeros_like(self.multiplier)
        multiplier = self.multiplier[contact.part, contact.number]
        new[contact.part, contact.number] = np.maximum(multiplier + STIFFNESS * self._violation(contact), 0.0)
        self.multiplier, self._place = new, np.zeros_like(new)
        self._place[contact.part, contact.number] = contact.place

    def worst_violation(self, contact: Contact) -> float:
        """Return the largest missing clearance, in lengths of a part."""
        return float(np.max(self._violation(contact), initial=0.0))

    def _violation(self, contact: Contact) -> np.ndarray:
        return (self.clearance - contact.distance) / self.scale

    def _distance_gradient(self, at: np.ndarray) -> np.ndarray:
        """Return the derivative of the distance by the place, shape (K, 2)."""
        step = 1e-4 * self.scale
        ends = [self._distance(at + np.array(offset)) for offset in
                ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))]
        return np.stack((ends[0] - ends[1], ends[2] - ends[3]), axis=1) / (2.0 * step)
