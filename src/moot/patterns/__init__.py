"""What teams share: coordinate, plan, review, workers, report."""
