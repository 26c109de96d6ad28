"""The boat file of an identification."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.identify.rollout.fitted_boat import SCALE, _correlation, rollout_boat
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts


def test_the_boat_file_runs_at_once_and_says_where_it_comes_from(identified, tmp_path):
    path = tmp_path / 'mine.yaml'
    write_boat(rollout_boat(identified, 'mine', {'date': '2026-01-02', 'command': 'usv-energy identify x'}), path)
    boat = read_boat(str(path))
    values = {row.key: row.value for row in identified.parameters}
    assert boat.name == 'mine' and boat.vessel.inertia.m11 == pytest.approx(values['inertia.m11'], rel=1e-5)
    assert read_scenario('1').with_options(boat=str(path)).boat.name == 'mine'
    document = yaml.safe_load(path.read_text())
    d11 = document['damping']['linear']['d11']
    assert d11['unit'] == 'N s/m' and 'usv-energy identify, 3 logs' in d11['source']
    assert d11['interval'][0] < d11['value'] < d11['interval'][1] and d11['std'] > 0.0
    kept = document['identification']['rollout']
    assert kept['date'] == '2026-01-02' and kept['logs'] == ['log 0', 'log 1', 'log 2']
    assert kept['rmse_validation']['surge_m_s'] == pytest.approx(identified.validation[-1].rmse[0], rel=1e-3)


def test_a_base_with_the_coefficients_of_a_paper_becomes_a_file_with_our_numbers(identified, tmp_path):
    """`convention: sname` in the base: the new file has inertia and damping, and no coefficients beside them."""
    base = tmp_path / 'paper.yaml'
    base.write_text('base: lutra_prop\nconvention: sname\ninertia: null\ncoefficients: {m: 9.7, I_z: 1.1, '
                    'X_udot: -0.1, Y_vdot: -0.6, N_rdot: -0.1, X_u: -11.0, Y_v: -20.0, N_r: -9.0, Y_r: 0.3}\n')
    model = replace(identified.found.model, boat=read_boat(str(base)))
    result = replace(identified, found=replace(identified.found, model=model))
    boat = write_boat(rollout_boat(result, 'mine', {}), tmp_path / 'mine.yaml')
    values = {row.key: row.value for row in identified.parameters}
    assert boat.vessel.inertia.m11 == pytest.approx(values['inertia.m11'], rel=1e-5)
    assert boat.vessel.damping.d23 == pytest.approx(-0.3), 'what the fit does not have is kept'
    assert not {'convention', 'coefficients'} & set(yaml.safe_load((tmp_path / 'mine.yaml').read_text()))


def test_what_the_logs_carried_is_in_the_file_once(identified, tmp_path):
    """The fit finds the inertia with the payload on board; the file has it without, and names the payload."""
    base = tmp_path / 'laden.yaml'
    base.write_text('base: lutra_prop\nhull: {payload_x: -0.1}\n')
    model = replace(identified.found.model, boat=read_boat(str(base), payload=3.0))
    result = replace(identified, found=replace(identified.found, model=model))
    path = tmp_path / 'mine.yaml'
    boat = write_boat(rollout_boat(result, 'mine', {}), path)
    values = {row.key: row.value for row in identified.numbers}
    found = [values[f'inertia.{name}'] for name in ('m11', 'm22', 'm33')]
    assert boat.vessel.inertia[:3] == pytest.approx(found, rel=1e-4)
    empty = read_boat(str(path), payload=0.0).vessel.inertia
    assert found[0] - empty.m11 == pytest.approx(3.0, rel=1e-3)
    assert found[2] - empty.m33 == pytest.approx(0.03, rel=0.01)


def test_boats_drawn_from_the_file_are_wrong_in_all_newtons_together(identified, tmp_path):
    """The scale of the log's newtons is 5 % uncertain, and in all of them; what the motion shows is known better."""
    path = tmp_path / 'mine.yaml'
    boat = write_boat(rollout_boat(identified, 'mine', {}), path)
    assert {'inertia.m11', 'damping.linear.d11', 'thrusters.*.lag'} <= set(boat.correlation.numbers)
    drawn = [one.vessel for one in drawn_boats(boat, read_doubts(boat), 200)]
    mass = np.array([one.inertia.m11 for one in drawn]) / boat.vessel.inertia.m11
    drag = np.array([one.damping.d11 for one in drawn]) / boat.vessel.damping.d11
    assert 0.045 < mass.std() < 0.09 and 0.045 < drag.std() < 0.09
    assert (mass / drag).std() < 0.5 * drag.std()
    known = identified.known.covariance
    place = identified.found.model.keys.index('damping.linear.d11')
    assert drag.std() == pytest.approx(known[place, place] ** 0.5 / boat.vessel.damping.d11, rel=0.1)
    assert all(len({thruster.lag for thruster in one.thrusters}) == 1 for one in drawn)


@pytest.mark.parametrize(('ahead', 'astern'), [(20.0, 18.0), (20.0, 5.0), (5.0, 5.0)])
def test_limits_of_thrusts_grow_with_what_the_logs_show(identified, ahead, astern):
    """Of a pair alike, as the fit has it, with the doubt of all newtons; what is within the limits changes nothing."""
    model = replace(identified.found.model, scale=identified.found.model.scale._replace(ahead=ahead, astern=astern))
    result = replace(identified, found=replace(identified.found, model=model))
    numbers = {one.key: one for one in identified.parameters}
    scale = numbers['thrust.scale']
    document = rollout_boat(result, 'mine', {})
    for thruster in document['thrusters']:
        for key, full, share in (('max_thrust', ahead, 1.0), ('min_thrust', -astern, numbers['thrust.astern'].value)):
            given = full * scale.value * share
            if abs(given) > 11.5:
                assert thruster[key]['value'] == pytest.approx(given, rel=1e-3) and thruster[key]['unit'] == 'N'
                assert thruster[key]['std'] == pytest.approx(abs(given) * scale.std / scale.value, rel=1e-2)
            else:
                assert not isinstance(thruster[key], dict) or 'std' not in thruster[key]
    names, matrix = document['correlation']['numbers'], np.array(document['correlation']['matrix'])
    grown = [name for name in names if name.endswith('_thrust')]
    limits = ('max_thrust', ahead), ('min_thrust', astern)
    assert grown == [f'thrusters.*.{key}' for key, full in limits if full > 12.0]
    np.testing.assert_allclose(np.diag(matrix), 1.0, atol=1e-3)
    if len(grown) == 2:
        assert matrix[-1, -2] == pytest.approx(-1.0), 'both are the one scale, one of them below 0'


def test_what_a_fit_leaves_of_its_base_and_its_errors_are_in_the_file(identified):
    document = rollout_boat(identified, 'mine', {'date': 'today'})
    kept = document['identification']['rollout']
    assert kept['thrust_of_log']['full_ahead_n'] == pytest.approx(identified.found.model.scale.ahead, rel=1e-5)
    assert kept['thrust_of_log']['full_astern_n'] == pytest.approx(identified.found.model.scale.astern, rel=1e-5)
    scale = {one.key: one for one in identified.parameters}['thrust.scale']
    assert kept['thrust_of_log']['scale'] == {'value': pytest.approx(scale.value, rel=1e-5), 'unit': '-',
                                              'std': pytest.approx(scale.std, rel=1e-2)}
    for name, rows in (('rmse', identified.errors), ('rmse_left_out', identified.left_out)):
        found = [kept[name][key] for key in ('surge_m_s', 'sway_m_s', 'yaw_rate_rad_s')]
        assert found == pytest.approx(list(rows[-1].rmse), rel=1e-3)
    assert document['damping']['quadratic']['d11'] == 0.0, 'the form has none'
    lag = document['thrusters'][0]['lag']
    assert lag['interval'][0] <= lag['value'] <= lag['interval'][1] and lag['unit'] == 's'


def test_numbers_that_do_not_vary_have_no_correlation_in_the_file():
    """And the limits of thrust have that of the scale of all newtons, the one astern turned round."""
    joint = SimpleNamespace(keys=('inertia.m11', 'damping.linear.d23', SCALE), std=np.array([2.0, 0.0, 0.5]),
                            covariance=np.array([[4.0, 0.0, 0.6], [0.0, 0.0, 0.0], [0.6, 0.0, 0.25]]))
    document = {'thrusters': [{'max_thrust': {'value': 9.0, 'std': 1.0}, 'min_thrust': {'value': -9.0, 'std': 1.0}}]}
    found = _correlation(SimpleNamespace(joint=joint), document, 'logs')
    limits = found['numbers'][1:]
    assert found['numbers'][0] == 'inertia.m11'
    assert sorted(limits) == ['thrusters.*.max_thrust', 'thrusters.*.min_thrust']
    sign = [1.0] + [-1.0 if 'min' in name else 1.0 for name in limits]
    wanted = [[1.0, 0.6, 0.6], [0.6, 1.0, 1.0], [0.6, 1.0, 1.0]]
    np.testing.assert_allclose(found['matrix'], np.outer(sign, sign) * wanted)
