"""`boat check`: the check of a boat file, as text and picture."""
