import numpy as np
import pytest

from usv_energy.thrusters.open_water import THRUST_TERMS, TORQUE_TERMS, thrust_coefficient, torque_coefficient

# Computed from a second, separate transcription of the table (the Marine Systems Simulator's rows, as another project
# prints them; its 86 rows are equal to ours), with exact fractions: J, P/D, A_E/A_0, Z, K_T, K_Q.
SECOND_SOURCE = (
    (0.0, 1.0, 0.65, 3.0, 0.441519586, 0.067187996),
    (0.2, 0.5, 0.3, 2.0, 0.121742229, 0.010495366),
    (0.4, 0.8, 0.55, 4.0, 0.211376857, 0.027813445),
    (0.6, 1.0, 0.75, 5.0, 0.239515869, 0.039399173),
    (0.9, 1.2, 0.6, 4.0, 0.184563957, 0.037897116),
    (1.1, 1.4, 1.05, 7.0, 0.208020797, 0.049502055),
    (0.7, 1.1, 0.85, 6.0, 0.256057506, 0.046448735),
    (0.5, 0.9, 0.5, 3.0, 0.201832255, 0.029456121))


@pytest.mark.parametrize('row', SECOND_SOURCE, ids=str)
def test_the_polynomials_are_those_of_a_second_source(row):
    *screw, kt, kq = row
    assert thrust_coefficient(*screw) == pytest.approx(kt, abs=1e-6)
    assert torque_coefficient(*screw) == pytest.approx(kq, abs=1e-6)


def test_as_many_terms_as_published_each_once():
    for terms, number in ((THRUST_TERMS, 39), (TORQUE_TERMS, 47)):
        assert len(terms) == len({term[1:] for term in terms}) == number


def test_arrays_give_what_floats_give():
    j = np.linspace(0.0, 1.2, 25)
    for function in (thrust_coefficient, torque_coefficient):
        np.testing.assert_allclose(function(j, 1.1, 0.7, 4), [function(float(one), 1.1, 0.7, 4) for one in j],
                                   rtol=1e-14)


@pytest.mark.parametrize('name, value', [
    ('pitch_ratio', 0.49), ('pitch_ratio', 1.41), ('area_ratio', 0.29), ('area_ratio', 1.06), ('blades', 1.0),
    ('blades', 8.0)])
def test_other_screws_are_refused_by_name(name, value):
    screw = {'pitch_ratio': 1.0, 'area_ratio': 0.6, 'blades': 4.0, name: value}
    for function in (thrust_coefficient, torque_coefficient):
        with pytest.raises(ValueError, match=f'{name} is {value:g}; the Wageningen B-series goes from'):
            function(0.5, **screw)
