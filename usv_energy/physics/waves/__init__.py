"""Waves: their dispersion, spectra and forces on a boat."""
