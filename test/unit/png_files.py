"""What a PNG says of itself."""

import struct


def png_size(path):
    """Return width and height of a whole PNG, px."""
    data = path.read_bytes()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    assert data.endswith(b'IEND\xaeB`\x82')
    return struct.unpack('>II', data[16:24])
