"""A run: what costs, waits or differs, kept in the journal and read ever after."""
