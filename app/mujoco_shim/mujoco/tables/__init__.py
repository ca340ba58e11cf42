"""Facts of the official module: names, numbers, arguments, shapes."""
