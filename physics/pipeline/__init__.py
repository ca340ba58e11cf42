"""One step taken apart: the stages in order with what each reads and writes, and the solver's iterates."""
