"""What happened in a run: numbers of every step, taken in the compiled loop, and their curves."""
