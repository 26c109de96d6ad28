"""Water current at the boat."""

from dataclasses import replace

from usv_energy.files.limits import CURRENT_SPEED
from usv_energy.nodes.flow_client import FlowClient
from usv_energy.ros.framework.parameters import Number


class CurrentClient(FlowClient):
    """Answer every boat state with the water current there. Topics and parameters: docs/nodes.md."""

    topic = 'water_current'
    declared = tuple(replace(one, most=CURRENT_SPEED) if isinstance(one, Number) and one.name == 'speed' else one
                     for one in FlowClient.declared)


if __name__ == '__main__':
    CurrentClient.main()
