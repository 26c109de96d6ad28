"""Files of YAML, JSON, text and tables, read with errors that say where and written whole; work side by side."""
