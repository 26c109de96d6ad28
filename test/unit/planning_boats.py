"""The boat, speeds and water that the tests of planning share: closed forms are simple without windage."""

import numpy as np

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow

LUTRA = read_boat('lutra_prop').vessel
STATIC, LIMIT = 5.0, 36000.0    # W, J
BARE = LUTRA._replace(windage=LUTRA.windage._replace(frontal_area=0.0, lateral_area=0.0), static_load=STATIC)
D11 = BARE.damping.d11
SPEEDS = np.linspace(0.05, 1.7, 12)
FINE_SPEEDS = np.linspace(0.05, 1.7, 20)
COURSES = np.arange(0.0, 360.0, 30.0)
STILL = UniformFlow()
CURRENT = 0.3                   # m/s
