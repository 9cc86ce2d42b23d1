"""Running code that we did not write."""
