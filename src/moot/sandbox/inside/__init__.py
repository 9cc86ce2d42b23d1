"""What runs inside a sandbox. Standard library alone; nothing of moot's but what lies in this folder."""
