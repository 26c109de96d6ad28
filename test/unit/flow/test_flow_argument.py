import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.flow_argument import flow_of


def test_a_flow_is_refused_where_it_is_none():
    with pytest.raises(InputError, match='a flow of water; must be one of air'):
        flow_of('vortex', '--wind', 'air')
    with pytest.raises(InputError, match='must be SPEED,DIRECTION, m/s and where it flows to'):
        flow_of('0.3', '--wind', 'air')
    with pytest.raises(InputError, match='no flow named'):
        flow_of('nonsense', '--wind', 'air')
