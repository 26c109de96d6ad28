"""A boat and its quadcopter: energies that add up, flights that are refused."""

import pytest
import yaml

from usv_energy.air.flight import LANDED
from usv_energy.air.team_run import read_team, run_team, team_figures
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.show.text.team_text import team_summary
from usv_energy.sim.runner import run_scenario


def written(tmp_path, **changes):
    document = yaml.safe_load(resolve('teams', 'box').read_text()) | changes
    path = tmp_path / 'team.yaml'
    path.write_text(yaml.safe_dump(document))
    return str(path)


@pytest.fixture(scope='module')
def box():
    return run_team(read_team('box'))


def test_the_boat_is_that_of_its_scenario_and_the_quadcopter_lands(box):
    alone = run_scenario(read_team('box').scenario)
    assert box.boat.energy == alone.energy
    assert box.flight.stage == LANDED and box.flight.touchdown.error < 0.10 and box.flight.touchdown.speed < 1.0


def test_energies_add_up_to_rounding(box):
    figures, craft = team_figures(box), box.plan.craft
    summary = team_summary(box)
    assert figures['charge_gained'] == pytest.approx(figures['charging'] * craft.charge_efficiency, rel=1e-9)
    assert figures['boat_total'] == pytest.approx(box.boat.energy.total + figures['charging'], rel=1e-12)
    given = box.flight.source.given  # Through the terminals of its battery.
    assert summary['team_j'] == pytest.approx(figures['boat_total'] + given, rel=1e-9)
    assert summary['flown_j'] == pytest.approx(sum(j for j in summary['quadcopter_energy_j'].values() if j > 0.0))


def test_the_same_seed_gives_the_same_flight(tmp_path):
    path = written(tmp_path, wind={'x': 2.0, 'y': 1.0}, gusts=0.2,
                   flight={'take_off': 1.0, 'land': 4.0, 'height': 1.5}, waves={'height': 0.2, 'period': 3.0})
    first, again, other = (run_team(read_team(path)._replace(seed=seed)).samples[:150] for seed in (3, 3, 4))
    assert first == again and first != other


def test_a_battery_that_would_not_bring_it_back_is_refused_before_take_off(tmp_path):
    """70 s and a landing of 25 s at 1.15 times 55.5 W are 1.68 Wh; a tenth of the charge is left to use."""
    path = written(tmp_path, battery=0.3, flight={'take_off': 5.0, 'land': 75.0})
    with pytest.raises(InputError, match=r'need 1\.68 Wh; ar_drone has cells at 30 %, which give 1\.\d\d Wh'):
        run_team(read_team(path))


@pytest.mark.parametrize(('changes', 'words'), [
    ({'flight': {'take_off': 9.0, 'land': 9.0}}, 'flight.land is 9 s; must be after take_off'),
    ({'flight': {'take_off': 1.0, 'land': 9.0, 'threshold': 0.3}}, 'flight.threshold is 0.3 m; must be at most abort'),
    ({'quadcopter': 'kite'}, 'kite'), ({'scenario': 'nowhere'}, 'nowhere'), ({'controller': 'magic'}, 'controller'),
    ({'pad': {'x': 0.0, 'z': -1.0}}, 'pad.z')])
def test_faults(tmp_path, changes, words):
    with pytest.raises(InputError) as caught:
        read_team(written(tmp_path, **changes))
    assert words in str(caught.value)
