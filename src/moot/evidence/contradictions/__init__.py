"""Where works that a run read do not agree."""
