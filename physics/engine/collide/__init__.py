"""Find the contacts between geoms: which pairs are close, where they touch, with which parameters."""
