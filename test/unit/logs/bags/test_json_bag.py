"""An MCAP file whose messages are JSON."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from needs import NEEDS_ROSBAGS

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.bags.json_bag import json_log
from usv_energy.logs.read_log import read_log

SOURCE = Source('a', Path('a.mcap'))


def test_of_two_vehicles_the_system_that_is_said_is_taken():
    """System 2 goes 2 m/s, system 1 goes 1 m/s; without a choice both are named, and --odom would be no remedy."""
    topics = {f'mavlink/{system}/1/{kind}': system for system in (1, 2) for kind in ('ATTITUDE', 'LOCAL_POSITION_NED')}

    def batches(wanted):
        for topic in sorted(wanted):
            speed = topics[topic]
            fields = [{'time_boot_ms': 1000 * k, 'yaw': 0.0, 'yawspeed': 0.0, 'x': speed * k, 'y': 0.0, 'vx': speed,
                       'vy': 0.0} for k in range(60)]
            yield SimpleNamespace(topic=topic, times=1_000_000_000 * np.arange(60),
                                  each=lambda fields=fields: map(json.dumps, fields))
    files = [SimpleNamespace(path=SOURCE.path, faults=[], batches=batches)]
    for system in (1, 2):
        np.testing.assert_allclose(json_log(files, set(topics), SOURCE, system).u, system)
    with pytest.raises(InputError, match='--system'):
        json_log(files, set(topics), SOURCE)


@NEEDS_ROSBAGS
@pytest.mark.parametrize('encoding', ['cbor', 'protobuf', 'ros1'])
def test_other_encodings_are_refused_by_their_name(tmp_path, encoding):
    import east_bags
    east_bags.bag_of_foxglove(tmp_path / 'a.mcap', encoding)
    with pytest.raises(InputError, match=rf'a\.mcap: its messages are encoded as {encoding}; must be cdr.*or json'):
        read_log(tmp_path / 'a.mcap')
