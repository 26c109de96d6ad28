"""`usv-energy closure`."""

import json


def test_closure_prints_its_json_figures(cli):
    rows = json.loads(cli('closure', '--json')[1])
    assert [row['wanted_speed_m_s'] for row in rows] == [0.5, 1.0, 1.35]
    lines = cli('closure')[1].splitlines()[-3:]
    for row, line in zip(rows, lines):
        assert line.replace(' %', '').split() == [
            f'{row["speed_m_s"]:.3f}', f'{row["model_power_w"]:.2f}', f'{row["thruster_power_w"]:.2f}',
            f'{100 * row["closure_relative"]:+.2f}', f'{row["model_damping_power_w"]:.2f}',
            f'{row["thruster_damping_power_w"]:.2f}', f'{100 * row["closed_form_relative"]:+.2f}']
