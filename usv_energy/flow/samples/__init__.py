"""Sample files of flows, made here in closed form."""
