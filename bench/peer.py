"""The dynamics loop of PythonVehicleSimulator's Otter, from a checkout of it: run for comparison, never copied."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

OTTER = Path('src/python_vehicle_simulator/vehicles/otter.py')
STEP = 0.02


def is_checkout(folder: Path) -> bool:
    """Return whether a folder is a checkout of PythonVehicleSimulator."""
    return (folder / OTTER).is_file()


def otter_steps(folder: Path) -> Callable[[], int]:
    """
    Return work that steps the Otter as the peer's own main loop does, without its control and its log.

    :param folder: The checkout.
    :raises ImportError: If it lacks something, like matplotlib.
    """
    import numpy as np
    otter, attitude_euler = _imported(folder)
    vehicle = otter('stepInput')
    shafts = np.array([80.0, 90.0])

    def work() -> int:
        pose, velocity, actual = np.zeros(6), np.zeros(6), np.zeros(2)
        for _ in range(200):
            velocity, actual = vehicle.dynamics(pose, velocity, actual, shafts, STEP)
            pose = attitude_euler(pose, velocity, STEP)
        return 200
    return work


def _imported(folder: Path) -> tuple[Any, Any]:
    before = sys.path[:], sys.dont_write_bytecode
    sys.path.insert(0, str(folder.resolve() / 'src'))
    sys.dont_write_bytecode = True
    try:
        return (import_module('python_vehicle_simulator.vehicles.otter').otter,
                import_module('python_vehicle_simulator.lib.gnc').attitudeEuler)
    finally:
        sys.path[:], sys.dont_write_bytecode = before
