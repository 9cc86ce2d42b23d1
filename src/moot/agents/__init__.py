"""What an agent is, and the one loop it works in."""
