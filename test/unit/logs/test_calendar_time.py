"""Times of day as seconds, with and without the zeros that a fraction lost."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.calendar_time import calendar_time, noted_times

HERE = Path('a.csv')


def test_a_stamp_is_seconds_since_1970_in_utc():
    found = calendar_time(['2025/04/11 11:15:45.5', '2025-04-11T11:15:46', '2025-04-11 11:15:46.25'], HERE, 't')
    np.testing.assert_allclose(found.seconds - 1744370145.0, [0.5, 1.0, 1.25], atol=1e-6)
    assert found.mended == 0


MOMENT = 1729987080.0  # 2024-10-26T23:58:00Z


@pytest.mark.parametrize('text', [
    '2024-10-26T23:58:00Z', '2024-10-27T01:58:00+02:00', '2024-10-26T18:58:00-0500', '2024-10-27T05:28:00.000+05:30',
    '20241026T235800Z', '2024-10-26 23:58', '2024-10-26t23:58:00z', '10/26/2024 11:58:00 PM', '10/26/24 23:58:00',
    '26.10.2024 23:58:00', '26/10/2024 23:58:00', '26-10-2024 23:58:00,000', '10/26/2024, 11:58:00 p.m.',
    '2024/10/26 23:58:00 UTC', '2024-10-26 11:58:00 PM', '26 Oct 2024 23:58:00', 'Oct 26, 2024 11:58:00 PM',
    'Sat, 26 October 2024 23:58:00 GMT', '2024-10-26-23:58:00.000', '26-OCT-2024 23:58:00',
    # C's and JavaScript's own forms, digits alone, zones by their letters
    'Sat Oct 26 23:58:00 2024', 'Sat Oct 26 23:58:00 UTC 2024', 'Sun Oct 27 2024 01:58:00 GMT+0200 (CEST)',
    '2024-300T23:58:00Z', '2024300 23:58:00', '20241026235800', '20241026 23:58:00', '261024 235800',
    '2024-10-27T01:58:00+02:00[Europe/Berlin]', '2024-10-27 01:58:00 CEST', '2024-10-26 19:58:00 EDT',
    # names of files, Italian spreadsheets, the time first, milliseconds behind a colon, months of others
    '2024.10.26-23.58.00', '2024-10-26 23-58-00', '26/10/2024 23.58.00', '23:58:00 26.10.2024',
    '2024/10/26 23:58:00:000', '26. Oktober 2024 23:58:00', '26 ott 2024 23:58:00'])
def test_one_moment_as_many_write_it(text):
    assert calendar_time([text], HERE, 't').seconds == pytest.approx([MOMENT])


@pytest.mark.parametrize(('text', 'hour'), [('12:58:00 AM', 0), ('1:58:00 AM', 1), ('12:58:00 PM', 12),
                                            ('11:58:00 PM', 23)])
def test_noon_and_midnight_of_twelve_hours(text, hour):
    found = calendar_time([f'10/27/2024 {text}'], HERE, 't')
    assert found.seconds == pytest.approx([MOMENT + 60.0 * 2.0 + 3600.0 * hour + 60.0 * 58.0])


def test_the_order_of_day_and_month_is_that_of_the_row_that_shows_it():
    american = calendar_time(['1/2/2024 00:00:00', '1/13/2024 00:00:00'], HERE, 't')
    european = calendar_time(['1/2/2024 00:00:00', '13/2/2024 00:00:00'], HERE, 't')
    assert np.diff(american.seconds) == pytest.approx([11 * 86400.0])
    assert np.diff(european.seconds) == pytest.approx([12 * 86400.0])
    assert not american.unsure_order and not european.unsure_order
    assert calendar_time(['1/2/2024 00:00:00'], HERE, 't').unsure_order


def test_a_zone_may_be_said_by_its_name():
    summer, winter = calendar_time(['2024-07-01 12:00:00 Europe/Berlin', '2024-12-01 12:00:00.5 Europe/Berlin'], HERE,
                                   't').seconds
    assert summer == datetime(2024, 7, 1, 10, tzinfo=timezone.utc).timestamp()
    assert winter == datetime(2024, 12, 1, 11, tzinfo=timezone.utc).timestamp() + 0.5
    for text in ('2024-07-01 12:00:00 Europe/Nowhere', '2024-02-31 12:00:00 Europe/Berlin'):
        with pytest.raises(InputError, match='is no time'):
            calendar_time([text], HERE, 't')


def test_summer_time_that_ends_is_no_step_where_the_zone_is_said():
    found = calendar_time(['2024-10-27T02:59:59+02:00', '2024-10-27T02:00:00+01:00'], HERE, 't')
    assert np.diff(found.seconds) == pytest.approx([1.0]) and found.zoned


@pytest.mark.parametrize(('texts', 'says'), [
    (['2024-10-27T00:00:00Z', '2024-10-27T00:00:01'], "row 2: '2024-10-27T00:00:01' has no zone, other than row 1"),
    (['13/2/2024 00:00:00', '1/13/2024 00:00:00'], "row 2: '1/13/2024 00:00:00' has the month first"),
    (['2024-10-27T00:00:00', '00:00:01'], "row 2: '00:00:01' has no date, other than row 1"),
    (['2024-05-01T23:59:00.000', '2024-05-01T23:59:00.00Z'], "row 2: '2024-05-01T23:59:00.00Z' has a zone"),
    (['2/30/2024 00:00:00 AM'], 'is no time'), (['10/27/2024 13:00:00 PM'], 'is no time')])
def test_what_does_not_go_together_is_named(texts, says):
    with pytest.raises(InputError, match=says):
        calendar_time(texts, HERE, 't')


def test_nanoseconds_without_leading_zeros_are_put_right():
    texts = ['2025/04/11 11:51:09.972332948', '2025/04/11 11:51:10.97739016', '2025/04/11 11:51:10.303128095',
             '2025/04/11 11:51:11.49365']
    found = calendar_time(texts, HERE, 't')
    np.testing.assert_allclose(found.seconds - 1744372269.0, [0.972332948, 1.097739016, 1.303128095, 2.000049365],
                               atol=1e-6)
    assert found.mended == 2


def test_a_fraction_that_never_makes_time_go_back_is_read_as_it_stands():
    found = calendar_time([f'2025/04/11 11:51:09.{part}' for part in ('5', '625', '97233294')], HERE, 't')
    np.testing.assert_allclose(np.diff(found.seconds), [0.125, 0.34733294], atol=1e-6)
    assert found.mended == 0


@pytest.mark.parametrize('text', ['25:15:45', '2025/13/11 11:15:45', '2025/04/11 11:15:45.1.2', 'soon', '',
                                  '1' * 200_000])
def test_what_is_no_time_is_named(text):
    with pytest.raises(InputError, match=r"a.csv: column 't', row 2: .* is no time; must be like '2025/04/11"):
        calendar_time(['2025/04/11 11:15:45', text], HERE, 't')


def test_of_two_readings_in_which_time_never_goes_back_the_plain_one_is_taken():
    """Nanoseconds beside a tenth: 0.5 s after 11 s, or 5 ns after it, but nothing says that zeros were lost."""
    found = calendar_time(['2025/04/11 11:51:10.100000000', '2025/04/11 11:51:11.5'], HERE, 't')
    assert found.seconds[1] - found.seconds[0] == pytest.approx(1.4, abs=1e-6)
    assert found.mended == 0


def test_times_of_one_form_are_read_at_once_and_alike():
    """numpy's reading of whole columns against that of each text: a row of another form makes it take that one."""
    texts = [f'2024-10-27T00:59:{second:02d}.250+02:00' for second in range(60)]
    at_once, one_by_one = calendar_time(texts, HERE, 't'), calendar_time([*texts, '2024-10-27T01:00:00+02:00'], HERE,
                                                                         't')
    np.testing.assert_allclose(at_once.seconds, one_by_one.seconds[:-1], atol=1e-6)
    assert at_once.zoned and at_once.seconds[0] == pytest.approx(MOMENT - 3539.75, abs=1e-3)


def test_times_without_a_date_go_on_over_midnight():
    found = calendar_time(['23:59:58', '23:59:59.5', '00:00:01', '00:00:02.5'], HERE, 't')
    np.testing.assert_allclose(np.diff(found.seconds), [1.5, 1.5, 1.5])


def test_the_hour_that_comes_twice_counts_twice():
    notes = []
    texts = [f'2024-10-27 02:59:{second:02d}' for second in range(50, 60)]
    later = [f'2024-10-27 02:00:{second:02d}' for second in range(10)]
    found = noted_times([*texts, *later], HERE, 't', notes)
    np.testing.assert_allclose(np.diff(found), 1.0)
    assert [note.code for note in notes] == ['hour_twice']


def test_the_hour_that_is_left_out_is_no_hole():
    """On the last Sunday of March; on another day, or at another minute, it is one."""
    for day, minute, code in (('2024-03-31', 0, 'hour_skipped'), ('2024-03-30', 0, None), ('2024-03-31', 30, None)):
        notes = []
        texts = [f'{day} 01:{(minute - 1) % 60:02d}:{second:02d}' for second in range(50, 60)]
        texts = [text.replace(' 01:', ' 02:') for text in texts] if minute else texts
        later = [f'{day} 03:{minute:02d}:{second:02d}' for second in range(10)]
        found = noted_times([*texts, *later], HERE, 't', notes)
        assert np.diff(found).max() == pytest.approx(1.0 if code else 3601.0)
        assert [note.code for note in notes] == ([code] if code else [])


def test_a_clock_that_was_set_back_is_no_hour_that_comes_twice():
    notes = []
    found = noted_times(['2024-10-27 02:59:58', '2024-10-27 02:59:59', '2024-10-27 02:30:00'], HERE, 't', notes)
    assert np.diff(found)[-1] < 0.0 and not notes


@pytest.mark.parametrize('form', ['%d.%m.%Y %H:%M:%S,%f', '%m/%d/%Y %I:%M:%S %p', '%Y/%m/%d %H:%M:%S.%f+02:00',
                                  '%H:%M:%S'])
def test_many_stamps_of_one_form_are_what_each_is_by_itself(form):
    """Over midnight; a wrong one is named by its row."""
    begin = datetime(2024, 5, 13, 23, 58, tzinfo=timezone.utc)
    texts = [(begin + timedelta(seconds=0.5 * k)).strftime(form) for k in range(600)]
    many = calendar_time(texts, HERE, 't')
    one_by_one = [calendar_time([text], HERE, 't').seconds[0] for text in texts]
    assert (many.seconds - one_by_one) % 86400.0 == pytest.approx(0.0)
    with pytest.raises(InputError, match='row 301'):
        calendar_time([*texts[:300], texts[300].replace(':', ';'), *texts[301:]], HERE, 't')


@pytest.mark.parametrize(('texts', 'seconds', 'said'), [
    (['0:00', '0:01', '1:00'], [0.0, 1.0, 60.0], True), (['58:59', '59:59', '00:01'], [3539.0, 3599.0, 3601.0], True),
    (['09:00', '09:01', '10:00'], [32400.0, 32460.0, 36000.0], False)])
def test_two_numbers_are_minutes_and_seconds_where_they_are_no_time_of_day(texts, seconds, said):
    found = noted_times(texts, HERE, 't', notes := [])
    np.testing.assert_allclose(found, seconds)
    assert [note.code for note in notes] == ['minutes_seconds'] * said


def test_days_since_a_start_as_pandas_writes_them():
    np.testing.assert_allclose(calendar_time(['0 days 00:00:01', '0 days 00:00:02.5'], HERE, 't').seconds, [1.0, 2.5])


def test_minutes_and_seconds_of_a_spreadsheet_go_on_over_the_hour():
    found = calendar_time(['59:58.5', '59:59.5', '00:00.5'], HERE, 't')
    np.testing.assert_allclose(np.diff(found.seconds), 1.0)
    assert found.seconds[0] == 3598.5
