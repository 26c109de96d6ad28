"""Wind at the boat."""

from contextlib import ExitStack

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.wind_height import wind_share
from usv_energy.nodes.flow_client import FlowClient
from usv_energy.ros.framework.parameters import WIND_HEIGHT, Text


class WindClient(FlowClient):
    """Answer every boat state with the wind there. Topics and parameters: docs/nodes.md."""

    topic = 'wind'
    declared = (
        *FlowClient.declared,
        WIND_HEIGHT,
        Text('boat', '', 'With height above 0: boat to whose height of windage the wind is reduced, a name in '
             'config/boats, or the path of a YAML file.', read=read_boat),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the boat, where the wind holds at another height."""
        super().configure(undo)
        height, boat = self.parameters.number('height'), self.parameters.text('boat')
        if height and not boat:
            raise InputError(f'parameter height is {height:g} m and boat is empty; whose windage is the wind to be '
                             'reduced to?')
        self.global_share = wind_share(read_boat(boat), height) if height else 1.0


if __name__ == '__main__':
    WindClient.main()
