"""One file an engine; its name is the engine's name. A new one is found by its file."""
