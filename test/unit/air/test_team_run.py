"""Boats and quadcopters in lockstep: the boats are those of `run`, flights that are refused, what feels what."""

import math

import numpy as np
import pytest
import yaml
from team_files import written

from usv_energy.air.flight import LANDED
from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import _Gusts, run_team
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import Flow
from usv_energy.sim.runner import run_scenario

SHORT = {'take_off': 1.0, 'land': 4.0, 'height': 1.5}


@pytest.fixture(scope='module')
def three():
    return run_team(read_team('three_boats'))


def test_all_quadcopters_land_on_their_own_decks(three):
    for craft in three.crafts:
        assert craft.flight.stage == LANDED and craft.flight.touchdown.error < 0.10
        assert craft.flight.touchdown.speed < 1.0
    bee, wasp = three.crafts
    assert bee.decks[0].place[1] == pytest.approx(0.0, abs=0.2)
    assert wasp.decks[0].place[1] == pytest.approx(-20.0, abs=0.2)


def test_a_boat_without_a_quadcopter_is_that_of_run_to_the_last_bit(three):
    assert str(three.boats[2].rows) == str(run_scenario(three.plan.boats[2].scenario).rows)  # NaN is NaN.


def test_a_boat_feels_a_quadcopter_by_its_mass_alone(three):
    """Beside its own run: heavier by 0.43 of 9.75 kg while it is there, so within a part in 200 of the energy."""
    alone = run_scenario(three.plan.boats[0].scenario)
    assert three.boats[0].energy.total != alone.energy.total
    assert three.boats[0].energy.total == pytest.approx(alone.energy.total, rel=5e-3)


def test_the_same_seed_gives_the_same_flight(tmp_path):
    path = written(tmp_path, wind={'x': 2.0, 'y': 1.0}, gusts=0.2, flight=SHORT, waves={'height': 0.2, 'period': 3.0})
    first, again, other = (run_team(read_team(path)._replace(seed=seed)).crafts[0].samples[:150]
                           for seed in (3, 3, 4))
    assert str(first) == str(again) and str(first) != str(other)


def test_a_battery_that_would_not_bring_it_back_is_refused_before_take_off(tmp_path):
    """70 s and a landing of 25 s at 1.15 times 55.5 W are 1.68 Wh; a tenth of the charge is left to use."""
    path = written(tmp_path, battery=0.3, flight={'take_off': 5.0, 'land': 75.0})
    with pytest.raises(InputError, match=r'quadcopter .*need 1\.68 Wh; ar_drone has cells at 30 %, which give 1\.\d\d'):
        run_team(read_team(path))


def test_a_boat_on_cells_gives_what_the_charger_draws(tmp_path):
    """What its cells gave is its own energy and the charger's, but for that of the last period."""
    (tmp_path / 'cells.yaml').write_text(yaml.safe_dump({
        'base': 'lutra_prop', 'name': 'cells', 'battery': {
            'chemistry': 'nmc', 'series': 4, 'capacity_ah': 15.6, 'nominal_voltage': 14.8, 'capacity_wh': None}}))
    boats = [{'name': 'red', 'scenario': '1', 'boat': 'cells.yaml'}]
    craft = {'name': 'bee', 'deck': 'red', 'quadcopter': 'ar_drone', 'battery': 0.5, 'flight': SHORT}
    still = {'speed': 0.0, 'direction_deg': 0.0}
    lone, laden = (run_team(read_team(written(tmp_path, 'three_boats', boats=boats, quadcopters=crafts, current=still,
                                              wind=still))) for crafts in ([], [craft]))
    charged = laden.crafts[0].flight.charged
    assert charged > 200.0
    extra = laden.boats[0].supply.energy - lone.boats[0].supply.energy
    moved = laden.boats[0].energy.total - lone.boats[0].energy.total  # By the mass on deck.
    assert extra == pytest.approx(charged + moved, abs=2.0)
    assert laden.boats[0].supply.voltage < lone.boats[0].supply.voltage


def test_gusts_are_a_first_order_recurrence_with_the_share_of_the_wind_as_spread():
    """Written out, with kicks drawn one at a time: 0.15 of 4 m/s, half of it upward, faded in 2 s."""
    plan, wind = read_team('windy'), Flow(0.0, 0.0, 4.0, 0.0)
    gusts, rng, gust = _Gusts(plan, 0), np.random.default_rng([plan.seed, 1]), np.zeros(3)
    keep = math.exp(-plan.step / 2.0)
    spread = 0.15 * 4.0 * math.sqrt(1.0 - keep ** 2) * np.array([1.0, 1.0, 0.5])
    for _ in range(250):  # Beyond those that are drawn at once.
        gust = keep * gust + spread * rng.standard_normal(3)
        assert gusts.wind(wind) == pytest.approx(gust + np.array([4.0, 0.0, 0.0]), rel=1e-12)
