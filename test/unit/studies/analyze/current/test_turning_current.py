"""An unknown current that changes along a log."""

import math
from pathlib import Path

import numpy as np
import pytest
import zoo_twin as twin

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.assemble import Source, assembled
from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.current.turning_current import turning_current
from usv_energy.studies.analyze.log_report import log_report, report_figures

TIME = np.arange(0.0, 160.0, 0.1)
STILL = Flow(*np.zeros((4, TIME.size)))
AIR = AnalysisOptions(wind=UniformFlow())


class Abeam:
    """The sway of a boat that shows what comes from abeam on headings that turn by a quarter every 20 s."""

    blocks, block_times = 80, 2.0 * np.arange(80) + 1.0

    def __init__(self, x, y, noise):
        heading = 0.5 * math.pi * np.floor(TIME / 20.0)
        self._east, self._north = -np.sin(heading), np.cos(heading)
        self._true = x * self._east + y * self._north
        self._noise = noise

    def means(self, flow, tune):
        """Return the means over 2 s of what a current leaves; a compass that is off acts all along."""
        left = self._true - flow.current_x * self._east - flow.current_y * self._north + tune.turned
        return left.reshape(80, 20).mean(axis=1) + self._noise


@pytest.fixture
def noise():
    return 0.003 * np.random.default_rng(11).standard_normal(80)


def test_a_current_that_is_linear_between_the_knots_is_found(noise):
    """The prior of 0.15 m/s for each change takes a little off; its knots are those of half of the log, or finer."""
    x, y = 0.2 - 0.4 * TIME / 160.0, np.interp(TIME, [0.0, 80.0, 160.0], [-0.1, 0.25, 0.1])
    found = turning_current(TIME, Abeam(x, y, noise), STILL)
    assert found.knots[0] == 0.0 and found.knots[-1] == pytest.approx(TIME[-1]) and found.knots.size in (3, 5)
    east, north = found.at(TIME)
    np.testing.assert_allclose(east, x, atol=0.02)
    np.testing.assert_allclose(north, y, atol=0.02)
    assert found.scatter < 0.005 and (np.sqrt(np.diag(found.covariance)) < 0.03).all()


@pytest.mark.parametrize(('x', 'y'), [(0.0, 0.0), (0.25, -0.2)])
def test_a_steady_current_needs_none_that_changes(x, y, noise):
    assert turning_current(TIME, Abeam(x + 0.0 * TIME, y + 0.0 * TIME, noise), STILL) is None


def test_what_no_current_explains_is_none(noise):
    """A sway that comes and goes within 3 s is none of the current's, however much of it there is."""
    gusts = 0.1 * np.random.default_rng(12).standard_normal(80)
    assert turning_current(TIME, Abeam(0.0 * TIME, 0.0 * TIME, gusts), STILL) is None


@pytest.fixture(scope='module')
def voyages():
    """Return two boats alike, one in a tide that turns by 126 degrees, one in a steady current, and what they did."""
    boats = twin.random_boats(2, 5)
    same = {'linear': [[14.0], [9.0], [4.0]], 'quadratic': [[2.0], [1.0], [0.5]], 'cubic': [[0.0], [0.0], [0.0]]}
    boats = boats._replace(
        **{name: np.repeat(np.array(values), 2, axis=1) for name, values in same.items()}, unequal=np.zeros(2),
        speed=np.full(2, 0.8), over_ground=np.zeros(2, dtype=bool), length=np.full(2, 14.0), current=np.full(2, 0.3),
        direction=np.full(2, 0.4), tide=np.array([1.4 * math.tau / 600.0, 0.0]), wind=np.zeros(2), gusts=np.zeros(2))
    return boats, twin.voyages(boats, 150.0, 5)


def report_of(voyages, number):
    """Return the report of a noisy log at 10 Hz that says nothing of the current, and the work of its thrusters."""
    boats, gone = voyages
    rng, rows = np.random.default_rng(number), slice(1, None, 5)
    noise = {'x': 0.02, 'y': 0.02, 'yaw': 0.01, 'u': 0.05, 'v': 0.05, 'r': 0.01}
    series = {name: getattr(gone, name)[rows, number] for name in noise}
    log = assembled(Source('tide', Path('tide')), gone.time[rows], {
        name: values + noise[name] * rng.standard_normal(values.size) for name, values in series.items()})
    boat = read_boat('lutra_prop')
    drag = {f'd{axis}{axis}{end}': float(values[axis - 1, number]) for values, end in (
        (boats.linear, ''), (boats.quadratic, '_q')) for axis in (1, 2, 3)}
    vessel = boat.vessel._replace(damping=boat.vessel.damping._replace(**drag))
    work = gone.work[rows, number]
    found = analysed_log(log, boat.__class__(**{**vars(boat), 'vessel': vessel}), AIR)
    return log_report(found), float(work[-1] - work[0])


def test_a_tide_that_turns_is_found_from_the_sway_of_lanes(voyages):
    """Without it the energy is more than a tenth off; the interval holds the truth, the note says how it changed."""
    report, work = report_of(voyages, 0)
    assert report.analysed.energy.total == pytest.approx(work, rel=0.06)
    note, = (note for note in report.notes if note.code == 'flow_from_side_force')
    assert 'a current that changes, at first 0.3' in note.text
    assert abs(note.figures['energy_without_j'] / work - 1.0) > 0.1
    assert report.trust.interval.low < work < report.trust.interval.high
    assert report_figures(report)['flow_from_side_force'][0]['knots'] in (3, 5)


def test_a_steady_current_is_taken_as_steady(voyages):
    report, work = report_of(voyages, 1)
    assert report.analysed.energy.total == pytest.approx(work, rel=0.03)
    assert [one.turning for one in report.analysed.explanations] == [None]
