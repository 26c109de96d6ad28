"""Shared by all outputs: causes and colours, tables, figures, the frame of pages, progress."""
