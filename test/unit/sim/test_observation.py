import math

import pytest

from usv_energy.physics.motion import Differentiator, differentiate
from usv_energy.powering.energy import Accumulation, Sample, accumulate
from usv_energy.powering.power import CONVENTIONS
from usv_energy.sim.observation import NOTHING_OBSERVED
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import MAX_GAP, read_scenario


@pytest.mark.parametrize('convention', CONVENTIONS)
@pytest.mark.parametrize('name', ['6', 'river/crossing_both'])
def test_a_run_is_what_the_nodes_make_of_the_same_stream(name, convention):
    """To the last bit: the derivatives, the power and the energy of the streams' own functions, which see gaps, too."""
    scenario = read_scenario(name).with_options(convention=convention)
    run = run_scenario(scenario)
    formulas, velocity, accumulation = CONVENTIONS[convention], Differentiator(), Accumulation()
    time, relative = math.nan, NOTHING_OBSERVED.relative
    for row in run.rows:
        motion = row.motion
        velocity = differentiate(velocity, row.time, motion[1:4], 0.0, MAX_GAP)
        before, relative = relative, formulas.relative(motion, row.flow)
        power = formulas.mean_power(before, relative, row.time - time, scenario.boat.vessel)
        time = row.time
        speed, through_water = (motion.u**2 + motion.v**2)**0.5, (power.u_r**2 + power.v_r**2)**0.5
        accumulation = accumulate(accumulation, Sample(row.time, power, speed, through_water, False), MAX_GAP)
        if row.time > 0.0:
            assert power == row.power and velocity.derivative == motion[4:] and accumulation.energy.total == row.energy
    distances = {'distance_over_ground', 'distance_through_water'}
    for field, value in accumulation.energy._asdict().items():
        assert getattr(run.energy, field) == (pytest.approx(value, rel=1e-14) if field in distances else value), field
