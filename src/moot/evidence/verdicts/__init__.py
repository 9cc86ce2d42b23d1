"""The tests of a claim, one file each: a function from a Case to a Verdict, or None when the claim passes."""
