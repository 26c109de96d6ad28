"""Water current from a HEC-RAS 2D plan: the reader, the flow on its mesh, and the description of a plan."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import h5py
import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.field import speed_summary, steps_summary
from usv_energy.flow.formats.hdf_file import check_hdf
from usv_energy.flow.formats.hecras_file import AREAS, LEVEL, SERIES, Mesh, PlanFile, Rebuild
from usv_energy.flow.grids.node_steps import StepCache, SteppedFlow
from usv_energy.flow.grids.triangles import CHUNK
from usv_energy.flow.readers import Reader, beginning


def about(plan: PlanFile, mesh: Mesh) -> dict[str, Any]:
    """Return the content of the file, without times and speeds; ready for JSON."""
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
    """Return the optional content that a plan does not hold."""
    found = plan.found
    lacks = {'cell velocities': found['cell'] is None, 'face point velocities': found['point'] is None,
             'face velocities': found['face'] is None, 'water level or depth': found['water'] is None,
             'date of the first step': plan.start is None, 'projection': plan.projection is None}
    return [name for name, lacking in lacks.items() if lacking]


def notes(plan: PlanFile, steps: Iterable[dict[str, Any]]) -> list[str]:
    """Return warnings in plain words."""
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
    Return the library used, and the projection: its name and code by rashdf, if that is there and reads the file.

    rashdf takes a second to import and reads all steps of a variable, so it is used only here, not during a run.
    """
    with contextlib.suppress(Exception):  # If it fails, the file's own text remains.
        import rashdf
        with rashdf.RasPlanHdf(str(path)) as file:
            file.mesh_area_names()        # Raises without the attribute tables of HEC-RAS 5.0.5 and later.
            system = file.projection()
            if system is None:
                return 'rashdf', None
            code = system.to_epsg()
            return 'rashdf', f'{system.name} (EPSG:{code})' if code else system.name
    return 'h5py', projection


def _names(variable: Any) -> list[str]:
    return [] if variable is None else [variable] if isinstance(variable, str) else list(variable)


DRY_DEPTH = 0.003  # m; the size of HEC-RAS's own tolerances of level.
OPTIONS = {
    'area': 'name of the 2D area; needed where the file has several',
    'units': 'si or us (feet), for a file that does not say its units itself',
    'dry_depth': f'depth up to which a cell counts as dry, m, 0 or more; default {DRY_DEPTH}',
    'assume_wet': 'true: take every cell as wet in a file without water level or depth; default false',
}


class _Values(NamedTuple):
    """One step, prepared for evaluation."""

    nodes: np.ndarray   # Velocities at the mesh's nodes, m/s, shape (nodes, 2).
    usable: np.ndarray  # Triangles with water and a velocity, shape (T,).


class HecRasFlow(SteppedFlow):
    """
    A FlowSource on a HEC-RAS mesh: continuous, linear in triangles of cell centres, face points and face middles.

    At the middle of a face the velocity along its normal is the file's own. Between two steps a cell is inside if it is
    wet at both. A point on the face between a wet and a dry cell is inside; ghost cells and holes never are.
    """

    def __init__(self, path: Path, options: Mapping[str, Any]) -> None:
        """
        Open a plan.

        :param path: The file.
        :param options: See OPTIONS.
        :raises InputError: If it cannot be read, or an option is wrong.
        """
        self._plan = PlanFile(path, *_checked(path, options))
        try:
            self._mesh = Mesh(self._plan.geometry)
        except ValueError as error:
            self._plan.close()
            raise InputError(f'{path}: the mesh is damaged: {error}') from None
        self._rebuild = Rebuild(self._mesh)
        self.times, self.start = self._plan.times, self._plan.start
        self.extent = self._mesh.triangles.extent
        self._steps = StepCache(self._load)
        self._usable = StepCache(lambda step: self._steps.get(step).usable & self._steps.get(step + 1).usable)

    def _between(self, step: int, weight: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        before = self._steps.get(step)
        after = self._steps.get(step + 1) if weight else None
        usable = self._usable.get(step) if weight else before.usable
        value = np.full((2, x.size), np.nan)
        for at in range(0, x.size, CHUNK):
            triangle, shares = self._mesh.triangles.find(x[at:at + CHUNK], y[at:at + CHUNK], usable)
            inside = np.flatnonzero(triangle >= 0)
            nodes = self._mesh.triangles.corners[triangle[inside]].T
            of_nodes = before.nodes[nodes]
            if after is not None:
                of_nodes = of_nodes + weight * (after.nodes[nodes] - of_nodes)
            value[:, at + inside] = np.einsum('knc,kn->cn', of_nodes, shares[:, inside])
        return value

    def describe(self) -> dict[str, Any]:
        """Return the content of the file, ready for JSON; units are in the keys."""
        last = self.times.size - 1
        steps = [self._speeds(step) for step in sorted({0, last // 4, last // 2, 3 * last // 4, last})]
        return {**about(self._plan, self._mesh), **steps_summary(self.times, self.start), 'speeds': steps,
                'missing': missing(self._plan), 'notes': notes(self._plan, steps)}

    def outline(self) -> list[np.ndarray]:
        """Return polygons (K, 2), m: the edge of the mesh, and the holes in it."""
        return self._mesh.outline()

    def close(self) -> None:
        """Release the steps and close the file."""
        self._steps.clear()
        self._usable.clear()
        self._plan.close()

    def _load(self, step: int) -> _Values:
        wet, face, cell, point = self._plan.step(step)
        nodes = self._rebuild.nodes(wet, face, cell, point)
        usable = (wet & np.isfinite(nodes[:wet.size]).all(axis=1))[self._mesh.triangle_cell]
        return _Values(nodes, usable)

    def _speeds(self, step: int) -> dict[str, Any]:
        values = self._steps.get(step)
        cells = np.unique(self._mesh.triangle_cell[values.usable])
        return speed_summary(float(self.times[step]), 'wet_cells', np.hypot(*values.nodes[cells].T))


def _checked(path: Path, options: Mapping[str, Any]) -> tuple[str | None, str | None, float, bool]:
    """Return area, units, dry depth and assume_wet, checked."""
    area, units = options.get('area'), options.get('units')
    if area is not None and not isinstance(area, str):
        raise InputError(f'{path}: option area: {area!r}; allowed: the name of a 2D area')
    if units not in (None, 'si', 'us'):
        raise InputError(f'{path}: option units: {units!r}; allowed: si, us')
    depth, wet = options.get('dry_depth', DRY_DEPTH), options.get('assume_wet', False)
    if isinstance(depth, bool) or not isinstance(depth, (int, float)) or not 0.0 <= depth < float('inf'):
        raise InputError(f'{path}: option dry_depth: {depth!r}; allowed: a depth, m, 0 or more')
    if not isinstance(wet, bool):
        raise InputError(f'{path}: option assume_wet: {wet!r}; allowed: true, false')
    return area, units, float(depth), wet


def recognises(path: Path) -> bool:
    """Return whether a file is HEC-RAS's HDF5; a damaged HDF5 file counts as one if its name ends in .hdf."""
    if beginning(path, 8) != b'\x89HDF\r\n\x1a\n':
        return False
    try:
        check_hdf(path)
        with h5py.File(path, 'r') as opened:
            kind = opened.attrs.get('File Type', b'')
            return b'HEC-RAS' in bytes(np.bytes_(kind)) or AREAS in opened or SERIES in opened
    except (OSError, RuntimeError):  # The error of h5py depends on the damage of the file.
        return path.suffix.lower() == '.hdf'


READER = Reader('hecras', recognises, HecRasFlow, OPTIONS)
