"""A flow at the points of a table."""

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import Uniform
from usv_energy.flow.flow_argument import HEADER, Points, lines_of, read_points, records_of, velocities_at

FLOW = Uniform({'speed': 2.0, 'direction_deg': 90.0, 'extent': [0.0, 0.0, 10.0, 10.0]})


class Clock:
    """A flow whose velocity is the time it is asked for, which it counts."""

    def __init__(self):
        self.asked = []

    def velocity(self, t, x, y):
        self.asked.append(t)
        return np.full(x.shape, t), -x, np.full(x.shape, True)


def test_points_stay_in_order_and_each_time_is_asked_for_once():
    flow, points = Clock(), Points(np.array([5.0, 1.0, 5.0, 3.0]), np.arange(4.0), np.zeros(4))
    answer = velocities_at(flow, points)
    assert answer.vx.tolist() == [5.0, 1.0, 5.0, 3.0] and answer.vy.tolist() == [0.0, -1.0, -2.0, -3.0]
    assert flow.asked == [1.0, 3.0, 5.0]


def test_lines_read_back_exactly_and_records_have_none_where_there_is_no_velocity(tmp_path):
    points = Points(np.zeros(2), np.array([0.1 + 0.2, 11.0]), np.full(2, 1.0 / 3.0))
    answer = velocities_at(FLOW, points)
    lines = list(lines_of(answer))
    assert lines[0] == HEADER and lines[2].endswith('nan,nan,0')
    (tmp_path / 'points.csv').write_text('\n'.join(lines))
    np.testing.assert_array_equal(read_points(tmp_path / 'points.csv'), points)
    inside, outside = records_of(answer)
    assert inside['inside'] is True and inside['vy_m_s'] == pytest.approx(2.0)
    assert outside['inside'] is False and outside['vx_m_s'] is None


@pytest.mark.parametrize(('text', 'words'), [
    ('t,x\n0,1\n', "lacks the column 'y'; it has: t, x. Required: t"), ('t,x,y\n', 'no rows'),
    ('t,x,y\n0,1,2\n0,inf,2\n', "line 3: column 'x' is 'inf'; must be a finite number")])
def test_wrong_tables_are_refused_by_line_and_column(tmp_path, text, words):
    (tmp_path / 'points.csv').write_text(text)
    with pytest.raises(InputError, match=words):
        read_points(tmp_path / 'points.csv')
