"""Water current, wind and waves as fields with one protocol, `velocity(t, x, y)`, in the earth frame (ENU)."""
