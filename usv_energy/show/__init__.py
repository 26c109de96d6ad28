"""What people see: text for a terminal, pictures, HTML pages, and the folders that they are written to."""
