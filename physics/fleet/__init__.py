"""Many independent simulations of one Model: rows of states, threads that move them, per-simulation fields of the Model."""
