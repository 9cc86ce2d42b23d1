"""One file a provider: how it is asked, and how its answer reads."""
