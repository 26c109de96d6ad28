"""Fixtures that tests of logs share."""

from log_fixtures import folder, independent

__all__ = ('folder', 'independent')
