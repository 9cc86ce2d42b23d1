"""Settings, wiring, and the one door to runs."""
