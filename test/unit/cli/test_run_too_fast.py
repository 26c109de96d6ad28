"""`usv-energy run` of a scenario that wants more speed than its boat has."""

import json


def test_a_speed_out_of_reach_is_said_before_and_the_goal_missed_after(cli, yaml_file):
    """Full thrust does not make it in 15 s: the boat's name, what it can, and status 3, which is no error of input."""
    scenario = yaml_file('base: "1"\nspeed: {mode: over_ground, target: 3.0}\nstop: {timeout: 15.0}\npublished: null\n',
                         'fast.yaml')
    status, out, err = cli('run', scenario)
    assert status == 3
    assert err.splitlines()[0] == (
        'usv-energy: fast: speed.target is 3 m/s over ground; towards waypoint 1 the boat lutra_prop can hold at most '
        '1.36 m/s there, so it goes at full thrust')
    assert 'fast: the goal was not reached (timed_out); the figures are of 15.00 s' in out


def test_a_speed_that_the_boat_has_is_no_word_worth(cli):
    status, out, err = cli('run', '5', '--json', '-')
    assert status == 0 and json.loads(out)[0]['outcome'] == 'reached'
    assert 'speed.target' not in err
