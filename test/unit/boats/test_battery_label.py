"""Batteries by their labels: watt-hours, cells in series, chemistries, and what has two readings."""

from pathlib import Path

import pytest

from usv_energy.boats.battery_sheet import counter_of
from usv_energy.boats.boat_file import battery_from
from usv_energy.boats.outfit import battery_label
from usv_energy.files.errors import InputError


@pytest.mark.parametrize(('text', 'watt_hours'), [
    ('148Wh', 148.0), ('1.2 kWh', 1200.0), ('4S18Ah', 266.4), ('4S 18 Ah', 266.4), ('6S 10000mAh', 222.0),
    ('14.8V 18Ah', 266.4), ('2x148Wh', 296.0), ('2 x 14,8 V 18 Ah', 532.8), ('4S 148Wh', 148.0)])
def test_watt_hours_are_volts_times_ampere_hours(text, watt_hours):
    battery = counter_of(battery_from(battery_label(text, '--battery').entry, Path('boat.yaml')))
    assert battery.capacity_wh == pytest.approx(watt_hours)
    assert battery.initial_state_of_charge == 1.0


@pytest.mark.parametrize(('text', 'chemistry', 'series'), [
    ('4S18Ah LiPo', 'nmc', 4), ('12V 100Ah AGM', 'agm', 6), ('12.8 V 18 Ah LiFePO4', 'lfp', 4),
    ('8S 20Ah lto', 'lto', 8)])
def test_a_named_chemistry_makes_cells(text, chemistry, series):
    label = battery_label(text, '--battery')
    assert (label.entry['chemistry'], label.entry['series']) == (chemistry, series)
    sheet = battery_from(label.entry, Path('boat.yaml'))
    assert sheet.cell.name == chemistry and sheet.capacity_ah == float(label.entry['capacity_ah'])
    assert chemistry in label.words


@pytest.mark.parametrize(('text', 'reason'), [
    ('4S2P 5Ah', '`4S5Ah` or `4S10Ah`'), ('18Ah', 'at which voltage'), ('0Wh', 'is 0'), ('500 W', 'must be the label'),
    ('x', 'must be the label'), ('148Wh big', 'must be the label'),
    ('t1.csv', 'a file is read by `usv-energy identify battery`')])
def test_what_is_no_label_or_has_two_readings_is_refused(text, reason):
    with pytest.raises(InputError, match=f'^--battery is {text!r}.*{reason}'):
        battery_label(text, '--battery')
