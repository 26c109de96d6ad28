"""What a process of ours does about its memory."""

import array
import ctypes
import platform
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
import rclpy

from usv_energy.files.locate import share_folder
from usv_energy.ros.framework.process import OWN_PROFILE, OWN_PROFILE_FILES, Heap, memory_profile
from usv_energy_msgs.srv import GetFlow

SIZE, NUMBER = 1000, 60_000
POINTS, DEADLINE = 2_000_000, 60.0      # DEADLINE: s


def resident(process='self'):
    """Return the memory of a process that is resident, bytes."""
    return int(Path(f'/proc/{process}/statm').read_text().split()[1]) * 4096


@pytest.mark.parametrize('name', [*OWN_PROFILE, *OWN_PROFILE_FILES])
def test_a_profile_of_the_users_own_is_not_replaced(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for one in OWN_PROFILE:
        monkeypatch.delenv(one, raising=False)
    profile = ElementTree.parse(memory_profile()['FASTRTPS_DEFAULT_PROFILES_FILE'])
    assert [one.text for one in profile.iter() if one.tag.endswith('historyMemoryPolicy')] == ['DYNAMIC', 'DYNAMIC']
    if name in OWN_PROFILE:
        monkeypatch.setenv(name, 'his.xml')
    else:
        (tmp_path / name).touch()
    assert memory_profile() == {}


@pytest.mark.skipif(platform.libc_ver()[0] != 'glibc', reason='other C libraries give memory back by themselves')
def test_a_large_request_that_is_refused_leaves_a_node_as_it_was(ros):
    """Fast DDS by itself keeps as many bytes as the request has."""
    if not rclpy.get_rmw_implementation_identifier().startswith('rmw_fastrtps'):
        pytest.skip('of Fast DDS')
    flow = share_folder() / 'config/flows/vortex.yaml'
    server = subprocess.Popen([sys.executable, '-m', 'usv_energy.nodes.flow_server', '--ros-args', '-p',
                               'autostart:=true', '-p', f'water_current:={flow}'])
    node = rclpy.create_node('asker')
    try:
        client = node.create_client(GetFlow, 'water_current/get_flow')
        end = time.monotonic() + DEADLINE
        while not client.wait_for_service(0.1):
            assert server.poll() is None and time.monotonic() < end

        def asked(points):
            future = client.call_async(GetFlow.Request(x=zeros(points), y=zeros(points)))
            rclpy.spin_until_future_complete(node, future, timeout_sec=DEADLINE)
            return future.result()

        assert asked(6).success
        before = resident(server.pid)
        assert 'must be at most' in asked(POINTS).message
        assert asked(6).success
        assert resident(server.pid) < before + 0.25 * 16 * POINTS
    finally:
        node.destroy_node()
        server.kill()
        server.wait()


def zeros(points):
    """Return coordinates of 0 m."""
    return array.array('d', bytes(8 * points))


@pytest.mark.skipif(platform.libc_ver()[0] != 'glibc', reason='other C libraries give memory back by themselves')
def test_memory_that_has_become_free_goes_back_although_something_above_it_is_in_use():
    library = ctypes.CDLL(None)
    library.malloc.restype, library.malloc.argtypes, library.free.argtypes = (
        ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p])
    heap = Heap()
    heap.give_back()
    blocks = [library.malloc(SIZE) for _ in range(NUMBER)]
    for block in blocks:
        ctypes.memset(block, 1, SIZE)
    for block in blocks[:-1]:
        library.free(block)
    before = resident()
    heap.give_back()
    assert resident() > before - SIZE * NUMBER // 4, 'it is not time yet'
    heap._due = 0.0
    heap.give_back()
    assert resident() < before - SIZE * NUMBER // 2
    library.free(blocks[-1])
