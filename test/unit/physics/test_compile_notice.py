"""Where stderr is a pipe: compiling is said once, before it begins, and not where the code comes from the cache."""

import os
import subprocess
import sys
import textwrap

from usv_energy.cli.main import main
from usv_energy.physics.compile_notice import COMPILING, CompileNotice, notice

NEEDS = ('numba',)
TWO_KERNELS = textwrap.dedent("""
    from kernels import once, twice
    from usv_energy.physics.compile_notice import notice
    from usv_energy.physics.compiled_kernels import compiled_loop
    notice.wanted = True
    print(compiled_loop(once)(1.0), compiled_loop(twice)(1.0))
""")


def test_compiling_is_said_once_a_process_and_not_of_code_from_the_cache(tmp_path):
    (tmp_path / 'kernels.py').write_text('def once(x):\n    return x\n\n\ndef twice(x):\n    return 2.0 * x\n')
    environment = {**os.environ, 'NUMBA_CACHE_DIR': str(tmp_path / 'cache'),
                   'PYTHONPATH': os.pathsep.join((str(tmp_path), *filter(None, sys.path)))}
    first, second = (subprocess.run([sys.executable, "-P", "-c", TWO_KERNELS], capture_output=True, text=True,
                                    check=True, env=environment) for _ in range(2))
    assert first.stderr == 'compiling for this machine, which is kept for the next time ...\n'
    assert second.stderr == '' and first.stdout == second.stdout == '1.0 2.0\n'


def test_a_library_compiles_silently_and_a_command_says_it(capsys, monkeypatch):
    library = CompileNotice()
    library.begin()
    assert capsys.readouterr().err == ''
    library.wanted = True
    library.begin()
    assert capsys.readouterr().err == f'{COMPILING} ...\n'
    monkeypatch.setattr(notice, 'wanted', False)
    main(['list', 'boats'])
    assert notice.wanted
