"""A boat as it is fitted out for a day: another battery, charge or hotel load than its file says."""

from dataclasses import replace

from usv_energy.boats.battery_label import BatteryLabel
from usv_energy.boats.battery_sheet import counter_of
from usv_energy.boats.boat_file import Boat, battery_from
from usv_energy.files.errors import InputError


def with_battery(boat: Boat, label: BatteryLabel) -> Boat:
    """Return a boat with the battery of a label, full; InputError if no battery can be as it says."""
    sheet = battery_from(label.entry, boat.path)
    return replace(boat, battery=counter_of(sheet), battery_sheet=sheet)


def with_charge(boat: Boat, charge: float | None) -> Boat:
    """Return a boat whose battery begins with a state of charge, (-); the boat itself for None."""
    if charge is None:
        return boat
    if boat.battery is None:
        raise InputError(f'{boat.path}: has no battery; --charge goes with one, which --battery gives')
    sheet = boat.battery_sheet
    return replace(boat, battery=boat.battery._replace(initial_state_of_charge=charge),
                   battery_sheet=sheet and sheet._replace(initial_state_of_charge=charge))


def with_static_load(boat: Boat, load: float | None) -> Boat:
    """Return a boat with another hotel load, W, `static_load` of its file; the boat itself for None."""
    return boat if load is None else replace(boat, vessel=boat.vessel._replace(static_load=load))
