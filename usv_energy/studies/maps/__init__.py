"""`map`: energy over course and speed, best speeds, reach, time against energy."""
