"""Power and energy of unmanned surface vehicles: what a motion costs, and why."""

__version__ = '0.1.0'
