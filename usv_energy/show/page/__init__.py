"""The report of a log as one HTML page."""
