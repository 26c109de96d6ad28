"""
The kinds of thrusters, one file each: what a command gives and draws under way, and its entry in a boat file.

Every file here is imported with the package and registers itself, so a new kind is a new file. A kind elsewhere is a
module with the same content, which a program imports before it reads a boat file; the commands only know the kinds
here.
"""

import importlib
import pkgutil

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f'{__name__}.{_file.name}')
