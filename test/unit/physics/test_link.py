"""From modem to modem: Thetis's ranges, closed forms of spreading, directivity."""

import math

import pytest

from usv_energy.earth import KNOT
from usv_energy.physics.acoustics import (
    AcousticSea,
    Modem,
    SeaWater,
    gain,
    margin,
    modem_range,
    overlap,
    received_level,
    sending_duration,
    transmission_loss,
)

TAPAC = Modem(177.0, 33e3, 6e3, 15.0, 20.0)
CALM = AcousticSea(wind=5.0 * KNOT, noise='thetis', absorption='thetis')


@pytest.mark.parametrize(('noise', 'expected'), [('thetis_printed', 2787.0), ('thetis', 1845.0)])
def test_thetis_range_by_each_reading(noise, expected):
    """[H] prints 1900 m. By hand at the edge: 177 - 20 log d - 9.6465 d / 1000 = noise + 10 log 6000 + 15."""
    found = modem_range(TAPAC, CALM._replace(noise=noise))
    assert found == pytest.approx(expected, abs=1.0)
    wind = math.sqrt(21.0 * 5.0) if noise == 'thetis_printed' else math.sqrt(21.0) * 5.0
    above = 95.0 + wind - 17.0 * math.log10(33e3) + 10.0 * math.log10(6e3) + 15.0
    assert 177.0 - 20.0 * math.log10(found) - 9.6465e-3 * found == pytest.approx(above, abs=1e-3)


def test_spreading_is_six_decibels_a_doubling():
    quiet = CALM._replace(water=SeaWater(salinity=0.0))
    loss = transmission_loss(200.0, 300.0, quiet._replace(absorption='francois_garrison')) \
        - transmission_loss(100.0, 300.0, quiet._replace(absorption='francois_garrison'))
    assert loss == pytest.approx(20.0 * math.log10(2.0), abs=1e-3)
    assert transmission_loss(0.2, 33e3, CALM) == transmission_loss(1.0, 33e3, CALM)
    shallow = transmission_loss(1000.0, 33e3, CALM._replace(spreading=10.0))
    assert transmission_loss(1000.0, 33e3, CALM) - shallow == pytest.approx(30.0)


def test_no_range_and_no_end():
    assert modem_range(TAPAC._replace(level=50.0), CALM) == 0.0
    lake = AcousticSea(SeaWater(salinity=0.0), wind=0.0)
    assert modem_range(Modem(250.0, 300.0, 10.0, 0.0, 1.0), lake) == math.inf
    assert margin(TAPAC, modem_range(TAPAC, CALM), CALM) == pytest.approx(0.0, abs=1e-6)


def test_a_directed_modem_is_as_its_table_says_and_alike_on_both_sides():
    modem = TAPAC._replace(angles=(0.0, math.pi / 2, math.pi), gains=(0.0, -10.0, -20.0))
    assert received_level(modem, 100.0, CALM) - received_level(modem, 100.0, CALM, math.pi) == pytest.approx(20.0)
    for off in (0.3, 1.7):
        assert float(gain(modem, off)) == pytest.approx(-20.0 * off / math.pi)
        assert float(gain(modem, -off)) == pytest.approx(float(gain(modem, off)))
        assert gain(modem, off + math.tau) == pytest.approx(float(gain(modem, off)))
    assert gain(TAPAC, 2.0) == 0.0


def test_times_and_bands():
    assert sending_duration(TAPAC, 46) == pytest.approx(18.4)
    assert overlap(TAPAC, TAPAC._replace(frequency=38e3))
    assert not overlap(TAPAC, TAPAC._replace(frequency=39e3))
