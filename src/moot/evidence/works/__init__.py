"""Which sources are one work."""
