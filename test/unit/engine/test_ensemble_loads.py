"""
Loads by time, duty and speed, and waves that a boat makes, in an ensemble are those of the single run.

Loads by leg are refused.
"""

from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.load import Duty, Load, LoadRule, LoadTopic, SpeedSwitch
from usv_energy.boats.vessel import WaveMaking
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.files.errors import InputError
from usv_energy.sim.scenario import read_scenario

LOADS = (Load(20.0, Duty(0.1, 6.0, 1.0)), Load(12.0, speed=SpeedSwitch(below=0.6)),
         Load(7.0, Duty(0.5, 3.0), SpeedSwitch(speeds=(0.0, 0.5, 1.2), shares=(0.0, 0.1, 1.0))), Load(8.0, share=0.25))


def scenario_with(*rules):
    """Return a scenario whose boat makes waves and has the loads above, switched by some rules."""
    own = read_scenario('5')
    damping = own.boat.vessel.damping._replace(wave=WaveMaking(1.0, (0.4, 0.8, 1.2), (0.0, 4.0, 3.0)))
    boat = replace(own.boat, vessel=own.boat.vessel._replace(loads=LOADS, damping=damping), load_rules=rules)
    return replace(own, boat=boat, plant=boat)


RULES = (*map(LoadRule, ('sonar', 'pump', 'fan')), LoadRule('modem', topic=LoadTopic('modem/on', 'bool', 0.25)))


@pytest.mark.parametrize('backend', ['numba', 'numpy'])
def test_loads_and_wave_making_are_those_of_the_single_run(backend):
    if backend == 'numba':
        pytest.importorskip('numba')
    cases = cases_of(scenario_with(*RULES), 5, **{'boat.loads.0.power': [20.0, 30.0, 40.0, 20.0, 20.0],
                                                  'boat.damping.wave.scale': [1.0, 1.0, 1.0, 0.0, 2.0]})
    ours, theirs = run_ensemble(cases, backend), run_ensemble(cases, 'python')
    for name in ('loads', 'damping', 'total'):
        np.testing.assert_allclose(ours.energy[name], theirs.energy[name], rtol=1e-9)
    # A tenth of each 6 s, of which 1 s has gone by at the start, for 27 to 31 s: five or four times 0.6 s.
    extra = np.diff(ours.energy['loads'][:3])
    assert extra[0] == pytest.approx(extra[1]) and 10.0 * 4 * 0.6 <= extra[0] + 1e-9 <= 10.0 * 5 * 0.6 + 1e-6
    damping = ours.energy['damping'][[3, 0, 4]]     # By scale of the waves.
    assert (np.diff(damping) > 0.1 * damping[0]).all()


def test_loads_by_leg_are_refused():
    rules = (LoadRule('winch', ('hold',)), *RULES[1:])
    with pytest.raises(InputError, match=r'lutra_prop.yaml: loads by leg \(winch\) are for single runs'):
        cases_of(scenario_with(*rules), 2)
