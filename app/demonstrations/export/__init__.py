"""Episodes as data sets that learning reads. What is in them (rate, cameras, sizes, actions) is chosen here, after the fact."""
