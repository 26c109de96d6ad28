import math
from dataclasses import replace

import numpy as np
import pytest
import yaml
from analyze_files import straight

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import ALLOCATED, AnalysisOptions
from usv_energy.studies.analyze.log_interval import parameter_interval


@pytest.fixture
def boat_with_doubts(tmp_path):
    """Return a function that reads a boat like Lutra Prop whose d11, and hotel load, are known so well only."""
    def make(drag_std=None, load=None, pump=None):
        document = {'base': 'lutra_prop', 'name': 'doubtful'}
        if drag_std is not None:
            document['damping'] = {'linear': {'d11': {'value': 16.296, 'unit': 'N s/m', 'std': drag_std}}}
        if load is not None:
            document['static_load'] = {'value': load[0], 'unit': 'W', 'interval': list(load[1:])}
        if pump is not None:
            document['loads'] = [{'name': 'pump', **pump}]
        path = tmp_path / 'doubtful.yaml'
        path.write_text(yaml.safe_dump(document))
        return read_boat(str(path))
    return make


def test_drag_that_is_known_to_a_tenth_moves_the_energy_by_two_tenths(boat_with_doubts):
    """Straight ahead the energy is d11 u^2 t: its 95 % interval is that of d11, 1.96 standard deviations wide."""
    analysed = analysed_log(straight(), boat_with_doubts(drag_std=1.6296))
    low, high = parameter_interval(analysed)
    total = analysed.energy.total
    assert total == pytest.approx(16.296 * 19.95, rel=0.005), 'and some air'
    # A hundred strata give the percentiles to a few percent.
    assert low / total == pytest.approx(1.0 - 0.196, abs=0.02)
    assert high / total == pytest.approx(1.0 + 0.196, abs=0.02)


def test_an_interval_that_is_not_symmetric_stays_so(boat_with_doubts):
    analysed = analysed_log(straight(), boat_with_doubts(load=(10.0, 9.0, 14.0)))
    low, high = parameter_interval(analysed)
    assert low - analysed.energy.total == pytest.approx(-1.0 * 19.95, rel=0.1)
    assert high - analysed.energy.total == pytest.approx(4.0 * 19.95, rel=0.1)


def test_a_load_that_takes_its_turns_adds_what_is_known_of_it(boat_with_doubts):
    """Half of each 2 s at 40 W: known for certain it widens nothing, known to a tenth it does by its own energy."""
    turns = {'share': 0.5, 'period': 2.0}
    analysed = analysed_log(straight(), boat_with_doubts(drag_std=1.6296, pump={'power': 40.0, 'duty': turns}))
    low, high = parameter_interval(analysed)
    drag, pump = 16.296 * 19.95, 40.0 * 10.0
    assert analysed.energy.total == pytest.approx(drag + pump, rel=0.005)
    assert high - low == pytest.approx(2.0 * 0.196 * drag, rel=0.1)
    doubtful = {'power': {'value': 40.0, 'unit': 'W', 'std': 4.0}, 'duty': turns}
    analysed = analysed_log(straight(), boat_with_doubts(pump=doubtful))
    low, high = parameter_interval(analysed)
    assert analysed.energy.total - low == pytest.approx(0.196 * pump, rel=0.1)
    assert high - analysed.energy.total == pytest.approx(0.196 * pump, rel=0.1)


def test_a_duty_cycle_that_is_known_to_a_tenth_is_as_a_power_that_is(boat_with_doubts):
    """And one that is known for certain to be always off takes nothing, whatever its power may be."""
    duty = {'share': {'value': 0.5, 'unit': '-', 'std': 0.05}, 'period': 2.0}
    analysed = analysed_log(straight(), boat_with_doubts(pump={'power': 40.0, 'duty': duty}))
    low, high = parameter_interval(analysed)
    assert analysed.energy.total - low == pytest.approx(0.196 * 400.0, rel=0.1)
    assert high - analysed.energy.total == pytest.approx(0.196 * 400.0, rel=0.1)
    off = {'power': {'value': 40.0, 'unit': 'W', 'std': 4.0}, 'duty': {'share': 0.0, 'period': 2.0}}
    analysed = analysed_log(straight(), boat_with_doubts(pump=off))
    assert parameter_interval(analysed) == pytest.approx((analysed.energy.total, analysed.energy.total), rel=1e-12)


def test_a_file_that_says_nothing_gives_none(boat_with_doubts):
    assert parameter_interval(analysed_log(straight(), boat_with_doubts())) is None
    moored = straight(speed=0.0)
    assert parameter_interval(analysed_log(moored, boat_with_doubts(drag_std=1.0))) is None, 'no energy at all'


def test_where_the_log_tells_the_thrusts_the_drag_moves_nothing(boat_with_doubts):
    """5 N and 3 N, tilted by 15 degrees, work along 19.95 m whatever the drag; by the motion it is the drag."""
    work = 8.0 * math.cos(math.radians(15.0)) * 19.95
    told = replace(straight(), thrust=np.tile([5.0, 3.0], (400, 1)), thrusters=('left', 'right'), thrust_given=True,
                   neutral=(), places=())
    boat = boat_with_doubts(drag_std=1.6296)
    analysed = analysed_log(told, boat)
    assert analysed.energy.total == pytest.approx(work, rel=1e-6)
    assert parameter_interval(analysed) == pytest.approx((work, work), rel=1e-6)
    by_motion = analysed_log(told, boat, AnalysisOptions(actuators=ALLOCATED))
    low, high = parameter_interval(by_motion)
    assert (high - low) / by_motion.energy.total == pytest.approx(2.0 * 0.196, abs=0.02)
