"""One file each: a tool, or a family of tools granted as one."""
