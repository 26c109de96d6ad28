"""What a mission says of a pack, as lines: numbers with their intervals, and what is not told."""

from usv_energy.studies.identify.cells.cell_report import PACK_SHOWN, pack_text

NUMBER = {'value': 0.1, 'interval': [0.09, 0.11], 'told': True}
SUMMARY = {'log': 'my.bin', 'boat': 'four', 'duration_s': 1800.0, 'left_out_s': 0.0, 'drawn_ah': 2.5,
           'charge_at_end': 0.6, 'voltage_rms_v': 0.012, 'numbers': {one[0]: NUMBER for one in PACK_SHOWN.values()},
           'resistance_factor': {'value': 1.25, 'interval': [1.2, 1.3], 'told': True}, 'not_told': {}, 'notes': []}


def test_numbers_have_their_intervals_in_the_units_of_their_names():
    lines = pack_text(SUMMARY).splitlines()
    assert lines[0] == 'my.bin: 30.0 min, 2.50 Ah drawn, down to 60 % of the charge'
    assert any(line.split() == ['resistance', 'to', '10', 's,', 'mOhm', '100', '90', 'to', '110'] for line in lines)
    assert '1.25 times (1.2 to 1.3) that of four' in pack_text(SUMMARY) and '12 mV' in pack_text(SUMMARY)


def test_what_is_not_told_stands_at_the_end_with_the_reason():
    untold = {**SUMMARY, 'numbers': {**SUMMARY['numbers'], 'capacity_ah': {**NUMBER, 'told': False}},
              'not_told': {'capacity_ah': 'too little was drawn'}}
    assert pack_text(untold).splitlines()[-1] == '  - capacity: too little was drawn'
