"""What is entered on Plan is read as the command reads it; each fault is said with its field."""

import json
import math
import pickle
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.work import no_progress
from usv_energy.studies.mission.mission_study_text import mission_study_figures
from usv_energy.web.plan_inputs import (
    FieldError,
    command_of,
    corners_of_flows,
    first_study_of,
    fitted_boat,
    flow_sliders,
    flows_of,
    quick_study_of,
    read_plan,
    study_of,
)


@pytest.fixture
def survey(cli, tmp_path, monkeypatch):
    """Return the path of a plan of 5 lanes in the working folder."""
    monkeypatch.chdir(tmp_path)
    cli('mission', 'make', 'lawnmower', '--size', 200, 100, '--spacing', 25, '--at', 45.6073, 9.5524, '--speed', 0.7,
        '--out', 'survey.plan')
    return str(tmp_path / 'survey.plan')


ENTERED = {
    'as the plan says': {'boat': 'lutra_prop'},
    'all fields': {'boat': 'lutra_prop', 'battery': '4S18Ah', 'charge': '90', 'hotel': '12', 'payload': '3',
                   'reserve': '30', 'current': '0.4 kn set 060', 'wind': '6 kn from NE', 'speed': '1.6 kn',
                   'depart': '0,3600,1200'},
    'cells and intervals': {'boat': 'blueboat_watts_only', 'current': '0.1 m/s set 090', 'reserve': '20'},
    'too fast': {'boat': 'lutra_prop', 'speed': '9 m/s'}}


@pytest.mark.parametrize('entered', ENTERED.values(), ids=ENTERED)
def test_the_study_is_that_of_the_command(cli, survey, entered):
    """The command that the page shows prints the figures of the page, to the last digit."""
    texts = {'file': survey, **entered}
    study = study_of(read_plan(texts), None, no_progress)
    _, said, _ = cli(*shlex.split(command_of(texts))[1:], '--json', '-')
    figures = json.loads(said)
    assert json.loads(json.dumps(mission_study_figures(study))) == figures
    assert figures['legs']


FAULTS = {
    'file': ({'file': 'none.plan'}, 'there is no such file'), 'boat': ({'boat': 'luttra_prop'}, 'Did you mean'),
    'battery': ({'battery': 'large'}, "battery is 'large'; must be the label"),
    'charge': ({'charge': '101'}, 'must be from 0 to 100 %'), 'hotel': ({'hotel': '-1'}, 'must be a number of W'),
    'payload': ({'payload': 'nan'}, 'must be a number of kg'), 'reserve': ({'reserve': 'x'}, 'must be from 0 to 100 %'),
    'current': ({'current': '0.4 kn'}, 'current is'), 'wind': ({'wind': 'storm'}, 'wind is'),
    'speed': ({'speed': '0 kn'}, 'must be above 0'),
    'depart': ({'depart': '1e308'}, "depart is '1e308'; must be from 0 to 315576000 s")}


@pytest.mark.parametrize('field', FAULTS)
def test_a_fault_is_said_with_its_field(survey, field):
    changed, sentence = FAULTS[field]
    with pytest.raises(FieldError, match=sentence) as caught:
        read_plan({'file': survey, 'boat': 'lutra_prop', **changed})
    assert caught.value.field == field


def test_a_first_answer_is_the_whole_one_where_the_corners_are_known(survey):
    """With the corners' own costs only intervals and advice are missing; at another speed corners are scaled."""
    texts = {'file': survey, 'boat': 'lutra_prop', 'current': '0.4 kn set 060'}
    plan = read_plan(texts)
    whole = study_of(plan, None, no_progress)
    first = first_study_of(plan, whole.corners)
    assert first.energy == whole.energy and first.verdict == whole.verdict
    np.testing.assert_array_equal(first.charge, whole.charge)
    faster = read_plan({**texts, 'speed': '0.9'})
    assert faster.boat == plan.boat
    exact = study_of(faster, None, no_progress)
    assert first_study_of(faster, whole.corners).energy == pytest.approx(exact.energy, rel=0.02)
    assert quick_study_of(plan, plan, whole.corners).energy == whole.energy
    assert quick_study_of(read_plan({**texts, 'boat': 'otter'}), plan, whole.corners) is None
    assert quick_study_of(plan, None, None) is None


class Tide:
    """A current along the lanes, 0.2 m/s sin(2 pi t / 3000 s)."""

    path = Path('tide.yaml')

    def velocity(self, t, x, y):
        return np.full(x.shape, 0.2 * math.sin(math.tau * t / 3000.0)), np.zeros(x.shape), np.ones(x.shape, dtype=bool)


def test_a_first_answer_has_few_of_many_departures(survey):
    """With the corners of the cheapest departure: they are a twelfth of the energy, and differ by less than half."""
    plan = read_plan({'file': survey, 'boat': 'lutra_prop', 'depart': '0,3000,100'})
    scenario = replace(plan.placed.scenario, current=Tide())
    plan = plan._replace(placed=replace(plan.placed, scenario=scenario))
    whole = study_of(plan, None, no_progress)
    first = pickle.loads(pickle.dumps(first_study_of(plan, whole.corners)))    # As it comes from the second process.
    assert whole.departures.departure.size == 31 and first.departures.departure.size == 16
    assert first.departures.departure == pytest.approx(whole.departures.departure[::2])
    assert first.departures.energy == pytest.approx(whole.departures.energy[::2], rel=0.04)
    assert np.ptp(whole.departures.energy) > 0.1 * whole.energy
    assert first.departure == first.departures.departure[first.departures.best]


def test_a_file_that_has_changed_is_read_again(cli, survey, tmp_path):
    before = read_plan({'file': survey, 'boat': 'lutra_prop'}).placed.scenario.waypoints
    cli('mission', 'make', 'lawnmower', '--size', 300, 100, '--spacing', 50, '--at', 45.6, 9.55, '--out', survey)
    assert read_plan({'file': survey, 'boat': 'lutra_prop'}).placed.scenario.waypoints != before


def test_a_flow_file_is_opened_once_and_dates_the_departure(cli, survey, samples, monkeypatch):
    """A slider reads all fields anew; when nobody says when the boat departs, that is said as the command says it."""
    monkeypatch.chdir(samples)
    texts = {'boat': 'lutra_prop', 'current': 'bay.nc', 'depart': ''}
    boat = fitted_boat(texts)
    assert flows_of(texts, boat)[0] is flows_of(texts, boat)[0]
    with pytest.raises(FieldError, match='when the boat departs is not said') as caught:
        read_plan({'file': survey, **texts})
    _, _, said = cli('mission', survey, '--boat', 'lutra_prop', '--current', 'bay.nc')
    assert str(caught.value).replace('depart ', '--depart ') in said and caught.value.field == 'depart'


def test_no_page_loads_the_largest_libraries(samples, survey, tmp_path):
    """A plan in a netCDF file's flow, with cells, and a made boat: scipy takes 27 MB, dask 24 and pyarrow 34."""
    xarray = pytest.importorskip('xarray')
    with xarray.open_dataset(samples / 'bay.nc', decode_times=False) as data:
        data.load().to_netcdf(tmp_path / 'bay.nc', engine='netcdf4')
    script = """if True:
        import sys
        from pathlib import Path
        import numpy as np
        from usv_energy.files.optional import leave_out
        from usv_energy.web.background import UNUSED
        from usv_energy.web.boat_of_facts import made_of
        from usv_energy.web.plan_inputs import read_plan
        leave_out(*UNUSED)
        made_of({'hull.kind': 'catamaran', 'hull.length': '2.0', 'hull.width': '1.08', 'mass': '65',
                 'speeds': '1.5, 150'}, Path('made_boat.yaml'))
        texts = {'file': sys.argv[1], 'boat': 'lutra_prop', 'battery': '4S18Ah'}
        plan = read_plan({**texts, 'current': 'bay.nc', 'depart': '2024-05-01T02:00Z'})
        plan.placed.scenario.current.velocity(plan.departures.seconds[0], np.zeros(1), np.zeros(1))
        loaded = {name for name, one in sys.modules.items() if one is not None}
        print(sorted(loaded & {'xarray', 'scipy', 'dask', 'pyarrow'}))
        """
    done = subprocess.run([sys.executable, '-c', script, survey], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "['xarray']\n", done.stderr


def test_a_flow_without_a_plan_says_where_the_map_looks(samples, monkeypatch):
    xarray = pytest.importorskip('xarray')
    monkeypatch.chdir(samples)
    north, east = np.array(corners_of_flows({'boat': 'lutra_prop', 'wind': '6 kn from NE', 'current': 'bay.nc'})).T
    with xarray.open_dataset('bay.nc') as data:
        for found, name in ((north, 'latitude'), (east, 'longitude')):
            ends = float(data[name].min()), float(data[name].max())
            assert (found.min(), found.max()) == pytest.approx(ends, abs=1e-3)
    assert corners_of_flows({'boat': 'lutra_prop', 'current': '0.4 kn set 060'}) == []
    assert corners_of_flows({'boat': 'lutra_prop', 'current': 'gone.nc'}) == []


@pytest.mark.parametrize(('text', 'name', 'unit', 'sliders'), [
    ('0.4 kn set 060', 'current', 'kn', (0.4, 60.0)), ('6 kn from NE', 'wind', 'kn', (6.0, 45.0)),
    ('3 m/s from 350', 'wind', 'm/s', (3.0, 350.0)), ('0.5,90', 'current', 'm/s', (0.5, 0.0)),
    ('tide.nc', 'current', 'kn', (0.0, 0.0)), ('5', 'wind', 'kn', (0.0, 0.0)), ('', 'wind', 'kn', (0.0, 0.0))])
def test_sliders_stand_where_a_phrase_says(text, name, unit, sliders):
    assert flow_sliders(text, name, unit) == sliders
