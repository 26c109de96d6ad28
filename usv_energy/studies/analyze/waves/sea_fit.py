"""The sea of a log, fitted to the spectra of the boat's motion or given by the user."""

import math
from collections import defaultdict
from typing import NamedTuple, Protocol

import numpy as np

from usv_energy.logs.log import HEAVE, LIFT, PITCH, ROLL, Log
from usv_energy.physics.motion import Flow
from usv_energy.physics.waves.linear_wave import JONSWAP_GAMMA, jonswap
from usv_energy.studies.analyze.waves.hull_in_waves import SeenMotion, encounter_frequency
from usv_energy.studies.analyze.waves.wave_spectra import FASTEST, LogSpectra

SPREADING = 10.0                                    # s of cos^2s of the half angle, of a wind sea.
DIRECTIONS = 36
PERIODS = np.geomspace(0.8, 12.0, 55)               # s, of the peak.
FREQUENCIES = np.geomspace(0.35, 14.0, 150)         # rad/s, at a place.
SPEED_STEP = 0.2                                    # m/s: resolution of speeds.
LEAST_FIT = 0.3                                     # Share of the spectra that a sea must explain.
LEAST_HEIGHT = 0.02                                 # m: the energy of lower seas is negligible.

LEFT = 0.03         # Share of a sea's variance that is met more slowly than its slowest waves.
SLOWEST = 0.5       # rad/s, below which nothing is taken for waves: turns are slower.
TOLD = 'what was told'


class SeaSeen(NamedTuple):
    """
    A sea as a boat's motion shows it.

    `height`: significant, m; `period`: of the peak, s; `direction`: towards which it runs, rad (ENU), NaN where the
    series do not tell it; `seen_from`: them, in words; `fit`: share of their spectra that it explains, (-); `slowest`:
    frequency of encounter, rad/s, below which next to nothing of it is met.
    """

    height: float
    period: float
    direction: float
    seen_from: str
    fit: float
    slowest: float


class InWaves(Protocol):
    """How a boat moves in waves."""

    def motion(self, frequency: np.ndarray, direction: np.ndarray) -> SeenMotion:
        """Return the SeenMotion."""


class HullAt(Protocol):
    """A boat at a speed through the water, m/s."""

    def __call__(self, speed: float) -> InWaves:
        """Return how it moves."""


def sea_weights(height: float, period: float) -> np.ndarray:
    """Return the variance of the surface, m^2, about each of FREQUENCIES, of a sea; they add up to height^2 / 16."""
    density = jonswap(FREQUENCIES, 1.0, period, JONSWAP_GAMMA) * np.gradient(FREQUENCIES)
    return density * (height * height / 16.0 / density.sum())


def spread_weights() -> np.ndarray:
    """Return the shares of a sea in directions 2 pi / DIRECTIONS apart, the first its own, (DIRECTIONS,)."""
    shares: np.ndarray = np.cos(math.pi / DIRECTIONS * np.arange(DIRECTIONS)) ** 2
    shares = shares ** SPREADING
    return shares / float(shares.sum())


def sea_seen(spectra: LogSpectra, hull_at: HullAt) -> SeaSeen | None:
    """
    Return the sea that best explains a log's spectra; None if none does, or if it is lower than LEAST_HEIGHT.

    :param spectra: The LogSpectra.
    :param hull_at: How the boat moves in waves, by its speed.
    """
    groups: dict[tuple[int, int], list[np.ndarray]] = defaultdict(list)
    variances: dict[tuple[int, int], float] = defaultdict(float)
    for window in spectra.windows:
        turn = round(window.heading / (2.0 * math.pi) * DIRECTIONS) % DIRECTIONS
        key = turn, max(round(window.speed / SPEED_STEP), 0)
        groups[key].append(window.density)
        variances[key] += window.variance
    seen = {key: np.mean(found, axis=0) for key, found in groups.items()}
    counts = {key: float(len(found)) for key, found in groups.items()}
    scale = np.sqrt(np.einsum('kii->i', sum(counts[key] * seen[key] for key in seen).real))
    felt = {speed: _response(hull_at(SPEED_STEP * speed), spectra) for speed in {key[1] for key in seen}}
    total = sum(counts[key] * float((np.abs(seen[key] / np.outer(scale, scale)) ** 2).sum()) for key in seen)
    spread = np.array([np.roll(spread_weights(), turn) for turn in range(DIRECTIONS)])
    inner, square = np.zeros((PERIODS.size, DIRECTIONS)), np.zeros((PERIODS.size, DIRECTIONS))
    for place, period in enumerate(PERIODS):
        weights = sea_weights(4.0, period)
        for (turn, speed), one in seen.items():
            model = np.einsum('td,dkij->tkij', spread, felt[speed].of(weights)) / np.outer(scale, scale)
            model = np.roll(model, turn, axis=0)  # The directions of the world, for a boat that heads another way.
            inner[place] += counts[turn, speed] * np.einsum('tkij,kij->t', model.conj(), one / np.outer(
                scale, scale)).real
            square[place] += counts[turn, speed] * (np.abs(model) ** 2).sum(axis=(1, 2, 3))
    explained = np.maximum(inner, 0.0) ** 2 / np.maximum(square, 1e-300) / total
    place, way = (int(one) for one in np.unravel_index(int(np.argmax(explained)), explained.shape))
    told = HEAVE in spectra.names or LIFT in spectra.names
    told = told and (PITCH in spectra.names and ROLL in spectra.names)
    height, slowest = _height_and_band(variances, counts, felt, float(PERIODS[place]), int(way), spectra)
    if explained[place, way] < LEAST_FIT or not height > LEAST_HEIGHT:
        return None
    direction = _between(explained[place], int(way)) if told else math.nan
    return SeaSeen(height, _period_between(explained[:, way], int(place)), direction, _words(spectra.names),
                   float(explained[place, way]), slowest)


class _Response(NamedTuple):
    """
    What a hull shows of waves: products of its motions, shape (f, d, n, n), and their places among frequencies.

    `square`: of its first motion, where it is slower than FASTEST, (f, d).
    """

    products: np.ndarray
    places: np.ndarray
    number: int
    square: np.ndarray

    def of(self, weights: np.ndarray) -> np.ndarray:
        """Return the densities, shape (DIRECTIONS, k, n, n), of waves of variances, m^2, (f,), in each direction."""
        f, d, n = self.products.shape[:3]
        flat = (self.products * weights[:, None, None, None]).reshape(f * d, n * n)
        found = np.zeros((DIRECTIONS * self.number, n * n), dtype=complex)
        at = (np.arange(d)[None, :] * self.number + self.places).ravel()
        for column in range(n * n):
            found[:, column] = np.bincount(at, flat[:, column].real, found.shape[0]) + 1j * np.bincount(
                at, flat[:, column].imag, found.shape[0])
        dense = found.reshape(DIRECTIONS, self.number, n, n)
        smeared = np.zeros_like(dense)  # As Hann's window smears a spectrum.
        smeared += 2.0 / 3.0 * dense
        smeared[:, 1:] += dense[:, :-1] / 6.0
        smeared[:, :-1] += dense[:, 1:] / 6.0
        return smeared[:, 1:-1]


def _response(hull: InWaves, spectra: LogSpectra) -> _Response:
    """Return what a hull shows of waves of FREQUENCIES from all directions, in the frequencies of spectra."""
    angle = 2.0 * math.pi / DIRECTIONS * np.arange(DIRECTIONS)
    frequency, direction = (part.ravel() for part in np.meshgrid(FREQUENCIES, angle, indexing='ij'))
    motion = hull.motion(frequency, direction)
    by_name = {HEAVE: motion.heave, ROLL: motion.roll, PITCH: motion.pitch,
               LIFT: -motion.encounter ** 2 * motion.heave}
    columns = np.array([np.where(motion.encounter < 0.0, by_name[name].conj(), by_name[name])
                        for name in spectra.names]).T
    # A wave of turning factor exp(-i omega_e t): a transform by exp(-i omega t) shows the conjugate of its amplitude.
    products = np.einsum('ni,nj->nij', columns.conj(), columns)
    square = np.where(np.abs(motion.encounter) < 2.0 * math.pi * FASTEST, products[:, 0, 0].real, 0.0)
    step = float(spectra.frequency[1] - spectra.frequency[0])
    place = np.rint((np.abs(motion.encounter) / (2.0 * math.pi) - spectra.frequency[0]) / step).astype(int) + 1
    number = spectra.frequency.size + 2
    inside = (place >= 0) & (place < number)
    shape = (FREQUENCIES.size, DIRECTIONS)
    products = np.where(inside[:, None, None], products, 0.0) / (2.0 * step)
    return _Response(products.reshape(*shape, *products.shape[1:]), np.where(inside, place, 0).reshape(shape), number,
                 square.reshape(shape))


def _height_and_band(variances: dict[tuple[int, int], float], counts: dict[tuple[int, int], float],
                     felt: dict[int, _Response], period: float, way: int, spectra: LogSpectra) -> tuple[float, float]:
    """Return the height whose first series has the variance that was seen, m, and the band's lower end, rad/s."""
    there = unit = 0.0
    whole = np.zeros(spectra.frequency.size)
    weights = sea_weights(4.0, period)
    for (turn, speed), variance in variances.items():
        shares, count = np.roll(spread_weights(), way - turn), counts[turn, speed]
        there += variance
        unit += count * float(weights @ felt[speed].square @ shares)
        whole += count * np.einsum('d,dk->k', shares, felt[speed].of(weights)[:, :, 0, 0].real)
    rising = np.cumsum(whole) / max(float(whole.sum()), 1e-300)
    first = int(np.searchsorted(rising, 0.03))
    return 4.0 * math.sqrt(there / max(unit, 1e-300)), 2.0 * math.pi * float(spectra.frequency[first])


def _between(explained: np.ndarray, way: int) -> float:
    """Return the interpolated direction of the best fit, rad."""
    before, here, after = (float(explained[(way + step) % DIRECTIONS]) for step in (-1, 0, 1))
    bend = before - 2.0 * here + after
    shift = 0.5 * (before - after) / bend if bend < 0.0 else 0.0
    return math.remainder(2.0 * math.pi / DIRECTIONS * (way + shift), 2.0 * math.pi)


def _period_between(explained: np.ndarray, place: int) -> float:
    if not 0 < place < PERIODS.size - 1:
        return float(PERIODS[place])
    before, here, after = (float(explained[place + step]) for step in (-1, 0, 1))
    bend = before - 2.0 * here + after
    shift = 0.5 * (before - after) / bend if bend < 0.0 else 0.0
    return float(PERIODS[place] * (PERIODS[1] / PERIODS[0]) ** shift)


def _words(names: tuple[str, ...]) -> str:
    words = {HEAVE: 'heave', LIFT: 'vertical acceleration', ROLL: 'roll', PITCH: 'pitch'}
    *most, last = (words[name] for name in names)
    return f'{", ".join(most)} and {last}' if most else last


def told_sea(state: tuple[float, float, float], log: Log, flow: Flow) -> SeaSeen:
    """
    Return a given sea as a log's boat encounters it.

    :param state: Significant height, m, period of the peak, s, and towards which it runs, rad (ENU).
    :param log: The Log, with yaw and surge.
    :param flow: Along it.
    """
    height, period, towards = state
    speed = log.u - np.cos(log.yaw) * flow.current_x - np.sin(log.yaw) * flow.current_y
    known = np.isfinite(speed)
    turned = 2.0 * math.pi / DIRECTIONS * np.arange(DIRECTIONS)
    courses = np.bincount((np.mod(towards - log.yaw[known], 2.0 * math.pi) * (DIRECTIONS / (2.0 * math.pi))).astype(int)
                          % DIRECTIONS, minlength=DIRECTIONS)
    shares = sum(course * np.roll(spread_weights(), way) for way, course in enumerate(courses))
    met = np.abs(encounter_frequency(FREQUENCIES[:, None], turned[None, :], float(np.median(speed[known])))).ravel()
    weights = (sea_weights(height, period)[:, None] * shares).ravel()
    order = np.argsort(met)
    rising = np.cumsum(weights[order])
    slowest = float(met[order][np.searchsorted(rising, LEFT * rising[-1])])
    return SeaSeen(height, period, math.remainder(towards, 2.0 * math.pi), TOLD, 1.0, max(slowest, SLOWEST))
