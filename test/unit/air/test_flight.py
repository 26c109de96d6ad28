"""Landing on a moving deck: where, how hard, and what happens where it cannot be."""

import math

import numpy as np
import pytest
from landings import COUNTED, CRAFT, SHORT, STEP, landed, landed_on_otter, moving

from usv_energy.air.flight import APPROACH, EMERGENCY, FOLLOW, LANDED, LANDING, STAGES, Deck, Flight
from usv_energy.air.flight_battery import battery_of, battery_words, energy_to_use
from usv_energy.air.flight_control import CONTROLLERS, FlightController
from usv_energy.physics.batteries.cell import INTERVALS, Pack


def still(_time):
    return Deck((0.0, 0.0, 0.3), (0.0, 0.0, 0.0), 0.0)


@pytest.mark.parametrize('kind', CONTROLLERS)
@pytest.mark.parametrize('height', [0.0, 0.3])
def test_it_lands_on_the_middle_of_the_pad_and_softly(kind, height):
    """Within 0.10 m, at most 1 m/s; 100 of 100 seeds in flat water, 95 of 100 in waves, by bench/landing.py."""
    for seed in range(9100, 9104):
        touchdown = landed(seed, kind, height).touchdown
        assert touchdown is not None, seed
        assert touchdown.error < 0.10 and touchdown.speed < 1.0, seed


@pytest.mark.parametrize('craft', [CRAFT, COUNTED])
def test_stages_come_in_their_order_and_energies_are_the_batterys(craft):
    flight, seen = Flight(FlightController(craft), SHORT, still(0.0), craft.battery), []
    drawn = 0.0
    while flight.time < 12.0:
        sample = flight.advance(still, (0.0, 0.0, 0.0), STEP)
        drawn += max(sample.power, 0.0) * STEP
        if not seen or seen[-1] != sample.stage:
            seen.append(sample.stage)
    assert seen == list(STAGES[:-1])
    given = craft.battery - flight.battery if craft.pack is None else flight.source.given
    assert sum(flight.energy.values()) == pytest.approx(given, rel=1e-9)
    assert sum(joules for joules in flight.energy.values() if joules > 0.0) == pytest.approx(drawn, rel=1e-9)
    hover = flight.energy[FOLLOW] / flight.duration[FOLLOW]
    assert hover == pytest.approx(CRAFT.hover_power, rel=0.05)


def until_down(craft, share, deck=still):
    """Fly without an order to land; return the flight, and its samples."""
    orders = SHORT._replace(land=1e9)
    flight, samples = Flight(FlightController(craft), orders, deck(0.0), share * craft.battery), []
    while not flight.down and flight.time < 200.0:
        samples.append(flight.advance(deck, (0.0, 0.0, 0.0), STEP))
    return flight, samples


def test_cells_at_their_cutoff_are_an_emergency_that_ends_on_the_deck():
    """It begins at the cutoff voltage, 9.0 V; what the stages took is what went through the terminals."""
    flight, samples = until_down(CRAFT, 0.2)
    first = next(sample for sample in samples if sample.stage == EMERGENCY)
    assert first.voltage == pytest.approx(9.0, abs=1e-6) and samples[-1].battery > 0.0
    assert flight.stage == LANDED and flight.touchdown.error < 0.10 and flight.ditched is None
    assert sum(flight.energy.values()) == pytest.approx(flight.source.given, rel=1e-12)


def test_an_empty_counter_falls_as_fast_as_drag_lets_it():
    """Nothing is left to brake with: from h it hits the deck at sqrt(2 g h), less a little for rotors and drag."""
    flight, samples = until_down(COUNTED, 0.05)
    begin = next(sample for sample in samples if sample.stage == EMERGENCY)
    assert flight.battery == pytest.approx(0.0, abs=1e-9)
    assert 0.7 < flight.touchdown.speed / (2.0 * 9.81 * begin.above) ** 0.5 < 1.0


def test_it_ditches_where_there_is_no_deck_below():
    """A boat that goes away at 9 m/s from the emergency on is not reached."""
    def deck(time):
        return Deck((9.0 * max(time - 8.0, 0.0), 0.0, 0.3), (9.0 if time > 8.0 else 0.0, 0.0, 0.0), 0.0)
    flight, samples = until_down(CRAFT, 0.115, deck)
    assert flight.stage == EMERGENCY and flight.touchdown is None and flight.ditched.error > 0.5
    assert samples[-1].state.place[2] == 0.0


def test_what_the_charger_takes_is_what_the_battery_gets_over_its_efficiency():
    orders = SHORT._replace(take_off=100.0, land=200.0)
    flight = Flight(FlightController(COUNTED), orders, still(0.0), 0.5 * CRAFT.battery)
    for _ in range(1000):
        flight.advance(still, (0.0, 0.0, 0.0), STEP)
    assert flight.battery - 0.5 * CRAFT.battery == pytest.approx(10.0 * CRAFT.charge_power, rel=1e-9)
    assert flight.charged == pytest.approx(10.0 * CRAFT.charge_power / CRAFT.charge_efficiency, rel=1e-9)


def test_a_full_battery_takes_no_charge():
    flight = Flight(FlightController(CRAFT), SHORT._replace(take_off=9.0), still(0.0), CRAFT.battery)
    for _ in range(100):
        flight.advance(still, (0.0, 0.0, 0.0), STEP)
    assert flight.charged == 0.0 and flight.battery == CRAFT.battery


def test_a_gust_while_landing_aborts_it_and_it_tries_again():
    flight, stages = Flight(FlightController(CRAFT), SHORT, still(0.0), CRAFT.battery), []
    while flight.stage != LANDED and flight.time < 60.0:
        gust = flight.stage == LANDING and flight.aborted == 0
        stages.append(flight.advance(still, (12.0 if gust else 0.0, 0.0, 0.0), STEP).stage)
    assert flight.aborted >= 1 and flight.touchdown.error < 0.10
    first = stages.index(LANDING)
    assert APPROACH in stages[first:]


def test_a_deck_out_of_sight_is_not_landed_on():
    """It goes up, waits where the deck would be, and lands once it sees it again."""
    deck = moving(9200)
    flight = Flight(FlightController(CRAFT), SHORT, deck(0.0), CRAFT.battery)
    flight.blind = ((6.0, 20.0),)
    while flight.stage != LANDED and flight.time < 60.0:
        before = flight.time
        sample = flight.advance(deck, (0.0, 0.0, 0.0), STEP)
        if 6.5 < before < 20.0:
            assert sample.stage == FOLLOW and sample.error < 0.5
    assert flight.touchdown.time > 20.0 and flight.touchdown.error < 0.10


@pytest.mark.parametrize('height', [0.0, 0.3])
def test_it_lands_on_a_deck_that_rolls_and_pitches(tmp_path, height):
    """The Otter on its pontoons; bench/landing.py has the figures of many. The tilt is that of the two axes."""
    craft = landed_on_otter(9300, CONTROLLERS[0], height, tmp_path)
    touchdown = craft.flight.touchdown
    assert touchdown.error < 0.10 and touchdown.speed < 1.0
    leaning = max(math.acos(min(1.0, deck.up[2])) for deck in craft.decks)
    assert leaning < math.radians(2.0) if height == 0.0 else leaning > math.radians(2.0)
    assert 0.0 < touchdown.tilt < math.radians(20.0)


LOW, HIGH, OHM, AMPERE_SECONDS = 3.0, 4.0, 0.05, 3600.0


def plain_craft(**changes):
    """A craft on one cell whose voltage at rest rises evenly with the charge, with one resistance and nothing else."""
    nothing, knots = np.zeros(INTERVALS + 1), np.linspace(0.0, 1.0, INTERVALS + 1)
    cell = CRAFT.pack.cell._replace(
        capacity=AMPERE_SECONDS, capacity_slope=0.0, open_circuit=LOW + (HIGH - LOW) * knots,
        resistance=nothing + OHM, fast_resistance=nothing, slow_resistance=nothing, lag=0.0, activation=0.0,
        cutoff_voltage=2.5, full_voltage=HIGH, most_current=math.inf)
    return CRAFT._replace(pack=Pack(cell, 1.0, 1.0), battery=3.5 * AMPERE_SECONDS, nominal_voltage=3.5,
                          charge_power=1000.0, charge_current=2.0, **changes)


def test_a_power_is_drawn_at_the_current_of_a_source_with_a_resistance():
    """P = (U - R I) I, its smaller root; the most thrust goes with the square of the voltage."""
    craft = plain_craft()
    battery = battery_of(craft, 0.5)
    assert battery.draw(0.1 * 10.0, 0.1) == 0.0
    current = (3.5 - math.sqrt(3.5 ** 2 - 4.0 * OHM * 10.0)) / (2.0 * OHM)
    assert battery.current == pytest.approx(current, rel=1e-4)
    assert battery.voltage == pytest.approx(10.0 / current, rel=1e-4)
    assert battery.most_thrust == pytest.approx(craft.most_thrust * (10.0 / current / 3.5) ** 2, rel=1e-3)
    assert not battery.empty


def test_what_cells_cannot_give_is_told():
    """The most at a cutoff of 2.5 V from 3.5 V is 1 V / R times 2.5 V: 50 W; of 80 W for 0.1 s 3 J are lacking."""
    battery = battery_of(plain_craft(), 0.5)
    assert battery.most_power() == pytest.approx(50.0, rel=1e-9)
    assert battery.draw(0.1 * 80.0, 0.1) == pytest.approx(3.0, rel=1e-2)
    assert battery.empty and battery.voltage == pytest.approx(2.5, rel=1e-9)


def test_charging_goes_at_a_constant_current_then_at_the_full_voltage():
    """
    Until U + R I is full at 0.9 of the charge, I = 2 A; then the current fades with R Q / (dU/dz) = 180 s, and ends at
    a twentieth of 1 A.
    """
    battery, currents, volts = battery_of(plain_craft(), 0.5), [], []
    while not battery.charged:
        battery.charge_for(0.1)
        currents.append(-battery.current)
        volts.append(battery.voltage)
    fading = 0.4 * AMPERE_SECONDS / 2.0
    times = 0.1 * np.arange(1, len(currents) + 1)
    wanted = np.where(times < fading, 2.0, 2.0 * np.exp(-(times - fading) / (OHM * AMPERE_SECONDS / (HIGH - LOW))))
    np.testing.assert_allclose(currents[:-1], wanted[:-1], atol=2e-3)
    assert times[-1] == pytest.approx(fading + 180.0 * math.log(2.0 / 0.05), rel=2e-3)
    assert max(volts) == pytest.approx(HIGH, abs=1e-3)
    assert battery.charge_for(10.0) == 0.0


def test_charge_is_kept_and_a_round_trip_loses_what_the_resistance_takes():
    """Charged and discharged at about 1 A: the terminals lose I^2 R, the charge nothing."""
    craft = plain_craft()._replace(charge_current=1.0)
    battery = battery_of(craft, 0.4)
    for _ in range(6000):
        battery.charge_for(0.1)
    assert battery.charge == pytest.approx(0.4 - battery.carried / AMPERE_SECONDS, rel=1e-12)
    gained = -battery.given
    while battery.charge > 0.4:
        battery.draw(0.1 * 3.5, 0.1)
    assert gained - (battery.given + gained) == pytest.approx(2.0 * OHM * 600.0, rel=0.03)


def test_a_counter_knows_no_voltage_and_ends_at_nothing():
    battery = battery_of(COUNTED, 0.001)
    assert math.isnan(battery.voltage) and battery.most_thrust == COUNTED.most_thrust
    assert battery.most_power() == math.inf
    left = battery.left
    assert battery.draw(100.0, 1.0) == pytest.approx(100.0 - left)
    assert battery.empty and battery.left == 0.0 and battery.most_power() == 0.0


def test_what_can_be_used_is_less_the_faster_it_is_drawn():
    assert energy_to_use(COUNTED, 0.7, 55.0, 0.2) == pytest.approx(0.5 * COUNTED.battery)
    slow, fast = (energy_to_use(CRAFT, 1.0, watts, 0.0) for watts in (5.0, 100.0))
    assert slow > 1.04 * fast
    gentle = energy_to_use(plain_craft(), 0.6, 0.01, 0.2)  # Hardly a current: all charge at the voltage at rest.
    assert gentle == pytest.approx(AMPERE_SECONDS * 0.4 * (LOW + 0.4), rel=1e-3)


def test_its_kind_is_said():
    assert 'counted' in battery_words(COUNTED) and '3 in series, cutoff 9.0 V' in battery_words(CRAFT)
