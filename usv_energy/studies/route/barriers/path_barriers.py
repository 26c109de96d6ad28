"""Barriers as constraints on the parts of a path: samples of each part near them stay off by a small clearance."""

from typing import NamedTuple

import numpy as np

from usv_energy.studies.route.barriers.area_barriers import Barriers

SAMPLES = 2             # Of a part that is near a barrier: the nearest place of each half.
LOOKS = np.linspace(-1.0, 1.0, 7)  # Places of a half at which the nearest is looked for,
ZOOMS = 1               # and how often that is done more closely.
CLEARANCE = 0.03        # That samples keep off, of a part's length.
STIFFNESS = 60.0        # Of the penalty, against the stiffness of the path itself.


class Contact(NamedTuple):
    """Samples near barriers: their parts, shape (K,), places on these, 0 to 1, and how far off they are, m."""

    part: np.ndarray
    place: np.ndarray
    number: np.ndarray
    distance: np.ndarray


class PathBarriers:
    """
    The penalty that keeps a path off barriers, with a multiplier for each sample (an augmented Lagrangian).

    `scale`: length of a part, m. Penalties are in units of the cost of a part.
    """

    def __init__(self, barriers: Barriers, parts: int, scale: float, clearance: float = CLEARANCE) -> None:
        """Take the barriers and the path's number of parts; no force yet."""
        self.barriers, self.scale = barriers, scale
        self.clearance = clearance * scale
        self.force = np.zeros((parts, SAMPLES))
        self._known = np.zeros((parts, 2)), np.full(parts, -np.inf)     # Middles, and how far off they are, m.

    def finer(self, clearance: float) -> 'PathBarriers':
        """Return the penalty of the same path in twice as many parts, the forces kept."""
        half = PathBarriers(self.barriers, 2 * len(self.force), 0.5 * self.scale, clearance)
        half.force = np.repeat(self.force, 2, axis=0)
        return half

    def contact(self, path: np.ndarray) -> Contact:
        """Return the samples of a path, shape (N + 1, 2), that are near a barrier, or pushed by one."""
        middle, way = 0.5 * (path[1:] + path[:-1]), np.diff(path, axis=0)
        reach = 0.5 * np.hypot(way[:, 0], way[:, 1]) + 2.0 * self.clearance + 0.1 * self.scale
        off = self._at_least(middle)
        unsure = off < reach
        off[unsure] = self._distance(middle[unsure])
        self._known = (np.where(unsure[:, None], middle, self._known[0]), np.where(unsure, off, self._known[1]))
        some = np.flatnonzero(off < reach)
        if not some.size:
            return Contact(some, np.zeros(0), some, np.zeros(0))
        part, number = np.tile(some, SAMPLES), np.repeat(np.arange(SAMPLES), some.size)
        place = self._nearest(path[part], way[part], number / SAMPLES, (number + 1) / SAMPLES)
        return Contact(part, place, number, self._distance(path[part] + place[:, None] * way[part]))

    def moved(self, contact: Contact, path: np.ndarray) -> Contact:
        """Return the same samples of a path that has moved."""
        at = path[contact.part] + contact.place[:, None] * (path[contact.part + 1] - path[contact.part])
        return contact._replace(distance=self._distance(at)) if contact.part.size else contact

    def crossed(self, paths: np.ndarray) -> np.ndarray:
        """Return which parts of paths, shape (S, N + 1, 2), lead over a barrier, shape (S, N)."""
        begin, end = paths[:, :-1], paths[:, 1:]
        found: np.ndarray = self._at_least(0.5 * (begin + end)) <= 0.5 * np.hypot(*np.moveaxis(end - begin, -1, 0))
        if found.any():
            found[found] = self.barriers.crossed(begin[found, 0], begin[found, 1], end[found, 0], end[found, 1])
        return found

    def _at_least(self, middle: np.ndarray) -> np.ndarray:
        """Return how far off middles, shape (..., N, 2), are at least, m: as far as others were, less the way there."""
        least: np.ndarray = self._known[1] - np.hypot(*np.moveaxis(middle - self._known[0], -1, 0))
        return least

    def _nearest(self, begin: np.ndarray, way: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return the places, from `first` to `last`, at which parts are nearest to a barrier, shape (K,)."""
        every = np.arange(len(way))
        middle, half = 0.5 * (first + last), 0.5 / SAMPLES
        for _ in range(1 + ZOOMS):
            tried = np.clip(middle[:, None] + half * LOOKS, first[:, None], last[:, None])
            square = self._distance(begin[:, None] + tried[:, :, None] * way[:, None])
            square *= abs(square)       # That of a corner is a parabola.
            inner = np.clip(np.argmin(square, axis=1), 1, LOOKS.size - 2)
            middle = tried[every, np.argmin(square, axis=1)]
            half *= LOOKS[1] - LOOKS[0]
        low, best, high = (square[every, inner + k] for k in (-1, 0, 1))
        bend, step = low - 2.0 * best + high, tried[every, inner + 1] - tried[every, inner]
        even = (bend > 0.0) & (abs(tried[every, inner - 1] + step - tried[every, inner]) < 1e-9)
        vertex = tried[every, inner] + 0.5 * step * (low - high) / np.where(even, bend, 1.0)
        found = np.where(even & (abs(vertex - middle) <= step), vertex, middle)
        return np.asarray(np.clip(found, first, last))

    def _distance(self, at: np.ndarray) -> np.ndarray:
        """Return the distances of points, m, shape (..., 2), from the barriers."""
        return self.barriers.distance(at[..., 0].ravel(), at[..., 1].ravel()).reshape(at.shape[:-1])

    def penalty(self, contact: Contact) -> np.ndarray:
        """Return the penalty of each part, shape (N,), as a share of what a part costs."""
        force = self.force[contact.part, contact.number]
        pushed = np.maximum(force + STIFFNESS * self._too_near(contact), 0.0)
        each = (pushed ** 2 - force ** 2) / (2.0 * STIFFNESS)
        return np.bincount(contact.part, each, minlength=len(self.force))

    def push(self, path: np.ndarray, contact: Contact) -> tuple[np.ndarray, np.ndarray]:
        """Return the penalty's first and second derivatives by each part's ends, shapes (N, 4) and (N, 4, 4)."""
        slope, bend = np.zeros((len(self.force), 4)), np.zeros((len(self.force), 4, 4))
        pushed = self.force[contact.part, contact.number] + STIFFNESS * self._too_near(contact)
        on = pushed > 0.0
        if on.any():
            part, place = contact.part[on], contact.place[on]
            at = path[part] + place[:, None] * (path[part + 1] - path[part])
            away = self._away(at) / -self.scale
            by_ends = np.concatenate(((1.0 - place)[:, None] * away, place[:, None] * away), axis=1)
            np.add.at(slope, part, pushed[on, None] * by_ends)
            np.add.at(bend, part, STIFFNESS * by_ends[:, :, None] * by_ends[:, None, :])
            turns = (place > 0.0) & (place < 1.0) & (place != 0.5)
            part, place, away = part[turns], place[turns], -self.scale * away[turns]
            each = self._turning(path[part + 1] - path[part], place, away, contact.distance[on][turns])
            np.add.at(bend, part, (pushed[on][turns] / -self.scale)[:, None, None] * each)
        return slope, bend

    @staticmethod
    def _turning(way: np.ndarray, place: np.ndarray, away: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """
        Return the second derivatives of the least distance between parts and points by the parts' ends, (K, 4, 4), 1/m.

        As a part turns by theta and slides by t along itself, the place of least distance moves on it: the distance
        changes by - theta t - 1/2 distance theta^2.
        """
        length = np.hypot(way[:, 0], way[:, 1])[:, None]
        turn = np.concatenate((-away, away), axis=1) / length
        slide = np.concatenate(((1.0 - place)[:, None] * way, place[:, None] * way), axis=1) / length
        both = turn[:, :, None] * slide[:, None, :]
        twice = distance[:, None, None] * turn[:, :, None] * turn[:, None, :]
        return np.asarray(-both - both.transpose(0, 2, 1) - twice)

    def update(self, contact: Contact) -> None:
        """Take the forces that the penalty exerts as the multipliers."""
        new = np.zeros_like(self.force)
        force = self.force[contact.part, contact.number]
        new[contact.part, contact.number] = np.maximum(force + STIFFNESS * self._too_near(contact), 0.0)
        self.force = new

    def worst(self, contact: Contact) -> float:
        """Return how much too near the path is, as a share of a part's length."""
        return float(np.max(self._too_near(contact), initial=0.0))

    def _too_near(self, contact: Contact) -> np.ndarray:
        near: np.ndarray = (self.clearance - contact.distance) / self.scale
        return near

    def _away(self, at: np.ndarray) -> np.ndarray:
        """Return the derivative of the distance by the place, shape (K, 2)."""
        step = 1e-4 * self.scale
        ends = [self._distance(at + np.array(offset)) for offset in
                ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))]
        return np.stack((ends[0] - ends[1], ends[2] - ends[3]), axis=1) / (2.0 * step)
