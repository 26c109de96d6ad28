"""The doubts of a live energy on /diagnostics: those of `usv-energy analyze`, by the same names, the worst first."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Vector3
from harness import steps

from usv_energy.boats.boat_file import read_boat
from usv_energy.powering.energy import Energy
from usv_energy.ros.graph.graph import FlowOptions
from usv_energy.ros.live.live_doubts import LiveDoubts
from usv_energy.studies.analyze import doubts
from usv_energy_msgs.msg import PowerStamped

TOLD = FlowOptions('global', 0.2, 0.0)
ENERGY = Energy(thrust=900.0, unrecovered=0.0, total=1000.0, duration=100.0)


def said_by(one):
    """Return what the accumulator says on /diagnostics, in order, once it has an energy."""
    one.said = []
    one.probe.create_subscription(DiagnosticArray, '/diagnostics', one.said.append, 10)
    last = one.heard['energy'][-1]

    def newest():
        values = [status.values for message in one.said for status in message.status
                  if status.name.endswith('energy_accumulator: energy')]
        return {pair.key: pair.value for pair in values[-1]} if values else {}
    one.until(lambda: newest().get('duration (s)') == f'{last.duration:.3f}')
    return newest()


def names_in(values):
    known = (doubts.NUMBERS, doubts.SIDE_FORCE, doubts.INTEGRATED, doubts.TAKEN_OUT, doubts.HELD_FLOW,
             doubts.not_said(['current', 'wind']), doubts.not_said(['wind']))
    return [key for key in values if key in known]


def test_a_flow_that_nobody_says_stands_first_and_a_step_is_counted(graph):
    one = graph(change={'state_adapter': {'lag': 0.0}})
    for stamp in steps(0.0, 3.0):
        one.tell(stamp, x=stamp + (5.0 if stamp > 1.5 else 0.0))
    values = said_by(one)
    names = names_in(values)
    assert names[0] == doubts.not_said(['current', 'wind'])
    assert names[1] == doubts.NUMBERS and 'taken as right to 3 %' in values[doubts.NUMBERS]
    assert int(values[doubts.TAKEN_OUT].split()[0]) >= 1
    assert values[doubts.INTEGRATED] == '100.0 %; whole'


def test_a_flow_that_is_told_is_no_doubt_and_a_side_force_is(graph):
    """A sway of 0.3 m/s, which no thruster of the boat makes, in a current that does not explain it."""
    one = graph(current=TOLD, change={'state_adapter': {'lag': 0.0}})
    one.tell_all(steps(0.0, 2.0), v=0.3)
    values = said_by(one)
    names = names_in(values)
    assert names[:2] == [doubts.not_said(['wind']), doubts.SIDE_FORCE]
    assert 'look at heading, current, wind or sway drag' in values[doubts.SIDE_FORCE]


def power(status=0, current=(0.3, 0.0), wind=(1.0, 0.0), measured=False):
    msg = PowerStamped(convention='rep103', status=status, current_used=Vector3(x=current[0], y=current[1]),
                       wind_used=Vector3(x=wind[0], y=wind[1]), actuators_measured=measured, total=10.0)
    msg.relative_velocity.linear.x = 0.5
    return msg


def live(*powers, energy=ENERGY, measured=math.nan, modelled=math.nan):
    found = LiveDoubts(read_boat('lutra_prop'))
    for one in powers:
        found.add(one)
    return found.values(energy, measured, modelled)


def test_what_is_old_missing_or_contradicted_is_told_with_its_share():
    values = live(power(), energy=ENERGY._replace(gap_duration=25.0, stale_duration=10.0), measured=800.0,
                  modelled=1000.0)
    assert values[doubts.INTEGRATED].startswith('80.0 %; look at the gaps')
    assert values[doubts.HELD_FLOW].startswith('in 10.0 % of the time')
    assert values[doubts.MEASURED].startswith('+25.0 % of 800.0 J')
    assert next(iter(values)) == doubts.INTEGRATED, '1.5 times the mean power of 25 s is more than all else'


@pytest.mark.parametrize('residual', [0.0, -180.0])
def test_measured_thrusts_are_held_against_the_motion(residual):
    values = live(power(measured=True), energy=ENERGY._replace(residual=residual))
    assert values[doubts.CLOSURE].endswith('small') == (residual == 0.0)
    assert doubts.CLOSURE not in live(power(measured=True), power(measured=False))


@pytest.mark.parametrize(('speed', 'share'), [(0.0, 25.0), (-0.15, 14.0), (0.5, 3.0)])
def test_a_drag_without_std_is_known_less_at_slow_speeds(speed, share):
    """3 %, and 22 % at rest, less with the speed until none is left at 0.3 m/s, of what moves the boat."""
    slow = power()
    slow.relative_velocity.linear.x = speed
    assert f'to {share:.2g} %' in live(slow)[doubts.NUMBERS]


def test_numbers_with_a_std_are_counted():
    found = LiveDoubts(read_boat('blueboat'))
    found.add(power())
    assert found.values(ENERGY, math.nan, math.nan)[doubts.NUMBERS].split()[0].isdigit()


def test_a_reset_begins_anew():
    found = LiveDoubts(read_boat('lutra_prop'))
    found.add(power(status=PowerStamped.TAKEN_OUT))
    assert doubts.TAKEN_OUT in found.values(ENERGY, math.nan, math.nan)
    found.restart()
    assert found.values(ENERGY, math.nan, math.nan) == {}
    found.add(power(current=(0.0, 0.0)))
    values = found.values(ENERGY, math.nan, math.nan)
    assert doubts.TAKEN_OUT not in values and doubts.not_said(['current']) in values
