"""The power of steady motions as tables and laws that searches look up."""
