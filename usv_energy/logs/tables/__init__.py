"""Logs from tables (CSV), one or a folder of them, by a column map."""
