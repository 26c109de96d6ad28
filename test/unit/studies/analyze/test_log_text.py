import math
from dataclasses import replace

import numpy as np
from analyze_files import BOAT, straight

from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.log_text import check_rows, log_text


def test_the_shares_of_the_causes_add_up_to_all():
    text = log_text(log_report(analysed_log(straight(), BOAT)))
    rows = text.split('cause ')[1].split('\n\n')[0].splitlines()[1:]
    assert [row.split('  ')[0] for row in rows] == ['damping', 'wind and air drag']
    assert math.isclose(sum(float(row.split()[-2]) for row in rows), 100.0, abs_tol=0.1)


def test_what_was_assumed_is_said_and_lines_fit():
    text = log_text(log_report(analysed_log(straight(), BOAT)))
    assert 'none on average  (assumed still)' in text
    looked_at = text.split('Look at this\n')[1]
    assert 'the log has no water current' in looked_at
    assert max(map(len, text.splitlines())) <= 120


def test_only_what_the_log_holds_is_checked():
    assert check_rows(log_report(analysed_log(straight(), BOAT))) == []
    analysed = analysed_log(straight(), BOAT)
    log = replace(straight(), extra={'energy_j': 1.25 * np.asarray(analysed.integral.so_far())})
    (name, said), = check_rows(log_report(analysed_log(log, BOAT)))
    assert name == 'energy recorded live' and said.endswith('-20.000 %')


def test_lines_fit_however_much_there_is_to_say():
    thrust = np.column_stack([np.full(400, 3.0), np.full(400, 30.0)])
    noisy = straight(thrust=thrust, thrusters=BOAT.thruster_names, v=np.full(400, 0.3),
                     electrical_power=np.full(400, 17.3))
    text = log_text(log_report(analysed_log(noisy, BOAT)))
    assert 'allocation: ' in text and 'measured electrical energy: ' in text
    assert max(map(len, text.splitlines())) <= 120


def test_nothing_is_said_as_minus_nought_or_in_tiny_watt_hours():
    text = log_text(log_report(analysed_log(straight(thrust=np.full((400, 2), 8.2), thrusters=BOAT.thruster_names),
                                            BOAT)))
    assert '-0.0 %' not in text and 'e-1' not in text
