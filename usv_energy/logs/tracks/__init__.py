"""Logs from tracks with times, as chart plotters, phones and watches write them."""
