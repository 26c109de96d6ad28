"""Seas: waves drawn from a spectrum, sea states from files, and the entry `waves` of a flow file."""
