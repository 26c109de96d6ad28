"""What a boat feels of flows: even ones everywhere alike, others at its place; waves by their direction off the bow."""

import math

import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.flow_file import read_flow
from usv_energy.physics.motion import Flow
from usv_energy.physics.waves.added_resistance import WaveCoefficients, mean_sea_resistance
from usv_energy.sim.plants.plant import felt_flow, is_even, mean_sea_around

WIND = UniformFlow(-1.0, 2.0)


def test_even_flows_are_felt_everywhere():
    assert is_even(WIND)
    felt = felt_flow(UniformFlow(0.3, 0.1), WIND)
    assert felt(0.0, 0.0, 0.0) == felt(1e3, -50.0, 7.0) == Flow(0.3, 0.1, -1.0, 2.0)


def test_a_field_is_felt_at_its_place_and_its_end_is_an_error():
    river = flow_of('river', '--current', 'water')
    assert not is_even(river)
    felt = felt_flow(river, WIND)
    middle, bank = felt(0.0, 100.0, 95.0), felt(0.0, 100.0, 66.0)
    assert math.hypot(*middle[:2]) > 1.5 * math.hypot(*bank[:2]), 'a river is slow at its banks'
    assert middle[2:] == bank[2:] == (-1.0, 2.0)
    with pytest.raises(InputError, match=r'no value at t = 3\.00 s, x = 100\.0 m, y = 10\.0 m: the boat has left'):
        felt(3.0, 100.0, 10.0)


def test_waves_are_felt_by_their_direction_off_the_bow(tmp_path):
    """C Hs^2 of 0.3 m: from ahead 60, from astern -20 N/m^2."""
    (tmp_path / 'sea.yaml').write_text(yaml.safe_dump({'title': 'a sea', 'medium': 'water', 'waves': {
        'kind': 'irregular', 'significant_height': 0.3, 'peak_period': 2.5, 'seed': 3, 'direction_deg': 180.0}}))
    waves = WaveCoefficients((0.0, math.pi), (2.5,), ((60.0,), (-20.0,)))
    sea = mean_sea_around(read_flow(str(tmp_path / 'sea.yaml')), waves)(5.0, 1.0, 2.0)
    assert mean_sea_resistance(sea, 0.0) == pytest.approx(60.0 * 0.09)
    assert mean_sea_resistance(sea, math.pi) == pytest.approx(-20.0 * 0.09)
    assert mean_sea_resistance(sea, 0.5 * math.pi) == pytest.approx(20.0 * 0.09)
