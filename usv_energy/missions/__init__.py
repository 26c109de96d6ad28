"""Missions: what a boat is to do, from and to the files of ground stations and maps."""
