"""Questions of quality, asked of runs."""
