"""Demonstrations: episodes of a run that is recorded, done again to the bit, edited, and written as data sets. No Qt."""
