"""`analyze`: a log turned into energy by cause, with its checks, its doubts, its report."""
