"""Read and write YAML, JSON, text and tables, with errors that name the place; parallel work."""
