"""What everyone talks about: frozen values, no I/O."""
