"""Missions and their itineraries, from and to the files of ground stations and maps."""
