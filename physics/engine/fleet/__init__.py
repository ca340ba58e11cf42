"""Many simulations of one Model, one after the other in the memory of one Data: rows come in, steps are taken, rows go out."""
