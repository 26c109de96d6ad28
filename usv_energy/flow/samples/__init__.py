"""Sample files of flows, computed in closed form."""
