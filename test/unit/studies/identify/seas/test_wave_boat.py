import numpy as np
import pytest
from test_wave_fit import PERIODS, TRUE, drawn

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.physics.waves.added_resistance import SeaAlong, added_resistance
from usv_energy.studies.identify.seas.wave_fit import wave_boat, wave_fit
from usv_energy.studies.identify.seas.wave_legs import wave_nodes


def test_the_file_has_the_coefficients_their_errors_and_where_they_are_from(tmp_path, rng):
    legs = drawn(rng, still=0.2)
    fit = wave_fit(legs, wave_nodes(legs, periods=PERIODS))
    base = read_boat('otter')
    document = wave_boat(fit, base, ['b', 'a'], 'mine', {'date': '2026-11-23'})
    boat = write_boat(document, tmp_path / 'mine.yaml')
    np.testing.assert_allclose(boat.waves.rows, fit.values, rtol=1e-3)
    np.testing.assert_allclose(boat.waves.errors, [[one.error for one in row] for row in fit.coefficients], rtol=1e-2)
    assert boat.vessel.damping == base.vessel.damping and boat.waves.periods == PERIODS
    assert document['identification']['waves']['logs'] == ['a', 'b'] and '2 logs' in document['waves']['source']
    # A head sea of 0.3 m and 2 s, by hand.
    found = float(added_resistance(SeaAlong(0.3, 2.0, np.pi, boat.waves), 0.0))
    assert found == pytest.approx(TRUE[0, 0] * 0.09, rel=0.15)
    assert document['description'] == f'{base.name} with the added resistance of 2 logs'
    one = wave_boat(fit, base, ['a'], 'mine', {})
    assert one['description'] == f'{base.name} with the added resistance of 1 log'
    known = one['identification']['waves']
    assert known['drag_over_file'] == pytest.approx(1.0 + fit.drag, rel=1e-3)
    assert known['scatter_of_wave_force'] == pytest.approx(np.hypot(fit.grouped, fit.moved), rel=1e-2)
    nothing = fit.coefficients[0][0]._replace(value=-0.0)
    still = wave_boat(fit._replace(coefficients=((nothing,),)), base, ['a'], 'mine', {})
    assert str(still['waves']['coefficients']) == '[[0.0]]', 'a coefficient of nothing has no sign'
