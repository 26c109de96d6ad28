"""Water current at the boat."""

import sys

from ..ros.lifecycle import run_node
from .flow_client import FlowClient


class CurrentClient(FlowClient):
    """Answer every boat state with the water current there. Topics and parameters: docs/ros.md, "Nodes"."""

    def __init__(self, **options) -> None:
        """Make the node, unconfigured."""
        super().__init__('water_current', 'current_client', **options)


def main() -> None:
    """Run the node in a separate process."""
    sys.exit(run_node(CurrentClient))


if __name__ == '__main__':
    main()
