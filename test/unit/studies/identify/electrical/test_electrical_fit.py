"""An electrical fit from logs to figures: scores, warnings, the boat file, and logs that it refuses."""

from dataclasses import replace

import numpy as np
import pytest
from power_twin import HOTEL, NOISE, twin

from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.show.terminal import say
from usv_energy.studies.identify.electrical.electrical_fit import (
    electrical_boat,
    electrical_warnings,
    fit_electrical,
    map_score,
)
from usv_energy.studies.identify.electrical.power_map import MapForm, PowerData, PowerMap


@pytest.fixture(scope='module')
def fitted():
    rng = np.random.default_rng(20210917)
    log, other = twin(rng, seconds=120, held=4), replace(twin(rng, seconds=60), name='other')
    return fit_electrical([log], [other], None, False, say)


def test_a_fit_is_scored_on_logs_that_it_has_not_seen(fitted):
    assert fitted.use == 'command' and fitted.names == ('twin',)
    assert fitted.validation['other'].rmse == pytest.approx(NOISE, rel=0.5)
    assert fitted.fit.measurements < 310 and fitted.halves == []


def test_repeated_values_are_named(fitted):
    assert any('the log repeats the last value' in warning for warning in electrical_warnings(fitted))


def test_the_boat_file_is_the_base_with_map_and_hotel_load(fitted):
    base = read_boat('blueboat_start')
    document = electrical_boat(fitted, base, 'mine', 300.0, {'date': '2026-01-02'})
    changed = {'name', 'description', 'losses', 'static_load', 'identification'}
    plain = checked.read_with_base('boats', base.path)
    assert {key for key in document if document[key] != plain.get(key)} == changed
    boat = boat_from(document, base.path)
    assert boat.vessel.static_load == pytest.approx(HOTEL, abs=1.0)
    assert (boat.vessel.losses.map_thrust[0], boat.vessel.losses.map_thrust[-1]) == (-30.0, 55.0)


def test_the_map_of_commands_is_over_the_thrust_of_the_boat_s_own_pulses(fitted, tmp_path):
    """A curve that is straight but for a dead band: the power of each thrust is that of the pulse that gives it."""
    path = tmp_path / 'curved.yaml'
    table = '[[1100, -30.0], [1450, 0.0], [1550, 0.0], [1850, 55.0]]'
    path.write_text('base: blueboat_start\nname: curved\nthrusters:\n' + ''.join(
        f'  - {{name: {name}, x: -0.4, y: {y}, pwm: {{source: pulled, table: {table}}}}}\n'
        for name, y in (('left', 0.3), ('right', -0.3))))
    document = electrical_boat(fitted, read_boat(str(path)), 'mine', 300.0, {})
    thrust, power = np.array(document['losses']['map']).T
    drives = np.interp(thrust, [-30.0, -1e-9, 0.0, 1e-9, 55.0], [-400.0, -50.0, 0.0, 50.0, 350.0])
    np.testing.assert_allclose(power, fitted.power_map.steady_power(drives, 2), atol=2e-3)
    assert 'thrust of a pulse by curved: pulled' in document['losses']['source']
    ahead_only = read_boat('lutra_prop_trial')  # drives astern, and its curve says nothing of that
    assert 'thrust is assumed' in electrical_boat(fitted, ahead_only, 'mine', 300.0, {})['losses']['source']


def test_logs_that_do_not_go_together_are_refused(rng):
    log = twin(rng, seconds=60)
    single = replace(log, name='single', command=log.command[:, :1], thrust=log.thrust[:, :1], neutral=(1500.0,),
                     thrusters=('middle',))
    with pytest.raises(InputError, match='different numbers of thrusters: twin 2, single 1'):
        fit_electrical([log], [single], None, False, say)
    with pytest.raises(InputError, match='--split is of one log; there are 2'):
        fit_electrical([log, log], [], None, True, say)


def test_a_score_is_the_share_explained_with_root_mean_square_and_mean_error(fitted):
    """R2 = 1 - (rmse / sigma)^2 of the measured power; here from the score's own rmse and the log's power."""
    other = replace(twin(np.random.default_rng(77), seconds=60), name='third')
    found = fit_electrical([other], [other], None, False, say)
    score = found.validation['third']
    power = other.electrical_power[np.isfinite(other.electrical_power)]
    assert score.r2 == pytest.approx(1.0 - (score.rmse / power.std()) ** 2, abs=0.01)
    assert 0.9 < score.r2 < 1.0 and abs(score.energy) < 0.02


def test_a_hotel_load_that_was_hardly_ever_measured_alone_is_named(fitted):
    """A twentieth of the measurements lie below 3 % of full drive, or fewer."""
    span, data = fitted.power_map.span, fitted.data[0]

    def warned(near):
        drive = np.full_like(data.drive, 0.5 * span)
        drive[data.fresh[:round(near * len(data.fresh))]] = 0.02 * span
        drive[data.fresh[-1], 1] = 0.02 * span  # One of two thrusters is at work.
        changed = fitted._replace(data=(data._replace(drive=drive),))
        return any('hardly ever off' in text for text in electrical_warnings(changed))

    assert not warned(0.1) and warned(0.02) and warned(0.0)


def test_a_score_of_a_constant_prediction_in_closed_form():
    """12 W for 10, 14 and 18 W: errors 2, -2 and -6 W; their mean square, their sum over the energy, and R2."""
    data = PowerData(np.arange(3.0), np.ones((3, 1)), np.array([10.0, 14.0, 18.0]), np.arange(3))
    flat = PowerMap(MapForm('mirrored'), 1.0, np.zeros(3), np.zeros(1), np.array([12.0]), 0.0)
    score = map_score(flat, [data])
    assert score == pytest.approx((1.0 - 44.0 / 32.0, (44.0 / 3.0) ** 0.5, -6.0 / 42.0, 3))
    assert map_score(flat, [data, data]).measurements == 6
    assert np.isnan(map_score(flat, [data._replace(power=np.full(3, 10.0))]).r2)


def test_warnings_come_with_their_own_cause(fitted):
    """Repeats from three tenths of the rows on; a hotel load of several knots; thrusters that differ."""
    data = fitted.data[0]
    for fresh, told in ((0.69, True), (0.71, False)):
        rows = np.arange(round(fresh * len(data.time)))
        words = ' '.join(electrical_warnings(fitted._replace(data=(data._replace(fresh=rows),))))
        assert ('repeats the last value' in words) is told
    for count, told in ((1, False), (2, True)):
        changed = replace(fitted.power_map, hotel_time=np.arange(float(count)), hotel_power=np.full(count, 20.0))
        assert any('changes over the log' in text for text in electrical_warnings(
            fitted._replace(power_map=changed))) is told
    for form, told in (('each', True), ('two-sided', False)):
        changed = replace(fitted.power_map, form=fitted.power_map.form._replace(form=form))
        assert any('thrusters differ' in text for text in electrical_warnings(
            fitted._replace(power_map=changed))) is told
