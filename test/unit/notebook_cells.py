"""The cells of a notebook, run in their order as plain Python: `python3 notebook_cells.py NOTEBOOK`."""

import json
import sys
from pathlib import Path


def run_cells(path):
    """Run the code of a notebook; its outputs are not kept in the repository."""
    notebook = json.loads(Path(path).read_text(encoding='utf-8'))
    assert notebook['nbformat'] == 4
    names = {'__name__': '__main__'}
    for number, cell in enumerate(notebook['cells']):
        if cell['cell_type'] == 'code':
            assert (cell['outputs'], cell['execution_count']) == ([], None), 'outputs are not kept in the repository'
            exec(compile(''.join(cell['source']), f'{path}, cell {number}', 'exec'), names)


if __name__ == '__main__':
    run_cells(sys.argv[1])
