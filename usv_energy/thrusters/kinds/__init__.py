"""
The kinds of thrusters, a file each: what a command gives and draws under way, and how a boat file describes it.

Every file here is imported with the package, and registers itself: a new kind is a new file. A kind that lies elsewhere
is a module of the same content, which a program imports before it reads a boat file; the commands know what lies here.
"""

import importlib
import pkgutil

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f'{__name__}.{_file.name}')
