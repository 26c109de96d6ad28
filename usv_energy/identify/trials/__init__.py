"""Trials made to identify a boat: bollard pull and coast-down."""
