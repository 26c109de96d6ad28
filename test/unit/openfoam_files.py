"""A small OpenFOAM case and tables as ParaView writes them, for the tests of their readers."""

import numpy as np
import places

DATA = places.DATA / 'openfoam'


HEAD = 'FoamFile\n{{\n version 2.0;\n format ascii;\n class {kind};\n object {name};\n}}\n\n'


CELLS = (8, 6, 4)          # of the small case, 5 m each: x 0..40, y 0..30, z 0..20


BUILDING = ((3, 5), (2, 4), (0, 3))  # cells left out: x 15..25, y 10..20, z 0..15


def foam(path, kind, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD.format(kind=kind, name=path.name) + body)


def listed(rows):
    return f'{len(rows)}\n(\n' + '\n'.join(rows) + '\n)\n'


def write_mesh(case):
    """Write a block of cubes with a building left out; patches: sides, and the building's walls. Returns the cells."""
    nx, ny, nz = CELLS
    free = np.ones(CELLS, dtype=bool)
    free[tuple(slice(*span) for span in BUILDING)] = False
    number = np.where(free, np.cumsum(free.ravel()).reshape(CELLS) - 1, -1)

    def point(i, j, k):
        return (k * (ny + 1) + j) * (nx + 1) + i

    places = [(5 * i, 5 * j, 5 * k) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]
    faces = {'inner': [], 'sides': [], 'building': []}
    for axis in range(3):
        for cell in np.ndindex(*(n + (a == axis) for a, n in enumerate(CELLS))):
            before = tuple(c - (a == axis) for a, c in enumerate(cell))
            low = number[before] if min(before) >= 0 else -1
            high = number[cell] if cell[axis] < CELLS[axis] else -1
            if low < 0 and high < 0:
                continue
            one, two = (a for a in range(3) if a != axis)
            ring = [list(cell) for _ in range(4)]
            for corner, (p, q) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
                ring[corner][one] += p
                ring[corner][two] += q
            if (axis == 1) == (low >= 0):  # outward from the owner: ring runs with the axis, but for y
                ring.reverse()
            owner, other = (low, high) if low >= 0 else (high, -1)
            edge = cell[axis] in (0, CELLS[axis])
            kind = 'inner' if other >= 0 else 'sides' if edge else 'building'
            faces[kind].append((owner, other, [point(*corner) for corner in ring]))
    faces['inner'].sort(key=lambda face: face[:2])
    every = [face for kind in faces.values() for face in kind]
    mesh = case / 'constant' / 'polyMesh'
    foam(mesh / 'points', 'vectorField', listed([f'({x} {y} {z})' for x, y, z in places]))
    foam(mesh / 'faces', 'faceList', listed([f'4({" ".join(map(str, face[2]))})' for face in every]))
    foam(mesh / 'owner', 'labelList', listed([str(face[0]) for face in every]))
    foam(mesh / 'neighbour', 'labelList', listed([str(face[1]) for face in faces['inner']]))
    start, patches = len(faces['inner']), []
    for kind in ('sides', 'building'):
        patches.append(f'{kind} {{ type patch; nFaces {len(faces[kind])}; startFace {start}; }}')
        start += len(faces[kind])
    foam(mesh / 'boundary', 'polyBoundaryMesh', listed(patches))
    return int(free.sum())


def write_velocity(case, time, rows):
    body = ('dimensions [0 1 -1 0 0 0 0];\ninternalField nonuniform List<vector>\n' + listed(rows)
            + ';\nboundaryField { sides { type zeroGradient; } building { type zeroGradient; } }\n')
    foam(case / time / 'U', 'volVectorField', body)


def write_csv(path, x, y, vx, vy, z=10.0, names='Points:0,Points:1,Points:2,U:0,U:1,U:2', mask=None):
    columns = [x, y, np.broadcast_to(z, np.shape(x)), vx, vy, 0.0 * np.asarray(x), *([] if mask is None else [mask])]
    lines = [','.join(f'{value:.9g}' for value in row) for row in np.column_stack(columns)]
    path.write_text('\n'.join([names + ('' if mask is None else ',vtkValidPointMask'), *lines]) + '\n')
    return path


def lattice():
    x, y = np.meshgrid(np.arange(0.0, 11.0, 2.0), np.arange(-4.0, 5.0, 1.0))
    return x.ravel(), y.ravel()
