"""Wind at the boat."""

from .flow_client import FlowClient


class WindClient(FlowClient):
    """Answer every boat state with the wind there. Topics and parameters: docs/ros.md, "Nodes"."""

    topic = 'wind'


main = WindClient.main

if __name__ == '__main__':
    main()
