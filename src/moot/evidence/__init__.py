"""What was really read, the exact words a sentence rests on, and whether they bear it."""
