"""What is written is read back by our own reader, and by those of others where they are installed."""

import struct

import pytest
from bag_files import ODOMETRY, STORE, check_circle, circle
from needs import NEEDS_ROSBAGS, needs

from usv_energy.logs.bags.bag import read_bag
from usv_energy.logs.bags.mcap import CHUNK, HEAD, MAGIC, MESSAGE, MESSAGE_INDEX, McapFile
from usv_energy.logs.bags.mcap_writer import CHUNK_INDEX, CHUNK_SIZE, McapWriter

MESSAGES = [(f'message {k}'.encode(), 10 * k) for k in range(1000)]


def write(path, messages=MESSAGES, flush_every=100, close=True):
    writer = McapWriter(path, 'test')
    channels = [writer.add_channel(f'/topic{k}', 'std_msgs/msg/String', 'string data', {'k': str(k)}) for k in (0, 1)]
    for number, (data, time) in enumerate(messages):
        writer.write(channels[number % 2], data, time)
        if number % flush_every == flush_every - 1:
            writer.flush()
    if close:
        writer.close('version: 9')
    return writer


def read(path):
    file = McapFile(path)
    found = {}
    for batch in file.batches({'/topic0', '/topic1'}):
        times, data = found.setdefault(batch.topic, ([], []))
        times += batch.times.tolist()
        data += batch.each()
    return found, file.faults


def test_messages_are_read_back_in_order_with_their_times(tmp_path):
    write(tmp_path / 'a.mcap')
    found, faults = read(tmp_path / 'a.mcap')
    assert faults == []
    for number in (0, 1):
        wanted = MESSAGES[number::2]
        assert found[f'/topic{number}'] == ([time for _, time in wanted], [data for data, _ in wanted])
    assert McapFile(tmp_path / 'a.mcap').topics() == dict.fromkeys(('/topic0', '/topic1'), 'std_msgs/msg/String')


def test_what_was_flushed_is_there_though_nobody_closed_the_file(tmp_path):
    writer = write(tmp_path / 'a.mcap', MESSAGES[:950], close=False)
    found, faults = read(tmp_path / 'a.mcap')
    assert sum(len(times) for times, _ in found.values()) == 900
    assert faults == ['it was not closed (no end mark)']
    writer.close('')
    assert sum(len(times) for times, _ in read(tmp_path / 'a.mcap')[0].values()) == 950


def test_a_chunk_that_is_large_is_written_without_being_asked_for(tmp_path):
    write(tmp_path / 'a.mcap', [(bytes(CHUNK_SIZE // 4), k) for k in range(10)], close=False)
    assert (tmp_path / 'a.mcap').stat().st_size > 2 * CHUNK_SIZE


def test_a_file_is_never_overwritten(tmp_path):
    write(tmp_path / 'a.mcap')
    with pytest.raises(FileExistsError):
        McapWriter(tmp_path / 'a.mcap', 'test')


def test_a_file_without_a_message_is_whole(tmp_path):
    write(tmp_path / 'a.mcap', [])
    assert read(tmp_path / 'a.mcap') == ({}, [])


@needs('mcap', 'another reader')
def test_the_mcap_library_reads_it_by_its_index(tmp_path):
    from mcap.reader import make_reader
    write(tmp_path / 'a.mcap')
    with (tmp_path / 'a.mcap').open('rb') as file:
        reader = make_reader(file, validate_crcs=True)
        assert [message.data for _, _, message in reader.iter_messages()] == [data for data, _ in MESSAGES]
        summary = reader.get_summary()
        assert summary.statistics.message_count == 1000
        assert (summary.statistics.message_start_time, summary.statistics.message_end_time) == (0, 9990)
        assert summary.statistics.chunk_count == len(summary.chunk_indexes) == 10
        assert summary.channels[2].metadata == {'k': '1'}
        assert [record.metadata for record in reader.iter_metadata()] == [{'serialized_metadata': 'version: 9'}]


@NEEDS_ROSBAGS
def test_a_bag_of_odometry_is_read_as_one(tmp_path):
    writer = McapWriter(tmp_path / 'a.mcap', 'test')
    channel = writer.add_channel('/odom', ODOMETRY, STORE.generate_msgdef(ODOMETRY, ros_version=2)[0], {})
    for time, message in circle():
        writer.write(channel, bytes(STORE.serialize_cdr(message, ODOMETRY)), round(time * 1e9))
    writer.close('')
    check_circle(read_bag(tmp_path / 'a.mcap'))


def records_of(data, at):
    """Give place, code and content of the records from a place on, up to the magic at a file's end."""
    while at < len(data) - len(MAGIC):
        code, length = HEAD.unpack_from(data, at)
        yield at, code, data[at + HEAD.size:at + HEAD.size + length]
        at += HEAD.size + length


def test_the_index_says_where_each_chunk_is_and_in_it_each_message(tmp_path):
    """By the specification's "Chunk Index" and "Message Index"; messages are not in the order of their times."""
    path = tmp_path / 'a.mcap'
    messages = [(data, time ^ 16) for data, time in MESSAGES[:250]]
    writer = write(path, messages, close=False)
    writer.close('')
    data, whole = path.read_bytes(), 0
    there = list(records_of(data, len(MAGIC)))
    chunks = [content for _, code, content in there if code == CHUNK_INDEX]
    assert len(chunks) == 3
    for content in chunks:
        first, last, start, length, size = struct.unpack_from('<QQQQI', content)
        offsets = dict(struct.iter_unpack('<HQ', content[36:36 + size]))
        indexed, = struct.unpack_from('<Q', content, 36 + size)
        (_, code, chunk), *_ = records_of(data, start)
        assert code == CHUNK and length == HEAD.size + len(chunk) and struct.unpack_from('<QQ', chunk) == (first, last)
        assert min(offsets.values()) == start + length, 'the first index follows the chunk'
        held, times = chunk[40:], []
        for channel, place in offsets.items():
            (_, code, content), *_ = records_of(data, place)
            assert code == MESSAGE_INDEX and struct.unpack_from('<HI', content) == (channel, len(content) - 6)
            indexed -= HEAD.size + len(content)
            for time, at in struct.iter_unpack('<QQ', content[6:]):
                code, _, number, _, recorded, _ = struct.unpack_from('<BQHIQQ', held, at)
                assert (code, number, recorded) == (MESSAGE, channel, time)
                times.append(time)
        assert indexed == 0 and (first, last) == (min(times), max(times))
        whole += len(times)
    assert whole == 250 and sorted(offsets) == [1, 2]
    times = [time for _, time in messages]
    assert (writer.first, writer.last) == (min(times), max(times)) and writer.counts == {1: 125, 2: 125}
