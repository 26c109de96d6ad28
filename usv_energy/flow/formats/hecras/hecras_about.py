"""What there is to say of a HEC-RAS 2D plan; words, for `usv-energy flow info`."""

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .hecras_file import LEVEL, PlanFile
from .hecras_mesh import Mesh


def about(plan: PlanFile, mesh: Mesh) -> dict[str, Any]:
    """Return what is in the file, but for times and speeds; ready for JSON."""
    library, projection = _of_rashdf(plan.path, plan.projection)
    return {
        'reader': 'hecras', 'metadata_by': library, 'file': str(plan.path), 'medium': 'water',
        'version': plan.attribute('/', 'File Version'), 'area': plan.area,
        'equations': plan.attribute('Plan Data/Plan Parameters', '2D Equation Set'),
        'extent_m': list(mesh.triangles.extent),
        'cells': int(mesh.real.sum()), 'ghost_cells': int((~mesh.real).sum()), 'faces': mesh.faces,
        'face_points': len(plan.geometry.points),
        'velocities_from': [name for kind in ('face', 'cell', 'point') for name in _names(plan.found[kind])],
        'water_from': plan.found['water'], 'units': plan.units, 'projection': projection,
    }


def missing(plan: PlanFile) -> list[str]:
    """Return what a plan may hold and this one does not."""
    found = plan.found
    lacks = {'cell velocities': found['cell'] is None, 'face point velocities': found['point'] is None,
             'face velocities': found['face'] is None, 'water level or depth': found['water'] is None,
             'date of the first step': plan.start is None, 'projection': plan.projection is None}
    return [name for name, lacking in lacks.items() if lacking]


def notes(plan: PlanFile, steps: Iterable[dict[str, Any]]) -> list[str]:
    """Return warnings, in plain words."""
    found = []
    if plan.found['cell'] is None and plan.found['point'] is None:
        found.append('velocities are rebuilt from those along the normals of the faces')
    if not any(step['wet_cells'] for step in steps):
        found.append('no cell is wet at the steps looked at: the field is all dry there')
    if plan.found['water'] is None:
        found.append(f'no {LEVEL!r} or depth in the file: every cell is taken as wet (assume_wet)')
    if plan.projection is None:
        found.append('the file has no projection: its map coordinates are metres in an unknown system')
    if (plan.attribute('Event Conditions', 'Completed Successfully') or 'True').lower() == 'false':
        found.append('HEC-RAS marks this run as not completed')
    return found


def _of_rashdf(path: Path, projection: str | None) -> tuple[str, str | None]:
    """
    Return the library asked, and the projection: its name and code by rashdf, where that is there and reads the file.

    rashdf takes a second to import and reads a variable with all its steps; so it is asked here, not while sailing.
    """
    with contextlib.suppress(Exception):  # whatever it stumbles over, the file's own text remains
        import rashdf
        with rashdf.RasPlanHdf(str(path)) as file:
            file.mesh_area_names()        # raises where the attribute tables of HEC-RAS 5.0.5 and later are missing
            system = file.projection()
            if system is None:
                return 'rashdf', None
            code = system.to_epsg()
            return 'rashdf', f'{system.name} (EPSG:{code})' if code else system.name
    return 'h5py', projection


def _names(variable: Any) -> list[str]:
    return [] if variable is None else [variable] if isinstance(variable, str) else list(variable)
