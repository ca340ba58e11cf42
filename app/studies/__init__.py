"""Studies: many runs of one model with other values, controls and seeds, searched for the best by a goal, kept in a table that goes on where it was left. No Qt."""
