import struct
import tracemalloc
import zlib

import pytest
from bag_files import ODOMETRY, STORE, check_circle, circle, write_bag
from needs import NEEDS_ROSBAGS

from usv_energy.files.errors import InputError
from usv_energy.files.limits import PART_BYTES
from usv_energy.logs.bags.bag import read_bag
from usv_energy.logs.bags.mcap import (
    BATCH_BYTES,
    CHANNEL,
    CHUNK,
    DATA_END,
    FOOTER,
    FOOTER_SIZE,
    HEAD,
    LOOSE_BYTES,
    MAGIC,
    MESSAGE,
    MESSAGE_INDEX,
    McapFile,
)
from usv_energy.logs.bags.mcap_writer import McapWriter
from usv_energy.logs.read_log import read_log

pytestmark = NEEDS_ROSBAGS


@pytest.mark.parametrize('share', [0.4, 0.97])
def test_a_bag_that_was_cut_off_gives_what_is_whole_and_says_so(tmp_path, share):
    bag = write_bag(tmp_path / 'bag', {'/odom': circle(seconds=200.0)})
    file = next(bag.glob('*.mcap'))
    data = file.read_bytes()
    file.write_bytes(data[:int(share * len(data))])
    log = read_log(bag)
    check_circle(log)
    assert share - 0.05 < len(log) / 4000 < share + 0.05
    assert 'bag_damaged' in {note.code for note in log.warnings}


@pytest.mark.parametrize(('content', 'says'), [(b'', 'is empty'), (b'0123456789' * 9, 'is no MCAP file')])
def test_what_is_no_mcap_file_is_refused(tmp_path, content, says):
    (tmp_path / 'a.mcap').write_bytes(content)
    with pytest.raises(InputError, match=says):
        McapFile(tmp_path / 'a.mcap')


def test_compressed_chunks_are_read(tmp_path):
    writer = pytest.importorskip('mcap.writer')
    for compression, library in (('ZSTD', 'zstandard'), ('LZ4', 'lz4')):
        pytest.importorskip(library)
        path = tmp_path / f'{library}.mcap'
        with path.open('wb') as file:
            out = writer.Writer(file, compression=writer.CompressionType[compression])
            out.start('ros2')
            schema = out.register_schema(ODOMETRY, 'ros2msg', b'')
            channel = out.register_channel('/odom', 'cdr', schema)
            for t, message in circle():
                out.add_message(channel, round(t * 1e9), STORE.serialize_cdr(message, ODOMETRY),
                                round(t * 1e9))
            out.finish()
        check_circle(read_bag(path))


def test_the_topics_of_a_whole_bag_are_those_of_its_summary(tmp_path, monkeypatch):
    """No record of the data is read for them; without a summary all of it is."""
    bag = write_bag(tmp_path / 'bag', {'/odom': circle(seconds=20.0), '/other/odom': circle(seconds=20.0)})
    file = next(bag.glob('*.mcap'))
    wanted = {'/odom': ODOMETRY, '/other/odom': ODOMETRY}
    with monkeypatch.context() as patched:
        patched.setattr(McapFile, '_records', lambda *_: pytest.fail('the data are read'))
        assert McapFile(file).topics() == wanted
    file.write_bytes(file.read_bytes()[:-20])
    assert McapFile(file).topics() == wanted


@pytest.mark.parametrize('place', [-FOOTER_SIZE, -1])
def test_a_summary_counts_only_where_both_the_footer_and_the_magic_are_whole(tmp_path, place):
    numbered(tmp_path / 'a.mcap', (3, 3))
    file = McapFile(tmp_path / 'a.mcap')
    assert len(file._in_summary()) == 2
    data = bytearray(file.path.read_bytes())
    data[place] ^= 0xFF
    file.path.write_bytes(data)
    assert file._in_summary() == set()


def record(code, content):
    return HEAD.pack(code, len(content)) + content


def test_records_outside_of_chunks_are_taken_a_megabyte_at_a_time(tmp_path):
    """A recorder may write no chunks at all: the file is not held in memory as a whole."""
    topic = struct.pack('<HH', 1, 0) + b''.join(struct.pack('<I', len(text)) + text for text in (b'/odom', b'cdr')) \
        + struct.pack('<I', 0)
    data = [bytes([k % 256]) * 10_000 for k in range(350)]
    messages = [record(MESSAGE, struct.pack('<HIQQ', 1, k, k, k) + one) for k, one in enumerate(data)]
    path = tmp_path / 'a.mcap'
    path.write_bytes(MAGIC + record(CHANNEL, topic) + b''.join(messages) + record(DATA_END, bytes(4))
                     + record(FOOTER, bytes(20)) + MAGIC)
    sizes = [len(part.records) for part in McapFile(path)._parts()]
    assert len(sizes) == 4 and max(sizes) <= LOOSE_BYTES + len(messages[0])
    read = [one for batch in McapFile(path).batches({'/odom'}) for block in batch.blocks for one in block.each()]
    assert list(map(bytes, read)) == data


def test_chunks_without_an_index_between_them_are_all_read(tmp_path):
    """The indexes and the summary are optional (MCAP, "Message Index", "Summary Section")."""
    path = tmp_path / 'a.mcap'
    writer = McapWriter(path, 'test')
    channel = writer.add_channel('/a', 'std_msgs/msg/Float64', 'float64 data', {})
    for second in range(5):
        writer.write(channel, b'\0\1\0\0' + struct.pack('<d', 0.5 * second), second)
        writer.flush()
    writer.close()
    data, at, kept = path.read_bytes(), len(MAGIC), MAGIC
    while (head := HEAD.unpack_from(data, at))[0] != DATA_END:
        kept += b'' if head[0] == MESSAGE_INDEX else data[at:at + HEAD.size + head[1]]
        at += HEAD.size + head[1]
    path.write_bytes(kept + HEAD.pack(DATA_END, 4) + bytes(4) + HEAD.pack(FOOTER, 20) + bytes(20) + MAGIC)
    file = McapFile(path)
    assert file.topics() == {'/a': 'std_msgs/msg/Float64'}
    assert [time for batch in file.batches({'/a'}) for time in batch.times.tolist()] == [0, 1, 2, 3, 4]
    assert file.faults == []


def numbered(path, *sizes, close=True):
    """Write messages of /a and /b in turn, each a chunk of its own with both; return the data of those of /a."""
    writer = McapWriter(path, 'test')
    channels = [writer.add_channel(f'/{name}', 'x/msg/A', 'uint8 a', {}) for name in 'ab']
    writer.add_channel('/silent', 'x/msg/A', 'uint8 a', {})
    data = []
    for number, (size, other) in enumerate(sizes):
        data.append(b'ABCDEFGHIJ'[number:number + 1] * size)
        writer.write(channels[0], data[-1], 10 * number)
        writer.write(channels[1], bytes(other), 10 * number)
        writer.flush()
    if close:
        writer.close()
    return data


def read(file, *topics):
    return [one for batch in file.batches(set(topics)) for one in map(bytes, batch.each())]


def test_messages_are_given_some_megabytes_at_a_time(tmp_path):
    data = numbered(tmp_path / 'a.mcap', *[(BATCH_BYTES // 4, 0)] * 9)
    batches = list(McapFile(tmp_path / 'a.mcap').batches({'/a'}))
    assert [len(batch.times) for batch in batches] == [5, 4], 'the fifth is the first that is too much'
    assert [one for batch in batches for one in map(bytes, batch.each())] == data


@pytest.mark.parametrize(('other', 'kept'), [(9000, False), (500, True)])
def test_a_chunk_is_not_kept_for_a_few_messages_in_it(tmp_path, other, kept):
    data, = numbered(tmp_path / 'a.mcap', (1000, other))
    (batch,) = McapFile(tmp_path / 'a.mcap').batches({'/a'})
    (block,) = batch.blocks
    assert (len(block.buffer) > 1000 + other) if kept else (bytes(block.buffer) == data)


def test_a_topic_without_a_message_is_none_of_the_file_s(tmp_path):
    numbered(tmp_path / 'a.mcap', (3, 4))
    assert McapFile(tmp_path / 'a.mcap').topics() == {'/a': 'x/msg/A', '/b': 'x/msg/A'}


def test_a_file_that_was_cut_off_anywhere_gives_what_is_whole_and_one_fault(tmp_path):
    """Messages are those whose records are whole, also in a chunk that is not: it is not compressed."""
    path = tmp_path / 'a.mcap'
    data = numbered(path, (5, 1), (6, 1))
    whole, ends = path.read_bytes(), []
    for one in data:
        ends.append(whole.index(one) + len(one))
    last = whole.index(HEAD.pack(DATA_END, 4))
    near = {end + by for end in ends for by in (-1, 0, 1)}
    for size in sorted(near | set(range(len(MAGIC), last, 5))):
        path.write_bytes(whole[:size])
        file = McapFile(path)
        found = read(file, '/a')
        assert found == data[:sum(end <= size for end in ends)], size
        assert len(file.faults) == 1 and file.faults[0].startswith(('it was not closed', 'it ends in the middle')), size
        assert set(file.topics()) <= {'/a', '/b'} and ('/a' in file.topics()) is bool(found)


def test_a_file_that_was_cut_before_its_first_message_says_so(tmp_path):
    path = tmp_path / 'a.mcap'
    data = numbered(path, (5, 1))
    path.write_bytes(path.read_bytes()[:path.read_bytes().index(data[0])])
    with pytest.raises(InputError, match=r'a\.mcap: holds no whole message: it ends in the middle of a record'):
        read_bag(path)


def test_a_chunk_whose_checksum_is_wrong_is_left_out_and_one_without_is_read(tmp_path):
    """A checksum of 0 says that there is none (MCAP, "Chunk")."""
    path = tmp_path / 'a.mcap'
    data = numbered(path, (5, 1), (6, 1))
    whole = bytearray(path.read_bytes())
    place = whole.index(data[1])  # In the second chunk: the first has the topics, too.
    whole[place] ^= 1
    path.write_bytes(whole)
    file = McapFile(path)
    assert read(file, '/a') == data[:1] and file.faults == [
        'the checksum of a chunk is wrong: its messages are left out']
    begin = len(MAGIC)
    while (after := begin + HEAD.size + HEAD.unpack_from(whole, begin)[1]) <= place:
        begin = after
    assert whole[begin] == CHUNK
    size, checksum = struct.unpack_from('<QI', whole, begin + HEAD.size + 16)
    whole[place] ^= 1
    assert checksum == zlib.crc32(whole[begin + HEAD.size + 40:begin + HEAD.size + 40 + size])
    struct.pack_into('<I', whole, begin + HEAD.size + 24, 0)
    path.write_bytes(whole)
    file = McapFile(path)
    assert read(file, '/a') == data and file.faults == []


def test_an_index_that_follows_no_chunk_says_nothing(tmp_path):
    topic = struct.pack('<HH', 1, 0) + b''.join(struct.pack('<I', len(text)) + text for text in (b'/a', b'cdr')) \
        + struct.pack('<I', 0)
    message = record(MESSAGE, struct.pack('<HIQQ', 1, 0, 7, 7) + b'data')
    path = tmp_path / 'a.mcap'
    path.write_bytes(MAGIC + record(CHANNEL, topic) + record(MESSAGE_INDEX, struct.pack('<HIQQ', 1, 16, 7, 0)) + message
                     + record(DATA_END, bytes(4)) + record(FOOTER, bytes(20)) + MAGIC)
    file = McapFile(path)
    assert read(file, '/a') == [b'data'] and file.faults == []


@pytest.mark.parametrize('compression', ['zstd', 'lz4'])
@pytest.mark.parametrize('says', [3 << 30, 1000], ids=['tells its size', 'tells another'])
def test_a_chunk_that_unpacks_without_end_is_refused_or_cut(tmp_path, compression, says):
    """A chunk of 200 MB of zeros in a few kilobytes: refused by the size that it tells, or read to that size."""
    library = pytest.importorskip('zstandard' if compression == 'zstd' else 'lz4.frame')
    zeros = b'\0' * 200_000_000
    packed = library.ZstdCompressor().compress(zeros) if compression == 'zstd' else library.compress(zeros)
    content = struct.pack('<QQQII', 0, 0, says, 0, len(compression)) + compression.encode() + struct.pack(
        '<Q', len(packed)) + packed
    path = tmp_path / 'a.mcap'
    path.write_bytes(MAGIC + struct.pack('<BQ', CHUNK, len(content)) + content)
    del zeros
    tracemalloc.start()
    try:
        if says > 1000:
            with pytest.raises(InputError, match='a part of it has 3221 MB unpacked'):
                McapFile(path).topics()
        else:
            assert McapFile(path).topics() == {}
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_long_attachment_is_passed_over_and_a_long_message_refused(tmp_path):
    for code, refused in ((0x09, False), (MESSAGE, True)):
        path = tmp_path / f'{code}.mcap'
        with path.open('wb') as file:
            file.write(MAGIC + struct.pack('<BQ', code, PART_BYTES + 1))
            file.truncate(PART_BYTES + 100)
        if refused:
            with pytest.raises(InputError, match='must be at most 67 MB'):
                McapFile(path).topics()
        else:
            assert McapFile(path).topics() == {}
