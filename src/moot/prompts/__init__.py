"""All words that models are given."""
