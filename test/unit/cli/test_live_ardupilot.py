"""`usv-energy live` on the link of a real ArduPilot Rover (SITL), which drives a boat of `usv-energy hil`."""

import pytest
from ardurover_rig import ABSENT, BINARY, Rover

from usv_energy.live.announcer import VALUES

NEEDS = ('pymavlink',)
STILL = '--current', '0,0', '--wind', '0,0'


@pytest.mark.skipif(BINARY is None, reason=ABSENT)
def test_a_mission_of_a_real_ardupilot_takes_what_analyze_says_of_its_logs(tmp_path):
    """Within 1 % of both logs and of the boat; a second client hears the values, and ArduPilot has no complaint."""
    rover = Rover(tmp_path, 'blueboat', STILL)
    try:
        rover.watch()
        rover.drive([(0.0, 15.0), (10.0, 15.0)], 1.0, 200.0)
        rover.hear(3.0)
    finally:
        rover.close()
    energies = rover.answers()
    for name in ('boat', 'tlog', 'bin'):
        assert energies['live'] == pytest.approx(energies[name], rel=0.01), name
    values = {message.name for message in rover.heard['NAMED_VALUE_FLOAT']}
    assert {'UE_POWER_W', 'UE_USED_WH', 'UE_HOME_WH', 'UE_MARG_WH'} <= values <= set(VALUES)
    assert not any('No ap_message' in message.text for message in rover.heard['STATUSTEXT'])
