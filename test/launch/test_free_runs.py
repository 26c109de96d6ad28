"""A free pace with a process a node, and what a recorder that was killed leaves."""

import signal

from free_runs import faults_of_run
from launched import COMPOSE
from nav_msgs.msg import Odometry

from usv_energy.logs.bags.bag import read_bag
from usv_energy.ros.framework import qos
from usv_energy.sim.run_files import read_samples
from usv_energy.sim.scenario import read_scenario

PACE = 2.0
LOST = 2.0  # s of wall time: one by the recorder's promise, another for a busy machine.


def test_driver_table_summary_and_bag_agree_at_a_free_pace(start, tmp_path):
    """The simulator's process comes first, before there is anybody who could hear it."""
    path = tmp_path / 'short.yaml'
    path.write_text('base: "6"\nwaypoints: [{x: 245.0, y: 95.0}]\n')
    assert faults_of_run(read_scenario(str(path)), 4.0, tmp_path, start) == []


def test_a_recorder_that_is_killed_loses_a_second_at_most(start, probe, tmp_path):
    heard = []
    probe.node.create_subscription(
        Odometry, 'odom', lambda msg: heard.append(msg.header.stamp.sec + 1e-9 * msg.header.stamp.nanosec), qos.STREAM)
    process = start(*COMPOSE, 'scenario', '--scenario', '1', '--pace', str(PACE), '--out', tmp_path, '--no-plots')
    probe.until(lambda: heard and heard[-1] > 6.0, f'6 simulated s\n{process.output()}')
    process.interrupt(signal.SIGKILL)
    assert process.exit_code() == -signal.SIGKILL
    folder = tmp_path / '1_rep103'
    log = read_bag(folder / 'bag')
    assert [note.text for note in log.warnings if note.code == 'bag_damaged']
    assert log.time[0] == 0.0
    assert log.time[-1] > 6.0 - LOST * PACE
    text = (folder / 'samples.csv').read_text()
    (folder / 'whole.csv').write_text(text[:text.rindex('\n') + 1])
    assert read_samples(folder / 'whole.csv')[-1].time > 6.0 - LOST * PACE
