"""Foils for tests: a rudder by its closed force, the same by a table that stalls, a sail."""

import math

from usv_energy.foils.foil import Foil, Steer, curve_of_table

ALL_ROUND = Steer(-math.pi, math.pi, 1.0)
RUDDER = Foil(x=-0.5, y=0.0, area=0.02, density=1000.0, lift=1.5, drag=1.0, drag0=0.02, aft=0.0,
              steer=Steer(-math.radians(60.0), math.radians(60.0), 1.0))
SAIL = Foil(x=0.2, y=0.0, area=2.0, density=1.2, lift=1.5, drag=1.0, drag0=0.0, aft=0.3,
            steer=Steer(-math.pi / 2, math.pi / 2, 1.0), in_air=1.0)
STALLING = curve_of_table([[0, 0, 0.01], [5, 0.5, 0.02], [12, 1.1, 0.06], [16, 0.8, 0.2], [45, 0.9, 1.0],
                           [90, 0.0, 1.4]], 'table')
TABLED = RUDDER._replace(curve=STALLING)
PLATE = RUDDER._replace(lift=0.8, drag=2.5)
