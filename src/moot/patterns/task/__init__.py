"""What the team task is made of: planning, working a plan off, the report of a task."""
