"""The short sweep that tests run: 21 runs of about 2 s, and all that a file of results holds but its date."""


from usv_energy.engine.sweep.results_file import open_results
from usv_energy.engine.sweep.run_sweep import SweepOptions

SHORT = {'base': '6', 'waypoints': [{'x': 244.5, 'y': 95.0}]}      # 2 m to go: about 2 s
CONTENT = {'scenario': 'short.yaml', 'grid': {'speed.target': [0.8, 1.0, 1.2]}, 'monte_carlo': {
    'samples': 7, 'seed': 3, 'parameters': {
        'boat.damping.linear.d11': {'distribution': 'normal', 'mean': 16.0, 'std': 1.0, 'min': 10.0},
        'wind.speed': {'distribution': 'uniform', 'min': 0.0, 'max': 3.0}}}}
NUMPY = SweepOptions(backend='numpy')


def content(path):
    """Return all of a file but its date, as bytes: arrays, their attributes, the file's own."""
    with open_results(path) as dataset:
        arrays = {name: (array.dims, array.dtype.str, array.values.tobytes(), sorted(
            (key, str(value)) for key, value in array.attrs.items())) for name, array in dataset.variables.items()}
        return arrays, {key: value for key, value in dataset.attrs.items() if key not in ('date_created', 'history')}
