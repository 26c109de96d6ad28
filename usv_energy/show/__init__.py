"""What all outputs share: causes and colours, tables, figures, the frame of pages, progress."""
