"""`analyze`: energy by cause from a log, with checks, uncertainty and report."""
