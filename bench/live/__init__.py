"""A real model on a real wire: one of 135 million parameters, which writes junk, plays the research team."""
