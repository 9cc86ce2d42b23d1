"""Search engines of the web: engines/ has one file each, merged.py makes one of them all."""
