"""Files of teams that are a little other than the shipped ones."""

import yaml

from usv_energy.files.locate import resolve


def written(tmp_path, base='box', **changes):
    """Write a shipped team's file with other entries; None takes one away."""
    document = yaml.safe_load(resolve('teams', base).read_text()) | changes
    path = tmp_path / 'team.yaml'
    path.write_text(yaml.safe_dump({key: node for key, node in document.items() if node is not None}))
    return str(path)
