import math

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.seas.wave_legs import WaveLegs, WaveNodes, require_determined, wave_nodes


def made_legs(seas, off_bow=(0.0, 90.0, 180.0, 90.0), force=0.0):
    """Return a WaveLegs of four blocks a log; `seas`: (height, period) of each log."""
    rows = [(force, 50.0, 60.0, height, period, math.radians(off), math.radians(-off), 1.0, 20.0, 20.0 * place, number)
            for number, (height, period) in enumerate(seas) for place, off in enumerate(off_bow)]
    return WaveLegs(*np.array(rows, dtype=float).T)


CALM = (0.0, 1.0)


def test_weights_are_linear_between_nodes_constant_beyond_and_add_up_to_1():
    nodes = WaveNodes((0.0, 0.5 * math.pi, math.pi), (2.0, 4.0))
    legs = made_legs([(0.3, 3.0), (0.3, 9.0)], (45.0, 90.0))
    weights = nodes.weights(legs)
    np.testing.assert_allclose(weights[0], [0.25, 0.25, 0.25, 0.25, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(weights[3], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)


def test_only_waves_from_before_the_beam_cannot_push():
    nodes = WaveNodes((0.0, math.radians(60.0), 0.5 * math.pi, math.pi), (2.0, 3.0))
    assert nodes.from_ahead.tolist() == [True] * 4 + [False] * 4


def test_periods_are_those_of_the_seas_and_alike_ones_share_a_column():
    legs = made_legs([CALM, (0.1, 1.5), (0.1, 1.6), (0.3, 2.5), (0.3, 2.7), (0.5, 3.4)])
    assert wave_nodes(legs).periods == (1.55, 2.6, 3.4)
    assert wave_nodes(legs, periods=[2.0]).periods == (2.0,)
    # A third apart: what waves take may be half as much.
    assert wave_nodes(made_legs([CALM, (0.3, 2.5), (0.5, 3.2)])).periods == (2.5, 3.2)


def test_many_periods_do_not_chain_into_one_column():
    """Each is within 10 % of the next; the last is twice the first."""
    periods = wave_nodes(made_legs([(0.2, 1.5 * 1.1 ** k) for k in range(8)])).periods
    assert len(periods) > 1 and max(periods) > 1.3 * min(periods)


def test_calm_logs_alone_are_refused():
    with pytest.raises(InputError, match='all logs are of calm water'):
        wave_nodes(made_legs([CALM, CALM]))


def test_one_sea_state_is_refused_unless_the_drag_is_known():
    legs = made_legs([(0.3, 2.5), (0.32, 2.5)])
    nodes = wave_nodes(legs)
    with pytest.raises(InputError, match=r'one sea state for each period \(significant heights 0\.30 to 0\.32 m\)'):
        require_determined(legs, nodes, False)
    require_determined(legs, nodes, True)
    for more in (CALM, (0.15, 2.5)):
        both = made_legs([(0.3, 2.5), more])
        require_determined(both, wave_nodes(both), False)


def test_another_height_at_another_period_tells_nothing():
    """Each period then has a coefficient of its own for its only height."""
    legs = made_legs([(0.1, 1.5), (0.5, 3.0)])
    with pytest.raises(InputError, match='one sea state for each period'):
        require_determined(legs, wave_nodes(legs), False)


def test_directions_without_a_log_are_named():
    legs = made_legs([CALM, (0.3, 2.5)], (0.0, 10.0))
    with pytest.raises(InputError, match=r'no log meets waves from about 90 deg and 2\.5 s; 180 deg and 2\.5 s'):
        require_determined(legs, wave_nodes(legs), False)
    require_determined(legs, wave_nodes(legs, [0.0]), False)


def test_directions_are_ahead_abeam_and_astern_unless_asked_otherwise():
    assert np.degrees(wave_nodes(made_legs([(0.3, 2.5)])).directions) == pytest.approx([0.0, 90.0, 180.0])


def test_periods_a_fifth_apart_share_a_column_and_heights_a_third_apart_tell_the_drag():
    assert wave_nodes(made_legs([(0.3, 2.5), (0.3, 3.0)])).periods == (2.75,)
    assert len(wave_nodes(made_legs([(0.3, 2.5), (0.3, 3.01)])).periods) == 2
    legs = made_legs([(0.3, 2.5), (0.38, 2.5)])
    with pytest.raises(InputError, match=r'heights 0\.30 to 0\.38 m'):
        require_determined(legs, wave_nodes(legs), False)
    legs = made_legs([(0.3, 2.5), (0.4, 2.5)])
    require_determined(legs, wave_nodes(legs), False)


def test_a_sea_just_between_two_periods_belongs_to_neither():
    """Each has then the heights of its own: one."""
    legs = made_legs([(0.3, 2.0), (0.3, 3.0), (0.9, 2.5)])
    with pytest.raises(InputError, match='one sea state for each period'):
        require_determined(legs, wave_nodes(legs, periods=[2.0, 3.0]), False)


def test_one_block_is_enough_for_a_coefficient_and_what_was_met_is_told():
    legs = made_legs([CALM, (0.3, 2.5)], (0.0, 90.0, 180.0))
    require_determined(legs, wave_nodes(legs), False)
    legs = made_legs([CALM, (0.3, 2.5)], (0.0, 40.0, 89.0, 180.0, 0.0, 40.0))
    require_determined(legs, wave_nodes(legs), False)
    legs = made_legs([CALM, (0.3, 2.5)], (0.0, 40.0, 89.0, 179.0))
    with pytest.raises(InputError, match=r'about 180 deg and 2\.5 s \(off the bow.*have 0, 38, 86, 181 deg'):
        require_determined(legs, wave_nodes(legs), False)
