"""The functions and results of the public Python API, which `usv_energy` offers by name; commands call them, too."""
