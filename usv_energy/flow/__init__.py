"""Water current, wind and waves as fields, by one protocol, `velocity(t, x, y)`, in the earth frame (ENU)."""
