"""A damaged cache of compiled code is compiled again; a cache that cannot be written is not stored."""

from types import SimpleNamespace

import pytest

from usv_energy.physics.compiled_kernels import with_careful_cache

NEEDS = ('numba',)


def test_a_damaged_cache_on_disk_is_compiled_again_and_replaced(tmp_path, monkeypatch):
    import numba
    monkeypatch.setattr(numba.config, 'CACHE_DIR', str(tmp_path))

    def twice(x):
        return 2.0 * x

    def compiled():
        return with_careful_cache(numba.njit(cache=True)(twice))

    assert compiled()(3.0) == 6.0
    files = [path for path in tmp_path.rglob('*') if path.is_file()]
    assert files
    for damage in (b'', b'no pickle', b'\x80\x04\x95\xff'):
        for path in tmp_path.rglob('*.nb?'):
            path.write_bytes(damage)
        assert compiled()(3.0) == 6.0
    again = compiled()
    assert again(3.0) == 6.0 and sum(again.stats.cache_hits.values()) == 1, 'the cache works again'


@pytest.mark.parametrize('error', [OSError(28, 'No space left on device'), PermissionError()])
def test_a_cache_that_cannot_be_written_stops_nothing(error):
    def fail(*arguments):
        raise error

    cache = SimpleNamespace(load_overload=fail, save_overload=fail, flush=fail)
    with_careful_cache(SimpleNamespace(_cache=cache))
    assert cache.load_overload() is None
    cache.save_overload()
