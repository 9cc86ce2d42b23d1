"""Runs, entries, events, questions and blobs, kept so that a kill -9 loses nothing."""
