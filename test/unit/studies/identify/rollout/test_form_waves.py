"""The wave-making resistance of the base boat in an identification: fitted, left out where logs say so, and planing."""

from dataclasses import replace

import numpy as np
import pytest
from needs import WITHIN_A_MINUTE
from twin_boats import LUTRA, NO_NOISE, twin_tracks
from twin_log import twin_log

from usv_energy.boats.boat_file import write_boat
from usv_energy.boats.vessel import WaveMaking
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_yaml
from usv_energy.studies.identify.rollout.fit_parameters import WAVES
from usv_energy.studies.identify.rollout.fitted_boat import rollout_boat
from usv_energy.studies.identify.rollout.form_choice import (
    AS_GOOD,
    NO_WAVES,
    FitWork,
    compared_forms,
    ladder_to,
    without_waves,
)
from usv_energy.studies.identify.rollout.identification import identify, refuse_planing
from usv_energy.studies.identify.rollout.identification_result import FitSettings
from usv_energy.studies.identify.rollout.normal_equations import NONE
from usv_energy.studies.identify.rollout.rollout_report import _waves, identification_text

# Waves as of a hull of 1 m: from 0.8 m/s they rise much faster than the square of the speed.
WAVE = WaveMaking(1.0, (0.6, 0.9, 1.2, 1.5, 1.8), (0.2, 0.6, 3.0, 5.0, 5.5))


def boat_with(wave):
    damping = LUTRA.vessel.damping._replace(d11=2.0, d11_q=7.0, wave=wave)
    return replace(LUTRA, vessel=LUTRA.vessel._replace(damping=damping))


def test_the_scale_of_the_waves_is_found():
    """Without noise the truth comes back: 1.8 times the base's table, which no quadratic drag stands for."""
    truth, base = boat_with(WAVE._replace(scale=1.8)), boat_with(WAVE)
    logs = [twin_log(truth, np.random.default_rng(3 + k), f'log {k}', 60.0, noise=NO_NOISE) for k in range(2)]
    found = identify(logs, base, [], FitSettings('quadratic', currents=False, winds=False))
    numbers = {row.key: row for row in found.parameters}
    assert numbers[WAVES].value / numbers['thrust.scale'].value == pytest.approx(1.8, rel=0.03)
    assert numbers[WAVES].determined and numbers[WAVES].low < 1.8 < numbers[WAVES].high


@pytest.fixture(scope='module')
def compared():
    """Of logs with noise of a boat that makes waves, and of one that makes none: base, comparison, tracks."""
    work, found = FitWork(NONE), {}
    for name, truth in (('waves', WAVE), ('none', None)):
        tracks = twin_tracks(boat_with(truth), np.random.default_rng(5), 3, duration=40.0)
        base = boat_with(WAVE._replace(coefficient=tuple(3.0 * value for value in WAVE.coefficient))
                         if truth is None else WAVE)
        found[name] = base, compared_forms(tracks, base, work, ladder_to('quadratic')), tracks
    return work, found


@WITHIN_A_MINUTE
def test_waves_are_left_out_where_the_logs_have_none(compared):
    """Where they have them, logs not seen are predicted worse without; where they do not tell, the base's stay."""
    work, found = compared
    for name, (base, forms, tracks) in found.items():
        boat, trials = without_waves('quadratic', tracks, base, work, forms)
        with_them, without = (next(one.score for one in trials.trials if one.form == form)
                              for form in ('quadratic', f'quadratic{NO_WAVES}'))
        assert (boat.vessel.damping.wave is None) == (without <= AS_GOOD * with_them) == (name == 'none')
    few = forms.numbers['quadratic']
    untold = forms._replace(numbers={'quadratic': few._replace(values={**few.values, WAVES: 0.9})})
    assert without_waves('quadratic', tracks, base, work, untold)[0] is base
    assert without_waves('quadratic', tracks, boat_with(None), work, forms)[1] is forms


def test_the_report_and_the_file_say_what_became_of_the_waves(tmp_path):
    source = tmp_path / 'base.yaml'
    source.write_text('base: lutra_prop\nname: base\ndamping: {wave: {source: test, scale: {value: 1.0, unit: "-"}, '
                      'table: [[0.6, 0.07], [1.2, 4.3], [1.8, 18.0]]}}\n')
    from usv_energy.boats.boat_file import read_boat
    base = read_boat(str(source))
    log = twin_log(base, np.random.default_rng(2), 'log', 40.0)
    found = identify([log], base, [], FitSettings('linear', currents=False, winds=False))
    written = write_boat(rollout_boat(found, 'mine', {}), tmp_path / 'mine.yaml')
    number = next(row for row in found.parameters if row.key == WAVES)
    assert written.vessel.damping.wave.scale == pytest.approx(number.value, rel=1e-5)
    assert WAVES in identification_text(found) and _waves(found) == []
    plain = replace(base, vessel=base.vessel._replace(damping=base.vessel.damping._replace(wave=None)))
    left_out = identify([log], plain, [], FitSettings('linear', currents=False, winds=False))
    write_boat(rollout_boat(left_out, 'plain', {}), tmp_path / 'plain.yaml')
    assert 'wave' not in read_yaml(tmp_path / 'plain.yaml')['damping']


def test_planing_is_refused_by_its_name():
    """Lutra's 1.06 m: Froude 1 is 3.224 m/s."""
    refuse_planing(LUTRA, 3.22)
    with pytest.raises(InputError, match=r'hull.length is 1.06 m, and the logs go up to 3.30 m/s: above 3.22 m/s '
                                         r'\(Froude 1\) such a hull planes'):
        refuse_planing(LUTRA, 3.3)
