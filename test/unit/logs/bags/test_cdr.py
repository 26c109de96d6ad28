"""The bulk decoding against rosbags' own."""

import struct
from dataclasses import replace

import numpy as np
import pytest
from bag_files import ODOMETRY, STORE, blank, odometry, vector
from needs import NEEDS_ROSBAGS

from usv_energy.logs.bags.cdr import ENCAPSULATION, LAYOUTS, MessageError, _size_of, decode
from usv_energy.logs.bags.message_blocks import block_of

pytestmark = NEEDS_ROSBAGS


def test_bulk_decoding_of_odometry_agrees_with_rosbags(rng):
    messages = [odometry(float(t), *rng.uniform(-3.0, 3.0, 6), frame='f' * int(rng.integers(0, 9)))
                for t in rng.uniform(0.0, 1e9, 200)]
    for little in (True, False):
        raw = [bytes(STORE.serialize_cdr(message, ODOMETRY, little_endian=little))
               for message in messages]
        seen = 0
        for places, found in decode(ODOMETRY, [block_of(raw)]):
            for row, place in enumerate(places):
                own = STORE.deserialize_cdr(raw[place], ODOMETRY)
                point, turn, twist = own.pose.pose.position, own.pose.pose.orientation, own.twist.twist
                assert (found['sec'][row], found['nanosec'][row]) == (own.header.stamp.sec, own.header.stamp.nanosec)
                assert found['frame_id'] == (own.header.frame_id,)
                assert found['position'][row].tolist() == [point.x, point.y, point.z]
                assert found['orientation'][row].tolist() == [turn.x, turn.y, turn.z, turn.w]
                assert found['linear'][row].tolist() == [twist.linear.x, twist.linear.y, twist.linear.z]
                assert found['angular'][row][2] == twist.angular.z
                seen += 1
        assert seen == len(messages)


def test_every_layout_is_its_messages_own():
    """Each field that a layout names is where rosbags, which has the definitions, puts it."""
    samples = {
        'usv_energy_msgs/msg/PowerStamped': ('total', 41.0), 'usv_energy_msgs/msg/EnergyStamped': ('total', 42.0),
        'usv_energy_msgs/msg/ThrusterPower': ('power', 43.0), 'usv_energy_msgs/msg/BoatState': ('yaw', 44.0)}
    for kind, (field, value) in samples.items():
        message = replace(blank(kind), **{field: value})
        (_, found), = decode(kind, [block_of([bytes(STORE.serialize_cdr(message, kind))])])
        assert found[field][0] == value, kind
    assert set(samples) <= set(LAYOUTS)


def older_message(kind, causes, rate=0):
    """Return the bytes of a message, total 42.0, whose causes are those at some places, with a vector behind them."""
    message = replace(blank(kind), convention='rep103', total=42.0, inertia=7.0, status=0x1234567)
    data = bytes(STORE.serialize_cdr(message, kind))
    data = data[:data.index(struct.pack('<I', 0x1234567)) + 4]  # They ended there.
    begin = data.index(struct.pack('<d', 7.0))
    end = data.index(struct.pack('<d', 42.0)) + 8
    kept = b''.join(data[begin + 8 * place:begin + 8 * place + 8] for place in causes) + struct.pack('<d', 42.0)
    rest = data[end:]
    if kind.endswith('EnergyStamped'):
        return data[:begin] + kept + rest[:40] + rest[64:]  # without what was measured
    behind_current = 96 + 24
    return data[:begin] + kept + rest[:behind_current] + bytes(rate) + rest[behind_current:]


@pytest.mark.parametrize('kind', ['PowerStamped', 'EnergyStamped'])
def test_messages_of_the_first_version_are_read_as_well(kind):
    """They had no foils, side_force, residual and allocation, and PowerStamped a current_rate behind current_used."""
    kind = f'usv_energy_msgs/msg/{kind}'
    older = older_message(kind, (0, 1, 2, 6, 7, 8, 10), rate=24)
    (_, found), = decode(kind, [block_of([older])])
    assert found['total'][0] == 42.0


@pytest.mark.parametrize('kind', ['PowerStamped', 'EnergyStamped'])
def test_messages_without_residual_and_allocation_are_read_as_well(kind):
    kind = f'usv_energy_msgs/msg/{kind}'
    older = older_message(kind, (0, 1, 2, 3, 4, 6, 7, 8, 10))
    (_, found), = decode(kind, [block_of([older])])
    assert found['total'][0] == 42.0


@pytest.mark.parametrize('kind', ['PowerStamped', 'EnergyStamped'])
@pytest.mark.parametrize('loads', [0, 1, 3])
def test_loads_by_name_stand_before_the_total(kind, loads):
    kind = f'usv_energy_msgs/msg/{kind}'
    list_of = 'load_powers' if kind.endswith('PowerStamped') else 'load_energies'
    message = replace(blank(kind), total=42.0, loads=5.0, load_names=['sonar', 'winch', 'modem'][:loads],
                      **{list_of: np.full(loads, 7.0)})
    (_, found), = decode(kind, [block_of([bytes(STORE.serialize_cdr(message, kind))])])
    assert found['total'][0] == 42.0
    assert '' not in found


def test_a_leg_of_any_name_changes_nothing_in_front_of_it():
    kind = 'usv_energy_msgs/msg/EnergyStamped'
    for leg in ('', 'a', 'lane 3', 'x' * 200):
        message = replace(blank(kind), total=42.0, leg=leg)
        (_, found), = decode(kind, [block_of([bytes(STORE.serialize_cdr(message, kind))])])
        assert found['total'][0] == 42.0, leg


def test_short_messages_are_refused():
    with pytest.raises(MessageError):
        decode('std_msgs/msg/Float64', [block_of([b'\0\1\0\0\0\0'])])
    with pytest.raises(MessageError):
        decode('std_msgs/msg/Float64', [block_of([b'\0'])])


FIELDS = {
    'sensor_msgs/msg/BatteryState': {'voltage': 12.5, 'temperature': 21.25, 'current': -3.5, 'charge': 1.5,
                                     'capacity': 2.5, 'design_capacity': 4.5, 'percentage': 0.375},
    'sensor_msgs/msg/NavSatFix': {'latitude': -30.5, 'longitude': 51.25, 'altitude': 7.5},
    'usv_energy_msgs/msg/HomeMargin': {'energy_left': 1.5, 'energy_home': 2.5, 'energy_home_upper': 3.5,
                                       'reserve': 4.5, 'margin': 5.5, 'no_return_duration': 6.5, 'return_home': True}}


@pytest.mark.parametrize('kind', FIELDS)
def test_fields_stand_behind_those_that_are_not_read(kind):
    message = replace(blank(kind), **FIELDS[kind])
    (_, found), = decode(kind, [block_of([bytes(STORE.serialize_cdr(message, kind))])])
    read = {name: value for name, value in FIELDS[kind].items() if name in found}
    assert len(read) >= 3 and {name: found[name][0] for name in read} == read


def test_a_way_home_of_an_older_bag_ends_with_its_message():
    """Place and ring of the home came later, behind all else."""
    kind = 'usv_energy_msgs/msg/HomeMargin'
    margin = replace(blank(kind), **FIELDS[kind], message='far', reach=np.full(72, 9.0))
    whole = bytes(STORE.serialize_cdr(margin, kind))
    for message in (whole, whole[:-72 * 8 - 24]):
        (_, found), = decode(kind, [block_of([message])])
        assert found['margin'][0] == 5.5 and found['no_return_duration'][0] == 6.5 and found['return_home'][0] == 1


def test_an_imu_has_its_covariances_between_its_vectors(rng):
    kind = 'sensor_msgs/msg/Imu'
    message = blank(kind)
    orientation, angular = rng.normal(size=9), rng.normal(size=9)
    rate = replace(message.angular_velocity, x=0.1, y=0.2, z=0.3)
    turn = replace(message.orientation, x=0.5, y=-0.5, z=0.25, w=0.75)
    message = replace(message, orientation=turn, angular_velocity=rate, orientation_covariance=orientation,
                      angular_velocity_covariance=angular)
    (_, found), = decode(kind, [block_of([bytes(STORE.serialize_cdr(message, kind))])])
    assert found['orientation'][0].tolist() == [0.5, -0.5, 0.25, 0.75]
    assert found['angular'][0].tolist() == [0.1, 0.2, 0.3]
    assert found['orientation_covariance'][0].tolist() == orientation.tolist()
    assert found['angular_covariance'][0].tolist() == angular.tolist()


@pytest.mark.parametrize('kind', [ODOMETRY, *(f'{package}/msg/{name}' for package, name in (
    ('geometry_msgs', 'Vector3Stamped'), ('geometry_msgs', 'TwistStamped'), ('std_msgs', 'Float64'),
    ('sensor_msgs', 'JointState'), ('sensor_msgs', 'Imu')))])
def test_a_message_that_ends_one_byte_early_is_refused(kind):
    """Of these types all is in the layout, what is not wanted included."""
    whole = bytes(STORE.serialize_cdr(blank(kind), kind))
    decode(kind, [block_of([whole])])
    with pytest.raises(MessageError, match='are needed'):
        decode(kind, [block_of([whole[:-1]])])


def test_a_text_that_is_longer_than_its_message_is_refused():
    kind = 'std_msgs/msg/Header'
    whole = bytes(STORE.serialize_cdr(blank(kind), kind))
    length = len(whole) - ENCAPSULATION - 12  # After the stamp and the length itself.
    for said in (length, length + 1, len(whole)):
        raw = whole[:ENCAPSULATION + 8] + struct.pack('<I', said) + whole[ENCAPSULATION + 12:]
        if said == length:
            assert decode(kind, [block_of([raw])])
        else:
            with pytest.raises(MessageError, match=f'a text of {said} bytes in a message of {len(whole)}'):
                decode(kind, [block_of([raw])])


@pytest.mark.parametrize('kind', ['PowerStamped', 'EnergyStamped'])
def test_an_older_message_is_told_by_its_length_with_up_to_three_bytes_of_padding(kind):
    field, = (one for one in LAYOUTS[f'usv_energy_msgs/msg/{kind}'] if one.older)
    for number, size in field.older:
        for more in range(-1, 5):
            wanted = number if 0 <= more < 4 else field.size
            # At any place: the causes themselves begin at a multiple of 8 after the encapsulation.
            assert [_size_of(field, at + size + more, ENCAPSULATION + place) for at, place in (
                (ENCAPSULATION + 8, 8), (ENCAPSULATION + 16, 9), (ENCAPSULATION + 16, 16))] == [wanted] * 3


@pytest.mark.parametrize(('code', 'order'), [(0, '>'), (1, '<'), (6, '>'), (7, '<')])
def test_the_last_bit_of_the_encapsulation_says_which_byte_comes_first(code, order):
    """DDS-XTypes 1.3, table 60: CDR and CDR2, big-endian and little-endian."""
    raw = bytes([0, code, 0, 0]) + struct.pack(f'{order}d', 1.5)
    (_, found), = decode('std_msgs/msg/Float64', [block_of([raw])])
    assert found['data'].tolist() == [1.5]


@pytest.mark.parametrize(('kind', 'number', 'size'), [
    ('PowerStamped', 7, 236), ('PowerStamped', 9, 228), ('PowerStamped', 11, 245),
    ('EnergyStamped', 7, 144), ('EnergyStamped', 9, 160), ('EnergyStamped', 11, 181)])
def test_the_total_follows_the_causes_of_messages_of_each_version(kind, number, size):
    """So many causes and bytes from the first of them on as earlier versions of usv_energy_msgs had; then the total."""
    kind = f'usv_energy_msgs/msg/{kind}'
    data = bytes(STORE.serialize_cdr(replace(blank(kind), convention='rep103', inertia=7.0), kind))
    begin = data.index(struct.pack('<d', 7.0))
    older = data[:begin] + struct.pack(f'<{number}d', *range(number)) + struct.pack('<d', 42.0)
    (_, found), = decode(kind, [block_of([older + bytes(begin + size - len(older))])])
    assert found['total'][0] == 42.0


def test_a_state_of_a_boat_ends_with_its_accelerations():
    kind = 'usv_energy_msgs/msg/BoatState'
    state = blank(kind)
    state = replace(state, acceleration=replace(state.acceleration, linear=vector(1.0, 2.0, 3.0),
                                                angular=vector(4.0, 5.0, 6.0)))
    (_, found), = decode(kind, [block_of([bytes(STORE.serialize_cdr(state, kind))])])
    assert found['acceleration'].tolist() == [[1.0, 2.0, 3.0]]
    assert found['angular_acceleration'].tolist() == [[4.0, 5.0, 6.0]]
