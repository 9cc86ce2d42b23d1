"""What a tool is, and what it may touch."""
