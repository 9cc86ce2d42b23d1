"""A draft brought into one form and split into what it claims."""
