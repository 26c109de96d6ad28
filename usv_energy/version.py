"""The version of the package; package.xml and setup.py hold the same one."""

__version__ = '0.1.0'
