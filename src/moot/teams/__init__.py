"""One file each: a team."""
