"""What people see: text tables, pictures, pages. Everything here takes figures and computes none."""
