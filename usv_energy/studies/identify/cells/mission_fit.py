"""
A battery's resistances, charge and capacity from the voltage and current of a mission.

Fit the pack of a boat file to a mission: read the data, fit, and write the new boat file.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import trapezoid

from usv_energy.boats.battery_sheet import pulse_resistance
from usv_energy.boats.boat_file import Boat
from usv_energy.boats.cell_file import KELVIN
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED
from usv_energy.files.table import read_head, read_table
from usv_energy.logs.log import Log
from usv_energy.physics.batteries.cell import Cell, Pack, charge_at_rest
from usv_energy.studies.identify.cells.cell_fit import course_of
from usv_energy.studies.identify.cells.cell_recordings import CellColumns, damaged_volts, damaged_words

MOST = 2500  # Most samples of a mission; if there are more, neighbours are averaged.
LEAST = 60          # Fewest samples.
HOLE = 10.0  # s: a longer time without a sample ends a stretch.

# Factors on the pack's numbers, with the prior standard deviations of their logarithms.
PRIOR = {'resistance': 1.0, 'fast_resistance': 1.0, 'slow_resistance': 1.0, 'fast_time': 0.7, 'slow_time': 0.7,
         'lag': 0.7, 'capacity': 0.25, 'heat_capacity': 0.4, 'conductance': 0.5}
FACTORS = tuple(PRIOR)
GAIN_STD = 0.02         # Standard deviation of the current sensor's gain.
OF_CURRENT = 'resistance', 'fast_resistance', 'slow_resistance', 'capacity'    # The numbers that the gain scales.
# Standard deviation of the cells' temperature: K, and share of the modelled temperature rise, (-).
WARM_STD, WARM_SHARE = 0.5, 0.2
ACTIVATION = {'resistance': 'activation', 'fast_resistance': 'pair_activation', 'slow_resistance': 'pair_activation'}
SLOW_RESISTANCE, SLOW_TIME = 0.5, 10.0  # Assumed slow pair if the pack has none, over the fast pair.
NO_PAIR = 1e-9          # Ohm: a smaller resistance means that the pair is missing.
CHARGE_STD = 0.5        # Scale of the initial charge in the optimizer, (-).
LEAST_CHARGE, MOST_CHARGE = 0.02, 1.03  # Limits of the uniform prior of the initial charge, (-).
# Initial charges are tried in steps of STEP, at least WINDOW away from the optimum and until the log likelihood is
# lower by UNLIKELY.
STEP, WINDOW = 0.01, 0.15
UNLIKELY = 8.0
OCV_STD = 0.02          # V per cell: scatter of the open-circuit voltage of cells of one chemistry.
OCV_LENGTH, OCV_STEP = 0.15, 0.02   # (-), in charge: correlation length of that scatter; spacing of its knots.
LEAST_NOISE = 0.002     # V of the pack.
FIRST_NOISE = 0.03      # V per cell: noise assumed in the first round.
ROUNDS = 4              # Most rounds of fit and noise estimate.
DETERMINED = 0.5        # Share of its prior standard deviation below which a number counts as determined.
CHARGE_DETERMINED = 0.1  # Standard deviation below which the initial charge counts as determined, (-).
SCALE_STD = 0.02        # (-), in charge: error of what counts as full, and of the shape of the open-circuit voltage.
NORMAL_95 = 1.959963984540054


class MissionRun(NamedTuple):
    """
    Voltage and current of the whole pack during a mission.

    `time`: s from 0; `current`: A, discharging is positive; `voltage`: V; each of shape (n,). `ambient`: ambient
    temperature of the cells, K. `left_out`: duration of the parts of the recording that are not used, s. `notes`: which
    samples are not used since they are damaged.
    """

    name: str
    time: np.ndarray
    current: np.ndarray
    voltage: np.ndarray
    ambient: float
    left_out: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def drawn(self) -> float:
        """Charge drawn, C."""
        return float(trapezoid(self.current, self.time))


def mission_run(name: str, time: np.ndarray, current: np.ndarray, voltage: np.ndarray, ambient: float) -> MissionRun:
    """
    Return the longest stretch of a mission without a gap, with at most MOST samples.

    :param time: s, rising, shape (n,).
    :param current: Of the whole pack, A, discharging is positive; NaN if not known.
    :param voltage: V, of the same samples.
    :raises InputError: If there are too few samples, or no charge was drawn.
    """
    damaged = damaged_volts(voltage) & np.isfinite(current)
    notes = tuple(damaged_words(name, 'voltage', voltage, damaged))
    known = np.flatnonzero(np.isfinite(current) & ~damaged)
    if known.size < LEAST:
        raise InputError(f'{name}: has {known.size} samples with volts and amperes; must be at least {LEAST}')
    time, current, voltage = time[known], current[known], voltage[known]
    if (wild := np.abs(current) > LOGGED).any():
        raise InputError(f'{name}: its current is {current[wild][0]:g} A; must be at most {LOGGED:g} in magnitude')
    changed = np.flatnonzero((np.diff(current) != 0.0) | (np.diff(voltage) != 0.0)) + 1
    if changed.size < LEAST:
        raise InputError(f'{name}: volts and amperes change {changed.size} times; must be at least {LEAST} times')
    edges = np.concatenate(([0], np.flatnonzero(np.diff(time) > HOLE) + 1, [time.size]))
    longest = int(np.argmax(time[edges[1:] - 1] - time[edges[:-1]]))
    part = slice(int(edges[longest]), int(edges[longest + 1]))
    whole = float(time[-1] - time[0])
    time, current, voltage = time[part] - time[part.start], current[part], voltage[part]
    if time.size < LEAST:
        raise InputError(f'{name}: its longest stretch without a hole of {HOLE:g} s has {time.size} samples; must be '
                         f'at least {LEAST}')
    if float(np.mean(current)) <= 0.0:
        raise InputError(f'{name}: its current is {np.mean(current):.3g} A in the mean; must be above 0: discharging '
                         'is positive')
    return MissionRun(name, *_thinned(time, current, voltage), ambient, whole - float(time[-1]), notes)


def _thinned(time: np.ndarray, current: np.ndarray, voltage: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return averages over equal times if there are too many samples."""
    if time.size <= MOST:
        return time, current, voltage
    label = np.minimum((time / time[-1] * MOST).astype(int), MOST - 1)
    count = np.bincount(label, minlength=MOST)
    there = count > 0
    means = (np.bincount(label, values, MOST)[there] / count[there] for values in (time, current, voltage))
    first, *others = means
    return first - first[0], others[0], others[1]


class FoundNumber(NamedTuple):
    """A number, its 95 % interval, and whether the missions determine it."""

    value: float
    low: float
    high: float
    determined: bool

    def times(self, unit: float) -> 'FoundNumber':
        """Return the number in another unit."""
        return FoundNumber(unit * self.value, unit * self.low, unit * self.high, self.determined)


class MissionCourse(NamedTuple):
    """A mission, measured and modelled: time s, both voltages V, charge (-)."""

    name: str
    time: np.ndarray
    measured: np.ndarray
    modelled: np.ndarray
    charge: np.ndarray


class PackFit(NamedTuple):
    """
    The result of a fit of a pack to a mission.

    `factors`: on the pack's numbers, by the names of FACTORS. `pulse`: resistance of the whole pack to a current of 10
    s, half charged, Ohm. `pulse_factor`: its ratio to that before the fit. `charge`: at the start of the mission, (-).
    `capacity`: of the pack, C. `noise`: root mean square error of the voltage, V. `correlated`: time over which that
    error is correlated, s. `pack`: the fitted Pack.
    """

    factors: dict[str, FoundNumber]
    pulse: FoundNumber
    pulse_factor: FoundNumber
    charge: FoundNumber
    capacity: FoundNumber
    noise: float
    correlated: float
    pack: Pack
    course: MissionCourse


class _FitAtCharge(NamedTuple):
    """The fit at a given initial charge: logarithms of the factors, their covariance, and the log likelihood."""

    charge: float
    theta: np.ndarray
    covariance: np.ndarray
    likelihood: float


def pack_with(pack: Pack, factors: dict[str, float]) -> Pack:
    """Return a pack with its numbers multiplied by factors, by the names of FACTORS."""
    return pack._replace(cell=pack.cell._replace(**{name: getattr(pack.cell, name) * factors[name]
                                                    for name in FACTORS}))


def with_slow_pair(pack: Pack) -> Pack:
    """Return a pack that has a slow pair: its own, or one assumed from the fast pair or the resistance."""
    cell = pack.cell
    if np.max(cell.fast_resistance) < NO_PAIR:
        cell = cell._replace(fast_resistance=0.5 * cell.resistance)
    if np.max(cell.slow_resistance) < NO_PAIR:
        cell = cell._replace(slow_resistance=SLOW_RESISTANCE * cell.fast_resistance,
                             slow_time=SLOW_TIME * cell.fast_time)
    return pack._replace(cell=cell)


class _MissionResiduals:
    """Residuals of a mission for log factors and an initial charge, with the unknowns of the voltage eliminated."""

    def __init__(self, run: MissionRun, pack: Pack, noise: float, ocv_std: float) -> None:
        self.run, self.pack, self.noise = run, pack, noise
        self.spread = np.array(list(PRIOR.values()))
        # The basis depends on the measured charge drawn, not on the fitted one.
        self.basis = _voltage_basis(run, pack, ocv_std)

    def course(self, theta: np.ndarray, charge: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the modelled voltage, V, and charge, (-)."""
        volts, _, left = course_of(self.run.time, self.run.current, charge, self.run.ambient,
                                   pack_with(self.pack, _factors(theta)))
        return volts, left

    def warmth_std(self, theta: np.ndarray, charge: float) -> float:
        """Return the standard deviation of the cells' temperature, K."""
        _, kelvin, _ = course_of(self.run.time, self.run.current, charge, self.run.ambient,
                                 pack_with(self.pack, _factors(theta)))
        rise = float(np.average(kelvin - self.run.ambient, weights=self.run.current ** 2))
        return math.hypot(WARM_STD, WARM_SHARE * rise)

    def split(self, theta: np.ndarray, charge: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the voltage error with the unknowns of the voltage fitted, V, these, and the fitted voltage, V."""
        volts, _ = self.course(theta, charge)
        scaled = self.basis / self.noise
        unknown = np.linalg.solve(scaled.T @ scaled + np.eye(scaled.shape[1]),
                                  scaled.T @ (self.run.voltage - volts) / self.noise)
        modelled = volts + self.basis @ unknown
        return self.run.voltage - modelled, unknown, modelled

    def residuals(self, theta: np.ndarray, charge: float) -> np.ndarray:
        off, unknown, _ = self.split(theta, charge)
        return np.concatenate([off / self.noise, unknown, theta / self.spread])

    def residuals_with_charge(self, both: np.ndarray) -> np.ndarray:
        return self.residuals(both[:-1], float(both[-1]))

    def fit_at(self, charge: float, theta: np.ndarray) -> _FitAtCharge:
        """Return the fit at a given initial charge, started from logarithms of factors."""
        from scipy.optimize import least_squares
        found = least_squares(self.residuals, theta, x_scale=self.spread, max_nfev=8, ftol=1e-4, xtol=1e-4,
                              args=(charge,))
        covariance = np.linalg.inv(found.jac.T @ found.jac)
        return _FitAtCharge(charge, found.x, covariance, float(-found.cost + 0.5 * np.linalg.slogdet(covariance)[1]))


def _factors(theta: np.ndarray) -> dict[str, float]:
    return dict(zip(FACTORS, np.exp(theta).tolist()))


def _initial_charge(run: MissionRun, pack: Pack) -> float:
    """Return the charge at which the open-circuit voltage is the highest of a mission's first samples."""
    volts = float(np.max(run.voltage[:10])) / float(pack.series)
    return float(np.clip(charge_at_rest(volts, pack.cell), 0.05, 1.0))


def _voltage_basis(run: MissionRun, pack: Pack, ocv_std: float) -> np.ndarray:
    """
    Return the change of the voltage, V, by unknowns of unit variance.

    They are the deviations of the open-circuit voltage at its knots, and the effect of the current before the mission.
    """
    cell = pack.cell
    whole = float(cell.capacity * pack.capacity_share * pack.parallel)
    steps = 0.5 * (run.current[1:] + run.current[:-1]) * np.diff(run.time)
    drawn = np.concatenate(([0.0], np.cumsum(steps))) / whole
    knots = np.arange(drawn.min(), drawn.max() + OCV_STEP, OCV_STEP)
    hats = np.maximum(0.0, 1.0 - np.abs(drawn[:, None] - knots) / OCV_STEP)
    walk = np.linalg.cholesky(np.exp(-np.abs(knots[:, None] - knots) / OCV_LENGTH))
    ohms = float(np.mean(cell.fast_resistance + cell.slow_resistance)) * pack.series / pack.parallel
    past = abs(run.current[0]) * ohms * np.exp(-run.time / max(float(cell.slow_time), 1.0))
    return np.column_stack([ocv_std * float(pack.series) * hats @ walk, past])


def fit_mission(run: MissionRun, pack: Pack, ocv_std: float = OCV_STD) -> PackFit:
    """
    Return the fit of a pack to the voltage and current of a mission.

    :param pack: The pack as its boat file describes it: the start of the fit.
    :param ocv_std: Standard deviation of its open-circuit voltage, V per cell.
    """
    from scipy.optimize import least_squares
    problem = _MissionResiduals(run, with_slow_pair(pack), FIRST_NOISE * float(pack.series), ocv_std)
    both, correlated, noise = np.array([0.0] * len(FACTORS) + [_initial_charge(run, pack)]), 1.0, problem.noise
    low, high = np.array([[-4.0, 4.0]] * len(FACTORS) + [[LEAST_CHARGE, MOST_CHARGE]]).T
    for _ in range(ROUNDS):
        both = least_squares(problem.residuals_with_charge, both, bounds=(low, high),
                             x_scale=np.append(problem.spread, CHARGE_STD), max_nfev=25, ftol=1e-5, xtol=1e-5).x
        off, _, _ = problem.split(both[:-1], float(both[-1]))
        correlated, noise = correlated_samples(off), math.sqrt(float(np.mean(off ** 2)))
        wanted = max(noise, LEAST_NOISE) * math.sqrt(correlated)
        if abs(wanted / problem.noise - 1.0) < 0.02:
            break
        problem.noise = wanted
    nodes = _fits_over_charge(problem, both)
    return _mixture(problem, nodes, noise, correlated * float(np.median(np.diff(run.time))))


def _fits_over_charge(problem: _MissionResiduals, both: np.ndarray) -> list[_FitAtCharge]:
    """Return the fits at initial charges, STEP apart, within the likely range, in ascending order."""
    middle = problem.fit_at(float(both[-1]), both[:-1])
    found = [middle]
    for sign in (1.0, -1.0):
        node, most = middle, max(one.likelihood for one in found)
        while most - node.likelihood < UNLIKELY or abs(node.charge - middle.charge) < WINDOW:
            charge = node.charge + sign * STEP
            if not LEAST_CHARGE < charge < MOST_CHARGE:
                break
            node = problem.fit_at(charge, node.theta)
            found.append(node)
            most = max(most, node.likelihood)
    return sorted(found, key=lambda node: node.charge)


def correlated_samples(values: np.ndarray) -> float:
    """Return how many neighbouring samples count as one: 1 + 2 times the sum of their correlations above 0.05."""
    centred = values - np.mean(values)
    size = 1 << (2 * len(values) - 1).bit_length()
    power = np.abs(np.fft.rfft(centred, size)) ** 2
    correlation = np.fft.irfft(power, size)[:len(values)]
    if not correlation[0] > 0.0:
        return 1.0
    correlation = correlation / correlation[0]
    below = np.flatnonzero(correlation < 0.05)
    last = int(below[0]) if below.size else len(values)
    return max(1.0, float(1.0 + 2.0 * np.sum(correlation[1:last])))


def _mixture(problem: _MissionResiduals, nodes: list[_FitAtCharge], noise: float, correlated: float) -> PackFit:
    """Return the mixture of the fits over initial charge by their likelihoods (integrated Laplace approximation)."""
    weight = np.exp([node.likelihood - max(one.likelihood for one in nodes) for node in nodes])
    weight /= weight.sum()
    best = nodes[int(np.argmax(weight))]

    def mixed(values: Sequence[float], variances: Sequence[float], before: float, gain: float = 0.0) -> FoundNumber:
        errors = np.sqrt(np.array(variances) + gain * gain)
        low, middle, high = _quantiles(np.array(values), errors, weight)
        spread = (high - low) / (2.0 * NORMAL_95)
        return FoundNumber(math.exp(middle), math.exp(low), math.exp(high), bool(spread < DETERMINED * before))

    cell, warmth = problem.pack.cell, problem.warmth_std(best.theta, best.charge) / problem.run.ambient ** 2
    beside = {name: math.hypot(GAIN_STD if name in OF_CURRENT else 0.0,
                               warmth * float(getattr(cell, ACTIVATION[name])) if name in ACTIVATION else 0.0)
              for name in FACTORS}
    factors = {name: mixed([node.theta[n] for node in nodes], [node.covariance[n, n] for node in nodes], PRIOR[name],
                           beside[name]) for n, name in enumerate(FACTORS)}
    slopes = [_pulse_slopes(problem.pack, node.theta) for node in nodes]
    before = _pulse_resistance(problem.pack)
    changes = [math.log(_pulse_resistance(pack_with(problem.pack, _factors(node.theta))) / before) for node in nodes]
    factor = mixed(changes, [float(slope @ node.covariance @ slope) for slope, node in zip(slopes, nodes)],
                   PRIOR['resistance'], math.hypot(GAIN_STD, warmth * _pulse_activation(slopes, cell)))
    low, middle, high = _quantiles(np.array([node.charge for node in nodes]), np.full(len(nodes), SCALE_STD), weight)
    charge = FoundNumber(middle, max(low, 0.0), high, bool((high - low) / (2.0 * NORMAL_95) < CHARGE_DETERMINED))
    whole = float(problem.pack.cell.capacity * problem.pack.capacity_share * problem.pack.parallel)
    capacity, volts = factors['capacity'], problem.split(best.theta, best.charge)[2]
    course = MissionCourse(problem.run.name, problem.run.time, problem.run.voltage, volts,
                           problem.course(best.theta, best.charge)[1])
    return PackFit(factors, factor.times(before), factor, charge, capacity.times(whole), noise, correlated,
                   pack_with(problem.pack, _factors(best.theta)), course)


def _quantiles(middles: np.ndarray, errors: np.ndarray, weight: np.ndarray) -> tuple[float, float, float]:
    """Return the 2.5, 50 and 97.5 percentiles of a weighted mixture of normal distributions."""
    from scipy.special import ndtr
    at = np.linspace(np.min(middles - 5.0 * errors), np.max(middles + 5.0 * errors), 4001)
    share = ndtr((at[:, None] - middles) / errors) @ weight
    low, middle, high = np.interp([0.025, 0.5, 0.975], share, at).tolist()
    return low, middle, high


def _pulse_slopes(pack: Pack, theta: np.ndarray) -> np.ndarray:
    """Return the derivatives of the logarithm of the resistance to 10 s by the logarithms of the factors."""
    return np.array([(math.log(_pulse_resistance(pack_with(pack, _factors(theta + step))))
                      - math.log(_pulse_resistance(pack_with(pack, _factors(theta - step))))) / 2e-4
                     for step in 1e-4 * np.eye(theta.size)])


def _pulse_activation(slopes: list[np.ndarray], cell: Cell) -> float:
    """Return the Arrhenius activation of the resistance to 10 s, K: the mean over its parts."""
    share = np.mean(slopes, axis=0)
    return float(sum(share[FACTORS.index(name)] * getattr(cell, of) for name, of in ACTIVATION.items()))


def _pulse_resistance(pack: Pack) -> float:
    return pulse_resistance(pack.cell) * float(pack.series / pack.parallel * pack.resistance_factor)


def run_of_log(log: Log, boat: Boat, ambient_degc: float | None = None) -> MissionRun:
    """
    Return the voltage and current of a log, or of the simulated battery of a run.

    :param boat: The boat with the battery.
    :param ambient_degc: Ambient temperature of its cells; None for that of the boat file.
    :raises InputError: If the log has none.
    """
    ambient = boat.ambient if ambient_degc is None else ambient_degc + KELVIN
    if log.cells is not None and not log.known('volts'):
        return mission_run(str(log.path), log.cells.time, log.cells.current, log.cells.voltage, ambient)
    for name in ('volts', 'amperes'):
        if not log.known(name):
            raise InputError(f'{log.path}: has no {name} of the battery')
    return mission_run(str(log.path), log.time, np.asarray(log.amperes), np.asarray(log.volts), ambient)


def is_table(path: Path, columns: CellColumns) -> bool:
    """Return whether a path is that of a table (CSV) with the columns of time, current and voltage."""
    return path.suffix.lower() == '.csv' and path.is_file() and {*columns[:3]} <= {*read_head(path).names}


def run_of_table(path: Path, columns: CellColumns, boat: Boat, ambient_degc: float | None = None) -> MissionRun | None:
    """
    Return the voltage and current in a table (CSV) with the columns of `identify battery`; None for other columns.

    :param ambient_degc: As for `run_of_log`.
    :raises InputError: If it cannot be read.
    """
    if not is_table(path, columns):
        return None
    time, current, voltage = read_table(path, list(columns[:3])).values()
    ambient = boat.ambient if ambient_degc is None else ambient_degc + KELVIN
    sign = _sign(current, np.where(damaged_volts(voltage), np.nan, voltage), path)
    return mission_run(str(path), time, current * sign, voltage, ambient)


def _sign(current: np.ndarray, voltage: np.ndarray, path: Path) -> float:
    """Return 1 if discharging is positive, -1 if it is negative: the voltage falls as more current is drawn."""
    together = float(np.nansum(np.diff(current) * np.diff(voltage)))
    if together == 0.0:
        raise InputError(f'{path}: the voltage does not change with the current: nothing says which sign discharging '
                         'has')
    return -1.0 if together > 0.0 else 1.0


def require_cells(boat: Boat) -> None:
    """Check that a boat's battery consists of cells. Raises InputError if not."""
    if boat.pack is None:
        raise InputError(f'{boat.path}: its battery is of watt-hours alone; a mission says something of cells whose '
                         'kind is known: give battery.chemistry and battery.series')


def identify_pack(run: MissionRun, boat: Boat, ocv_std: float = OCV_STD) -> PackFit:
    """
    Return the PackFit of a boat's pack for a mission.

    :param ocv_std: Standard deviation of the open-circuit voltage, V per cell.
    :raises InputError: If the boat has no cells, or the voltages cannot be of its battery.
    """
    require_cells(boat)
    pack = boat.pack
    assert pack is not None
    low, high = (float(pack.series * volts) for volts in (0.8 * pack.cell.cutoff_voltage,
                                                          1.05 * pack.cell.full_voltage))
    middle = float(np.median(run.voltage))
    if not low <= middle <= high:
        raise InputError(f'{run.name}: its voltage is {middle:.2f} V in the middle; that of {boat.name} must be from '
                         f'{low:.1f} to {high:.1f} V: another number of cells in series?')
    return fit_mission(run, pack, ocv_std)


def why_not(name: str, run: MissionRun, found: PackFit) -> str:
    """Return the reason why a mission does not determine a number."""
    share = run.drawn / found.capacity.value
    changes = float(np.std(np.diff(run.current)))
    return {
        'capacity': f'{run.drawn / 3600.0:.2f} Ah, {100.0 * share:.0f} % of the capacity, were drawn: the voltage at '
                    'rest is not known well enough to tell more from that',
        'charge': 'the voltage at rest is too flat where the mission begins',
        'resistance': f'the current changes by {changes:.2g} A from sample to sample: too little',
        'fast_resistance': 'no current lasts as long as the pair takes', 'fast_time': 'the current hardly changes',
        'slow_resistance': 'no current lasts as long as the pair takes', 'slow_time': 'the current hardly changes',
        'lag': 'it looks like a slow pair'}[name]


def pack_document(found: PackFit, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a boat file: the base boat with the battery's aging from a mission."""
    source = 'usv-energy identify battery: see identification'
    document = checked.read_with_base('boats', boat.path)
    sheet = boat.battery_sheet
    assert sheet is not None
    changes = {}
    before = {'resistance_factor': sheet.resistance_factor or 1.0, 'capacity_share': sheet.capacity_share or 1.0}
    for key, one in (('resistance_factor', found.pulse_factor), ('capacity_share', found.factors['capacity'])):
        if one.determined:
            low, value, high = (round(float(before[key] * part), 4) for part in (one.low, one.value, one.high))
            changes[key] = {'value': value, 'unit': '-', 'interval': [low, high], 'source': source}
    if not changes:
        raise InputError(f'the mission tells neither resistance nor capacity of the battery of {boat.name}: there is '
                         'nothing to write')
    return document | {
        'name': name, 'description': f'{boat.name} with the battery as old as a mission says',
        'battery': document['battery'] | changes,
        'identification': {**document.get('identification', {}), 'battery': {
            **provenance, 'voltage_rms_v': round(found.noise, 5), 'charge_at_start': round(found.charge.value, 4)}}}


def found_numbers(found: PackFit) -> dict[str, FoundNumber]:
    """Return the reported results by name: `pulse` Ohm, `charge` (-), `capacity` C, and factors on other numbers."""
    # The capacity is given in its own unit. No mission determines the heat capacity and the conductance.
    left_out = 'capacity', 'heat_capacity', 'conductance'
    rest = {name: one for name, one in found.factors.items() if name not in left_out}
    return {'pulse': found.pulse, 'charge': found.charge, 'capacity': found.capacity, **rest}
