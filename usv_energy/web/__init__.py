"""The page of `usv-energy serve`, by which people use the studies in a browser."""
