"""Water current at the boat."""

from usv_energy.nodes.flow_client import FlowClient


class CurrentClient(FlowClient):
    """Answer every boat state with the water current there. Topics and parameters: docs/nodes.md."""

    topic = 'water_current'


main = CurrentClient.main

if __name__ == '__main__':
    main()
