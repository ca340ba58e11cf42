"""The panel Sweep: one or two values over ranges, what becomes of a number for each, and taking one of them."""
