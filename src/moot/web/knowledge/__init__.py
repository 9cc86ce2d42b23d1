"""Outside knowledge bases, `rag://`: providers/ has one file each, bases.py is what a run has of them."""
