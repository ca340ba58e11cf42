"""Tendons of the hard engine: limits, dry friction and couplings as rows of their own, and the bordered Newton system that these make."""
