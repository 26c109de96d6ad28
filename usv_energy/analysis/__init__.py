"""Records of runs: tables, summaries, pictures."""
