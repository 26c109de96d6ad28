"""`boat make`: a whole boat file from what its owner knows of the boat, with the doubt in each number."""
