"""YAML files in: where they are, what they may hold, and errors that name file, key and value."""
