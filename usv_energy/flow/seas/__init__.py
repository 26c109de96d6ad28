"""Seas: waves drawn from a spectrum, sea states of files, and the `waves` of a flow file."""
