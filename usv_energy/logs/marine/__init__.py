"""Logs of the instruments and middleware of boats: NMEA 0183, Signal K, MOOS."""
