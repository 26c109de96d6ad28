"""The text and the JSON of an identification."""

import re

from usv_energy.studies.identify.rollout.rollout_report import identification_summary, identification_text


def test_text_and_json_hold_the_same_figures(identified):
    summary, text = identification_summary(identified), identification_text(identified)
    validation = summary['validation'][-1]
    assert validation['log'] == 'all' and f'{validation["surge_rmse_m_s"]:.3f}' in text
    assert {row['key'] for row in summary['parameters']} == set(identified.found.model.keys)
    assert re.search(r'^thrust.scale +1  0\.\d+ to 1\.\d+ +- .* prior$', text, re.MULTILINE)
