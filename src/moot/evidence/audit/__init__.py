"""Checking a finished report again, offline: ours, or one that another system wrote."""
