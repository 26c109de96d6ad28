"""What Plan shows of a study: the way on the map, its levels, tables as text."""

import re

import numpy as np
import pytest

from usv_energy.earth import KNOT
from usv_energy.files.work import no_progress
from usv_energy.web.plan_inputs import read_plan, study_of

NEEDS = ('nicegui',)


@pytest.fixture
def studied(tmp_path):
    """Return plan and study of a square in a current: two of its legs cost more, a name has markup in it."""
    path = tmp_path / 'square.gpx'
    places = [(45.6, 9.55), (45.6, 9.552), (45.6014, 9.552), (45.6014, 9.55)]
    path.write_text('<gpx><rte>' + ''.join(f'<rtept lat="{north}" lon="{east}"><name>&lt;b&gt;{number}</name></rtept>'
                                           for number, (north, east) in enumerate(places)) + '</rte></gpx>')
    plan = read_plan({'file': str(path), 'boat': 'lutra_prop', 'speed': '1 m/s', 'current': '0.2 m/s set 090'})
    return plan, study_of(plan, None, no_progress), places


def test_the_way_lies_where_the_plan_says_and_dear_legs_are_coloured_so(studied):
    from usv_energy.web.plan_views import drawn_way
    _, study, places = studied
    drawn = drawn_way(study, knots=False)
    np.testing.assert_allclose(drawn.places, places, atol=1e-7)
    levels = [level for level, _, _ in drawn.legs]
    assert levels[2] == max(levels) > levels[0] == min(levels), 'against the current, and with it'
    assert re.match(r'leg 1: \d+\.\d m, 090°, 1\.00 m/s, [\d.]+ W, [\d.]+ % at its end', drawn.legs[0][1])
    assert not any(dashed for _, _, dashed in drawn.legs)


def test_the_verdict_says_what_the_boat_file_lacks(studied):
    from usv_energy.web.plan_views import verdict_of
    _, study, _ = studied
    assert "Missing in the file of lutra_prop: the motors' losses and a hotel load" in verdict_of(study, True).reason


def test_names_are_text_in_every_table(studied):
    from usv_energy.web import plan_views as views
    plan, study, _ = studied
    shown = ''.join((views.legs_table(study, True), views.speeds_table(study, True), views.causes_table(study),
                     views.notes_of(study, plan.itinerary, True)))
    assert '<b>' not in shown and '&lt;b&gt;1' in shown


@pytest.mark.parametrize(('knots', 'own', 'other'), [(True, r'\d kn\b', r'\d m/s'), (False, r'\d m/s', r'\d kn\b')])
def test_speeds_are_in_one_unit_everywhere(studied, knots, own, other):
    from usv_energy.web import plan_views as views
    plan, study, _ = studied
    verdict = views.verdict_of(study, knots)
    for shown in (views.legs_table(study, knots), views.notes_of(study, plan.itinerary, knots), ' '.join(verdict.more)):
        assert re.search(own, shown) and not re.search(other, shown)
    speeds = re.findall(r'scope="row">([\d.]+)<', views.speeds_table(study, knots))
    assert [float(text) for text in speeds] == pytest.approx(
        sorted(row.speed / (KNOT if knots else 1.0) for row in study.speeds), abs=0.051)
    assert len(speeds) > 2


def test_a_variant_stands_beside_itself_without_a_difference(studied):
    from usv_energy.web.plan_views import Variant, comparison_table
    _, study, _ = studied
    text = comparison_table(Variant('kept plan', 'boat <i>', study), Variant('this plan', '', study))
    assert '+0 Wh' in text and '+0.0 s' in text and '+0 points' in text and '&lt;i&gt;' in text
